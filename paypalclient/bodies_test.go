package paypalclient

// Bodies as PayPal writes them.
const (
	authorizationBody = `{
		"id": "0VF52814937998046", "status": "CREATED", "invoice_id": "hold-1",
		"amount": {"currency_code": "USD", "value": "150.00"},
		"supplementary_data": {"related_ids": {"order_id": "5O190127TN364715T"}},
		"seller_protection": {"status": "ELIGIBLE"},
		"expiration_time": "2026-12-27T10:00:00Z", "create_time": "2026-11-28T10:00:00Z",
		"links": [
			{"rel": "self", "method": "GET", "href": "https://api-m.paypal.com/v2/payments/authorizations/0VF52814937998046"},
			{"rel": "up", "method": "GET", "href": "https://api-m.paypal.com/v2/checkout/orders/5O190127TN364715T"}
		]}`

	renewedBody = `{
		"id": "8AA831015G517922L", "status": "CREATED",
		"amount": {"currency_code": "USD", "value": "150.00"},
		"expiration_time": "2026-12-27T10:00:00Z", "create_time": "2026-12-02T10:00:00Z",
		"links": [{"rel": "up", "href": "https://api-m.paypal.com/v2/payments/authorizations/0VF52814937998046"}]}`

	captureBody = `{
		"id": "3C679366HH908993F", "status": "COMPLETED", "final_capture": true,
		"amount": {"currency_code": "USD", "value": "120.00"}, "invoice_id": "gv1/spring-2026/17",
		"supplementary_data": {"related_ids": {"order_id": "5O190127TN364715T", "authorization_id": "0VF52814937998046"}},
		"create_time": "2026-11-29T10:00:00Z",
		"links": [{"rel": "up", "href": "https://api-m.paypal.com/v2/payments/authorizations/0VF52814937998046"}]}`

	orderBody = `{
		"id": "5O190127TN364715T", "intent": "AUTHORIZE", "status": "COMPLETED", "create_time": "2026-11-28T09:59:00Z",
		"purchase_units": [{
			"reference_id": "default", "invoice_id": "hold-1",
			"amount": {"currency_code": "USD", "value": "150.00"},
			"payments": {
				"authorizations": [{"id": "0VF52814937998046", "status": "CAPTURED",
					"amount": {"currency_code": "USD", "value": "150.00"}}],
				"captures": [{"id": "3C679366HH908993F", "status": "COMPLETED", "final_capture": true,
					"amount": {"currency_code": "USD", "value": "120.00"},
					"links": [{"rel": "up", "href": "https://api-m.paypal.com/v2/payments/authorizations/0VF52814937998046"}]}]
			}}]}`

	capturedOrderBody = `{
		"id": "5O190127TN364715T", "intent": "CAPTURE", "status": "COMPLETED",
		"purchase_units": [{"reference_id": "default", "payments": {"captures": [
			{"id": "3C679366HH908993F", "status": "COMPLETED", "amount": {"currency_code": "USD", "value": "120.00"}}]}}]}`
)

package fake_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

func TestAmountsAreHeldAgainstPayPalsRules(t *testing.T) {
	cases := []struct {
		currency, value string // the value as it stands in the JSON
		status          int
		outcome         string
	}{
		{"USD", `"40.00"`, 201, "COMPLETED"},
		{"USD", `"40"`, 201, "COMPLETED"},
		{"USD", `"40.0"`, 201, "COMPLETED"},
		{"USD", `".5"`, 201, "COMPLETED"},
		{"USD", `"040.00"`, 201, "COMPLETED"},
		{"USD", `"40.000"`, 422, "DECIMAL_PRECISION"},
		{"USD", `"0"`, 422, "CANNOT_BE_ZERO_OR_NEGATIVE"},
		{"USD", `"0.00"`, 422, "CANNOT_BE_ZERO_OR_NEGATIVE"},
		{"USD", `"-1.00"`, 422, "CANNOT_BE_ZERO_OR_NEGATIVE"},
		{"USD", `"1234567890123456.00"`, 422, "MAX_VALUE_EXCEEDED"},
		{"USD", `"999999999999999.99"`, 422, "MAX_CAPTURE_AMOUNT_EXCEEDED"},
		{"USD", `"5."`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `"+1"`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `"1e3"`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `" 1"`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `""`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `true`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `1e1`, 400, "INVALID_PARAMETER_SYNTAX"},
		{"USD", `"` + strings.Repeat("1", 33) + `"`, 400, "INVALID_STRING_MAX_LENGTH"},
		{"US", `"1.00"`, 400, "INVALID_STRING_LENGTH"},
		{"DOLLAR", `"1.00"`, 400, "INVALID_STRING_MAX_LENGTH"},
		{"TND", `"1.00"`, 422, "INVALID_CURRENCY_CODE"},
		{"usd", `"1.00"`, 422, "INVALID_CURRENCY_CODE"},
		{"JPY", `"100"`, 201, "COMPLETED"},
		{"JPY", `"100.00"`, 422, "DECIMALS_NOT_SUPPORTED"},
		{"HUF", `"100"`, 201, "COMPLETED"},
		{"HUF", `"100.5"`, 422, "DECIMALS_NOT_SUPPORTED"},
		{"TWD", `"100.0"`, 422, "DECIMALS_NOT_SUPPORTED"},
	}
	for _, c := range cases {
		t.Run(c.currency+" "+c.value, func(t *testing.T) {
			s, a := start(t)
			s.AddHold(fake.Hold{AuthorizationID: "YEN", Currency: "JPY", Amount: "100"})
			s.AddHold(fake.Hold{AuthorizationID: "FORINT", Currency: "HUF", Amount: "100"})
			id := map[string]string{"JPY": "YEN", "HUF": "FORINT"}[c.currency]
			if id == "" {
				id = holdID
			}
			r := a.post(authorizations+id+"/capture", `{"amount":{"currency_code":"`+c.currency+`","value":`+c.value+`}}`, "")
			assert.Equal(t, c.status, r.status, r.text)
			assert.Equal(t, c.outcome, r.outcome())
		})
	}
}

func TestABareNumberIsAnAmountButIsFlagged(t *testing.T) {
	s, a := start(t)
	r := a.post(holdPath+"/capture", `{"amount":{"currency_code":"USD","value":40.00}}`, "id-1")
	assert.Equal(t, "40.00", r.at("amount.value"))
	assert.Equal(t, []string{"amount_is_a_number"}, s.Requests()[0].Flags)
}

func TestMalformedRequestsAreRefused(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	cases := map[string]struct {
		do, body string
		set      headers
		status   int
		issue    any
		field    any
	}{
		"cut off JSON":                  {"capture", `{"amount":`, nil, 400, "MALFORMED_REQUEST_JSON", nil},
		"not an object":                 {"capture", `[1]`, nil, 400, "MALFORMED_REQUEST_JSON", nil},
		"amount is text":                {"capture", `{"amount":"40.00"}`, nil, 400, "INVALID_PARAMETER_SYNTAX", "/amount"},
		"no currency":                   {"capture", `{"amount":{"value":"40.00"}}`, nil, 400, "MISSING_REQUIRED_PARAMETER", "/amount/currency_code"},
		"no value":                      {"capture", `{"amount":{"currency_code":"USD"}}`, nil, 400, "MISSING_REQUIRED_PARAMETER", "/amount/value"},
		"final_capture is text":         {"capture", `{"final_capture":"true"}`, nil, 400, "INVALID_PARAMETER_SYNTAX", "/final_capture"},
		"long invoice":                  {"capture", `{"invoice_id":"` + long(128) + `"}`, nil, 400, "INVALID_STRING_MAX_LENGTH", "/invoice_id"},
		"invoice is a number":           {"capture", `{"invoice_id":17}`, nil, 400, "INVALID_PARAMETER_SYNTAX", "/invoice_id"},
		"long note":                     {"capture", `{"note_to_payer":"` + long(256) + `"}`, nil, 400, "INVALID_STRING_MAX_LENGTH", "/note_to_payer"},
		"long descriptor":               {"capture", `{"soft_descriptor":"` + long(23) + `"}`, nil, 400, "INVALID_STRING_MAX_LENGTH", "/soft_descriptor"},
		"long request id":               {"capture", "", headers{"PayPal-Request-Id": long(109)}, 400, "INVALID_STRING_LENGTH", "PayPal-Request-Id"},
		"space in the request id":       {"void", "", headers{"PayPal-Request-Id": "a b"}, 400, "INVALID_PARAMETER_SYNTAX", "PayPal-Request-Id"},
		"form encoding":                 {"capture", "amount=1", headers{"Content-Type": "application/x-www-form-urlencoded"}, 415, nil, nil},
		"no type, even without a body":  {"capture", "", headers{"Content-Type": ""}, 415, nil, nil},
		"a void with a body of no type": {"void", "{}", headers{"Content-Type": ""}, 415, nil, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			r := a.call("POST", holdPath+"/"+c.do, c.body, c.set)
			assert.Equal(t, c.status, r.status, r.text)
			assert.Equal(t, c.issue, r.at("details.0.issue"))
			assert.Equal(t, c.field, r.at("details.0.field"))
			assert.Empty(t, s.Ledger().Captures)
		})
	}
}

func TestWhatPayPalLetsPass(t *testing.T) {
	cases := map[string]struct {
		do, body string
		set      headers
	}{
		"a void without a body needs no type": {"void", "", headers{"Content-Type": ""}},
		"a type with a charset":               {"capture", partly, headers{"Content-Type": "application/json; charset=utf-8"}},
		"fields that it does not know":        {"capture", `{"colour":"red"}`, nil},
		"a request id of 108 characters":      {"capture", "", headers{"PayPal-Request-Id": strings.Repeat("~", 108)}},
		"an invoice of 127 characters":        {"capture", `{"invoice_id":"` + strings.Repeat("é", 127) + `"}`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, a := start(t)
			r := a.call("POST", holdPath+"/"+c.do, c.body, c.set)
			assert.Less(t, r.status, 300, r.text)
		})
	}
}

func TestAnUnknownIDIs404(t *testing.T) {
	_, a := start(t)
	for _, path := range []string{
		authorizations + "NOSUCH", "/v2/payments/captures/NOSUCH", "/v2/checkout/orders/NOSUCH",
	} {
		r := a.get(path)
		assert.Equal(t, 404, r.status)
		assert.Equal(t, "RESOURCE_NOT_FOUND", r.at("name"))
		assert.Equal(t, "INVALID_RESOURCE_ID", r.outcome())
		assert.Equal(t, "NOSUCH", r.at("details.0.value"))
	}
	for _, path := range []string{
		authorizations + "NOSUCH/capture", authorizations + "NOSUCH/void", authorizations + "NOSUCH/reauthorize", "/v2/checkout/orders/NOSUCH/capture",
	} {
		assert.Equal(t, "INVALID_RESOURCE_ID", a.post(path, "", "").outcome(), path)
	}
}

func TestEveryErrorHasPayPalsEnvelope(t *testing.T) {
	s, a := start(t)
	s.Script(
		fake.Refuse(fake.OpGetAuthorization, "", 403, "PERMISSION_DENIED"),
		fake.Refuse(fake.OpGetAuthorization, "", 409, "PREVIOUS_REQUEST_IN_PROGRESS", "SECOND"),
		fake.Refuse(fake.OpGetAuthorization, "", 418),
		fake.Break(fake.OpGetAuthorization, "", fake.Before, 500),
		fake.Break(fake.OpGetAuthorization, "", fake.Before, 503),
		fake.Limit(fake.OpGetAuthorization, "", ""),
	)
	want := []struct {
		name    string
		details int
	}{{"NOT_AUTHORIZED", 1}, {"RESOURCE_CONFLICT", 2}, {"IM_A_TEAPOT", 0}, {"INTERNAL_SERVER_ERROR", 0}, {"SERVICE_UNAVAILABLE", 0}, {"RATE_LIMIT_REACHED", 0}}
	for _, w := range want {
		r := a.get(holdPath)
		assert.Equal(t, w.name, r.at("name"), r.text)
		assert.NotEmpty(t, r.at("message"))
		assert.Equal(t, r.header.Get("PayPal-Debug-Id"), r.at("debug_id"))
		details, _ := r.at("details").([]any)
		assert.Len(t, details, w.details)
		assert.Equal(t, "application/json", r.header.Get("Content-Type"))
	}
}

func TestEveryAnswerHasADebugIDOfItsOwn(t *testing.T) {
	_, a := start(t)
	seen := map[string]bool{}
	for _, r := range []reply{
		a.get(holdPath), a.get("/v2/nothing/here"), a.call("DELETE", holdPath, "", nil), a.mint("demo", "wrong"),
		a.call("POST", holdPath+"/void", "", headers{"Prefer": ""}),
	} {
		id := r.header.Get("PayPal-Debug-Id")
		require.Len(t, id, 13)
		assert.False(t, seen[id])
		seen[id] = true
	}
}

func TestPreferDecidesHowMuchIsAnswered(t *testing.T) {
	cases := []struct {
		do, prefer string
		status     int
		whole      bool
	}{
		{"capture", "", 201, false},
		{"capture", "return=minimal", 201, false},
		{"capture", wholeThing, 201, true},
		{"reauthorize", "", 201, false},
		{"reauthorize", wholeThing, 201, true},
		{"void", "", 204, false},
		{"void", "return=minimal", 204, false},
		{"void", wholeThing, 200, true},
	}
	for _, c := range cases {
		t.Run(c.do+" "+c.prefer, func(t *testing.T) {
			_, a, clock := renewable(t, fake.Options{})
			clock.advance(4 * day)
			r := a.call("POST", holdPath+"/"+c.do, "", headers{"Prefer": c.prefer})
			assert.Equal(t, c.status, r.status)
			assert.Equal(t, c.whole, r.at("amount") != nil)
			if c.status == 204 {
				assert.Empty(t, r.text)
				return
			}
			assert.NotEmpty(t, r.at("id"))
			assert.NotEmpty(t, r.at("status"))
			assert.Equal(t, "self", r.at("links.0.rel"))
		})
	}
	_, a := start(t)
	assert.NotNil(t, a.call("GET", holdPath, "", headers{"Prefer": "return=minimal"}).at("amount"), "a read is always whole")
}

func TestTheShapeOfACapture(t *testing.T) {
	_, a := start(t)
	made := a.post(holdPath+"/capture", amount("40.00"), "id-1")
	r := a.get("/v2/payments/captures/" + made.at("id").(string))
	assert.Equal(t, made.body, r.body)
	for path, want := range map[string]any{
		"status": "COMPLETED", "amount.value": "40.00", "amount.currency_code": "USD", "final_capture": true, "invoice_id": "gv1/spring/17",
		"supplementary_data.related_ids.order_id": orderID, "supplementary_data.related_ids.authorization_id": holdID,
		"links.2.rel": "up", "links.2.href": a.base + holdPath, "seller_receivable_breakdown.gross_amount.value": "40.00",
	} {
		assert.Equal(t, want, r.at(path), path)
	}
	assert.Regexp(t, `^[A-Z0-9]{17}$`, r.at("id"))
}

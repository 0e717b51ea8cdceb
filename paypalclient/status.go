package paypalclient

// AuthorizationStatus is the status of a hold. VOIDED does not prove that nothing was captured, and CAPTURED
// does not prove that everything was: read the captures.
type AuthorizationStatus string

// The statuses of a hold (Payments v2 reference, authorization_status). PayPal has none for "expired": a hold
// whose time is over turns VOIDED.
const (
	AuthorizationStatusCreated           AuthorizationStatus = "CREATED"
	AuthorizationStatusCaptured          AuthorizationStatus = "CAPTURED"
	AuthorizationStatusDenied            AuthorizationStatus = "DENIED"
	AuthorizationStatusPartiallyCaptured AuthorizationStatus = "PARTIALLY_CAPTURED"
	AuthorizationStatusVoided            AuthorizationStatus = "VOIDED"
	AuthorizationStatusPending           AuthorizationStatus = "PENDING"
	AuthorizationStatusUnknown           AuthorizationStatus = "UNKNOWN" // PayPal sent one that is not listed here
)

func authorizationStatus(s string) AuthorizationStatus {
	switch status := AuthorizationStatus(s); status {
	case AuthorizationStatusCreated, AuthorizationStatusCaptured, AuthorizationStatusDenied,
		AuthorizationStatusPartiallyCaptured, AuthorizationStatusVoided, AuthorizationStatusPending:
		return status
	}
	return AuthorizationStatusUnknown
}

// CaptureStatus is the status of a capture.
type CaptureStatus string

// The statuses of a capture (Payments v2 reference, capture_status).
const (
	CaptureStatusCompleted         CaptureStatus = "COMPLETED"
	CaptureStatusDeclined          CaptureStatus = "DECLINED"
	CaptureStatusPartiallyRefunded CaptureStatus = "PARTIALLY_REFUNDED"
	CaptureStatusPending           CaptureStatus = "PENDING"
	CaptureStatusRefunded          CaptureStatus = "REFUNDED"
	CaptureStatusFailed            CaptureStatus = "FAILED"
	CaptureStatusUnknown           CaptureStatus = "UNKNOWN" // PayPal sent one that is not listed here
)

func captureStatus(s string) CaptureStatus {
	switch status := CaptureStatus(s); status {
	case CaptureStatusCompleted, CaptureStatusDeclined, CaptureStatusPartiallyRefunded,
		CaptureStatusPending, CaptureStatusRefunded, CaptureStatusFailed:
		return status
	}
	return CaptureStatusUnknown
}

// OrderStatus is the status of an order. COMPLETED only means that a payment object exists; it can be a
// declined one: read the captures.
type OrderStatus string

// The statuses of an order (Orders v2 reference, order_status).
const (
	OrderStatusCreated             OrderStatus = "CREATED"
	OrderStatusSaved               OrderStatus = "SAVED"
	OrderStatusApproved            OrderStatus = "APPROVED"
	OrderStatusVoided              OrderStatus = "VOIDED"
	OrderStatusCompleted           OrderStatus = "COMPLETED"
	OrderStatusPayerActionRequired OrderStatus = "PAYER_ACTION_REQUIRED"
	OrderStatusUnknown             OrderStatus = "UNKNOWN" // PayPal sent one that is not listed here
)

func orderStatus(s string) OrderStatus {
	switch status := OrderStatus(s); status {
	case OrderStatusCreated, OrderStatusSaved, OrderStatusApproved, OrderStatusVoided,
		OrderStatusCompleted, OrderStatusPayerActionRequired:
		return status
	}
	return OrderStatusUnknown
}

package paypalclient

import "time"

// Authorization is a hold. ID, Status and Amount are always there when PayPal was asked for it; a time that
// PayPal left out or that cannot be read is zero.
type Authorization struct {
	ID             string
	Status         AuthorizationStatus
	Reason         string // PayPal's status_details.reason, or empty
	Amount         Money
	InvoiceID      string
	OrderID        string // the order it was made from, if PayPal says so
	CreateTime     time.Time
	ExpirationTime time.Time // when PayPal lets the hold lapse; a renewal does not move it
}

// Capture is a taking of money from a hold or an order. ID, Status and Amount are always there. A Capture
// that was answered without an error can still be PENDING, DECLINED or FAILED.
type Capture struct {
	ID              string
	Status          CaptureStatus
	Reason          string // PayPal's status_details.reason, or empty
	Amount          Money
	InvoiceID       string
	AuthorizationID string // the hold it was taken from, if PayPal says so
	OrderID         string // the order it belongs to, if PayPal says so
	FinalCapture    bool
	CreateTime      time.Time
}

// Order is an order with the payments that PayPal lists under it, over all its purchase units.
type Order struct {
	ID             string
	Status         OrderStatus
	Intent         string // "CAPTURE" or "AUTHORIZE"
	Amount         Money  // the sum of the purchase units; zero if an answer to a capture left it out
	InvoiceID      string // of the purchase unit; empty if there are several
	CreateTime     time.Time
	Authorizations []Authorization
	Captures       []Capture
}

// CaptureAuthorizationRequest asks for money from a hold. All fields are required.
type CaptureAuthorizationRequest struct {
	AuthorizationID string
	RequestID       string // PayPal-Request-Id: the same for the same intent, for ever
	InvoiceID       string // at most 127 characters
	Amount          Money  // at most what the hold holds, see CheckCeiling
}

// VoidAuthorizationRequest gives a hold back. Both fields are required.
type VoidAuthorizationRequest struct {
	AuthorizationID string // the original hold; PayPal does not void a renewed one
	RequestID       string
}

// ReauthorizeRequest renews a hold after its honor period. All fields are required.
type ReauthorizeRequest struct {
	AuthorizationID string // the original hold; PayPal does not renew a renewed one
	RequestID       string
	Amount          Money
}

// CaptureOrderRequest takes the money of an approved order with the intent CAPTURE.
type CaptureOrderRequest struct {
	OrderID   string
	RequestID string
	Amount    Money // what the captures must add up to, or else the answer is a mismatch; zero: not checked
}

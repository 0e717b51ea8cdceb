// Package activities holds the single steps that a settlement takes at PayPal:
// reading the truth about a hold, capturing it, and giving holds back.
//
// What PayPal says is returned as a value, whatever it is. An activity error
// means only that the activity itself did not end: its process died, or its
// time ran out.
package activities

import "gavel/paypalclient"

// The names under which the worker registers the activities. They stand in
// histories, so they never change.
const (
	CaptureName      = "Capture"
	ReadTruthName    = "ReadTruth"
	ReleaseHoldsName = "ReleaseHolds"
)

// Intent is one capture that a lot calls for: whose hold, how much, under
// which invoice and request id. It stands in the history before anything is
// sent, and a later try of the same capture carries the same Intent.
type Intent struct {
	BidderID        string `json:"bidder_id"`
	AuthorizationID string `json:"authorization_id"`
	// OrderID may be empty: it is then read from the hold.
	OrderID   string             `json:"order_id,omitempty"`
	Amount    paypalclient.Money `json:"amount"`
	InvoiceID string             `json:"invoice_id"`
	RequestID string             `json:"request_id"`
}

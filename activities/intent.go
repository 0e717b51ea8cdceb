// Package activities holds the single steps that a settlement takes at PayPal:
// reading the truth about a hold, capturing it, and giving holds back.
//
// What PayPal says is returned as a value, whatever it is. An activity error
// means only that the activity itself did not end: its process died, or its
// time ran out.
package activities

import (
	"cmp"
	"time"

	"gavel/paypalclient"
)

// The names under which the worker registers the activities. They stand in
// histories, so they never change.
const (
	CaptureName      = "Capture"
	ReauthorizeName  = "Reauthorize"
	ReadTruthName    = "ReadTruth"
	ReadHoldsName    = "ReadHolds"
	ReadCaptureName  = "ReadCapture"
	ReleaseHoldsName = "ReleaseHolds"
	AlertName        = "Alert"
)

// Intent is one capture that a lot calls for: whose hold, how much, under
// which invoice and request id. It stands in the history before anything is
// sent, and a later try of the same capture carries the same Intent.
type Intent struct {
	BidderID        string `json:"bidder_id"`
	AuthorizationID string `json:"authorization_id"`
	// RenewedID is the hold that PayPal renewed AuthorizationID as; empty where it
	// was not renewed. The renewal is what is captured, the original what is voided.
	RenewedID string `json:"renewed_id,omitempty"`
	// OrderID may be empty: it is then read from the hold.
	OrderID string `json:"order_id,omitempty"`
	// AuthorizedAt is since when the hold stands, where PayPal does not say.
	AuthorizedAt time.Time          `json:"authorized_at,omitzero"`
	Amount       paypalclient.Money `json:"amount"`
	InvoiceID    string             `json:"invoice_id"`
	// RequestID is the PayPal-Request-Id; empty where the intent is only looked at.
	RequestID string `json:"request_id,omitempty"`
}

// family are the ids of the hold and of its renewal.
func (i Intent) family() []string {
	if i.RenewedID == "" {
		return []string{i.AuthorizationID}
	}
	return []string{i.AuthorizationID, i.RenewedID}
}

// chargedHold is the id of the hold that the money is taken from.
func (i Intent) chargedHold() string { return cmp.Or(i.RenewedID, i.AuthorizationID) }

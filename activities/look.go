package activities

import (
	"context"
	"slices"

	"gavel/paypalclient"
)

// captureLooker turns captures into SeenCaptures, from the view of one intent.
type captureLooker struct {
	paypal truthAPI
	intent Intent
	family []string // the hold's id and those of its renewals
	known  string   // a capture that is known to be the intent's own; may be empty
}

// all looks at what an order lists. A listed capture without its amount or
// invoice is read by itself, and so is the known one where the order does not
// list it.
func (l captureLooker) all(ctx context.Context, listed []paypalclient.Capture) ([]SeenCapture, error) {
	seen := make([]SeenCapture, 0, len(listed)+1)
	found := false
	for _, c := range listed {
		if c.InvoiceID == "" || c.Amount == (paypalclient.Money{}) {
			var err error
			if c, err = l.paypal.GetCapture(ctx, c.ID); err != nil {
				return nil, err
			}
		}
		found = found || c.ID == l.known
		seen = append(seen, see(l.intent, l.family, c, l.known))
	}
	if l.known != "" && !found {
		c, err := l.paypal.GetCapture(ctx, l.known)
		if err != nil {
			return nil, err
		}
		seen = append(seen, see(l.intent, l.family, c, l.known))
	}
	return seen, nil
}

// see looks at a capture from the intent. Only the capture that is known to be
// the intent's own needs no invoice to show it.
func see(intent Intent, family []string, c paypalclient.Capture, ownID string) SeenCapture {
	seen := seeAny(c)
	invoiced := c.InvoiceID == intent.InvoiceID || c.InvoiceID == "" && c.ID == ownID
	seen.Ours = c.Amount == intent.Amount && invoiced && seen.on(family)
	return seen
}

// seeAny looks at a capture for what it is.
func seeAny(c paypalclient.Capture) SeenCapture {
	return SeenCapture{
		ID:              c.ID,
		Status:          string(c.Status),
		Reason:          c.Reason,
		Amount:          c.Amount,
		InvoiceID:       c.InvoiceID,
		AuthorizationID: c.AuthorizationID,
		OrderID:         c.OrderID,
	}
}

// on tells whether nothing speaks against the capture being on one of these holds.
func (c SeenCapture) on(family []string) bool {
	return c.AuthorizationID == "" || slices.Contains(family, c.AuthorizationID)
}

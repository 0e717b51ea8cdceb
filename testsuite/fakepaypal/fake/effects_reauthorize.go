package fake

import (
	"slices"
	"time"
)

// reauthorizeHold is POST /v2/payments/authorizations/{id}/reauthorize: a new id with a new honor period and the old
// end. PayPal looks at the honor period before it looks at the state.
func (s *Server) reauthorizeHold(c *call, now time.Time) (*change, string, *refusal) {
	h := s.book.Holds[c.resource]
	if h == nil {
		return nil, "", unknownID(c.resource)
	}
	h = h.at(now)
	if h.Parent != "" {
		return nil, "", unprocessable("REAUTHORIZATION_NOT_SUPPORTED")
	}
	if s.tooSoon(h, now) {
		return nil, "", unprocessable("REAUTHORIZATION_TOO_SOON")
	}
	switch h.Status {
	case "CREATED":
	case "CAPTURED", "PARTIALLY_CAPTURED":
		return nil, "", unprocessable("AUTHORIZATION_ALREADY_CAPTURED")
	case "VOIDED":
		return nil, "", unprocessable("AUTHORIZATION_VOIDED")
	default:
		return nil, "", unprocessable("TRANSACTION_REFUSED")
	}
	amount := h.Amount
	if c.amount != nil {
		amount = *c.amount
	}
	if amount.Currency != h.Amount.Currency {
		return nil, "", unprocessable("AUTH_CURRENCY_MISMATCH")
	}
	if amount.Minor > s.ceiling(h.Amount) {
		return nil, "", unprocessable("AUTHORIZATION_AMOUNT_EXCEEDED")
	}
	return s.renew(h, amount, now)
}

func (s *Server) renew(h *hold, amount money, now time.Time) (*change, string, *refusal) {
	child := &hold{
		ID: newID(), OrderID: h.OrderID, Parent: h.ID, Amount: amount, Status: "CREATED", InvoiceID: h.InvoiceID,
		Created: now, Updated: now, Expires: h.Expires,
	}
	parent := *h
	parent.Children = append(slices.Clone(h.Children), child.ID)
	parent.Updated = now
	done := &change{Holds: []*hold{&parent, child}}
	s.listOnOrder(done, h.OrderID, now, func(o *order) { o.Holds = append(slices.Clone(o.Holds), child.ID) })
	return done, child.ID, nil
}

// tooSoon reports whether the honor period of the hold, or of its newest renewal, still runs.
func (s *Server) tooSoon(h *hold, now time.Time) bool {
	newest := h.Created
	if n := len(h.Children); n > 0 {
		if s.options.ReauthorizeOnce {
			return true
		}
		newest = s.book.Holds[h.Children[n-1]].Created
	}
	return now.Before(newest.Add(honorPeriod))
}

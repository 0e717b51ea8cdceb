package fake

import (
	"fmt"
	"net/http"
)

// Taking is a capture that somebody else makes: the shop itself, a person in PayPal's own pages, an earlier run.
type Taking struct {
	AuthorizationID string `json:"authorization_id,omitempty"` // this hold is captured,
	OrderID         string `json:"order_id,omitempty"`         // or this order
	Amount          string `json:"amount,omitempty"`           // "": the whole hold; an order is always captured whole
	InvoiceID       string `json:"invoice_id,omitempty"`
	Partial         bool   `json:"partial,omitempty"` // without final_capture
	Status          string `json:"status,omitempty"`  // "": COMPLETED
	Leaves          string `json:"leaves,omitempty"`  // status of the hold or order afterwards; "": the usual one
}

// Take makes a capture behind everyone's back, under the same rules as a capture over HTTP, and returns its id.
// It is not in the request log and meets no fault.
func (s *Server) Take(t Taking) (captureID string, err error) {
	c := &call{
		op: OpCaptureAuthorization, resource: t.AuthorizationID, invoiceID: t.InvoiceID, final: !t.Partial,
		outcome: &Outcome{Status: t.Status, Leaves: t.Leaves},
	}
	if t.OrderID != "" {
		c.op, c.resource = OpCaptureOrder, t.OrderID
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	if t.Amount != "" {
		h := s.book.Holds[t.AuthorizationID]
		if h == nil {
			return "", fmt.Errorf("no hold %q", t.AuthorizationID)
		}
		amount, err := amountOf(h.Amount.Currency, t.Amount)
		if err != nil {
			return "", err
		}
		c.amount = &amount
	}
	done, _, no := effects[c.op](s, c, now)
	if no != nil {
		return "", fmt.Errorf("%s: %s", http.StatusText(no.Status), no.Details[0].Issue)
	}
	return done.Captures[0].ID, s.commit(done)
}

// SetHold gives a hold and its renewals a status that they get by no call, like PENDING or DENIED.
func (s *Server) SetHold(authorizationID, status, reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.book.Holds[authorizationID]
	if h == nil {
		return fmt.Errorf("no hold %q", authorizationID)
	}
	done := s.moveFamily(h, s.now(), status)
	for _, member := range done.Holds {
		member.Reason = reason
	}
	return s.commit(done)
}

// SetOrder gives an order a status; one that becomes APPROVED is so from now on.
func (s *Server) SetOrder(orderID, status string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	done := &change{}
	s.listOnOrder(done, orderID, now, func(o *order) {
		o.Status = status
		if status == "APPROVED" {
			o.Approved = now
		}
	})
	if len(done.Orders) == 0 {
		return fmt.Errorf("no order %q", orderID)
	}
	return s.commit(done)
}

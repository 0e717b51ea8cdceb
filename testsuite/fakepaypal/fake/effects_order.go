package fake

import (
	"slices"
	"time"
)

// captureOrder is POST /v2/checkout/orders/{id}/capture. The order's own amount and invoice id count.
func (s *Server) captureOrder(c *call, now time.Time) (*change, string, *refusal) {
	o := s.book.Orders[c.resource]
	if o == nil || o.lapsed(now, s.options.OrderLifetime) {
		return nil, "", unknownID(c.resource)
	}
	switch {
	case o.Intent != "CAPTURE":
		return nil, "", unprocessable("ACTION_DOES_NOT_MATCH_INTENT")
	case len(o.Captures) > 0 || o.Status == "COMPLETED":
		return nil, "", unprocessable("ORDER_ALREADY_CAPTURED")
	case o.Status != "APPROVED":
		return nil, "", unprocessable("ORDER_NOT_APPROVED")
	case s.duplicateInvoice(o.InvoiceID):
		return nil, "", unprocessable("DUPLICATE_INVOICE_ID")
	}
	made := s.newCapture(c, now, o.Amount)
	made.OrderID, made.InvoiceID, made.Final = o.ID, o.InvoiceID, true
	paid := *o
	paid.Captures = append(slices.Clone(o.Captures), made.ID)
	paid.Status, paid.Updated = "COMPLETED", now
	if c.outcome != nil && c.outcome.Leaves != "" {
		paid.Status = c.outcome.Leaves
	}
	return &change{Orders: []*order{&paid}, Captures: []*capture{made}}, o.ID, nil
}

// newCapture is a capture with the outcome that was scripted for the call, else COMPLETED.
func (s *Server) newCapture(c *call, now time.Time, amount money) *capture {
	made := &capture{
		ID: newID(), Seq: len(s.book.Captures) + 1, RequestID: c.requestID, Amount: amount, Status: "COMPLETED", Created: now, Updated: now,
	}
	if c.outcome == nil {
		return made
	}
	if c.outcome.Status != "" {
		made.Status, made.Reason = c.outcome.Status, c.outcome.Reason
	}
	if then := c.outcome.Then; then != nil {
		made.Next = &resolution{At: now.Add(c.outcome.After), Status: then.Status, Reason: then.Reason, Leaves: then.Leaves}
	}
	return made
}

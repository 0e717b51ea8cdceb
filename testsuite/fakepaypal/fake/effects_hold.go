package fake

import (
	"slices"
	"time"
)

// captureHold is POST /v2/payments/authorizations/{id}/capture.
func (s *Server) captureHold(c *call, now time.Time) (*change, string, *refusal) {
	h := s.book.Holds[c.resource]
	if h == nil {
		return nil, "", unknownID(c.resource)
	}
	h = h.at(now)
	if issue := uncapturable(h); issue != "" {
		return nil, "", unprocessable(issue)
	}
	taken, count := s.book.taken(h)
	amount := money{h.Amount.Currency, h.Amount.Minor - taken}
	if c.amount != nil {
		amount = *c.amount
	}
	switch {
	case amount.Currency != h.Amount.Currency:
		return nil, "", unprocessable("AUTH_CAPTURE_CURRENCY_MISMATCH")
	case amount.Minor <= 0, taken+amount.Minor > s.ceiling(h.Amount):
		return nil, "", unprocessable("MAX_CAPTURE_AMOUNT_EXCEEDED")
	case count >= maxCaptures:
		return nil, "", unprocessable("MAX_CAPTURE_COUNT_EXCEEDED")
	case s.duplicateInvoice(c.invoiceID):
		return nil, "", unprocessable("DUPLICATE_INVOICE_ID")
	}
	made := s.newCapture(c, now, amount)
	made.HoldID, made.OrderID, made.InvoiceID, made.Final = h.ID, h.OrderID, c.invoiceID, c.final
	status := h.Status
	switch {
	case c.outcome != nil && c.outcome.Leaves != "":
		status = c.outcome.Leaves
	case !tookMoney(made.Status):
	case c.final, taken+amount.Minor >= h.Amount.Minor:
		status = "CAPTURED"
	default:
		status = "PARTIALLY_CAPTURED"
	}
	done := s.moveFamily(h, now, status)
	root := done.Holds[0]
	root.Captures = append(slices.Clone(root.Captures), made.ID)
	done.Captures = []*capture{made}
	s.listOnOrder(done, h.OrderID, now, func(o *order) { o.Captures = append(slices.Clone(o.Captures), made.ID) })
	return done, made.ID, nil
}

// uncapturable is why a hold in its state cannot be captured.
func uncapturable(h *hold) string {
	switch h.Status {
	case "CREATED", "PARTIALLY_CAPTURED":
		return ""
	case "VOIDED":
		if h.Expired {
			return "AUTHORIZATION_EXPIRED"
		}
		return "AUTHORIZATION_VOIDED"
	case "CAPTURED":
		return "AUTHORIZATION_ALREADY_CAPTURED"
	case "DENIED":
		return "AUTHORIZATION_DENIED"
	}
	return "TRANSACTION_REFUSED"
}

func (s *Server) ceiling(amount money) int64 {
	if s.options.NoOverCapture {
		return amount.Minor
	}
	return amount.ceiling()
}

// duplicateInvoice reports whether the account refuses to capture for this invoice id once more.
func (s *Server) duplicateInvoice(invoiceID string) bool {
	if invoiceID == "" || s.options.Invoices == InvoicesFree {
		return false
	}
	return slices.ContainsFunc(s.book.invoices[invoiceID], func(id string) bool {
		return s.options.Invoices == InvoicesEver || tookMoney(s.book.Captures[id].Status)
	})
}

// voidHold is POST /v2/payments/authorizations/{id}/void. What was captured in part stays captured.
func (s *Server) voidHold(c *call, now time.Time) (*change, string, *refusal) {
	h := s.book.Holds[c.resource]
	if h == nil {
		return nil, "", unknownID(c.resource)
	}
	h = h.at(now)
	switch {
	case h.Parent != "":
		return nil, "", unprocessable("CANNOT_BE_VOIDED")
	case h.Status == "CAPTURED":
		return nil, "", unprocessable("PREVIOUSLY_CAPTURED")
	case !h.open():
		return nil, "", unprocessable("PREVIOUSLY_VOIDED")
	}
	return s.moveFamily(h, now, "VOIDED"), h.ID, nil
}

// moveFamily gives a hold and its renewals a status; the original stands first in the change.
func (s *Server) moveFamily(h *hold, now time.Time, status string) *change {
	done := &change{}
	for _, member := range s.book.family(h) {
		moved := *member.at(now)
		moved.Status, moved.Updated = status, now
		done.Holds = append(done.Holds, &moved)
	}
	return done
}

func (s *Server) listOnOrder(done *change, id string, now time.Time, add func(*order)) {
	known := s.book.Orders[id]
	if known == nil {
		return
	}
	listed := *known
	listed.Updated = now
	add(&listed)
	done.Orders = append(done.Orders, &listed)
}

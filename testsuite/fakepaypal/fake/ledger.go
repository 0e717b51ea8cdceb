package fake

import (
	"sort"
	"time"
)

// Ledger is what really happened, whatever was answered. Captures stand in the order in which they took effect.
type Ledger struct {
	Captures []LedgerCapture `json:"captures"`
	Holds    []LedgerHold    `json:"holds"`
	Orders   []LedgerOrder   `json:"orders"`
}

// LedgerCapture is one capture; AuthorizationID is empty for one that was made on an order.
type LedgerCapture struct {
	CaptureID       string    `json:"capture_id"`
	AuthorizationID string    `json:"authorization_id,omitempty"`
	OrderID         string    `json:"order_id,omitempty"`
	InvoiceID       string    `json:"invoice_id,omitempty"`
	Currency        string    `json:"currency"`
	Amount          string    `json:"amount"`
	Status          string    `json:"status"`
	Reason          string    `json:"reason,omitempty"`
	Refunded        string    `json:"refunded,omitempty"`
	RequestID       string    `json:"request_id,omitempty"`
	Final           bool      `json:"final"`
	Time            time.Time `json:"time"`
}

// LedgerHold is one authorization; ParentID is set for one that came from a reauthorization.
type LedgerHold struct {
	AuthorizationID string    `json:"authorization_id"`
	ParentID        string    `json:"parent_id,omitempty"`
	OrderID         string    `json:"order_id,omitempty"`
	Currency        string    `json:"currency"`
	Amount          string    `json:"amount"`
	Status          string    `json:"status"`
	CreateTime      time.Time `json:"create_time"`
	ExpirationTime  time.Time `json:"expiration_time"`
}

// LedgerOrder is one order; Status is LAPSED for one that PayPal would no longer know.
type LedgerOrder struct {
	OrderID  string `json:"order_id"`
	Intent   string `json:"intent"`
	Status   string `json:"status"`
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}

// TookMoney reports whether the buyer was charged or may still be: COMPLETED, PENDING, and what was refunded later.
func (c LedgerCapture) TookMoney() bool { return tookMoney(c.Status) }

// Hold finds an authorization by its id.
func (l Ledger) Hold(id string) (LedgerHold, bool) {
	for _, h := range l.Holds {
		if h.AuthorizationID == id {
			return h, true
		}
	}
	return LedgerHold{}, false
}

// CapturesOf lists the captures made on an authorization or order.
func (l Ledger) CapturesOf(id string) []LedgerCapture {
	var found []LedgerCapture
	for _, c := range l.Captures {
		if c.AuthorizationID == id || c.OrderID == id {
			found = append(found, c)
		}
	}
	return found
}

// Ledger reads the books as they stand on the server's clock.
func (s *Server) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	ledger := Ledger{Captures: []LedgerCapture{}, Holds: []LedgerHold{}, Orders: []LedgerOrder{}}
	for _, c := range s.book.capturesInOrder() {
		ledger.Captures = append(ledger.Captures, c.ledger())
	}
	for _, h := range s.book.Holds {
		ledger.Holds = append(ledger.Holds, h.at(now).ledger())
	}
	for _, o := range s.book.Orders {
		ledger.Orders = append(ledger.Orders, o.ledger(o.lapsed(now, s.options.OrderLifetime)))
	}
	sort.Slice(ledger.Holds, func(i, j int) bool { return ledger.Holds[i].AuthorizationID < ledger.Holds[j].AuthorizationID })
	sort.Slice(ledger.Orders, func(i, j int) bool { return ledger.Orders[i].OrderID < ledger.Orders[j].OrderID })
	return ledger
}

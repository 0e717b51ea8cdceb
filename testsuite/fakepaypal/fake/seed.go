package fake

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Hold is an authorization that a buyer has given.
type Hold struct {
	AuthorizationID string    `json:"authorization_id"` // "": a new one
	OrderID         string    `json:"order_id,omitempty"`
	Currency        string    `json:"currency"`
	Amount          string    `json:"amount"`
	Status          string    `json:"status,omitempty"` // "": CREATED
	Reason          string    `json:"reason,omitempty"` // status_details.reason
	InvoiceID       string    `json:"invoice_id,omitempty"`
	CreateTime      time.Time `json:"create_time,omitzero"`     // zero: now
	ExpirationTime  time.Time `json:"expiration_time,omitzero"` // zero: 29 days after CreateTime
}

// Order is an order to be captured itself.
type Order struct {
	OrderID     string    `json:"order_id"`         // "": a new one
	Intent      string    `json:"intent,omitempty"` // "": CAPTURE
	Currency    string    `json:"currency"`
	Amount      string    `json:"amount"`
	Status      string    `json:"status,omitempty"` // "": APPROVED
	InvoiceID   string    `json:"invoice_id,omitempty"`
	CreateTime  time.Time `json:"create_time,omitzero"`  // zero: now
	ApproveTime time.Time `json:"approve_time,omitzero"` // zero: CreateTime, for an approved one
}

var pathID = regexp.MustCompile(`^[A-Z0-9]{1,36}$`)

// AddHold makes an authorization known, and its order (intent AUTHORIZE, COMPLETED) when it has one. It returns the
// hold with what was filled in. A hold that is known already stays as it is. It panics on a hold that PayPal could
// not have given, which is a mistake in the test.
func (s *Server) AddHold(h Hold) Hold {
	added, err := s.addHold(h)
	if err != nil {
		panic(err)
	}
	return added
}

// AddOrder makes an approved order known, with the same rules as AddHold.
func (s *Server) AddOrder(o Order) Order {
	added, err := s.addOrder(o)
	if err != nil {
		panic(err)
	}
	return added
}

func (s *Server) addHold(h Hold) (Hold, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	setDefault(&h.AuthorizationID, newID())
	setDefault(&h.Status, "CREATED")
	setDefault(&h.CreateTime, s.now())
	setDefault(&h.ExpirationTime, h.CreateTime.Add(holdLifetime))
	amount, err := amountOf(h.Currency, h.Amount)
	if err != nil {
		return h, fmt.Errorf("hold %s: %w", h.AuthorizationID, err)
	}
	if !pathID.MatchString(h.AuthorizationID) || (h.OrderID != "" && !pathID.MatchString(h.OrderID)) {
		return h, fmt.Errorf("hold %q, order %q: ids are 1 to 36 of A-Z and 0-9", h.AuthorizationID, h.OrderID)
	}
	if known := s.book.Holds[h.AuthorizationID]; known != nil {
		if known.Amount != amount {
			return h, fmt.Errorf("hold %s is known with another amount", h.AuthorizationID)
		}
		return h, nil
	}
	done := &change{Holds: []*hold{{
		ID: h.AuthorizationID, OrderID: h.OrderID, Amount: amount, Status: h.Status, Reason: h.Reason, InvoiceID: h.InvoiceID,
		Created: h.CreateTime, Updated: h.CreateTime, Expires: h.ExpirationTime,
	}}}
	if h.OrderID != "" {
		done.Orders = []*order{s.orderOfHold(h, amount)}
	}
	return h, s.commit(done)
}

// orderOfHold is the order that led to the hold, with the hold added where the order is known.
func (s *Server) orderOfHold(h Hold, amount money) *order {
	o := &order{
		ID: h.OrderID, Intent: "AUTHORIZE", Status: "COMPLETED", Amount: amount, InvoiceID: h.InvoiceID,
		Created: h.CreateTime, Approved: h.CreateTime, Updated: h.CreateTime,
	}
	if known := s.book.Orders[h.OrderID]; known != nil {
		listed := *known
		o = &listed
	}
	o.Holds = append(slices.Clone(o.Holds), h.AuthorizationID)
	return o
}

func (s *Server) addOrder(o Order) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	setDefault(&o.OrderID, newID())
	setDefault(&o.Intent, "CAPTURE")
	setDefault(&o.Status, "APPROVED")
	setDefault(&o.CreateTime, s.now())
	if o.Status == "APPROVED" {
		setDefault(&o.ApproveTime, o.CreateTime)
	}
	amount, err := amountOf(o.Currency, o.Amount)
	if err != nil {
		return o, fmt.Errorf("order %s: %w", o.OrderID, err)
	}
	if !pathID.MatchString(o.OrderID) {
		return o, fmt.Errorf("order %q: ids are 1 to 36 of A-Z and 0-9", o.OrderID)
	}
	if known := s.book.Orders[o.OrderID]; known != nil {
		if known.Amount != amount || known.Intent != o.Intent {
			return o, fmt.Errorf("order %s is known with another amount or intent", o.OrderID)
		}
		return o, nil
	}
	return o, s.commit(&change{Orders: []*order{{
		ID: o.OrderID, Intent: o.Intent, Status: o.Status, Amount: amount, InvoiceID: o.InvoiceID,
		Created: o.CreateTime, Approved: o.ApproveTime, Updated: o.CreateTime,
	}}})
}

// orderIDFor derives the order of an authorization that comes without one, always the same.
func orderIDFor(authorizationID string) string {
	sum := sha256.Sum256([]byte("order of " + authorizationID))
	return spell(sum[:17])
}

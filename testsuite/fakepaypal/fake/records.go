package fake

import "time"

const (
	// honorPeriod is how long PayPal vouches for the funds of a hold; a renewal is too soon before it is over.
	honorPeriod = 3 * 24 * time.Hour
	// holdLifetime is how long a hold lives. A renewal does not move its end (checkout guide, "honor period").
	holdLifetime = 29 * 24 * time.Hour
	// maxCaptures is how often one hold can be captured in part.
	maxCaptures = 10
)

// Records are never changed once they are in the book: whoever changes one works on a copy and commits it.

type hold struct {
	ID        string    `json:"id"`
	OrderID   string    `json:"order_id,omitempty"`
	Parent    string    `json:"parent,omitempty"`   // the hold that this one renews
	Children  []string  `json:"children,omitempty"` // its renewals, oldest first
	Amount    money     `json:"amount"`
	Status    string    `json:"status"`
	Reason    string    `json:"reason,omitempty"`
	Expired   bool      `json:"expired,omitempty"`
	InvoiceID string    `json:"invoice_id,omitempty"`
	Captures  []string  `json:"captures,omitempty"` // on the original: those of its renewals too
	Created   time.Time `json:"created"`
	Updated   time.Time `json:"updated"`
	Expires   time.Time `json:"expires"`
}

// at is the hold as it stands at a moment: reaching its end turns an open hold into a VOIDED one.
func (h *hold) at(now time.Time) *hold {
	if now.Before(h.Expires) || !h.open() {
		return h
	}
	lapsed := *h
	lapsed.Status, lapsed.Expired, lapsed.Updated = "VOIDED", true, h.Expires
	return &lapsed
}

func (h *hold) open() bool {
	return h.Status == "CREATED" || h.Status == "PARTIALLY_CAPTURED" || h.Status == "PENDING"
}

// root is the id of the hold that the buyer gave, for a renewal too.
func (h *hold) root() string {
	if h.Parent != "" {
		return h.Parent
	}
	return h.ID
}

func (h *hold) ledger() LedgerHold {
	return LedgerHold{
		AuthorizationID: h.ID, ParentID: h.Parent, OrderID: h.OrderID, Currency: h.Amount.Currency, Amount: h.Amount.value(),
		Status: h.Status, CreateTime: h.Created, ExpirationTime: h.Expires,
	}
}

type capture struct {
	ID        string      `json:"id"`
	Seq       int         `json:"seq"`
	HoldID    string      `json:"hold_id,omitempty"`
	OrderID   string      `json:"order_id,omitempty"`
	InvoiceID string      `json:"invoice_id,omitempty"`
	RequestID string      `json:"request_id,omitempty"`
	Amount    money       `json:"amount"`
	Status    string      `json:"status"`
	Reason    string      `json:"reason,omitempty"`
	Final     bool        `json:"final"`
	Refunded  string      `json:"refunded,omitempty"`
	Created   time.Time   `json:"created"`
	Updated   time.Time   `json:"updated"`
	Next      *resolution `json:"next,omitempty"` // what it turns into by itself
}

// resolution is the later end of a capture.
type resolution struct {
	At     time.Time `json:"at"`
	Status string    `json:"status"`
	Reason string    `json:"reason,omitempty"`
	Leaves string    `json:"leaves,omitempty"`
}

// tookMoney reports whether a capture of this status has charged the buyer, or still may.
func tookMoney(status string) bool {
	switch status {
	case "DECLINED", "FAILED":
		return false
	}
	return true
}

func (c *capture) ledger() LedgerCapture {
	return LedgerCapture{
		CaptureID: c.ID, AuthorizationID: c.HoldID, OrderID: c.OrderID, InvoiceID: c.InvoiceID, Currency: c.Amount.Currency,
		Amount: c.Amount.value(), Status: c.Status, Reason: c.Reason, Refunded: c.Refunded, RequestID: c.RequestID, Final: c.Final,
		Time: c.Created,
	}
}

type order struct {
	ID        string    `json:"id"`
	Intent    string    `json:"intent"`
	Status    string    `json:"status"`
	Amount    money     `json:"amount"`
	InvoiceID string    `json:"invoice_id,omitempty"`
	Holds     []string  `json:"holds,omitempty"`
	Captures  []string  `json:"captures,omitempty"`
	Created   time.Time `json:"created"`
	Approved  time.Time `json:"approved,omitzero"`
	Updated   time.Time `json:"updated"`
}

// lapsed reports whether PayPal no longer knows the order: nothing was paid within its lifetime, which starts again
// with the buyer's approval.
func (o *order) lapsed(now time.Time, lifetime time.Duration) bool {
	start := o.Created
	if !o.Approved.IsZero() {
		start = o.Approved
	}
	return len(o.Holds) == 0 && len(o.Captures) == 0 && !now.Before(start.Add(lifetime))
}

func (o *order) ledger(lapsed bool) LedgerOrder {
	status := o.Status
	if lapsed {
		status = "LAPSED"
	}
	return LedgerOrder{OrderID: o.ID, Intent: o.Intent, Status: status, Currency: o.Amount.Currency, Amount: o.Amount.value()}
}

// remembered is a request id with what its first request did.
type remembered struct {
	Operation Operation `json:"operation"`
	ID        string    `json:"id"`
	Print     string    `json:"print"`            // of resource and body, to notice another request
	Result    string    `json:"result,omitempty"` // id of the capture, hold or order to answer with
	Refusal   *refusal  `json:"refusal,omitempty"`
	Until     time.Time `json:"until"`
}

type requestKey struct {
	Operation Operation
	ID        string
}

func (r *remembered) key() requestKey { return requestKey{r.Operation, r.ID} }

// accessToken is the one token that the account has at a time.
type accessToken struct {
	Value   string    `json:"value"`
	Expires time.Time `json:"expires"`
	Dead    bool      `json:"dead,omitempty"`  // no longer accepted
	Again   int       `json:"again,omitempty"` // how often the token endpoint still hands out the dead one
}

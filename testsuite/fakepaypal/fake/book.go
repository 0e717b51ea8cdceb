package fake

import (
	"sort"
	"time"
)

// book is everything that PayPal knows. It is guarded by the server's mutex.
type book struct {
	Holds    map[string]*hold
	Orders   map[string]*order
	Captures map[string]*capture
	Requests map[requestKey]*remembered
	Token    *accessToken

	invoices map[string][]string // invoice id -> captures, in order
	waiting  map[string]bool     // captures with a resolution to come
}

func newBook() *book {
	return &book{
		Holds: map[string]*hold{}, Orders: map[string]*order{}, Captures: map[string]*capture{}, Requests: map[requestKey]*remembered{},
		invoices: map[string][]string{}, waiting: map[string]bool{},
	}
}

// change is one effect: the records as they are afterwards. It is one line of the journal, so it is there as a whole
// or not at all.
type change struct {
	Holds    []*hold       `json:"holds,omitempty"`
	Orders   []*order      `json:"orders,omitempty"`
	Captures []*capture    `json:"captures,omitempty"`
	Requests []*remembered `json:"requests,omitempty"`
	Token    *accessToken  `json:"token,omitempty"`
	// Forgotten are request ids that are no longer known; ForgotAll says that none is.
	Forgotten []requestKey `json:"forgotten,omitempty"`
	ForgotAll bool         `json:"forgot_all,omitempty"`
}

// apply takes a change into the book.
func (b *book) apply(c *change) {
	for _, h := range c.Holds {
		b.Holds[h.ID] = h
	}
	for _, o := range c.Orders {
		b.Orders[o.ID] = o
	}
	for _, taken := range c.Captures {
		b.applyCapture(taken)
	}
	if c.ForgotAll {
		clear(b.Requests)
	}
	for _, key := range c.Forgotten {
		delete(b.Requests, key)
	}
	for _, r := range c.Requests {
		b.Requests[r.key()] = r
	}
	if c.Token != nil {
		b.Token = c.Token
	}
}

func (b *book) applyCapture(c *capture) {
	if _, known := b.Captures[c.ID]; !known && c.InvoiceID != "" {
		b.invoices[c.InvoiceID] = append(b.invoices[c.InvoiceID], c.ID)
	}
	b.Captures[c.ID] = c
	delete(b.waiting, c.ID)
	if c.Next != nil {
		b.waiting[c.ID] = true
	}
}

// family is a hold with all its renewals, the original first.
func (b *book) family(h *hold) []*hold {
	root := b.Holds[h.root()]
	family := []*hold{root}
	for _, id := range root.Children {
		family = append(family, b.Holds[id])
	}
	return family
}

// taken sums up what was captured from a hold and its renewals, and counts the captures.
func (b *book) taken(h *hold) (minor int64, count int) {
	for _, id := range b.Holds[h.root()].Captures {
		if c := b.Captures[id]; tookMoney(c.Status) {
			minor += c.Amount.Minor
			count++
		}
	}
	return minor, count
}

func (b *book) capturesInOrder() []*capture {
	captures := make([]*capture, 0, len(b.Captures))
	for _, c := range b.Captures {
		captures = append(captures, c)
	}
	sort.Slice(captures, func(i, j int) bool { return captures[i].Seq < captures[j].Seq })
	return captures
}

// recall finds what a request id did, if that is still remembered.
func (b *book) recall(key requestKey, now time.Time) *remembered {
	r := b.Requests[key]
	if r == nil || !now.Before(r.Until) {
		return nil
	}
	return r
}

// whole is the book as changes of one record each, as a fresh journal starts with them.
func (b *book) whole(now time.Time) []*change {
	var all []*change
	for _, h := range b.Holds {
		all = append(all, &change{Holds: []*hold{h}})
	}
	for _, o := range b.Orders {
		all = append(all, &change{Orders: []*order{o}})
	}
	for _, c := range b.capturesInOrder() {
		all = append(all, &change{Captures: []*capture{c}})
	}
	for _, r := range b.Requests {
		if now.Before(r.Until) {
			all = append(all, &change{Requests: []*remembered{r}})
		}
	}
	if b.Token != nil {
		all = append(all, &change{Token: b.Token})
	}
	return all
}

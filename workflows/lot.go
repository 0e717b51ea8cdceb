package workflows

import "gavel/paypalclient"

// Lot is one lot of an auction that has closed: who bid, best first, and whose
// money PayPal holds. It is what a lot file holds and what a settlement starts
// with; Validate says what is required of it.
type Lot struct {
	AuctionID string `json:"auction_id"`
	LotID     string `json:"lot_id"`
	// Currency of every price and hold, as PayPal writes it ("USD").
	Currency string `json:"currency"`
	// Bids stand in rank order. The order given is the rank.
	Bids []Bid `json:"bids"`
	// Release are holds that belong to no bid in play; they go back with the losers'.
	Release []Hold `json:"release,omitempty"`
	// Fallback says what follows when a bid definitely fails; empty means FallbackRunnerUp.
	Fallback Fallback `json:"fallback,omitempty"`
}

// Bid is one bidder's offer and the hold behind it.
type Bid struct {
	BidderID string `json:"bidder_id"`
	// Price is what this bidder pays if they win, in the lot's currency ("120.00").
	Price string `json:"price"`
	Hold  Hold   `json:"hold"`
}

// Hold is a PayPal authorization.
type Hold struct {
	AuthorizationID string `json:"authorization_id"`
	// OrderID and AuthorizedAt (RFC 3339) may be left out: they are then read from PayPal.
	OrderID string `json:"order_id,omitempty"`
	// Amount held, in the lot's currency ("150.00").
	Amount       string `json:"amount"`
	AuthorizedAt string `json:"authorized_at,omitempty"`
}

// holds are all the lot's holds: the bids' in rank order, then those of the
// release list. A place in it is a place in Progress.Holds.
func (l Lot) holds() []Hold {
	all := make([]Hold, 0, len(l.Bids)+len(l.Release))
	for _, b := range l.Bids {
		all = append(all, b.Hold)
	}
	return append(all, l.Release...)
}

// holdStandings are the holds in the same order, as an outcome lists them.
func (l Lot) holdStandings() []HoldStanding {
	all := make([]HoldStanding, 0, len(l.Bids)+len(l.Release))
	for _, b := range l.Bids {
		all = append(all, HoldStanding{BidderID: b.BidderID, AuthorizationID: b.Hold.AuthorizationID})
	}
	for _, h := range l.Release {
		all = append(all, HoldStanding{AuthorizationID: h.AuthorizationID})
	}
	return all
}

// price is what a bid pays. The lot was validated, so it parses.
func (l Lot) price(b Bid) paypalclient.Money {
	price, err := paypalclient.ParseMoney(l.Currency, b.Price)
	if err != nil {
		panic("a validated price does not parse: " + err.Error())
	}
	return price
}

// Fallback is what follows when a bid definitely fails.
type Fallback string

const (
	// FallbackRunnerUp charges the next bid, at its own price.
	FallbackRunnerUp Fallback = "runner-up"
	// FallbackAsk leaves it to a person.
	FallbackAsk Fallback = "ask"
	// FallbackNone releases everything: the lot ends unsold.
	FallbackNone Fallback = "none"
)

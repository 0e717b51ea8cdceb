package workflows

import (
	"fmt"
	"regexp"
	"time"
	"unicode"
	"unicode/utf8"

	"gavel/config/input"
	"gavel/paypalclient"
)

// MaxBids and MaxLotBytes bound one lot to what Temporal carries in one
// payload (2 MiB) with room for what stands beside it.
const (
	MaxBids     = 5000
	MaxLotBytes = 1_500_000
)

var (
	// A "/" would let two lots share one workflow id; longer ids do not fit
	// the 255 characters that Temporal's SQL stores give a workflow id.
	lotIDPattern    = regexp.MustCompile(`^[A-Za-z0-9_.:~-]{1,100}$`)
	paypalIDPattern = regexp.MustCompile(`^[A-Z0-9]{1,36}$`)
)

// Validate returns the first mistake in the lot as an *input.Error whose Path
// is relative to the lot ("bids[0].price"), or nil.
func (l Lot) Validate() error {
	v := lotCheck{lot: l, holds: map[string]string{}, bidders: map[string]string{}}
	if err := v.check(); err != nil {
		return err
	}
	return nil
}

// lotCheck remembers, while a lot is checked, where each hold and bidder stood.
type lotCheck struct {
	lot     Lot
	holds   map[string]string
	bidders map[string]string
}

func (v *lotCheck) check() *input.Error {
	if err := v.checkHead(); err != nil {
		return err
	}
	for i, bid := range v.lot.Bids {
		if err := v.checkBid(fmt.Sprintf("bids[%d]", i), bid); err != nil {
			return err
		}
	}
	for i, hold := range v.lot.Release {
		if _, err := v.checkHold(fmt.Sprintf("release[%d]", i), hold); err != nil {
			return err
		}
	}
	return nil
}

func (v *lotCheck) checkHead() *input.Error {
	const idRule = "must be 1 to 100 letters, digits and - _ . : ~"
	switch {
	case !lotIDPattern.MatchString(v.lot.AuctionID):
		return mistake("auction_id", "%s, not %s", idRule, quote(v.lot.AuctionID))
	case !lotIDPattern.MatchString(v.lot.LotID):
		return mistake("lot_id", "%s, not %s", idRule, quote(v.lot.LotID))
	}
	if _, ok := paypalclient.Decimals(v.lot.Currency); !ok {
		return mistake("currency", "must be a currency that PayPal takes, such as USD, not %s", quote(v.lot.Currency))
	}
	switch v.lot.Fallback {
	case "", FallbackRunnerUp, FallbackAsk, FallbackNone:
	default:
		return mistake("fallback", "must be %s, %s or %s, not %s", FallbackRunnerUp, FallbackAsk, FallbackNone, quote(string(v.lot.Fallback)))
	}
	switch n := len(v.lot.Bids); {
	case n == 0:
		return mistake("bids", "must hold at least one bid")
	case n > MaxBids:
		return mistake("bids", "must hold at most %d bids, not %d", MaxBids, n)
	}
	if n := len(v.lot.Release); n > MaxBids {
		return mistake("release", "must hold at most %d holds, not %d", MaxBids, n)
	}
	return nil
}

func (v *lotCheck) checkBid(path string, bid Bid) *input.Error {
	if !validBidderID(bid.BidderID) {
		return mistake(path+".bidder_id", "must be 1 to 127 characters without control characters, not %s", quote(bid.BidderID))
	}
	if first, ok := v.bidders[bid.BidderID]; ok {
		return mistake(path+".bidder_id", "is the bidder of %s: one bidder has one bid a lot", first)
	}
	v.bidders[bid.BidderID] = path
	price, err := paypalclient.ParseMoney(v.lot.Currency, bid.Price)
	if err != nil {
		return mistake(path+".price", "%s", err)
	}
	held, mistaken := v.checkHold(path+".hold", bid.Hold)
	if mistaken != nil {
		return mistaken
	}
	if price.Minor > held.Minor {
		return mistake(path+".price", "must not be above what is held, %s, and is %s", held, price)
	}
	return nil
}

func (v *lotCheck) checkHold(path string, hold Hold) (paypalclient.Money, *input.Error) {
	var none paypalclient.Money
	const idRule = "must be 1 to 36 capital letters and digits"
	if !paypalIDPattern.MatchString(hold.AuthorizationID) {
		return none, mistake(path+".authorization_id", "%s, not %s", idRule, quote(hold.AuthorizationID))
	}
	if first, ok := v.holds[hold.AuthorizationID]; ok {
		return none, mistake(path+".authorization_id", "stands at %s already: one authorization has one place in a lot", first)
	}
	v.holds[hold.AuthorizationID] = path
	if hold.OrderID != "" && !paypalIDPattern.MatchString(hold.OrderID) {
		return none, mistake(path+".order_id", "%s, not %s", idRule, quote(hold.OrderID))
	}
	if hold.AuthorizedAt != "" {
		if _, err := time.Parse(time.RFC3339, hold.AuthorizedAt); err != nil {
			return none, mistake(path+".authorized_at", "must be a time such as 2026-11-28T10:00:00Z, not %s", quote(hold.AuthorizedAt))
		}
	}
	held, err := paypalclient.ParseMoney(v.lot.Currency, hold.Amount)
	if err != nil {
		return none, mistake(path+".amount", "%s", err)
	}
	return held, nil
}

func validBidderID(id string) bool {
	if n := utf8.RuneCountInString(id); n < 1 || n > 127 || !utf8.ValidString(id) {
		return false
	}
	for _, r := range id {
		if unicode.IsControl(r) {
			return false
		}
	}
	return true
}

func mistake(path, rule string, args ...any) *input.Error {
	return &input.Error{Path: path, Rule: fmt.Sprintf(rule, args...)}
}

// quote shows what was found, short enough for one line.
func quote(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

package workflows

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config/input"
)

func TestAValidLot(t *testing.T) {
	lot := lotOf("ana", "ben")
	lot.Release = []Hold{{AuthorizationID: "OUTBID", Amount: "1.00"}}
	lot.Bids[0].Hold.AuthorizedAt = "2026-11-28T10:00:00Z"
	lot.Bids[1].Price = "150.00" // the whole hold
	lot.AuctionID = "spring-2026_.:~" + strings.Repeat("x", 85)
	require.NoError(t, lot.Validate())
}

// One line a rule of the contract: the change to a valid lot, and where and how it is refused.
func TestEachMistakeNamesItsPlaceAndRule(t *testing.T) {
	for _, c := range []struct {
		name       string
		change     func(*Lot)
		path, rule string
	}{
		{"no auction", func(l *Lot) { l.AuctionID = "" }, "auction_id", "1 to 100"},
		{"a slash in the auction", func(l *Lot) { l.AuctionID = "a/b" }, "auction_id", `"a/b"`},
		{"a slash in the lot", func(l *Lot) { l.LotID = "1/7" }, "lot_id", "letters, digits"},
		{"a lot id of 101 characters", func(l *Lot) { l.LotID = strings.Repeat("x", 101) }, "lot_id", "1 to 100"},
		{"a lot id with a line break", func(l *Lot) { l.LotID = "17\n" }, "lot_id", "letters, digits"},
		{"no currency", func(l *Lot) { l.Currency = "" }, "currency", "PayPal takes"},
		{"a currency that PayPal does not take", func(l *Lot) { l.Currency = "TND" }, "currency", `"TND"`},
		{"a currency in lower case", func(l *Lot) { l.Currency = "usd" }, "currency", `"usd"`},
		{"an unknown fallback", func(l *Lot) { l.Fallback = "next" }, "fallback", "runner-up, ask or none"},
		{"no bids", func(l *Lot) { l.Bids = nil }, "bids", "at least one"},
		{"5,001 bids", func(l *Lot) { l.Bids = make([]Bid, 5001) }, "bids", "at most 5000 bids, not 5001"},
		{"5,001 releases", func(l *Lot) { l.Release = make([]Hold, 5001) }, "release", "at most 5000"},
		{"no bidder", func(l *Lot) { l.Bids[0].BidderID = "" }, "bids[0].bidder_id", "1 to 127"},
		{"a bidder of 128 characters", func(l *Lot) { l.Bids[0].BidderID = strings.Repeat("ü", 128) }, "bids[0].bidder_id", "1 to 127"},
		{"a control character in a bidder", func(l *Lot) { l.Bids[1].BidderID = "a\x00b" }, "bids[1].bidder_id", "control"},
		{"two bids of one bidder", func(l *Lot) { l.Bids[1].BidderID = "ana" }, "bids[1].bidder_id", "bids[0]"},
		{"two bids on one authorization", func(l *Lot) { l.Bids[1].Hold.AuthorizationID = "HOLDANA" }, "bids[1].hold.authorization_id", "bids[0].hold"},
		{"a release of a hold in play", func(l *Lot) { l.Release = []Hold{{AuthorizationID: "HOLDBEN", Amount: "1.00"}} }, "release[0].authorization_id", "bids[1].hold"},
		{"no authorization", func(l *Lot) { l.Bids[0].Hold.AuthorizationID = "" }, "bids[0].hold.authorization_id", "1 to 36"},
		{"an authorization that leaves the path", func(l *Lot) { l.Bids[0].Hold.AuthorizationID = "../A" }, "bids[0].hold.authorization_id", "capital letters"},
		{"an order in lower case", func(l *Lot) { l.Bids[0].Hold.OrderID = "abc" }, "bids[0].hold.order_id", "capital letters"},
		{"an order of 37 characters", func(l *Lot) { l.Bids[0].Hold.OrderID = strings.Repeat("A", 37) }, "bids[0].hold.order_id", "1 to 36"},
		{"a time that is none", func(l *Lot) { l.Bids[0].Hold.AuthorizedAt = "yesterday" }, "bids[0].hold.authorized_at", "2026-11-28T10:00:00Z"},
		{"no price", func(l *Lot) { l.Bids[0].Price = "" }, "bids[0].price", ""},
		{"a price of zero", func(l *Lot) { l.Bids[0].Price = "0.00" }, "bids[0].price", ""},
		{"a negative price", func(l *Lot) { l.Bids[0].Price = "-1.00" }, "bids[0].price", ""},
		{"a price with three decimals", func(l *Lot) { l.Bids[0].Price = "1.005" }, "bids[0].price", "decimals"},
		{"a price in scientific writing", func(l *Lot) { l.Bids[0].Price = "1e2" }, "bids[0].price", ""},
		{"a price above the hold", func(l *Lot) { l.Bids[0].Price = "150.01" }, "bids[0].price", "150.00 USD"},
		{"a hold without an amount", func(l *Lot) { l.Bids[0].Hold.Amount = "" }, "bids[0].hold.amount", ""},
		{"yen with decimals", func(l *Lot) { l.Currency = "JPY" }, "bids[0].price", "decimals"},
		{"a release without an amount", func(l *Lot) { l.Release = []Hold{{AuthorizationID: "X"}} }, "release[0].amount", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			lot := lotOf("ana", "ben")
			c.change(&lot)
			var mistake *input.Error
			require.True(t, errors.As(lot.Validate(), &mistake), "accepted")
			assert.Equal(t, c.path, mistake.Path)
			assert.Contains(t, mistake.Rule, c.rule)
			assert.NotContains(t, mistake.Error(), "\n")
			assert.Less(t, len(mistake.Error()), 300, "one line")
		})
	}
}

func TestALotOf5000BidsIsValid(t *testing.T) {
	lot := lotOf()
	for i := range MaxBids {
		lot.Bids = append(lot.Bids, Bid{
			BidderID: fmt.Sprintf("bidder %d", i), Price: "1.00",
			Hold: Hold{AuthorizationID: fmt.Sprintf("HOLD%d", i), Amount: "1.00"},
		})
	}
	require.NoError(t, lot.Validate())
}

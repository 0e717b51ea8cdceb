package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/workflows"
)

// nowhere is a Temporal that does not answer: nothing may be asked of it.
var nowhere = append(bareEnv(), "TEMPORAL_ADDRESS=127.0.0.1:1")

func TestSettleRefusesAMistakeBeforeAnythingIsAsked(t *testing.T) {
	change := func(do func(l *workflows.Lot)) string {
		l := lot("1", 2)
		do(&l)
		text, err := json.Marshal(l)
		require.NoError(t, err)
		return string(text)
	}
	valid := change(func(*workflows.Lot) {})
	many := func(n int) string {
		return change(func(l *workflows.Lot) {
			*l = lot("1", 0)
			for i := range n {
				l.Bids = append(l.Bids, workflows.Bid{
					BidderID: fmt.Sprintf("b%d", i), Price: "1.00", Hold: workflows.Hold{AuthorizationID: fmt.Sprintf("A%d", i), Amount: "1.00"},
				})
			}
		})
	}
	for name, tc := range map[string]struct{ content, want string }{
		"an unknown field":           {strings.Replace(valid, `"lot_id"`, `"lot"`, 1), `has the unknown field "lot"`},
		"no bids":                    {change(func(l *workflows.Lot) { l.Bids = nil }), "bids: "},
		"an empty list of bids":      {change(func(l *workflows.Lot) { l.Bids = []workflows.Bid{} }), "bids: must hold at least one bid"},
		"more than 5,000 bids":       {many(5001), "bids: must hold at most 5000 bids"},
		"more than 1.5 MB":           {change(func(l *workflows.Lot) { fill(l) }), "lot 1 must be at most 1500000 bytes"},
		"one authorization twice":    {change(func(l *workflows.Lot) { l.Bids[1].Hold = l.Bids[0].Hold }), "bids[1].hold.authorization_id: "},
		"one bidder twice":           {change(func(l *workflows.Lot) { l.Bids[1].BidderID = "b1" }), "bids[1].bidder_id: "},
		"a price of zero":            {change(func(l *workflows.Lot) { l.Bids[0].Price = "0.00" }), "bids[0].price: "},
		"a negative price":           {change(func(l *workflows.Lot) { l.Bids[0].Price = "-1.00" }), "bids[0].price: "},
		"a price with 1 decimal":     {change(func(l *workflows.Lot) { l.Bids[0].Price = "1.0" }), "bids[0].price: "},
		"yen with decimals":          {change(func(l *workflows.Lot) { l.Currency = "JPY" }), "bids[0].price: "},
		"a price as a number":        {strings.Replace(valid, `"20.00"`, `20.00`, 1), "bids[0].price: must be a JSON string, not the number 20.00"},
		"an unknown currency":        {change(func(l *workflows.Lot) { l.Currency = "XYZ" }), "currency: "},
		"a price above its hold":     {change(func(l *workflows.Lot) { l.Bids[0].Hold.Amount = "19.99" }), "bids[0].price: must not be above what is held"},
		"a lot twice":                {valid + "\n" + valid, "line 2: lot 1 of auction spring stands twice in the input, first in "},
		"a slash in an id":           {change(func(l *workflows.Lot) { l.AuctionID = "a/b" }), "auction_id: "},
		"an id of 101 characters":    {change(func(l *workflows.Lot) { l.LotID = strings.Repeat("x", 101) }), "lot_id: "},
		"an authorization in lower":  {change(func(l *workflows.Lot) { l.Bids[0].Hold.AuthorizationID = "abc" }), "bids[0].hold.authorization_id: "},
		"an order id with a dash":    {change(func(l *workflows.Lot) { l.Bids[0].Hold.OrderID = "A-B" }), "bids[0].hold.order_id: "},
		"a bidder with a line break": {change(func(l *workflows.Lot) { l.Bids[0].BidderID = "a\nb" }), "bids[0].bidder_id: "},
		"a time that is none":        {change(func(l *workflows.Lot) { l.Bids[0].Hold.AuthorizedAt = "today" }), "bids[0].hold.authorized_at: "},
		"an unknown fallback":        {change(func(l *workflows.Lot) { l.Fallback = "next" }), "fallback: "},
		"a mistake in a list":        {`{"lots":[` + strings.Replace(valid, `"20.00"`, `"020.00"`, 1) + `]}`, "lots[0].bids[0].price: "},
		"JSON that is cut off":       {valid[:50], "ends in the middle"},
		"an empty file":              {"", "is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "lots.json")
			require.NoError(t, os.WriteFile(file, []byte(tc.content), 0o600))
			got := startProcess(t, nowhere, nil, "settle", "--json", file).wait()
			assert.Equal(t, 2, got.Code)
			assert.Empty(t, got.Stdout)
			assert.True(t, strings.HasPrefix(got.Stderr, file+": "), got.Stderr)
			assert.Contains(t, got.Stderr, tc.want)
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
		})
	}
}

// fill gives the lot 5,000 bids of long bidder ids.
func fill(l *workflows.Lot) {
	l.Bids = nil
	for i := range workflows.MaxBids {
		l.Bids = append(l.Bids, workflows.Bid{
			BidderID: fmt.Sprintf("%0127d", i), Price: "123456789012345.00",
			Hold: workflows.Hold{
				AuthorizationID: fmt.Sprintf("%036d", i), OrderID: fmt.Sprintf("%036d", i), Amount: "123456789012345.00", AuthorizedAt: "2026-11-28T10:00:00Z",
			},
		})
	}
}

func TestCommandLineMistakesEndWithTwo(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		env  string
		want string
	}{
		"no file":                {[]string{"settle"}, "", "settle needs a FILE of lots"},
		"a file that is missing": {[]string{"settle", "no-such.json"}, "", "no-such.json: cannot be read: no such file or directory"},
		"an unknown flag":        {[]string{"settle", "--wait", "f"}, "", "unknown flag: --wait"},
		"a bad duration":         {[]string{"settle", "--timeout", "5", "f"}, "", `invalid argument "5" for "--timeout"`},
		"a negative timeout":     {[]string{"settle", "--timeout", "-5s", "f"}, "", "--timeout: must not be below 0"},
		"an unknown command":     {[]string{"sell"}, "", `unknown command "sell"`},
		"no auction":             {[]string{"status"}, "", "accepts between 1 and 2 arg(s)"},
		"a bad auction":          {[]string{"status", "a' OR ''='"}, "", "auction_id: must be 1 to 100"},
		"a bad lot":              {[]string{"status", "a", "b/c"}, "", "lot_id: must be 1 to 100"},
		"an argument too many":   {[]string{"demo", "x"}, "", `unknown command "x"`},
		"no such configuration":  {[]string{"status", "a", "--config", "no-such.yaml"}, "", "no-such.yaml: "},
		"an unknown variable":    {[]string{"status", "a"}, "GAVEL_CLOCK_UNKNOWN=1m", "GAVEL_CLOCK_UNKNOWN: "},
		"a bad configuration":    {[]string{"status", "a"}, "GAVEL_CLOCKS_UNKNOWN=1", "clocks.unknown: must be a duration"},
		"what has no effect yet": {[]string{"status", "a"}, "GAVEL_METRICS_LISTEN=127.0.0.1:9000", "metrics.listen: is not supported"},
		"a bad Temporal address": {[]string{"status", "a"}, "TEMPORAL_ADDRESS=localhost", "TEMPORAL_ADDRESS: must be host and port"},
	} {
		t.Run(name, func(t *testing.T) {
			got := startProcess(t, append(nowhere[:len(nowhere):len(nowhere)], tc.env), nil, tc.args...).wait()
			assert.Equal(t, 2, got.Code, got.Stderr)
			assert.Empty(t, got.Stdout)
			assert.Contains(t, got.Stderr, tc.want)
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
		})
	}
}

func TestATemporalThatIsNotThereIsOneClearLine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "lots.json")
	text, err := json.Marshal(lot("1", 1))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	for _, args := range [][]string{{"settle", file}, {"status", "spring"}, {"switch", "status"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			got := startProcess(t, nowhere, nil, args...).wait()
			assert.Equal(t, 1, got.Code)
			assert.Empty(t, got.Stdout)
			assert.Contains(t, got.Stderr, "Temporal does not answer at 127.0.0.1:1")
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
		})
	}
}

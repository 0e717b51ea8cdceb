package lotfile_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/workflows"
)

// lotJSON is a valid lot on one line; each number has holds of its own.
func lotJSON(n int) string {
	return fmt.Sprintf(`{"auction_id":"spring","lot_id":"%d","currency":"USD","bids":[`+
		`{"bidder_id":"ana","price":"120.00","hold":{"authorization_id":"A%d","order_id":"O%d","amount":"150.00","authorized_at":"2026-11-28T10:00:00Z"}},`+
		`{"bidder_id":"ben","price":"110.00","hold":{"authorization_id":"B%d","amount":"150.00"}}],`+
		`"release":[{"authorization_id":"R%d","amount":"90.00"}],"fallback":"ask"}`, n, n, n, n, n)
}

func TestDecodeTakesThreeShapesOfAFile(t *testing.T) {
	pretty := strings.ReplaceAll(lotJSON(1), ",", ",\r\n  ")
	for name, tc := range map[string]struct {
		data  string
		paths []string
	}{
		"one lot":                      {lotJSON(1), []string{""}},
		"one lot over many lines":      {pretty, []string{""}},
		"a list of lots":               {`{"lots": [` + lotJSON(1) + ",\n" + lotJSON(2) + `]}`, []string{"lots[0]", "lots[1]"}},
		"a lot a line, blank lines in": {lotJSON(1) + "\n\n  \r\n" + lotJSON(2) + "\r\n", []string{"line 1", "line 4"}},
		"after a byte order mark":      {"\ufeff" + lotJSON(1), []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			entries, err := lotfile.Decode("f.json", []byte(tc.data))
			require.NoError(t, err)
			for i, path := range tc.paths {
				assert.Equal(t, path, entries[i].Path)
				assert.Equal(t, "f.json", entries[i].Source)
				again, err := json.Marshal(entries[i].Lot)
				require.NoError(t, err)
				assert.JSONEq(t, lotJSON(i+1), string(again))
			}
			assert.Len(t, entries, len(tc.paths))
		})
	}
}

func TestDecodeNamesPlaceAndRuleOfAMistake(t *testing.T) {
	valid := lotJSON(1)
	swap := func(old, new string) string {
		require.Contains(t, valid, old)
		return strings.Replace(valid, old, new, 1)
	}
	second := func(lot string) string { return lotJSON(2) + "\n" + lot }
	for name, tc := range map[string]struct{ data, want string }{
		"nothing":                            {" \n", `f: is empty: a file holds one lot, {"lots": [...]}, or one lot a line`},
		"not JSON":                           {"auction: spring", `f: is not JSON at line 1, column 1: invalid character 'a' looking for beginning of value`},
		"cut off":                            {valid[:200], `f: bids[0].hold.authorized_at: ends in the middle, at line 1, column 201: the JSON is not complete`},
		"cut off on a later line":            {second(valid[:100]), `f: line 2: bids[0]: ends in the middle`},
		"a comma too many":                   {swap(`"fallback":"ask"`, `"fallback":"ask",`), "f: is not JSON at line 1, column"},
		"not UTF-8":                          {swap("ben", "b\xff"), "f: line 1: is not valid UTF-8"},
		"half a surrogate pair":              {swap("ben", `b\ud800`), `f: bids[1].bidder_id: must not hold half a character`},
		"an unknown field":                   {swap(`"fallback"`, `"Fallback"`), `f: has the unknown field "Fallback"; known are auction_id, bids, currency, fallback, lot_id, lots, release`},
		"an unknown field below":             {second(swap(`"order_id"`, `"order"`)), `f: line 2: bids[0].hold: has the unknown field "order"; known are amount, authorization_id, authorized_at, order_id`},
		"a field twice":                      {swap(`"price":"110.00"`, `"price":"1.00","price":"110.00"`), `f: bids[1].price: stands twice in one object`},
		"a number for a price":               {swap(`"120.00"`, `120.00`), `f: bids[0].price: must be a JSON string, not the number 120.00`},
		"null":                               {swap(`"USD"`, `null`), `f: currency: must be a JSON string, not null`},
		"true":                               {swap(`"USD"`, `true`), `f: currency: must be a JSON string, not true`},
		"a list for a string":                {swap(`"USD"`, `["USD"]`), `f: currency: must be a JSON string, not a list`},
		"an object for a list":               {swap(`"release":[`, `"release":{`), `f: release: must be a list, not an object`},
		"null for a list":                    {`{"lots":null}`, `f: lots: must be a list, not null`},
		"a string for a hold":                {swap(`{"authorization_id":"R1","amount":"90.00"}`, `"R1"`), `f: release[0]: must be an object, not the string "R1"`},
		"a list at the top":                  {`[` + valid + `]`, `f: must be an object, not a list`},
		"a number at the top":                {`1`, `f: must be an object, not the number 1`},
		"deep nesting":                       {`{"lots":` + strings.Repeat("[", 1_000_000), `f: lots[0]: must be an object, not a list`},
		"something after the lot":            {strings.ReplaceAll(valid, ",", ",\n") + "\n\n x", `f: has something after its end, at line 18, column 2`},
		"two lots on one line":               {valid + lotJSON(2), `f: has something after its end, at line 1, column`},
		"two lots on one of the lines":       {lotJSON(3) + "\n" + valid + lotJSON(2), `f: line 2: has something after its end, at line 2, column`},
		"no lots":                            {`{"lots":[]}`, `f: lots: must hold at least one lot`},
		"lots beside a lot":                  {`{"lots":[` + valid + `],"currency":"USD"}`, `f: lots: must stand alone in its file`},
		"a lot's own rule":                   {swap(`"120.00"`, `"0.00"`), `f: bids[0].price: amount "0.00" in currency "USD": must be above zero`},
		"a lot's own rule in a list of lots": {`{"lots":[` + lotJSON(2) + `,` + swap(`"150.00"`, `"100.00"`) + `]}`, `f: lots[1].bids[0].price: must not be above what is held, 100.00 USD, and is 120.00 USD`},
		"a lot's own rule on a line":         {second(swap(`"lot_id":"1"`, `"lot_id":"a/b"`)), `f: line 2: lot_id: must be 1 to 100 letters, digits and - _ . : ~, not "a/b"`},
		"nothing but braces":                 {`{}`, `f: auction_id: must be 1 to 100 letters`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lotfile.Decode("f", []byte(tc.data))
			var mistake *input.Error
			require.ErrorAs(t, err, &mistake)
			assert.Contains(t, err.Error(), tc.want)
			assert.NotContains(t, err.Error(), "\n")
			assert.Less(t, len(err.Error()), 500)
		})
	}
}

func TestDecodeBoundsALot(t *testing.T) {
	bid := func(i int, bidder string) string {
		return fmt.Sprintf(`{"bidder_id":"%s%d","price":"1.00","hold":{"authorization_id":"A%d","amount":"1.00"}}`, bidder, i, i)
	}
	lot := func(bids int, bidder string) []byte {
		list := make([]string, bids)
		for i := range list {
			list[i] = bid(i, bidder)
		}
		return []byte(`{"auction_id":"a","lot_id":"1","currency":"USD","bids":[` + strings.Join(list, ",") + `]}`)
	}
	t.Run("5,000 bids are taken", func(t *testing.T) {
		entries, err := lotfile.Decode("f", lot(workflows.MaxBids, "b"))
		require.NoError(t, err)
		assert.Len(t, entries[0].Lot.Bids, workflows.MaxBids)
	})
	t.Run("one bid more is not", func(t *testing.T) {
		_, err := lotfile.Decode("f", lot(workflows.MaxBids+1, "b"))
		assert.EqualError(t, err, "f: bids: must hold at most 5000 bids")
	})
	t.Run("more bytes than one payload carries", func(t *testing.T) {
		// A quote takes two bytes in JSON, so that 120 characters a bidder are too many for 5,000 of them.
		_, err := lotfile.Decode("f", lot(workflows.MaxBids, strings.Repeat(`\"`, 120)))
		assert.ErrorContains(t, err, "f: lot 1 must be at most 1500000 bytes, not ")
	})
}

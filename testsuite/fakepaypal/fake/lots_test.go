package fake_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

const (
	lotOne = `{"auction_id":"spring","lot_id":"1","currency":"USD","bids":[
		{"bidder_id":"ana","price":"120.00","hold":{"authorization_id":"ANA1","order_id":"ORDERANA","amount":"150.00","authorized_at":"2026-11-20T10:00:00Z"}},
		{"bidder_id":"ben","price":"90.00","hold":{"authorization_id":"BEN1","amount":"95.00"}}],
		"release":[{"authorization_id":"OUTBID","amount":"80.00"}]}`
	lotTwo = `{"auction_id":"spring","lot_id":"2","currency":"JPY","fallback":"none","bids":[{"bidder_id":"cy","price":"900","hold":{"authorization_id":"CY1","amount":"1000"}}]}`
)

func TestLotFilesOfEveryFormSeedHoldsAndOrders(t *testing.T) {
	flat := strings.NewReplacer("\n", "", "\t", "").Replace
	cases := map[string]struct {
		file  string
		holds int
	}{
		"one lot":      {lotOne, 3},
		"a list":       {`{"lots":[` + lotOne + `,` + lotTwo + `]}`, 4},
		"a lot a line": {flat(lotOne) + "\n" + flat(lotTwo) + "\n", 4},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := fake.Start(t)
			a := connect(t, s)
			require.Equal(t, 200, a.tell("lots", c.file).status)
			assert.Len(t, s.Ledger().Holds, c.holds)
			assert.Len(t, s.Ledger().Orders, c.holds, "every hold has its order")
			ana := a.get(authorizations + "ANA1")
			assert.Equal(t, "150.00", ana.at("amount.value"))
			assert.Equal(t, "2026-11-20T10:00:00Z", ana.at("create_time"))
			assert.Equal(t, "ORDERANA", ana.at("supplementary_data.related_ids.order_id"))
			derived := a.get(authorizations + "BEN1").at("supplementary_data.related_ids.order_id").(string)
			assert.Equal(t, "BEN1", a.get("/v2/checkout/orders/"+derived).at("purchase_units.0.payments.authorizations.0.id"))
			assert.Equal(t, 200, a.tell("lots", c.file).status, "the same file again is fine")
			assert.Len(t, s.Ledger().Holds, c.holds)
		})
	}
}

func TestALotFileThatCannotBeSeeded(t *testing.T) {
	cases := []struct{ file, says string }{
		{"", "no hold"},
		{`{"lots":`, "value 1"},
		{lotTwo + `{"lot_id":"3","currency":"JPY","bids":[{"hold":{"authorization_id":"DI1","amount":"1.00"}}]}`, "value 2: lot \"3\""},
		{`{"currency":"USD","bids":[{"hold":{"authorization_id":"di","amount":"1.00"}}]}`, "ids are"},
	}
	for _, c := range cases {
		_, err := fake.Start(t).AddLots(strings.NewReader(c.file))
		assert.ErrorContains(t, err, c.says)
	}
}

package fake_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

func TestTheLedgerNamesWhatMustNeverHappen(t *testing.T) {
	holds := []fake.LedgerHold{
		{AuthorizationID: "A", Currency: "USD", Amount: "100.00"},
		{AuthorizationID: "A2", ParentID: "A", Currency: "USD", Amount: "110.00"},
		{AuthorizationID: "B", Currency: "JPY", Amount: "100"},
	}
	orders := []fake.LedgerOrder{{OrderID: "O", Currency: "USD", Amount: "100.00"}, {OrderID: "C", Currency: "USD", Amount: "25.00"}}
	take := func(id, hold, order, invoice, amount, status string) fake.LedgerCapture {
		currency := map[string]string{"B": "JPY"}[hold]
		if currency == "" {
			currency = "USD"
		}
		return fake.LedgerCapture{CaptureID: id, AuthorizationID: hold, OrderID: order, InvoiceID: invoice, Currency: currency, Amount: amount, Status: status}
	}
	cases := map[string]struct {
		captures []fake.LedgerCapture
		want     []string
	}{
		"nothing": {nil, nil},
		"one capture a lot": {
			[]fake.LedgerCapture{take("1", "A", "O", "lot-1", "100.00", "COMPLETED"), take("2", "B", "", "lot-2", "100", "PENDING")}, nil,
		},
		"a declined try before the good one": {
			[]fake.LedgerCapture{take("1", "A", "", "lot-1", "100.00", "DECLINED"), take("2", "A", "", "lot-1", "100.00", "COMPLETED"), take("3", "A", "", "lot-1", "1.00", "FAILED")}, nil,
		},
		"one lot paid by two bidders": {
			[]fake.LedgerCapture{take("1", "A", "", "lot-1", "100.00", "COMPLETED"), take("2", "B", "", "lot-1", "90", "PENDING")},
			[]string{"invoice lot-1 was captured 2 times: 1, 2"},
		},
		"a refund does not undo a double charge": {
			[]fake.LedgerCapture{take("1", "A", "", "x", "10.00", "REFUNDED"), take("2", "B", "", "x", "90", "PARTIALLY_REFUNDED")},
			[]string{"invoice x was captured 2 times: 1, 2"},
		},
		"a hold and its renewal both captured": {
			[]fake.LedgerCapture{take("1", "A", "", "", "60.00", "COMPLETED"), take("2", "A2", "", "", "60.00", "COMPLETED")},
			[]string{"hold A was captured 2 times: 1, 2", "hold A of 100.00 USD was captured for 120.00"},
		},
		"more than the hold, through a larger renewal": {
			[]fake.LedgerCapture{take("1", "A2", "", "", "100.01", "COMPLETED")},
			[]string{"hold A of 100.00 USD was captured for 100.01"},
		},
		"more than the hold, in yen": {
			[]fake.LedgerCapture{take("1", "B", "", "", "101", "PENDING")},
			[]string{"hold B of 100 JPY was captured for 101"},
		},
		"an order captured twice": {
			[]fake.LedgerCapture{take("1", "", "C", "", "25.00", "COMPLETED"), take("2", "", "C", "", "25.00", "COMPLETED")},
			[]string{"order C was captured 2 times: 1, 2", "order C of 25.00 USD was captured for 50.00"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ledger := fake.Ledger{Captures: c.captures, Holds: holds, Orders: orders}
			assert.Equal(t, c.want, ledger.Check())
			text, err := json.Marshal(ledger)
			require.NoError(t, err)
			var read fake.Ledger
			require.NoError(t, json.Unmarshal(text, &read))
			assert.Equal(t, c.want, read.Check(), "it can be checked where the program is only reached over HTTP")
		})
	}
}

func TestTheLedgerTellsWhatHappened(t *testing.T) {
	clock := newClock()
	s, a := start(t, fake.Options{Clock: clock.Now})
	s.Script(fake.Lose(op, holdID, fake.After))
	require.Error(t, a.post(holdPath+"/capture", amount("40.00"), "id-1").err)
	ledger := s.Ledger()
	require.Len(t, ledger.Captures, 1)
	got := ledger.Captures[0]
	assert.Regexp(t, `^[A-Z0-9]{17}$`, got.CaptureID)
	got.CaptureID = ""
	assert.Equal(t, fake.LedgerCapture{
		AuthorizationID: holdID, OrderID: orderID, InvoiceID: "gv1/spring/17", Currency: "USD", Amount: "40.00", Status: "COMPLETED",
		RequestID: "id-1", Final: true, Time: clock.Now(),
	}, got)
	assert.True(t, got.TookMoney())
	assert.Equal(t, []fake.LedgerHold{{
		AuthorizationID: holdID, OrderID: orderID, Currency: "USD", Amount: "100.00", Status: "CAPTURED", CreateTime: clock.Now(),
		ExpirationTime: clock.Now().Add(29 * 24 * time.Hour),
	}}, ledger.Holds)
	require.NoError(t, s.Resolve(ledger.Captures[0].CaptureID, "REFUNDED"))
	assert.Equal(t, "40.00", s.Ledger().Captures[0].Refunded)
}

func TestTheRequestLog(t *testing.T) {
	s, a := start(t, fake.Options{RequestsKept: 3})
	a.get(holdPath)
	a.post(holdPath+"/capture", amount("40.00"), "id-1")
	a.post(holdPath+"/void", "", "")
	a.get(orderPath)
	log := s.Requests()
	require.Len(t, log, 3, "the oldest has made room")
	assert.Equal(t, []fake.Operation{op, fake.OpVoidAuthorization, fake.OpGetOrder}, []fake.Operation{log[0].Operation, log[1].Operation, log[2].Operation})
	assert.Equal(t, []int{201, 422, 200}, []int{log[0].Status, log[1].Status, log[2].Status})
	assert.Equal(t, amount("40.00"), log[0].Body)
	assert.Equal(t, "id-1", log[0].RequestID)
	assert.Equal(t, wholeThing, log[0].Prefer)
	assert.Empty(t, log[0].Flags)
	assert.Equal(t, []string{"no_request_id"}, log[1].Flags)
	assert.Equal(t, map[fake.Operation]int{
		fake.OpToken: 1, fake.OpGetAuthorization: 1, op: 1, fake.OpVoidAuthorization: 1, fake.OpGetOrder: 1,
	}, s.Counts())
	text, err := json.Marshal(log)
	require.NoError(t, err)
	assert.NotContains(t, string(text), a.token)
}

func TestManyBuyersAtOnce(t *testing.T) {
	s, a := start(t, fake.Options{StateFile: t.TempDir() + "/state", Invoices: fake.InvoicesTaken})
	const lots, tries = 100, 4
	var crowd sync.WaitGroup
	for i := range lots {
		id := fmt.Sprintf("HOLD%d", i)
		s.AddHold(fake.Hold{AuthorizationID: id, OrderID: "ORDER" + id, Currency: "EUR", Amount: "10.00"})
		body := fmt.Sprintf(`{"invoice_id":"lot-%d","final_capture":true}`, i)
		for range tries {
			crowd.Go(func() {
				r := a.post(authorizations+id+"/capture", body, "capture-"+id)
				assert.Contains(t, []int{200, 201, 409}, r.status, r.text)
				a.get("/v2/checkout/orders/ORDER" + id)
				s.Ledger()
				s.Requests()
			})
		}
	}
	crowd.Wait()
	assert.Len(t, s.Ledger().Captures, lots)
	assert.Empty(t, s.Ledger().Check())
	assert.Equal(t, lots*tries, s.Count(op))
}

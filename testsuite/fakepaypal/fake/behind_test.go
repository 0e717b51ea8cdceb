package fake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

func TestSomebodyElseTakesMoney(t *testing.T) {
	s, a := start(t)
	s.AddOrder(fake.Order{OrderID: cartID, Currency: "USD", Amount: "25.00"})
	part, err := s.Take(fake.Taking{AuthorizationID: holdID, Amount: "40.00", InvoiceID: "theirs", Partial: true})
	require.NoError(t, err)
	assert.Equal(t, "PARTIALLY_CAPTURED", a.get(holdPath).at("status"))
	assert.Equal(t, "theirs", a.get("/v2/payments/captures/"+part).at("invoice_id"))

	whole, err := s.Take(fake.Taking{OrderID: cartID, Status: "PENDING"})
	require.NoError(t, err)
	assert.Equal(t, whole, a.get(cartPath).at("purchase_units.0.payments.captures.0.id"))
	assert.Zero(t, s.Count(op), "it is no request of ours")

	_, err = s.Take(fake.Taking{OrderID: cartID})
	require.ErrorContains(t, err, "ORDER_ALREADY_CAPTURED")
	_, err = s.Take(fake.Taking{AuthorizationID: "NOSUCH", Amount: "1.00"})
	require.Error(t, err)
	_, err = s.Take(fake.Taking{AuthorizationID: holdID, Amount: "1.005"})
	require.ErrorContains(t, err, "DECIMAL_PRECISION")
}

func TestStatesAreSetOnlyOnWhatExists(t *testing.T) {
	s, _ := start(t)
	require.Error(t, s.SetHold("NOSUCH", "VOIDED", ""))
	require.Error(t, s.SetOrder("NOSUCH", "APPROVED"))
}

func TestSeedingTwiceChangesNothing(t *testing.T) {
	s, a := start(t)
	require.Equal(t, 200, a.post(holdPath+"/void", "", "").status)
	s.AddHold(fake.Hold{AuthorizationID: holdID, OrderID: orderID, Currency: "USD", Amount: "100.00"})
	assert.Equal(t, "VOIDED", a.get(holdPath).at("status"))
	assert.Nil(t, a.get(orderPath).at("purchase_units.0.payments.authorizations.1"))
	assert.Panics(t, func() { s.AddHold(fake.Hold{AuthorizationID: holdID, Currency: "USD", Amount: "99.00"}) })
}

func TestAnOrderListsEveryHoldThatItLedTo(t *testing.T) {
	s, a := start(t)
	s.AddHold(fake.Hold{AuthorizationID: "SECOND", OrderID: orderID, Currency: "USD", Amount: "5.00"})
	r := a.get(orderPath)
	assert.Equal(t, "100.00", r.at("purchase_units.0.amount.value"))
	assert.Equal(t, "SECOND", r.at("purchase_units.0.payments.authorizations.1.id"))
	s.AddOrder(fake.Order{OrderID: orderID, Intent: "AUTHORIZE", Currency: "USD", Amount: "100.00"})
	assert.Panics(t, func() { s.AddOrder(fake.Order{OrderID: orderID, Currency: "USD", Amount: "100.00"}) })
}

func TestHoldsAndOrdersThatPayPalCouldNotHaveGiven(t *testing.T) {
	s := fake.Start(t)
	for name, add := range map[string]func(){
		"three decimals":    func() { s.AddHold(fake.Hold{Currency: "USD", Amount: "1.005"}) },
		"no amount":         func() { s.AddHold(fake.Hold{Currency: "USD"}) },
		"lower-case id":     func() { s.AddHold(fake.Hold{AuthorizationID: "abc", Currency: "USD", Amount: "1.00"}) },
		"lower-case order":  func() { s.AddHold(fake.Hold{OrderID: "abc", Currency: "USD", Amount: "1.00"}) },
		"yen with decimals": func() { s.AddOrder(fake.Order{Currency: "JPY", Amount: "1.00"}) },
		"order id too long": func() {
			s.AddOrder(fake.Order{OrderID: "A123456789012345678901234567890123456", Currency: "USD", Amount: "1.00"})
		},
		"order without cash": func() { s.AddOrder(fake.Order{Currency: "USD", Amount: "0.00"}) },
	} {
		assert.Panics(t, add, name)
	}
	assert.Len(t, s.AddHold(fake.Hold{Currency: "USD", Amount: "1.00"}).AuthorizationID, 17)
	assert.Len(t, s.AddOrder(fake.Order{Currency: "USD", Amount: "1.00"}).OrderID, 17)
}

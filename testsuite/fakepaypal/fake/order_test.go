package fake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

const (
	cartID   = "4CART9876543210AB"
	cartPath = "/v2/checkout/orders/" + cartID
)

func startWithOrder(t *testing.T, o fake.Order) (*fake.Server, *api, *clock) {
	clock := newClock()
	s, a := start(t, fake.Options{Clock: clock.Now, TokenTTL: 60 * day})
	o.OrderID, o.Currency, o.Amount = cartID, "USD", "25.00"
	s.AddOrder(o)
	return s, a, clock
}

func TestAnApprovedOrderIsCapturedOnce(t *testing.T) {
	s, a, _ := startWithOrder(t, fake.Order{InvoiceID: "sale-1"})
	r := a.post(cartPath+"/capture", "", "one")
	require.Equal(t, 201, r.status, r.text)
	assert.Equal(t, "COMPLETED", r.at("status"))
	assert.Equal(t, "25.00", r.at("purchase_units.0.payments.captures.0.amount.value"))
	assert.Equal(t, "sale-1", r.at("purchase_units.0.payments.captures.0.invoice_id"))

	again := a.post(cartPath+"/capture", "", "one")
	assert.Equal(t, 200, again.status, "a replay is told from a first answer by its code")
	assert.Equal(t, r.at("purchase_units.0.payments.captures.0.id"), again.at("purchase_units.0.payments.captures.0.id"))

	other := a.post(cartPath+"/capture", "", "two")
	assert.Equal(t, 422, other.status)
	assert.Equal(t, "ORDER_ALREADY_CAPTURED", other.outcome())
	assert.Len(t, s.Ledger().CapturesOf(cartID), 1)
}

func TestOrdersThatCannotBeCaptured(t *testing.T) {
	cases := []struct {
		order   fake.Order
		outcome string
	}{
		{fake.Order{Status: "CREATED"}, "ORDER_NOT_APPROVED"},
		{fake.Order{Status: "PAYER_ACTION_REQUIRED"}, "ORDER_NOT_APPROVED"},
		{fake.Order{Intent: "AUTHORIZE"}, "ACTION_DOES_NOT_MATCH_INTENT"},
	}
	for _, c := range cases {
		t.Run(c.order.Intent+c.order.Status, func(t *testing.T) {
			_, a, _ := startWithOrder(t, c.order)
			assert.Equal(t, c.outcome, a.post(cartPath+"/capture", "", "").outcome())
		})
	}
}

func TestAnOrderMayLookUnapprovedRightAfterItsApproval(t *testing.T) {
	s, a, _ := startWithOrder(t, fake.Order{})
	s.Script(fake.Decline(fake.OpCaptureOrder, cartID, "ORDER_NOT_APPROVED"))
	assert.Equal(t, "ORDER_NOT_APPROVED", a.post(cartPath+"/capture", "", "one").outcome())
	assert.Equal(t, "COMPLETED", a.post(cartPath+"/capture", "", "one").outcome())
}

func TestAnUncapturedOrderIsForgottenThreeHoursAfterItsApproval(t *testing.T) {
	s, a, clock := startWithOrder(t, fake.Order{Status: "CREATED"})
	clock.advance(2 * time.Hour)
	require.NoError(t, s.SetOrder(cartID, "APPROVED"))
	clock.advance(3*time.Hour - 1)
	assert.Equal(t, "APPROVED", a.get(cartPath).at("status"))
	clock.advance(1)
	for _, r := range []reply{a.get(cartPath), a.post(cartPath+"/capture", "", "")} {
		assert.Equal(t, 404, r.status)
		assert.Equal(t, "INVALID_RESOURCE_ID", r.outcome())
	}
	assert.Contains(t, s.Ledger().Orders, fake.LedgerOrder{OrderID: cartID, Intent: "CAPTURE", Status: "LAPSED", Currency: "USD", Amount: "25.00"})
}

func TestAnOrderWithMoneyOnItDoesNotLapse(t *testing.T) {
	_, a, clock := startWithOrder(t, fake.Order{})
	require.Equal(t, 201, a.post(cartPath+"/capture", "", "").status)
	clock.advance(day)
	assert.Equal(t, 200, a.get(cartPath).status)
	assert.Equal(t, 200, a.get(orderPath).status, "the order of a hold lives with the hold")
}

func TestTheOrderOfAHoldListsWhatHappenedToIt(t *testing.T) {
	_, a := start(t)
	r := a.get(orderPath)
	assert.Equal(t, "AUTHORIZE", r.at("intent"))
	assert.Equal(t, holdID, r.at("purchase_units.0.payments.authorizations.0.id"))
	assert.Nil(t, r.at("purchase_units.0.payments.captures"))

	made := a.post(holdPath+"/capture", amount("40.00"), "")
	r = a.get(orderPath)
	assert.Equal(t, "CAPTURED", r.at("purchase_units.0.payments.authorizations.0.status"))
	assert.Equal(t, made.at("id"), r.at("purchase_units.0.payments.captures.0.id"))
	assert.Equal(t, "gv1/spring/17", r.at("purchase_units.0.payments.captures.0.invoice_id"))
}

func TestOrdersCheckDuplicateInvoicesToo(t *testing.T) {
	s, a := start(t, fake.Options{Invoices: fake.InvoicesTaken})
	s.AddOrder(fake.Order{OrderID: cartID, Currency: "USD", Amount: "25.00", InvoiceID: "gv1/spring/17"})
	require.Equal(t, 201, a.post(holdPath+"/capture", amount("40.00"), "").status)
	assert.Equal(t, "DUPLICATE_INVOICE_ID", a.post(cartPath+"/capture", "", "").outcome())
}

package fake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

func TestARepeatedRequestIDTakesMoneyOnce(t *testing.T) {
	s, a := start(t)
	first := a.post(holdPath+"/capture", partly, "id-1")
	second := a.post(holdPath+"/capture", ` {"amount": {"value":"40.00", "currency_code":"USD"}}`, "id-1")
	assert.Equal(t, 201, first.status)
	assert.Equal(t, 200, second.status)
	assert.Equal(t, first.body, second.body, "spaces and the order of fields make no other request")
	third := a.post(holdPath+"/capture", partly, "")
	assert.NotEqual(t, first.at("id"), third.at("id"), "without an id PayPal repeats the operation")
	assert.Len(t, s.Ledger().Captures, 2)
}

func TestAReplayShowsThePresentState(t *testing.T) {
	s, a := start(t)
	s.Script(fake.Outcomes(fake.OpCaptureAuthorization, holdID, "PENDING", "ECHECK"))
	first := a.post(holdPath+"/capture", amount("40.00"), "id-1")
	require.Equal(t, "PENDING", first.at("status"))
	require.NoError(t, s.Resolve(first.at("id").(string), "COMPLETED"))
	assert.Equal(t, "COMPLETED", a.post(holdPath+"/capture", amount("40.00"), "id-1").at("status"))
}

func TestAVoidAndAReauthorizationAreReplayedToo(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	clock.advance(4 * day)
	renewal := a.post(holdPath+"/reauthorize", "", "id-1")
	assert.Equal(t, renewal.at("id"), a.post(holdPath+"/reauthorize", "", "id-1").at("id"))
	for range 2 {
		assert.Equal(t, 204, a.call("POST", holdPath+"/void", "", headers{"PayPal-Request-Id": "id-1", "Prefer": ""}).status,
			"an id counts for one endpoint, so the void is a request of its own")
	}
	assert.Equal(t, "PREVIOUSLY_VOIDED", a.post(holdPath+"/void", "", "id-2").outcome())
}

func TestRequestIDsAreKeptForTheirTime(t *testing.T) {
	clock := newClock()
	s, a := start(t, fake.Options{Clock: clock.Now, TokenTTL: 60 * day})
	s.AddOrder(fake.Order{OrderID: cartID, Currency: "USD", Amount: "25.00"})
	require.Equal(t, 201, a.post(holdPath+"/capture", amount("40.00"), "id-1").status)
	require.Equal(t, 201, a.post(cartPath+"/capture", "", "id-1").status)

	clock.advance(6*time.Hour - 1)
	assert.Equal(t, 200, a.post(cartPath+"/capture", "", "id-1").status)
	clock.advance(1)
	assert.Equal(t, "ORDER_ALREADY_CAPTURED", a.post(cartPath+"/capture", "", "id-1").outcome(), "six hours for orders")

	clock.advance(45*day - 6*time.Hour - 1)
	assert.Equal(t, 200, a.post(holdPath+"/capture", amount("40.00"), "id-1").status)
	clock.advance(1)
	assert.Equal(t, "AUTHORIZATION_ALREADY_CAPTURED", a.post(holdPath+"/capture", amount("40.00"), "id-1").outcome(), "45 days for payments")
}

func TestPayPalCanForgetRequestIDs(t *testing.T) {
	cases := map[string]struct {
		forget        []string
		first, second int
	}{
		"one of them": {[]string{"id-1"}, 201, 200},
		"all of them": {nil, 201, 201},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			require.Equal(t, 201, a.post(holdPath+"/capture", partly, "id-1").status)
			require.Equal(t, 201, a.post(holdPath+"/capture", `{"amount":{"currency_code":"USD","value":"1.00"}}`, "id-2").status)
			require.NoError(t, s.Forget(c.forget...))
			assert.Equal(t, c.first, a.post(holdPath+"/capture", partly, "id-1").status)
			assert.Equal(t, c.second, a.post(holdPath+"/capture", `{"amount":{"currency_code":"USD","value":"1.00"}}`, "id-2").status)
		})
	}
}

func TestAnotherRequestUnderAKnownID(t *testing.T) {
	cases := []struct {
		rule    fake.OtherBodyRule
		status  int
		outcome string
	}{
		{fake.OtherBodyFirst, 200, "COMPLETED"},
		{fake.OtherBody400, 400, "DUPLICATE_REQUEST_ID"},
		{fake.OtherBody422, 422, "PAYPAL_REQUEST_ID_PREVIOUSLY_USED"},
	}
	for _, c := range cases {
		t.Run(string(c.rule), func(t *testing.T) {
			s, a := start(t, fake.Options{OtherBody: c.rule})
			s.AddHold(fake.Hold{AuthorizationID: "OTHER", Currency: "USD", Amount: "100.00"})
			first := a.post(holdPath+"/capture", amount("40.00"), "id-1")
			for _, r := range []reply{
				a.post(holdPath+"/capture", amount("41.00"), "id-1"),
				a.post(authorizations+"OTHER/capture", amount("40.00"), "id-1"),
			} {
				assert.Equal(t, c.status, r.status)
				assert.Equal(t, c.outcome, r.outcome())
				if c.rule == fake.OtherBodyFirst {
					assert.Equal(t, first.body, r.body)
				}
			}
			assert.Len(t, s.Ledger().Captures, 1)
		})
	}
}

func TestARefusalIsRememberedOnlyIfTheAccountDoesSo(t *testing.T) {
	for keep, want := range map[bool]string{false: "COMPLETED", true: "TRANSACTION_REFUSED"} {
		s, a := start(t, fake.Options{KeepRefusals: keep})
		require.NoError(t, s.SetHold(holdID, "PENDING", ""))
		require.Equal(t, "TRANSACTION_REFUSED", a.post(holdPath+"/capture", amount("40.00"), "id-1").outcome())
		require.NoError(t, s.SetHold(holdID, "CREATED", ""))
		assert.Equal(t, want, a.post(holdPath+"/capture", amount("40.00"), "id-1").outcome())
	}
}

func TestTwoRequestsInFlightUnderOneID(t *testing.T) {
	s, a := start(t)
	gate := fake.NewGate()
	s.Script(fake.Stop(fake.OpCaptureAuthorization, holdID, fake.Before, gate))
	first := make(chan reply)
	go func() { first <- a.post(holdPath+"/capture", amount("40.00"), "id-1") }()
	<-gate.Arrived()

	second := a.post(holdPath+"/capture", amount("40.00"), "id-1")
	assert.Equal(t, 409, second.status)
	assert.Equal(t, "PREVIOUS_REQUEST_IN_PROGRESS", second.outcome())

	gate.Release()
	done := <-first
	assert.Equal(t, 201, done.status)
	assert.Equal(t, done.at("id"), a.post(holdPath+"/capture", amount("40.00"), "id-1").at("id"))
}

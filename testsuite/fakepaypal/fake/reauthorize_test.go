package fake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

const authorizations = "/v2/payments/authorizations/"

func renewable(t *testing.T, o fake.Options) (*fake.Server, *api, *clock) {
	clock := newClock()
	o.Clock, o.TokenTTL = clock.Now, 60*day
	s, a := start(t, o)
	return s, a, clock
}

// renew reauthorizes the hold and returns the new id.
func renew(t *testing.T, a *api) string {
	r := a.post(holdPath+"/reauthorize", "", "")
	require.Equal(t, 201, r.status, r.text)
	return r.at("id").(string)
}

func TestAReauthorizationIsTooSoonBeforeTheFourthDay(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	clock.advance(3*day - 1)
	r := a.post(holdPath+"/reauthorize", "", "")
	assert.Equal(t, 422, r.status)
	assert.Equal(t, "REAUTHORIZATION_TOO_SOON", r.outcome())
	clock.advance(1)
	assert.Equal(t, 201, a.post(holdPath+"/reauthorize", "", "").status)
}

func TestTheHonorPeriodIsCheckedBeforeTheState(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	require.Equal(t, 200, a.post(holdPath+"/void", "", "").status)
	assert.Equal(t, "REAUTHORIZATION_TOO_SOON", a.post(holdPath+"/reauthorize", "", "").outcome())
	clock.advance(4 * day)
	assert.Equal(t, "AUTHORIZATION_VOIDED", a.post(holdPath+"/reauthorize", "", "").outcome())
}

func TestARenewalHasANewIDAndTheOldEnd(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	clock.advance(27 * day)
	child := renew(t, a)
	assert.NotEqual(t, holdID, child)
	r := a.get(authorizations + child)
	assert.Equal(t, a.get(holdPath).at("expiration_time"), r.at("expiration_time"))
	assert.Equal(t, "2026-12-25T10:00:00Z", r.at("create_time"))
	assert.Equal(t, orderID, r.at("supplementary_data.related_ids.order_id"))
	assert.Equal(t, child, a.get(orderPath).at("purchase_units.0.payments.authorizations.1.id"))
}

func TestOnARenewal(t *testing.T) {
	cases := map[string]struct {
		on, do   string
		outcome  string
		original string
	}{
		"void is for the original":                           {"child", "void", "CANNOT_BE_VOIDED", "CREATED"},
		"a renewal cannot be renewed":                        {"child", "reauthorize", "REAUTHORIZATION_NOT_SUPPORTED", "CREATED"},
		"a capture closes the original":                      {"child", "capture", "COMPLETED", "CAPTURED"},
		"voiding the original closes all":                    {"original", "void", "VOIDED", "VOIDED"},
		"capturing the original is possible, and closes all": {"original", "capture", "COMPLETED", "CAPTURED"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a, clock := renewable(t, fake.Options{})
			clock.advance(4 * day)
			child := renew(t, a)
			path := map[string]string{"child": authorizations + child, "original": holdPath}[c.on]
			assert.Equal(t, c.outcome, a.post(path+"/"+c.do, "", "").outcome())
			assert.Equal(t, c.original, a.get(holdPath).at("status"))
			assert.Equal(t, c.original, a.get(authorizations+child).at("status"))
			renewal, _ := s.Ledger().Hold(child)
			assert.Equal(t, holdID, renewal.ParentID)
		})
	}
}

func TestMoneyIsTakenOnceFromAHoldAndItsRenewal(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	clock.advance(4 * day)
	child := renew(t, a)
	require.Equal(t, "COMPLETED", a.post(authorizations+child+"/capture", amount("80.00"), "").outcome())
	assert.Equal(t, "AUTHORIZATION_ALREADY_CAPTURED", a.post(holdPath+"/capture", amount("80.00"), "").outcome())
}

func TestPartsFromARenewalCountForTheWholeHold(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	clock.advance(4 * day)
	child := renew(t, a)
	require.Equal(t, 201, a.post(authorizations+child+"/capture", partly, "").status)
	tooMuch := `{"amount":{"currency_code":"USD","value":"75.01"}}`
	assert.Equal(t, "MAX_CAPTURE_AMOUNT_EXCEEDED", a.post(holdPath+"/capture", tooMuch, "").outcome())
	assert.Equal(t, "MAX_CAPTURE_AMOUNT_EXCEEDED", a.post(authorizations+child+"/capture", tooMuch, "").outcome())
}

func TestASecondReauthorizationWaitsForTheNewHonorPeriod(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	clock.advance(4 * day)
	renew(t, a)
	clock.advance(3*day - 1)
	assert.Equal(t, "REAUTHORIZATION_TOO_SOON", a.post(holdPath+"/reauthorize", "", "").outcome())
	clock.advance(1)
	renew(t, a)
}

func TestAnAccountMayReauthorizeOnceOnly(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{ReauthorizeOnce: true})
	clock.advance(4 * day)
	renew(t, a)
	clock.advance(10 * day)
	assert.Equal(t, "REAUTHORIZATION_TOO_SOON", a.post(holdPath+"/reauthorize", "", "").outcome())
}

func TestTheAmountOfAReauthorization(t *testing.T) {
	cases := []struct{ amount, outcome string }{
		{`{"amount":{"currency_code":"USD","value":"115.00"}}`, "CREATED"},
		{`{"amount":{"currency_code":"USD","value":"115.01"}}`, "AUTHORIZATION_AMOUNT_EXCEEDED"},
		{`{"amount":{"currency_code":"EUR","value":"100.00"}}`, "AUTH_CURRENCY_MISMATCH"},
		{`{"amount":{"currency_code":"USD","value":"1.005"}}`, "DECIMAL_PRECISION"},
	}
	for _, c := range cases {
		t.Run(c.amount, func(t *testing.T) {
			_, a, clock := renewable(t, fake.Options{})
			clock.advance(4 * day)
			assert.Equal(t, c.outcome, a.post(holdPath+"/reauthorize", c.amount, "").outcome())
		})
	}
}

func TestAHoldThatGaveMoneyIsNotRenewed(t *testing.T) {
	_, a, clock := renewable(t, fake.Options{})
	require.Equal(t, 201, a.post(holdPath+"/capture", partly, "").status)
	clock.advance(4 * day)
	assert.Equal(t, "AUTHORIZATION_ALREADY_CAPTURED", a.post(holdPath+"/reauthorize", "", "").outcome())
}

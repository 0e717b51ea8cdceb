package fake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

const (
	partly = `{"amount":{"currency_code":"USD","value":"40.00"}}`
	lastly = `{"amount":{"currency_code":"USD","value":"40.00"},"final_capture":true}`
	wholly = `{"amount":{"currency_code":"USD","value":"100.00"}}`
)

func TestAHoldGoesThroughPayPalsStates(t *testing.T) {
	type step struct {
		do, body string
		status   int
		outcome  string
		hold     string
	}
	cases := map[string][]step{
		"a part, then the rest, ends CAPTURED": {
			{"capture", partly, 201, "COMPLETED", "PARTIALLY_CAPTURED"},
			{"capture", `{"amount":{"currency_code":"USD","value":"60.00"}}`, 201, "COMPLETED", "CAPTURED"},
			{"capture", partly, 422, "AUTHORIZATION_ALREADY_CAPTURED", "CAPTURED"},
		},
		"no amount takes the whole hold": {
			{"capture", "", 201, "COMPLETED", "CAPTURED"},
		},
		"a short final capture closes the hold": {
			{"capture", lastly, 201, "COMPLETED", "CAPTURED"},
			{"void", "", 422, "PREVIOUSLY_CAPTURED", "CAPTURED"},
		},
		"a void after a part releases the rest": {
			{"capture", partly, 201, "COMPLETED", "PARTIALLY_CAPTURED"},
			{"void", "", 200, "VOIDED", "VOIDED"},
			{"capture", partly, 422, "AUTHORIZATION_VOIDED", "VOIDED"},
		},
		"a second void is refused": {
			{"void", "", 200, "VOIDED", "VOIDED"},
			{"void", "", 422, "PREVIOUSLY_VOIDED", "VOIDED"},
			{"capture", wholly, 422, "AUTHORIZATION_VOIDED", "VOIDED"},
		},
		"15 percent more than the hold is allowed, a cent more is not": {
			{"capture", `{"amount":{"currency_code":"USD","value":"115.01"}}`, 422, "MAX_CAPTURE_AMOUNT_EXCEEDED", "CREATED"},
			{"capture", `{"amount":{"currency_code":"USD","value":"115.00"}}`, 201, "COMPLETED", "CAPTURED"},
		},
		"parts count together towards the ceiling": {
			{"capture", partly, 201, "COMPLETED", "PARTIALLY_CAPTURED"},
			{"capture", `{"amount":{"currency_code":"USD","value":"75.01"}}`, 422, "MAX_CAPTURE_AMOUNT_EXCEEDED", "PARTIALLY_CAPTURED"},
		},
		"another currency is refused": {
			{"capture", `{"amount":{"currency_code":"EUR","value":"40.00"}}`, 422, "AUTH_CAPTURE_CURRENCY_MISMATCH", "CREATED"},
		},
	}
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			_, a := start(t)
			for i, s := range steps {
				r := a.post(holdPath+"/"+s.do, s.body, "")
				assert.Equal(t, s.status, r.status, "step %d: %s", i, r.text)
				assert.Equal(t, s.outcome, r.outcome(), "step %d", i)
				assert.Equal(t, s.hold, a.get(holdPath).at("status"), "step %d", i)
			}
		})
	}
}

func TestTheCeilingOfALargeDollarHoldIs75Above(t *testing.T) {
	s, a := start(t)
	s.AddHold(fake.Hold{AuthorizationID: "BIG", Currency: "USD", Amount: "1000.00"})
	s.AddHold(fake.Hold{AuthorizationID: "BIGEURO", Currency: "EUR", Amount: "1000.00"})
	const big, euro = "/v2/payments/authorizations/BIG/capture", "/v2/payments/authorizations/BIGEURO/capture"
	assert.Equal(t, "MAX_CAPTURE_AMOUNT_EXCEEDED", a.post(big, `{"amount":{"currency_code":"USD","value":"1075.01"}}`, "").outcome())
	assert.Equal(t, "COMPLETED", a.post(big, `{"amount":{"currency_code":"USD","value":"1075.00"}}`, "").outcome())
	assert.Equal(t, "COMPLETED", a.post(euro, `{"amount":{"currency_code":"EUR","value":"1150.00"}}`, "").outcome())
}

func TestAnAccountWithoutOverCaptureTakesTheHoldAtMost(t *testing.T) {
	_, a := start(t, fake.Options{NoOverCapture: true})
	assert.Equal(t, "MAX_CAPTURE_AMOUNT_EXCEEDED", a.post(holdPath+"/capture", amount("100.01"), "").outcome())
	assert.Equal(t, "COMPLETED", a.post(holdPath+"/capture", amount("100.00"), "").outcome())
}

func TestAHoldTakesTenCaptures(t *testing.T) {
	_, a := start(t)
	for range 10 {
		require.Equal(t, 201, a.post(holdPath+"/capture", `{"amount":{"currency_code":"USD","value":"1.00"}}`, "").status)
	}
	assert.Equal(t, "MAX_CAPTURE_COUNT_EXCEEDED", a.post(holdPath+"/capture", `{"amount":{"currency_code":"USD","value":"1.00"}}`, "").outcome())
}

func TestHoldsInStatesThatNoCallMakes(t *testing.T) {
	cases := []struct{ status, capture, void string }{
		{"DENIED", "AUTHORIZATION_DENIED", "PREVIOUSLY_VOIDED"},
		{"PENDING", "TRANSACTION_REFUSED", "VOIDED"},
		{"SOMETHING_NEW", "TRANSACTION_REFUSED", "PREVIOUSLY_VOIDED"},
	}
	for _, c := range cases {
		t.Run(c.status, func(t *testing.T) {
			s, a := start(t)
			require.NoError(t, s.SetHold(holdID, c.status, "PENDING_REVIEW"))
			assert.Equal(t, "PENDING_REVIEW", a.get(holdPath).at("status_details.reason"))
			assert.Equal(t, c.capture, a.post(holdPath+"/capture", amount("40.00"), "").outcome())
			assert.Equal(t, c.void, a.post(holdPath+"/void", "", "").outcome())
		})
	}
}

func TestAHoldLapsesAfter29Days(t *testing.T) {
	clock := newClock()
	s, a := start(t, fake.Options{Clock: clock.Now, TokenTTL: 60 * day})
	assert.Equal(t, "2026-12-27T10:00:00Z", a.get(holdPath).at("expiration_time"))
	clock.advance(29*day - 1)
	assert.Equal(t, "CREATED", a.get(holdPath).at("status"))
	clock.advance(1)
	assert.Equal(t, "VOIDED", a.get(holdPath).at("status"))
	assert.Equal(t, "AUTHORIZATION_EXPIRED", a.post(holdPath+"/capture", amount("40.00"), "").outcome())
	assert.Equal(t, "PREVIOUSLY_VOIDED", a.post(holdPath+"/void", "", "").outcome())
	assert.Equal(t, "AUTHORIZATION_VOIDED", a.post(holdPath+"/reauthorize", "", "").outcome())
	hold, _ := s.Ledger().Hold(holdID)
	assert.Equal(t, "VOIDED", hold.Status)
}

func TestACapturedHoldDoesNotLapse(t *testing.T) {
	clock := newClock()
	_, a := start(t, fake.Options{Clock: clock.Now, TokenTTL: 60 * day})
	require.Equal(t, 201, a.post(holdPath+"/capture", amount("40.00"), "").status)
	clock.advance(40 * day)
	assert.Equal(t, "CAPTURED", a.get(holdPath).at("status"))
}

func TestDuplicateInvoicesAreAnAccountSetting(t *testing.T) {
	cases := []struct {
		rule          fake.InvoiceRule
		first, second string
	}{
		{fake.InvoicesFree, "COMPLETED", "COMPLETED"},
		{fake.InvoicesTaken, "COMPLETED", "DUPLICATE_INVOICE_ID"},
		{fake.InvoicesTaken, "PENDING", "DUPLICATE_INVOICE_ID"},
		{fake.InvoicesTaken, "DECLINED", "COMPLETED"},
		{fake.InvoicesEver, "DECLINED", "DUPLICATE_INVOICE_ID"},
	}
	for _, c := range cases {
		t.Run(string(c.rule)+" after "+c.first, func(t *testing.T) {
			s, a := start(t, fake.Options{Invoices: c.rule})
			s.AddHold(fake.Hold{AuthorizationID: "OTHER", Currency: "USD", Amount: "100.00"})
			s.Script(fake.Outcomes(fake.OpCaptureAuthorization, holdID, c.first, ""))
			require.Equal(t, c.first, a.post(holdPath+"/capture", amount("40.00"), "").outcome())
			r := a.post("/v2/payments/authorizations/OTHER/capture", amount("40.00"), "")
			assert.Equal(t, c.second, r.outcome())
			free := a.post("/v2/payments/authorizations/OTHER/capture", `{"invoice_id":"another"}`, "")
			assert.NotEqual(t, "DUPLICATE_INVOICE_ID", free.outcome())
		})
	}
}

package fake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

func TestAPendingCaptureEndsLater(t *testing.T) {
	cases := map[string]struct {
		end        fake.Resolution
		hold       string
		violations int
	}{
		"completed":                       {fake.Resolution{Status: "COMPLETED"}, "CAPTURED", 0},
		"declined":                        {fake.Resolution{Status: "DECLINED", Reason: "PENDING_REVIEW"}, "CAPTURED", 0},
		"declined, and the hold is open":  {fake.Resolution{Status: "DECLINED", Leaves: "CREATED"}, "CREATED", 0},
		"failed, and the hold is voided":  {fake.Resolution{Status: "FAILED", Leaves: "VOIDED"}, "VOIDED", 0},
		"a status that nobody knows":      {fake.Resolution{Status: "REVERSED_SOMEHOW"}, "CAPTURED", 0},
		"refunded":                        {fake.Resolution{Status: "REFUNDED"}, "CAPTURED", 0},
		"refunded in part, with a reason": {fake.Resolution{Status: "PARTIALLY_REFUNDED", Reason: "REFUNDED", Refunded: "1.00"}, "CAPTURED", 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			s.Script(fake.Outcomes(op, holdID, "PENDING", "ECHECK"))
			made := a.post(holdPath+"/capture", amount("40.00"), "id-1")
			assert.Equal(t, "PENDING", made.at("status"))
			assert.Equal(t, "ECHECK", made.at("status_details.reason"))
			assert.Nil(t, made.at("seller_receivable_breakdown"), "not known while pending")
			assert.Equal(t, "CAPTURED", a.get(holdPath).at("status"))

			id := made.at("id").(string)
			require.NoError(t, s.ResolveWith(id, c.end))
			r := a.get("/v2/payments/captures/" + id)
			assert.Equal(t, c.end.Status, r.at("status"))
			if c.end.Reason != "" {
				assert.Equal(t, c.end.Reason, r.at("status_details.reason"))
			}
			assert.Equal(t, c.hold, a.get(holdPath).at("status"))
			assert.Empty(t, s.Ledger().Check())
		})
	}
}

func TestACaptureTurnsByItselfAfterAScriptedTime(t *testing.T) {
	clock := newClock()
	s, a := start(t, fake.Options{Clock: clock.Now})
	s.Script(fake.Fault{Operation: op, Capture: &fake.Outcome{
		Status: "PENDING", After: time.Hour, Then: &fake.Outcome{Status: "DECLINED", Reason: "OTHER", Leaves: "CREATED"},
	}})
	made := a.post(holdPath+"/capture", amount("40.00"), "id-1")
	path := "/v2/payments/captures/" + made.at("id").(string)
	clock.advance(time.Hour - 1)
	assert.Equal(t, "PENDING", a.get(path).at("status"))
	clock.advance(time.Minute) // nobody looks at the very moment
	assert.Equal(t, "DECLINED", a.get(path).at("status"))
	assert.Equal(t, "CREATED", a.get(holdPath).at("status"))
	clock.advance(time.Hour)
	assert.Equal(t, "2026-11-28T11:00:00Z", a.get(path).at("update_time"))
	assert.Equal(t, "DECLINED", a.post(holdPath+"/capture", amount("40.00"), "id-1").at("status"))
	assert.Equal(t, "COMPLETED", a.post(holdPath+"/capture", amount("40.00"), "id-2").at("status"))
}

func TestACaptureDeclinedAtOnceLeavesTheHold(t *testing.T) {
	cases := map[string]struct{ leaves, hold string }{
		"as it was":             {"", "CREATED"},
		"closed, when scripted": {"CAPTURED", "CAPTURED"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			s.Script(fake.Fault{Operation: op, Capture: &fake.Outcome{Status: "DECLINED", Leaves: c.leaves}})
			assert.Equal(t, "DECLINED", a.post(holdPath+"/capture", amount("40.00"), "id-1").at("status"))
			assert.Equal(t, c.hold, a.get(holdPath).at("status"))
			assert.Equal(t, "DECLINED", a.get(orderPath).at("purchase_units.0.payments.captures.0.status"))
		})
	}
}

func TestAnOrderIsCompletedByADeclinedCaptureToo(t *testing.T) {
	s, a, _ := startWithOrder(t, fake.Order{})
	s.Script(fake.Outcomes(fake.OpCaptureOrder, cartID, "DECLINED", ""))
	r := a.post(cartPath+"/capture", "", "")
	assert.Equal(t, "COMPLETED", r.at("status"))
	assert.Equal(t, "DECLINED", r.at("purchase_units.0.payments.captures.0.status"))
	assert.Equal(t, "ORDER_ALREADY_CAPTURED", a.post(cartPath+"/capture", "", "").outcome())

	id := r.at("purchase_units.0.payments.captures.0.id").(string)
	require.NoError(t, s.ResolveWith(id, fake.Resolution{Status: "FAILED", Leaves: "VOIDED"}))
	assert.Equal(t, "VOIDED", a.get(cartPath).at("status"))
}

func TestOnlyACaptureThatExistsCanBeResolved(t *testing.T) {
	s, _ := start(t)
	require.Error(t, s.Resolve("NOSUCH", "COMPLETED"))
	id, err := s.Take(fake.Taking{AuthorizationID: holdID, Amount: "40.00"})
	require.NoError(t, err)
	require.Error(t, s.Resolve(id, ""))
}

package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
)

// agedHolds is a lot whose holds are past their honor period.
func agedHolds(t *testing.T) *scene {
	s := newScene(t, "ana", "ben")
	s.authorized = s.env.Now().Add(-73 * time.Hour)
	return s
}

func TestAHoldPastItsHonorPeriodIsRenewedOnceAndTheRenewalCaptured(t *testing.T) {
	s := agedHolds(t)
	out := s.ended()
	assert.Equal(t, StateSettled, out.State)
	assert.Equal(t, []string{"capture ana", "renew ana", "capture ana", "release [HOLDBEN]"}, s.did())
	first, renewal, second := s.calls[0].intent, s.calls[1].intent, s.calls[2].intent
	assert.Equal(t, "RENEWEDHOLDANA", second.RenewedID)
	assert.Equal(t, first.AuthorizationID, second.AuthorizationID)
	assert.Equal(t, first.Amount, renewal.Amount, "the renewal holds the price, not more")
	ids := map[string]bool{first.RequestID: true, renewal.RequestID: true, second.RequestID: true}
	assert.Len(t, ids, 3, "three different things have three request ids")
}

func TestAHoldWithinItsHonorPeriodIsNotRenewed(t *testing.T) {
	s := newScene(t, "ana")
	s.authorized = s.env.Now().Add(-71 * time.Hour)
	s.ended()
	assert.Equal(t, []string{"capture ana"}, s.did())
}

func TestRenewalsCanBeTurnedOff(t *testing.T) {
	s := agedHolds(t)
	s.policy.NoRenewals = true
	s.ended()
	assert.Equal(t, []string{"capture ana", "release [HOLDBEN]"}, s.did())
}

func TestARefusedRenewalFallsThroughToTheOriginal(t *testing.T) {
	s := agedHolds(t)
	s.renewals = []reply{{answer: activities.AnswerNotRenewed}}
	assert.Equal(t, StateSettled, s.ended().State)
	assert.Equal(t, []string{"capture ana", "renew ana", "capture ana", "release [HOLDBEN]"}, s.did())
	assert.Equal(t, s.calls[0].intent, s.calls[2].intent)
}

func TestARenewalOfUnknownOutcomeIsAskedAgainWithTheSameID(t *testing.T) {
	s := agedHolds(t)
	s.renewals = []reply{{answer: activities.AnswerUnknown}, {lost: true}, {answer: activities.AnswerRateLimited}, {answer: activities.AnswerRenewed}}
	s.at(7*time.Second, func() {
		assert.Equal(t, StateUnknown, s.state().State)
		assert.Equal(t, s.began.Add(10*time.Minute), s.state().Waiting.ClockEndsAt.In(s.began.Location()))
	})
	assert.Equal(t, StateSettled, s.ended().State)
	renewals := s.timesOf("renew ana")
	assert.Len(t, renewals, 4)
	for _, c := range s.calls[1:5] {
		assert.Equal(t, s.calls[1].intent, c.intent)
	}
}

func TestARenewalThatStaysUnknownIsAPersonsAndARetryCapturesTheOriginal(t *testing.T) {
	s := agedHolds(t)
	s.renewals = []reply{{answer: activities.AnswerUnknown}}
	s.at(20*time.Minute, func() {
		assert.Equal(t, ReasonUnknownClockExpired, s.state().Reason)
		assert.Len(t, s.timesOf("capture ana"), 1, "nothing was captured yet")
		s.signal(Decision{Action: ActionRetry, By: "eve", Reason: "PayPal does not renew"})
	})
	out := s.ended()
	assert.Equal(t, "ana", out.Winner.BidderID)
	assert.Empty(t, s.calls[len(s.calls)-2].intent.RenewedID)
}

func TestAHoldIsNotRenewedOnceItsCaptureWasSent(t *testing.T) {
	for name, first := range map[string]reply{"unknown": {answer: activities.AnswerUnknown}, "lost": {lost: true}} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, "ana")
			s.authorized = s.env.Now().Add(-72*time.Hour + time.Second)
			s.capture[holdOf("ana")] = []reply{first, {answer: activities.AnswerUnknown}, {answer: activities.AnswerCaptured}}
			assert.Equal(t, StateSettled, s.ended().State)
			assert.Empty(t, s.timesOf("renew ana"))
		})
	}
}

func TestAHoldThatAgesWhileNothingIsSentIsRenewed(t *testing.T) {
	for _, answer := range []activities.AnswerKind{activities.AnswerRateLimited, activities.AnswerNoToken, activities.AnswerUnsent, activities.AnswerPaused} {
		t.Run(string(answer), func(t *testing.T) {
			s := newScene(t, "ana")
			s.authorized = s.env.Now().Add(-71 * time.Hour)
			s.capture[holdOf("ana")] = []reply{{answer: answer}}
			s.at(2*time.Hour, func() { s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}} })
			assert.Equal(t, StateSettled, s.ended().State)
			assert.Len(t, s.timesOf("renew ana"), 1)
		})
	}
}

func TestARefusedRenewedHoldIsFencedThroughItsOriginal(t *testing.T) {
	s := agedHolds(t)
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	out := s.ended()
	assert.Equal(t, "ben", out.Winner.BidderID)
	assert.Contains(t, s.did(), "release [HOLDANA]")
	assert.Equal(t, "RENEWEDHOLDBEN", s.calls[len(s.calls)-1].intent.RenewedID, "the runner-up's hold is renewed as well")
	assert.Empty(t, s.calls[len(s.calls)-3].intent.RenewedID, "and not taken for ana's")
}

func TestACancelledLotRenewsNothing(t *testing.T) {
	s := agedHolds(t)
	s.renewals = []reply{{answer: activities.AnswerUnknown}}
	s.at(7*time.Second, s.env.CancelWorkflow)
	assert.Equal(t, StateCancelled, s.ended().State)
	assert.Len(t, s.timesOf("renew ana"), 2)
}

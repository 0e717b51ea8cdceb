package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
)

func TestAnOperatorIsToldOnceThatAWaitLasts(t *testing.T) {
	for name, c := range map[string]struct {
		first reply
		state State
		want  Reason
	}{
		"stalled": {reply{answer: activities.AnswerRateLimited}, StateStalled, ReasonRateLimited},
		"pending": {reply{answer: activities.AnswerPending, shows: activities.StandingPending}, StatePendingAtPayPal, ReasonCapturePending},
		"unknown": {reply{answer: activities.AnswerUnknown}, StateUnknown, ReasonUnknownOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, "ana", "ben")
			s.policy.UnknownClock = Duration(40 * time.Hour)
			s.capture[holdOf("ana")] = []reply{c.first}
			s.at(30*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
			s.ended()
			assert.Equal(t, []time.Duration{10 * time.Minute}, s.alertsAt)
			assert.Equal(t, activities.AlertWarning, s.alerts[0].Level)
			assert.Equal(t, string(c.state), s.alerts[0].State)
			assert.Equal(t, string(c.want), s.alerts[0].Reason)
			assert.Equal(t, "ana", s.alerts[0].BidderID)
			assert.Equal(t, "settlement/spring/17", s.alerts[0].WorkflowID)
		})
	}
}

func TestAShortWaitIsNobodysBusiness(t *testing.T) {
	s := newScene(t, "ana")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
	s.at(9*time.Minute, func() { s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}} })
	s.ended()
	assert.Empty(t, s.alerts)
}

func TestAPendingAndADoubtAreToldOnceWhateverComesInBetween(t *testing.T) {
	for name, first := range map[string]reply{
		"pending": {answer: activities.AnswerPending, shows: activities.StandingPending},
		"unknown": {answer: activities.AnswerUnknown, shows: activities.StandingUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, "ana")
			s.policy.UnknownClock = Duration(40 * time.Hour)
			s.capture[holdOf("ana")] = []reply{first}
			for hour := time.Duration(1); hour < 20; hour++ {
				s.at(hour*time.Hour, s.engage)
				s.at(hour*time.Hour+5*time.Minute, s.disengage)
				s.at(hour*time.Hour+10*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingRateLimited })
				s.at(hour*time.Hour+15*time.Minute, func() { s.shows[holdOf("ana")] = first.shows })
			}
			s.at(30*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
			s.ended()
			assert.Len(t, s.alerts, 1)
		})
	}
}

func TestASecondStallIsToldAgain(t *testing.T) {
	s := newScene(t, "ana")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
	s.at(time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingHoldPending })
	s.at(2*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
	s.at(5*time.Hour, func() { s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}} })
	s.ended()
	assert.Len(t, s.alerts, 3, "stalled, pending, stalled")
}

func TestAReviewIsToldAtOnceAndALoserWhoWasChargedLoudest(t *testing.T) {
	s := newScene(t, "ana")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerInvariant}}
	s.leftOpen()
	assert.Equal(t, []time.Duration{0}, s.alertsAt)
	assert.Equal(t, activities.AlertError, s.alerts[0].Level)

	loser := newScene(t, "ana", "ben")
	loser.release[holdOf("ben")] = activities.ReleaseCaptured
	loser.leftOpen()
	assert.Len(t, loser.alerts, 1)
	assert.Equal(t, activities.AlertCritical, loser.alerts[0].Level)
}

func TestAHoldThatIsNeededAndCloseToItsEndIsToldOnce(t *testing.T) {
	expiring := func(t *testing.T, first reply) *scene {
		s := newScene(t, "ana", "ben")
		s.expires = s.env.Now().Add(50 * time.Hour)
		s.capture[holdOf("ana")] = []reply{first}
		return s
	}
	closeToItsEnd := func(s *scene) []time.Duration {
		var at []time.Duration
		for i, alert := range s.alerts {
			if alert.Level == activities.AlertError && alert.Reason != "" && s.alertsAt[i] > time.Hour {
				at = append(at, s.alertsAt[i])
			}
		}
		return at
	}
	t.Run("while it is stalled", func(t *testing.T) {
		s := expiring(t, reply{answer: activities.AnswerRateLimited})
		s.at(40*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		s.ended()
		assert.Equal(t, []time.Duration{26 * time.Hour}, closeToItsEnd(s))
	})
	t.Run("while a person has to decide", func(t *testing.T) {
		s := expiring(t, reply{answer: activities.AnswerInvariant})
		s.leftOpen()
		assert.Equal(t, []time.Duration{26 * time.Hour}, closeToItsEnd(s))
	})
	t.Run("not once it is paid", func(t *testing.T) {
		s := expiring(t, reply{answer: activities.AnswerCaptured})
		s.release[holdOf("ben")] = activities.ReleaseStalled
		s.at(40*time.Hour, func() { delete(s.release, holdOf("ben")) })
		s.ended()
		assert.Empty(t, closeToItsEnd(s))
	})
}

func TestThatNobodyCouldBeToldHoldsNothingUp(t *testing.T) {
	s := newScene(t, "ana")
	s.lost[activities.AlertName] = true
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
	s.at(time.Hour, func() { s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}} })
	assert.Equal(t, StateSettled, s.ended().State)
}

func TestAHoldThatIsGoneNeedsNoAlarm(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.lot.Fallback = FallbackAsk
	s.expires = s.env.Now().Add(50 * time.Hour)
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	s.leftOpen()
	assert.Len(t, s.alerts, 1, "the bid failed; its hold is released")
}

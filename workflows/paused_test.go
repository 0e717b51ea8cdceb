package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
)

func TestWhileTheKillSwitchIsOnNothingIsSent(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.at(0, s.engage)
	s.at(5*time.Hour, func() {
		out := s.state()
		assert.Equal(t, StatePaused, out.State)
		assert.Equal(t, ReasonKillSwitch, out.Reason)
		assert.Zero(t, out.Waiting.ClockEndsAt)
		s.disengage()
	})
	out := s.ended()
	assert.Equal(t, "ana", out.Winner.BidderID)
	assert.False(t, out.Winner.Adopted)
	assert.Empty(t, s.alerts, "who engaged the switch knows")
}

func TestWhileTheKillSwitchIsOnACaptureThatIsThereIsAdopted(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.at(0, s.engage)
	s.at(time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
	s.at(time.Hour+2*time.Minute, func() {
		assert.Equal(t, StatePaused, s.state().State, "the releases are stopped, too")
		assert.Equal(t, "ana", s.state().Winner.BidderID)
	})
	s.at(2*time.Hour, s.disengage)
	out := s.ended()
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, HoldReleased, out.Holds[1].Outcome)
}

func TestAKillSwitchThatCannotBeReadStopsEverythingAndIsAlerted(t *testing.T) {
	s := newScene(t, "ana")
	s.switchGone = true
	s.at(time.Hour, func() {
		assert.Equal(t, StatePaused, s.state().State)
		assert.Equal(t, ReasonSwitchUnreadable, s.state().Reason)
		s.switchGone = false
	})
	assert.Equal(t, StateSettled, s.ended().State)
	assert.Equal(t, []time.Duration{10 * time.Minute}, s.alertsAt)
}

// unknownSince is a lot whose capture is in doubt from the first second on.
func unknownSince(t *testing.T) *scene {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
	return s
}

func lastRead(s *scene) time.Duration {
	reads := s.timesOf("read ana")
	return reads[len(reads)-1]
}

func TestTheUnknownClockStandsStillWhileTheKillSwitchIsOn(t *testing.T) {
	for name, c := range map[string]struct {
		flips []time.Duration // on, off, on, off, …
		ends  time.Duration   // when the clock has run out
	}{
		"never on":                     {nil, 10 * time.Minute},
		"once, to the second":          {[]time.Duration{3*time.Minute + time.Second, 7*time.Hour + 3*time.Second}, 10*time.Minute + 7*time.Hour - 3*time.Minute + 2*time.Second},
		"several times":                {[]time.Duration{time.Minute, 3 * time.Minute, 5 * time.Minute, 11 * time.Minute, 12 * time.Minute, 20 * time.Minute}, 10*time.Minute + 16*time.Minute},
		"between two passes, unseen":   {[]time.Duration{9*time.Minute + 16*time.Second, 9*time.Minute + 46*time.Second}, 10*time.Minute + 30*time.Second},
		"over the end of the clock":    {[]time.Duration{9*time.Minute + 59*time.Second, time.Hour}, time.Hour + time.Second},
		"on before the doubt and over": {[]time.Duration{10 * time.Millisecond, 5 * time.Minute}, 15*time.Minute - 10*time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			s := unknownSince(t)
			for i, at := range c.flips {
				flip := s.engage
				if i%2 == 1 {
					flip = s.disengage
				}
				s.at(at, flip)
			}
			assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
			assert.Equal(t, c.ends, lastRead(s))
			assert.False(t, s.captured("ben"))
		})
	}
}

func TestAHeldClockShowsWhatIsLeftOfIt(t *testing.T) {
	s := unknownSince(t)
	s.at(4*time.Minute, s.engage)
	s.at(3*time.Hour, func() {
		out := s.state()
		assert.Equal(t, StatePaused, out.State)
		assert.Equal(t, Duration(6*time.Minute), out.Waiting.ClockLeft)
		assert.Zero(t, out.Waiting.ClockEndsAt)
		s.shows[holdOf("ana")] = activities.StandingCaptured
		s.disengage()
	})
	assert.True(t, s.ended().Winner.Adopted)
}

func TestAClockDoesNotRunOutWhileTheSwitchCannotBeRead(t *testing.T) {
	s := unknownSince(t)
	s.at(time.Minute, func() { s.switchGone = true })
	s.at(time.Hour, func() {
		assert.Equal(t, StatePaused, s.state().State)
		s.switchGone = false
	})
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.WithinRange(t, s.began.Add(lastRead(s)), s.began.Add(time.Hour), s.began.Add(time.Hour+time.Minute), "nobody engaged it, so no time was held")
}

func TestThePendingClockIsPayPalsTime(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerPending, shows: activities.StandingPending}}
	s.at(time.Hour, s.engage)
	s.at(60*time.Hour, s.disengage)
	assert.Equal(t, ReasonPendingExpired, s.leftOpen().Reason)
	assert.Equal(t, 72*time.Hour, lastRead(s))
}

func TestTheFenceWaitsForTheKillSwitch(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	s.at(0, func() { s.release[holdOf("ana")] = activities.ReleaseStalled })
	s.at(time.Minute, func() { delete(s.release, holdOf("ana")); s.engage() })
	s.at(4*time.Hour, func() {
		assert.Equal(t, StatePaused, s.state().State)
		assert.False(t, s.captured("ben"))
		s.disengage()
	})
	assert.Equal(t, "ben", s.ended().Winner.BidderID)
}

func TestTimeInWhichTheKillSwitchIsOnDoesNotMakeAnOrphan(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.release[holdOf("ben")] = activities.ReleaseFailed
	s.at(time.Minute, s.engage)
	s.at(9*time.Hour, func() {
		assert.Equal(t, StatePaused, s.state().State)
		s.disengage()
	})
	s.at(9*time.Hour+5*time.Minute, func() { delete(s.release, holdOf("ben")) })
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

func TestARequestThatWasNeverSentStartsNoClock(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnsent}}
	s.at(5*time.Hour, func() {
		assert.Equal(t, StateStalled, s.state().State)
		assert.Equal(t, ReasonNotSent, s.state().Reason)
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}}
	})
	assert.Equal(t, StateSettled, s.ended().State)
}

func TestWhileTheKillSwitchIsOnADoubtAboutTheTruthIsPausedToo(t *testing.T) {
	for _, shows := range []activities.Standing{activities.StandingUnreadable, activities.StandingRateLimited, activities.StandingNoToken} {
		t.Run(string(shows), func(t *testing.T) {
			s := newScene(t, "ana")
			s.at(0, s.engage)
			s.shows[holdOf("ana")] = shows
			s.at(time.Hour, func() { assert.Equal(t, StatePaused, s.state().State) })
			s.at(2*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingOpen; s.disengage() })
			assert.Equal(t, StateSettled, s.ended().State)
			assert.Empty(t, s.alerts)
		})
	}
}

func TestADoubtAboutTheTruthThatBeganWhileTheSwitchWasOnHasItsWholeClockAfterwards(t *testing.T) {
	s := newScene(t, "ana")
	s.at(0, s.engage)
	s.shows[holdOf("ana")] = activities.StandingUnreadable
	s.at(2*time.Hour, s.disengage)
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Equal(t, 2*time.Hour+10*time.Minute, lastRead(s))
}

func TestAHeldClockGoesOnThoughCapturesAreLost(t *testing.T) {
	s := unknownSince(t)
	s.at(time.Minute, s.engage)
	s.at(time.Hour, func() { s.capture[holdOf("ana")] = []reply{{lost: true}}; s.disengage() })
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Equal(t, time.Hour+9*time.Minute, lastRead(s))
}

func TestAHoldUnderReviewAtTheEndOfTheClockWaitsForTheSwitch(t *testing.T) {
	s := unknownSince(t)
	s.at(9*time.Minute+50*time.Second, func() { s.shows[holdOf("ana")] = activities.StandingHoldPending; s.engage() })
	s.at(time.Hour, func() { assert.NotEqual(t, StateFailedNeedsReview, s.state().State) })
	s.at(2*time.Hour, s.disengage)
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
}

func TestWhatAClockWasHeldIsNotForgottenWithTheSwitchsHistory(t *testing.T) {
	s := unknownSince(t)
	s.at(time.Minute, s.engage)
	s.at(31*time.Minute, s.disengage)
	s.at(35*time.Minute, func() { s.killSwitch = activities.SwitchState{} })
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Equal(t, 40*time.Minute, lastRead(s))
}

func TestOneUnreadableLookDuringAStopIsNoAlarm(t *testing.T) {
	s := newScene(t, "ana")
	s.at(0, s.engage)
	s.at(time.Hour, func() { s.switchGone = true })
	s.at(time.Hour+2*time.Minute, func() { s.switchGone = false })
	s.at(2*time.Hour, func() { assert.Empty(t, s.alerts); s.switchGone = true })
	s.at(3*time.Hour, func() { s.switchGone = false; s.disengage() })
	s.ended()
	assert.Len(t, s.alerts, 1, "an hour of it is one")
}

func TestAReleaseThatIsPausedShowsNoClock(t *testing.T) {
	s := unknownSince(t)
	s.at(2*time.Minute, s.engage)
	s.at(time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
	s.at(2*time.Hour, func() {
		assert.Equal(t, StatePaused, s.state().State)
		assert.Zero(t, s.state().Waiting.ClockLeft)
		s.disengage()
	})
	s.ended()
}

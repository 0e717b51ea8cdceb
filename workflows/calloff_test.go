package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/activities"
)

func TestCalledOff(t *testing.T) {
	cancelAt := func(s *scene, d time.Duration) *scene {
		s.at(d, s.env.CancelWorkflow)
		return s
	}
	t.Run("while stalled before the capture, everything is released", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
		stopped := 0
		s.env.SetOnTimerCanceledListener(func(string) { stopped++ })
		out := cancelAt(s, 7*time.Second).ended()
		assert.Equal(t, 1, stopped, "no timer is left behind")
		assert.Equal(t, StateCancelled, out.State)
		assert.Equal(t, []string{"capture ana", "capture ana", "read ana", "release [HOLDANA]", "read ana", "release [HOLDBEN]"}, s.did())
		assert.Equal(t, 7*time.Second, s.calls[2].at, "the wait is cut short")
	})
	t.Run("while a failed bid waits for a person, everything is released", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.lot.Fallback = FallbackAsk
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		out := cancelAt(s, time.Hour).ended()
		assert.Equal(t, StateCancelled, out.State)
		assert.Equal(t, []HoldStanding{{"ana", "HOLDANA", HoldReleased}, {"ben", "HOLDBEN", HoldReleased}}, out.Holds)
	})
	t.Run("before anything was read, the truth is read before anything is voided", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingCaptured // by a run that was terminated
		out := cancelAt(s, 0).ended()
		assert.Equal(t, StateSettled, out.State)
		assert.True(t, out.Winner.Adopted)
		assert.Equal(t, []string{"read ana", "release [HOLDBEN]"}, s.did())
	})
	t.Run("in doubt with nothing captured, no capture is sent any more", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}, {answer: activities.AnswerCaptured}}
		assert.Equal(t, StateCancelled, cancelAt(s, 2*time.Second).ended().State)
		assert.Len(t, s.timesOf("capture ana"), 1)
	})
	t.Run("while the hold is under review, it is not captured when it opens", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingHoldPending
		s.at(20*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
		assert.Equal(t, StateCancelled, cancelAt(s, 10*time.Hour).ended().State)
	})
	t.Run("on the last bid, it is called off and not unsold", func(t *testing.T) {
		s := newScene(t, "ana")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown, shows: activities.StandingUnreadable}}
		s.at(time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingClosed })
		assert.Equal(t, StateCancelled, cancelAt(s, 30*time.Second).ended().State)
	})
	t.Run("and it stays cancelled in the run that it continues as", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown, shows: activities.StandingUnreadable}}
		s.at(time.Minute, func() { s.env.SetContinueAsNewSuggested(true) })
		cancelAt(s, 30*time.Second).run()
		in, goesOn := s.next()
		require.True(t, goesOn)
		again := newScene(t, "ana", "ben")
		again.shows[holdOf("ana")] = activities.StandingClosed
		again.resume(in)
		require.NoError(t, again.env.GetWorkflowError())
		assert.Equal(t, StateCancelled, again.state().State)
		assert.False(t, again.captured("ben"))
	})
	t.Run("in doubt, the doubt is resolved first", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown, shows: activities.StandingUnreadable}}
		s.at(3*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		out := cancelAt(s, time.Minute).ended()
		assert.Equal(t, StateSettled, out.State)
		assert.True(t, out.Winner.Adopted)
		assert.Equal(t, HoldReleased, out.Holds[1].Outcome)
	})
	t.Run("after the capture, it finishes releasing", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.release[holdOf("ben")] = activities.ReleaseFailed
		s.at(3*time.Minute, func() { delete(s.release, holdOf("ben")) })
		out := cancelAt(s, time.Minute).ended()
		assert.Equal(t, StateSettled, out.State)
		assert.Equal(t, HoldReleased, out.Holds[1].Outcome)
	})
	t.Run("while the hold is under review and no capture was sent, it is released and not waited for", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingHoldPending
		assert.Equal(t, StateCancelled, cancelAt(s, 10*time.Hour).ended().State)
		assert.Equal(t, 10*time.Hour, s.calls[len(s.calls)-1].at)
	})
	t.Run("while its capture is pending, that is waited for", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerPending, shows: activities.StandingPending}}
		s.at(20*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		assert.Equal(t, StateSettled, cancelAt(s, 10*time.Hour).ended().State)
	})
	t.Run("a hold that is too small is released like any other", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingShort
		assert.Equal(t, StateCancelled, cancelAt(s, 0).ended().State)
	})
	t.Run("and a bid that is passed over by a person afterwards leaves it called off", func(t *testing.T) {
		s := newScene(t, "ana")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerInvariant}}
		s.at(reviewed, func() { s.signal(decision(ActionNextBidder)) })
		assert.Equal(t, StateCancelled, cancelAt(s, time.Minute).ended().State)
	})
}

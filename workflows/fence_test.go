package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
)

func TestAFenceThatCannotBeProvedIsWaitedOutAndThenAPersons(t *testing.T) {
	t.Run("proved later", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		s.release[holdOf("ana")] = activities.ReleaseFailed
		s.at(4*time.Minute, func() {
			assert.Equal(t, ReasonHoldNotReleased, s.state().Reason)
			delete(s.release, holdOf("ana"))
		})
		assert.Equal(t, "ben", s.ended().Winner.BidderID)
	})
	t.Run("never proved", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		s.release[holdOf("ana")] = activities.ReleaseFailed
		assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
		assert.False(t, s.captured("ben"))
	})
	t.Run("money was taken after all: the truth decides, never the next bidder", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		s.release[holdOf("ana")] = activities.ReleaseCaptured
		s.at(4*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		out := s.ended()
		assert.Equal(t, "ana", out.Winner.BidderID)
		assert.True(t, out.Winner.Adopted)
	})
	t.Run("turned away, and captured all the same: adopted at once", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		s.release[holdOf("ana")] = activities.ReleaseStalled
		s.at(time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		assert.Equal(t, "ana", s.ended().Winner.BidderID)
		assert.Less(t, s.calls[len(s.calls)-1].at, 3*time.Minute)
	})
	t.Run("turned away: no clock", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		s.release[holdOf("ana")] = activities.ReleaseStalled
		s.at(3*time.Hour, func() {
			assert.Equal(t, StateStalled, s.state().State)
			delete(s.release, holdOf("ana"))
		})
		assert.Equal(t, "ben", s.ended().Winner.BidderID)
	})
}

func TestAFenceOverADeclinedCaptureEndsLikeAnyOther(t *testing.T) {
	declined := func(t *testing.T, release activities.ReleaseOutcome) *scene {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingDeclined
		s.release[holdOf("ana")] = release
		return s
	}
	t.Run("never proved, it is a person's", func(t *testing.T) {
		s := declined(t, activities.ReleaseFailed)
		assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
		assert.Less(t, s.calls[len(s.calls)-1].at, 11*time.Minute)
	})
	t.Run("turned away, it starts no clock", func(t *testing.T) {
		s := declined(t, activities.ReleaseStalled)
		s.at(3*time.Hour, func() {
			assert.Equal(t, StateStalled, s.state().State)
			delete(s.release, holdOf("ana"))
		})
		assert.Equal(t, "ben", s.ended().Winner.BidderID)
	})
}

// Somebody may have been charged for the lot: no clock, and no closed hold,
// takes that back.
func TestADuplicateInvoiceIsAPersonsWhateverBecomesOfTheHold(t *testing.T) {
	t.Run("though the hold is found closed when a clock ends", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}, {answer: activities.AnswerDuplicateInvoice, shows: activities.StandingRateLimited}}
		s.at(11*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingClosed })
		assert.Equal(t, ReasonDuplicateInvoice, s.leftOpen().Reason)
		assert.False(t, s.captured("ben"))
	})
	t.Run("though it is found closed after a retry", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerDuplicateInvoice}}
		s.at(reviewed, func() { s.shows[holdOf("ana")] = activities.StandingClosed; s.signal(decision(ActionRetry)) })
		assert.Equal(t, ReasonDuplicateInvoice, s.leftOpen().Reason)
		assert.False(t, s.captured("ben"))
	})
	t.Run("who may pass the bid over", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerDuplicateInvoice}}
		s.at(reviewed, func() { s.signal(decision(ActionNextBidder)) })
		assert.Equal(t, "ben", s.ended().Winner.BidderID)
	})
}

func TestAFenceThatIsNotProvedShowsWhatPayPalSaidOfTheVoid(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	s.release[holdOf("ana")] = activities.ReleaseFailed
	s.at(time.Minute, func() {
		assert.Equal(t, "rate_limited", s.state().Waiting.Problem.Kind, "the kind that every void of a scene fails with")
	})
	s.leftOpen()
}

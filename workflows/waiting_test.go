package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/activities"
)

func TestAnUnknownOutcomeIsWaitedOutWithTheSameRequest(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}, {answer: activities.AnswerUnknown}, {answer: activities.AnswerCaptured}}
	s.at(7*time.Second, func() {
		out := s.state()
		assert.Equal(t, StateUnknown, out.State)
		assert.Equal(t, ReasonUnknownOutcome, out.Reason)
		assert.Equal(t, "ana", out.Waiting.BidderID)
		assert.Equal(t, s.began.Add(10*time.Minute), out.Waiting.ClockEndsAt.In(s.began.Location()))
	})
	out := s.ended()
	assert.Equal(t, StateSettled, out.State)
	assert.False(t, out.Winner.Adopted)
	assert.Equal(t, []time.Duration{0, 5 * time.Second, 15 * time.Second}, s.timesOf("capture ana"))
}

func TestAnUnknownOutcomeIsAPersonsWhenItsClockRunsOut(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
	out := s.leftOpen()
	assert.Equal(t, StateFailedNeedsReview, out.State)
	assert.Equal(t, ReasonUnknownClockExpired, out.Reason)
	assert.False(t, s.captured("ben"), "never the next bidder on a maybe")
	assert.Equal(t, []time.Duration{10 * time.Minute}, s.timesOf("read ana"), "a last look when the clock has run out")
	assert.Equal(t, []HoldOutcome{HoldOpen, HoldOpen}, []HoldOutcome{out.Holds[0].Outcome, out.Holds[1].Outcome})
	tries := s.timesOf("capture ana")
	assert.Equal(t, []time.Duration{0, 5, 15, 35, 75, 135, 195, 255, 315, 375, 435, 495, 555}, seconds(tries))
}

func TestTheLastLookResolvesAnUnknownOutcome(t *testing.T) {
	for name, c := range map[string]struct {
		shows activities.Standing
		want  func(t *testing.T, s *scene)
	}{
		"captured after all": {activities.StandingCaptured, func(t *testing.T, s *scene) {
			out := s.ended()
			assert.Equal(t, "ana", out.Winner.BidderID)
			assert.True(t, out.Winner.Adopted)
		}},
		"closed without a capture": {activities.StandingClosed, func(t *testing.T, s *scene) {
			assert.Equal(t, "ben", s.ended().Winner.BidderID)
		}},
		"captured otherwise": {activities.StandingDifferent, func(t *testing.T, s *scene) {
			assert.Equal(t, ReasonDifferentCapture, s.leftOpen().Reason)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, "ana", "ben")
			s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
			s.at(9*time.Minute+59*time.Second, func() { s.shows[holdOf("ana")] = c.shows })
			c.want(t, s)
		})
	}
}

func TestALostActivityIsLookedIntoAtOnce(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{lost: true, shows: activities.StandingCaptured}}
	out := s.ended()
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, []time.Duration{0, 0}, s.timesOf("capture ana"))
}

func TestAnActivityThatIsLostAgainAndAgainIsNoHotLoop(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{lost: true}}
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Less(t, len(s.calls), 20)
}

func TestAStallStartsNoClock(t *testing.T) {
	for answer, reason := range map[activities.AnswerKind]Reason{
		activities.AnswerRateLimited: ReasonRateLimited,
		activities.AnswerNoToken:     ReasonAuthUnavailable,
	} {
		t.Run(string(answer), func(t *testing.T) {
			s := newScene(t, "ana", "ben")
			s.capture[holdOf("ana")] = []reply{{answer: answer}}
			s.at(5*time.Hour, func() {
				out := s.state()
				assert.Equal(t, StateStalled, out.State)
				assert.Equal(t, reason, out.Reason)
				assert.Zero(t, out.Waiting.ClockEndsAt)
				s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}}
			})
			assert.Equal(t, "ana", s.ended().Winner.BidderID)
		})
	}
}

func TestAClockThatAMoneyCallStartedRunsOnThroughStalls(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}, {answer: activities.AnswerRateLimited}}
	s.at(5*time.Minute, func() {
		assert.Equal(t, StateUnknown, s.state().State)
		assert.Equal(t, ReasonUnknownOutcome, s.state().Reason)
	})
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Equal(t, []time.Duration{10 * time.Minute}, s.timesOf("read ana"))
}

func TestAClockThatAnUnreadableTruthStartedStopsAtTheNextReadableOne(t *testing.T) {
	for _, standing := range []activities.Standing{activities.StandingUnreadable, activities.StandingNotFound} {
		t.Run(string(standing), func(t *testing.T) {
			s := newScene(t, "ana", "ben")
			s.shows[holdOf("ana")] = standing
			s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited, shows: activities.StandingOpen}, {answer: activities.AnswerRateLimited}}
			s.at(9*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
			s.at(20*time.Minute, func() { s.shows[holdOf("ana")] = standing })
			s.at(29*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
			assert.True(t, s.ended().Winner.Adopted, "two doubts of nine minutes are not one of ten")
		})
	}
}

func TestAClockThatAMoneyCallStartedIsNotStoppedByATruth(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown, shows: activities.StandingUnreadable}, {answer: activities.AnswerRateLimited}}
	s.at(2*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
	s.leftOpen()
	assert.Equal(t, []time.Duration{10 * time.Minute}, s.timesOf("read ana"))
}

func TestAHoldUnderReviewNowAndThenDoesNotResolveADoubt(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.policy.PendingPollMax = Duration(time.Minute)
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
	for i := range 30 {
		s.at(time.Duration(i)*4*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingHoldPending })
		s.at(time.Duration(i)*4*time.Minute+2*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
	}
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Less(t, s.calls[len(s.calls)-1].at, time.Hour)
}

func TestADoubtThatIsResolvedLeavesNothingOfItsClock(t *testing.T) {
	unknown := []reply{{answer: activities.AnswerUnknown}}
	t.Run("the next bidder has a clock of their own", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")], s.capture[holdOf("ben")] = unknown, unknown
		s.at(9*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingClosed })
		s.leftOpen()
		assert.Equal(t, []time.Duration{s.timesOf("capture ben")[0] + 10*time.Minute}, s.timesOf("read ben"))
	})
	t.Run("found pending, it has PayPal's time", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = unknown
		s.at(9*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingPending })
		s.at(50*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		assert.Equal(t, StateSettled, s.ended().State)
	})
	t.Run("refused, its fence has the whole clock", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = unknown
		s.release[holdOf("ana")] = activities.ReleaseFailed
		s.at(9*time.Minute, func() { s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}} })
		s.at(15*time.Minute, func() { delete(s.release, holdOf("ana")) })
		assert.Equal(t, "ben", s.ended().Winner.BidderID)
		fences := s.timesOf("release [HOLDANA]")
		assert.Equal(t, 5*time.Second, fences[1]-fences[0], "and its own pauses")
	})
	t.Run("no longer pending, PayPal's time does not cut a later doubt short", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.policy.UnknownClock = Duration(time.Hour) // beyond the end of the pending clock
		s.shows[holdOf("ana")] = activities.StandingHoldPending
		s.capture[holdOf("ana")] = unknown
		s.at(71*time.Hour+20*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
		s.leftOpen()
		reads := s.timesOf("read ana")
		assert.Equal(t, s.timesOf("capture ana")[1]+time.Hour, reads[len(reads)-1])
	})
}

func TestATruthThatStaysUnreadableIsAPersons(t *testing.T) {
	for _, standing := range []activities.Standing{
		activities.StandingUnreadable, activities.StandingNotFound, activities.StandingUnclear,
	} {
		t.Run(string(standing), func(t *testing.T) {
			s := newScene(t, "ana", "ben")
			s.shows[holdOf("ana")] = standing
			assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
			assert.False(t, s.captured("ben"))
		})
	}
}

func TestAReadingThatIsLostIsATruthThatCannotBeRead(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	s.lost[activities.ReadTruthName] = true
	s.at(5*time.Hour, func() {
		assert.Equal(t, ReasonTruthUnreadable, s.state().Reason)
		assert.Len(t, s.alerts, 1, "nobody could look whether the kill switch is off, so the clock has not run out, and somebody knows")
		clear(s.lost)
	})
	assert.Equal(t, "ben", s.ended().Winner.BidderID)
}

func TestADoubtIsAPersonsAtTheFirstLookAfterItsClockHasRunOut(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
	s.lost[activities.ReadTruthName] = true
	s.at(2*time.Hour, func() { clear(s.lost) })
	assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
	assert.Less(t, len(s.timesOf("capture ana")), 20, "nothing is sent once the clock has run out")
}

func TestAPendingCaptureHoldsTheLot(t *testing.T) {
	pending := func(t *testing.T) *scene {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerPending, shows: activities.StandingPending}}
		return s
	}
	t.Run("until it is completed", func(t *testing.T) {
		s := pending(t)
		s.at(50*time.Hour, func() {
			assert.Equal(t, StatePendingAtPayPal, s.state().State)
			s.shows[holdOf("ana")] = activities.StandingCaptured
		})
		out := s.ended()
		assert.Equal(t, StateSettled, out.State)
		assert.False(t, out.Winner.Adopted, "it was answered to us, and completed later")
		assert.Len(t, s.timesOf("capture ana"), 1, "no second capture while one is pending")
		assert.Less(t, len(s.calls), 80, "looks grow apart to an hour")
		assert.Equal(t, "CAPHOLDANA", s.calls[1].captureID, "the known capture is looked at by its id")
	})
	t.Run("until it is declined: fenced, then the runner-up", func(t *testing.T) {
		s := pending(t)
		s.at(50*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingDeclined })
		out := s.ended()
		assert.Equal(t, "ben", out.Winner.BidderID)
		assert.Contains(t, s.did(), "release [HOLDANA]")
	})
	t.Run("until its clock runs out", func(t *testing.T) {
		s := pending(t)
		out := s.leftOpen()
		assert.Equal(t, ReasonPendingExpired, out.Reason)
		reads := s.timesOf("read ana")
		assert.Equal(t, 72*time.Hour, reads[len(reads)-1])
		assert.False(t, s.captured("ben"))
	})
	t.Run("and has its whole clock, however long its hold was under review", func(t *testing.T) {
		s := pending(t)
		s.shows[holdOf("ana")] = activities.StandingHoldPending
		s.at(70*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
		s.at(100*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		assert.Equal(t, StateSettled, s.ended().State)
	})
	t.Run("and a hold that opened at the last moment is captured", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingHoldPending
		s.at(71*time.Hour+59*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
		assert.Equal(t, StateSettled, s.ended().State)
	})
	t.Run("and so does a hold under review", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.shows[holdOf("ana")] = activities.StandingHoldPending
		s.at(20*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
		out := s.ended()
		assert.Equal(t, "ana", out.Winner.BidderID)
		assert.False(t, out.Winner.Adopted)
	})
}

func TestWhatOnlyAPersonCanDecide(t *testing.T) {
	for name, c := range map[string]struct {
		shows  activities.Standing
		answer activities.AnswerKind
		want   Reason
	}{
		"a refusal that names us":        {answer: activities.AnswerInvariant, want: ReasonInvariant},
		"a capture for something else":   {answer: activities.AnswerMismatch, want: ReasonDifferentCapture},
		"another capture on the hold":    {shows: activities.StandingDifferent, want: ReasonDifferentCapture},
		"a capture that was given back":  {shows: activities.StandingRefunded, want: ReasonCaptureRefunded},
		"a hold smaller than the price":  {shows: activities.StandingShort, want: ReasonHoldTooSmall},
		"an invoice that is known":       {answer: activities.AnswerDuplicateInvoice, want: ReasonDuplicateInvoice},
		"a refusal that says nothing":    {answer: activities.AnswerOther, want: ReasonUnknownClockExpired},
		"captured, and by nobody we see": {shows: activities.StandingCapturedUnseen, want: ReasonUnknownClockExpired},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, "ana", "ben")
			if c.shows != "" {
				s.shows[holdOf("ana")] = c.shows
			}
			s.capture[holdOf("ana")] = []reply{{answer: c.answer}}
			out := s.leftOpen()
			assert.Equal(t, StateFailedNeedsReview, out.State)
			assert.Equal(t, c.want, out.Reason)
			assert.Equal(t, "ana", out.Waiting.BidderID)
			assert.False(t, s.captured("ben"))
		})
	}
}

func TestAWaitShowsWhatPayPalAnsweredLast(t *testing.T) {
	problem := &activities.Problem{Operation: "get_authorization", Kind: "not_found", Status: 404, Issue: "INVALID_RESOURCE_ID", DebugID: "d1"}
	s := newScene(t, "ana", "ben")
	s.shows[holdOf("ana")] = activities.StandingNotFound
	s.problem = problem
	s.at(time.Minute, func() { assert.Equal(t, problem, s.state().Waiting.Problem) })
	out := s.leftOpen()
	assert.Equal(t, problem, out.Waiting.Problem)
	assert.Equal(t, "get_authorization: not_found, HTTP 404, INVALID_RESOURCE_ID, PayPal-Debug-Id d1", problem.String())
}

func TestABiddersWordsStayWords(t *testing.T) {
	assert.Equal(t, "\\!\\[x\\](http://a) &lt;b> \\| \\`c\\` \\*d\\*", cell("![x](http://a) <b> | `c` *d*"))
}

func TestADuplicateInvoiceThatIsOurOwnCaptureIsAdopted(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerDuplicateInvoice, shows: activities.StandingCaptured}}
	assert.True(t, s.ended().Winner.Adopted)
}

func TestPause(t *testing.T) {
	policy := Policy{}.withDefaults()
	var grows []time.Duration
	for passes := range 6 {
		grows = append(grows, pause(policy, passes, StateStalled))
	}
	assert.Equal(t, []time.Duration{5, 10, 20, 40, 60, 60}, seconds(grows))
	assert.Equal(t, time.Hour, pause(policy, 1000, StatePendingAtPayPal))
	require.Equal(t, time.Minute, pause(policy, 1000, StateUnknown))
}

// timesOf is when each call of this kind was made, since the settlement began.
func (s *scene) timesOf(what string) []time.Duration {
	var times []time.Duration
	for _, c := range s.calls {
		if c.what == what {
			times = append(times, c.at)
		}
	}
	return times
}

func seconds(all []time.Duration) []time.Duration {
	whole := make([]time.Duration, len(all))
	for i, d := range all {
		whole[i] = d / time.Second
	}
	return whole
}

func TestTheLastLookOfAClockThatOnlyTheTruthStartedGoesOnWhereItCanBeRead(t *testing.T) {
	s := newScene(t, "ana")
	s.shows[holdOf("ana")] = activities.StandingUnreadable
	s.at(9*time.Minute+59*time.Second, func() { s.shows[holdOf("ana")] = activities.StandingOpen })
	out := s.ended()
	assert.Equal(t, "ana", out.Winner.BidderID)
	assert.False(t, out.Winner.Adopted)
}

func TestADoubtWhilePayPalTakesItsTimeIsLookedIntoSoon(t *testing.T) {
	pending := func() *scene {
		s := newScene(t, "ana")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerPending, shows: activities.StandingPending}}
		s.at(50*time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingCaptured })
		return s
	}
	undisturbed := pending()
	undisturbed.ended()
	look := slicesAfter(undisturbed.timesOf("read ana"), 20*time.Hour)[0]
	s := pending()
	s.at(look-time.Second, func() { s.shows[holdOf("ana")] = activities.StandingUnreadable })
	s.at(look+9*time.Minute, func() { s.shows[holdOf("ana")] = activities.StandingPending })
	assert.Equal(t, StateSettled, s.ended().State)
	soon := slicesAfter(s.timesOf("read ana"), look)
	assert.Less(t, soon[5], look+9*time.Minute)
}

func TestALostCaptureHasAClockOfItsOwn(t *testing.T) {
	s := newScene(t, "ana")
	s.shows[holdOf("ana")] = activities.StandingUnreadable
	s.at(9*time.Minute, func() {
		s.shows[holdOf("ana")] = activities.StandingOpen
		s.capture[holdOf("ana")] = []reply{{lost: true, shows: activities.StandingUnreadable}}
	})
	s.leftOpen()
	lost := s.timesOf("capture ana")
	assert.Greater(t, lastRead(s), 19*time.Minute, "%v", lost)
}

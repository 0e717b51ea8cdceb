package workflows

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"gavel/activities"
)

// signal sends a decision as a signal, now.
func (s *scene) signal(d Decision) { s.env.SignalWorkflow(DecisionSignal, d) }

// ruling is what became of an update.
type ruling struct {
	verdict Verdict
	refused string
	done    bool
}

// update sends a decision as an update, now.
func (s *scene) update(d Decision) *ruling {
	r := &ruling{}
	end := func(err error) {
		r.done = true
		var failure *temporal.ApplicationError
		if errors.As(err, &failure) {
			require.Equal(s.t, ErrorTypeDecisionRefused, failure.Type())
			r.refused = failure.Message()
		}
	}
	s.env.UpdateWorkflow(DecisionUpdate, "", &testsuite.TestUpdateCallback{
		OnReject: end,
		OnAccept: func() {},
		OnComplete: func(verdict any, err error) {
			r.verdict, _ = verdict.(Verdict)
			end(err)
		},
	}, d)
	return r
}

func decision(action Action) Decision {
	return Decision{Action: action, By: "eve", Reason: "looked into it"}
}

func adopting(captureID string) Decision {
	d := decision(ActionAdopt)
	d.CaptureID = captureID
	return d
}

// inReview is a lot of which nobody knows whether ana was charged.
func inReview(t *testing.T) *scene {
	s := newScene(t, "ana", "ben", "cleo")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
	return s
}

const reviewed = 30 * time.Minute // when the lot has been in review for a while

func TestWhatFitsWhichReview(t *testing.T) {
	all := []Reason{
		ReasonUnknownClockExpired, ReasonPendingExpired, ReasonInvariant, ReasonDifferentCapture, ReasonCaptureRefunded,
		ReasonHoldTooSmall, ReasonDuplicateInvoice, ReasonLoserCaptured, ReasonBidFailed,
	}
	for _, reason := range all {
		want := Actions
		switch reason {
		case ReasonLoserCaptured:
			want = []Action{ActionRetry, ActionClose}
		case ReasonBidFailed:
			want = []Action{ActionAdopt, ActionNextBidder, ActionReleaseAll, ActionClose}
		}
		assert.Equal(t, want, fitting(reason), reason)
	}
}

func TestADecisionThatDoesNotFitIsRefusedAndHasNoEffect(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Decision)
		want   string
	}{
		"no action":                  {func(d *Decision) { d.Action = "" }, "action must be retry, adopt, next-bidder, release-all or close"},
		"another action":             {func(d *Decision) { d.Action = "refund" }, `not "refund"`},
		"nobody":                     {func(d *Decision) { d.By = "  " }, "by must say who decides"},
		"no reason":                  {func(d *Decision) { d.Reason = "" }, "reason must say why"},
		"a reason that steers":       {func(d *Decision) { d.Reason = "a\x1b[31m" }, "reason must say why"},
		"adopt without a capture":    {func(d *Decision) { d.Action = ActionAdopt }, "capture_id must name the capture to adopt"},
		"a capture for another deed": {func(d *Decision) { d.CaptureID = "CAP" }, "capture_id goes with adopt only"},
	} {
		t.Run(name, func(t *testing.T) {
			d := decision(ActionNextBidder)
			c.change(&d)
			s := inReview(t)
			var r *ruling
			s.at(reviewed, func() { r = s.update(d); s.signal(d) })
			out := s.leftOpen()
			assert.True(t, r.done)
			assert.Contains(t, r.refused, c.want)
			require.Len(t, out.Decisions, 1, "the signal is recorded, the update was not taken in")
			assert.Contains(t, out.Decisions[0].Refused, c.want)
			assert.Equal(t, StateFailedNeedsReview, out.State)
		})
	}
	t.Run("an action that does not fit the review", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.release[holdOf("ben")] = activities.ReleaseCaptured
		var r *ruling
		s.at(reviewed, func() { r = s.update(decision(ActionReleaseAll)) })
		s.leftOpen()
		assert.Equal(t, "release-all does not fit a review for loser_captured: decide retry or close", r.refused)
	})
	t.Run("nothing waits", func(t *testing.T) {
		s := newScene(t, "ana", "ben")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
		var r *ruling
		s.at(time.Minute, func() { r = s.update(decision(ActionNextBidder)); s.signal(decision(ActionNextBidder)) })
		s.at(time.Hour, func() { s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}} })
		out := s.ended()
		assert.Equal(t, "ana", out.Winner.BidderID)
		assert.Equal(t, "nothing waits for a decision here", r.refused)
		assert.Equal(t, "nothing waits for a decision here", out.Decisions[0].Refused)
		assert.NotContains(t, s.timesOf("capture ana"), time.Minute, "and it does not cut the wait short")
	})
}

func TestWhoOnlyHasTheWebUISeesWhatToDecide(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() { s.signal(Decision{Action: "refund", By: "e|ve", Reason: "why"}) })
	s.leftOpen()
	page := s.page()
	assert.Contains(t, page, "### FAILED_NEEDS_REVIEW · unknown_clock_expired")
	assert.Contains(t, page, "retry, adopt, next-bidder, release-all or close: send the signal `review-decision`")
	assert.Contains(t, page, "e\\|ve decided refund (why), refused: action must be")
	assert.Contains(t, page, "| 1 | ana | 120.00 | HOLDANA | OPEN |")
}

func TestAReviewKeepsWhatPayPalSaid(t *testing.T) {
	problem := &activities.Problem{Operation: "capture_authorization", Kind: "server_error", Status: 500}
	s := inReview(t)
	s.refusal = problem
	out := s.leftOpen()
	assert.Equal(t, problem, out.Waiting.Problem, "also after a last look that was clean")

	different := newScene(t, "ana")
	different.shows[holdOf("ana")] = activities.StandingDifferent
	seen := different.leftOpen().Review.Taken
	require.Len(t, seen, 1)
	assert.Equal(t, "CAPHOLDANA", seen[0].ID)
	assert.Contains(t, different.page(), "On its hold: capture CAPHOLDANA of 120.00 USD, COMPLETED, invoice gv1/spring/17.")
}

func TestADecisionToReleaseAllLeavesTheLotReleasing(t *testing.T) {
	for name, bidders := range map[Action][]string{ActionReleaseAll: {"ana", "ben"}, ActionNextBidder: {"ana"}} {
		s := newScene(t, bidders...)
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerInvariant}}
		var r *ruling
		s.at(reviewed, func() { r = s.update(decision(name)) })
		assert.Equal(t, StateUnsold, s.ended().State)
		assert.Equal(t, Verdict{State: StateReleasing}, r.verdict, name)
	}
}

func TestADecisionMadeBeforeTheReviewIsNotAboutIt(t *testing.T) {
	s := inReview(t)
	s.at(9*time.Minute, func() { s.signal(decision(ActionReleaseAll)) })
	out := s.leftOpen()
	assert.Equal(t, StateFailedNeedsReview, out.State)
	assert.Equal(t, "nothing waits for a decision here", out.Decisions[0].Refused)
}

func TestTheSameDecisionCountsOnce(t *testing.T) {
	s := inReview(t)
	s.capture[holdOf("ben")] = []reply{{answer: activities.AnswerInvariant}}
	d := decision(ActionNextBidder)
	d.DecisionID = "click-1"
	var first, again *ruling
	s.at(reviewed, func() { first = s.update(d); s.signal(d) })
	s.at(2*reviewed, func() { again = s.update(d); s.signal(d) })
	out := s.leftOpen()
	assert.Equal(t, ReasonInvariant, out.Reason)
	assert.Equal(t, "ben", out.Waiting.BidderID, "ben is not passed over by ana's decision")
	assert.Len(t, out.Decisions, 1)
	assert.Empty(t, first.refused)
	assert.True(t, again.done)
	assert.Empty(t, again.refused)
}

func TestARefusalOfTheSameDecisionIsTheSame(t *testing.T) {
	s := inReview(t)
	d := adopting("CAP")
	d.DecisionID = "click-1"
	var first, again *ruling
	s.at(reviewed, func() { first = s.update(d) })
	s.at(2*reviewed, func() { again = s.update(d) })
	s.leftOpen()
	assert.NotEmpty(t, first.refused)
	assert.Equal(t, first.refused, again.refused)
	assert.Len(t, s.timesOf("read capture CAP"), 1)
}

func TestOneOfTwoDecisionsAtOnceCounts(t *testing.T) {
	s := inReview(t)
	var first, second *ruling
	s.at(reviewed, func() { first, second = s.update(decision(ActionNextBidder)), s.update(decision(ActionNextBidder)) })
	out := s.ended()
	assert.Equal(t, "ben", out.Winner.BidderID, "not cleo")
	assert.Empty(t, first.refused)
	assert.Equal(t, "nothing waits for a decision here", second.refused)
}

func TestADuplicateInvoiceTellsWhatOtherHoldsShow(t *testing.T) {
	s := newScene(t)
	bigLot(s, 60)
	s.capture["HOLDB0000"] = []reply{{answer: activities.AnswerDuplicateInvoice}}
	s.shows["HOLDB0007"] = activities.StandingCaptured
	out := s.leftOpen()
	assert.Equal(t, ReasonDuplicateInvoice, out.Reason)
	assert.Equal(t, 50, out.Review.Read)
	require.Len(t, out.Review.Known, 1)
	assert.Equal(t, "b0007", out.Review.Known[0].BidderID)
	assert.Equal(t, "CAPHOLDB0007", out.Review.Known[0].Captures[0].ID)
	assert.Equal(t, 1, len(s.timesOf("read 50 holds")))
}

func TestACancelledLotInReviewChargesNobodyAfterARetry(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, s.env.CancelWorkflow)
	s.at(2*reviewed, func() {
		assert.Equal(t, StateFailedNeedsReview, s.state().State, "money may have been taken: a cancel decides nothing")
		s.signal(decision(ActionRetry))
	})
	assert.Equal(t, StateCancelled, s.ended().State)
	assert.Empty(t, slicesAfter(s.timesOf("capture ana"), reviewed))
}

func slicesAfter(times []time.Duration, d time.Duration) []time.Duration {
	var after []time.Duration
	for _, at := range times {
		if at > d {
			after = append(after, at)
		}
	}
	return after
}

func TestAReviewGoesOnInTheRunThatItContinuesAs(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() { s.env.SetContinueAsNewSuggested(true); s.signal(decision("nonsense")) })
	s.run()
	in, goesOn := s.next()
	require.True(t, goesOn)
	assert.Equal(t, ReasonUnknownClockExpired, in.Resume.Review.Reason)
	assert.Len(t, in.Resume.Decisions, 1)

	again := inReview(t)
	again.at(time.Minute, func() { again.signal(decision(ActionNextBidder)) })
	again.resume(in)
	require.NoError(t, again.env.GetWorkflowError())
	assert.Equal(t, "ben", again.state().Winner.BidderID)
	assert.Empty(t, again.alerts, "operators were told")
}

func TestADecisionThatCameTooEarlyMayBeSentAgain(t *testing.T) {
	s := inReview(t)
	d := decision(ActionNextBidder)
	d.DecisionID = "click-1"
	s.at(9*time.Minute, func() { s.signal(d) })
	s.at(reviewed, func() { s.signal(d) })
	assert.Equal(t, "ben", s.ended().Winner.BidderID)
}

func TestARefusalIsRememberedLongerThanItsRecord(t *testing.T) {
	s := inReview(t)
	d := adopting("CAP")
	d.DecisionID = "click-1"
	var again *ruling
	s.at(reviewed, func() { s.signal(d) })
	s.at(reviewed+time.Minute, func() {
		for range maxDecisions {
			s.signal(decision("nonsense"))
		}
	})
	s.at(2*reviewed, func() { again = s.update(d) })
	s.leftOpen()
	assert.Contains(t, again.refused, "PayPal does not show capture CAP")
}

func TestTheExampleInTheWebUIFits(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.lot.Fallback = FallbackAsk
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	s.leftOpen()
	assert.Contains(t, s.page(), `{"action": "next-bidder",`)
}

func TestDecisionsThatArriveTogetherAreAnsweredBeforeTheRunGoesOn(t *testing.T) {
	s := inReview(t)
	var refused, taken *ruling
	s.at(reviewed, func() {
		s.env.SetContinueAsNewSuggested(true)
		refused, taken = s.update(adopting("NONE")), s.update(decision(ActionNextBidder))
	})
	s.run()
	assert.Contains(t, refused.refused, "PayPal does not show capture NONE")
	assert.True(t, taken.done)
	assert.Equal(t, Verdict{State: StateCapturing}, taken.verdict)
}

func TestADecisionThatIsPendingWhenTheReviewBeginsIsNotAboutIt(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerInvariant}}
	s.at(0, func() { s.signal(decision(ActionReleaseAll)) }) // while the capture is under way
	out := s.leftOpen()
	assert.Equal(t, StateFailedNeedsReview, out.State)
	assert.Len(t, out.Decisions, 1)
}

func TestALotThatWasCancelledInAnEarlierRunIsCalledOffInAReviewForAFailedBid(t *testing.T) {
	s := newScene(t, "ana", "ben")
	resume := newProgress(2)
	resume.CancelAsked = true
	resume.Review = &Review{Reason: ReasonBidFailed, Actions: fitting(ReasonBidFailed)}
	resume.Holds[0] = HoldReleased
	s.resume(SettlementInput{Lot: s.lot, Resume: &resume})
	assert.Equal(t, StateCancelled, s.state().State)
}

func TestACancellationOutlivesTheRun(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, s.env.CancelWorkflow)
	s.at(2*reviewed, func() { s.env.SetContinueAsNewSuggested(true); s.signal(decision("nonsense")) })
	s.run()
	in, goesOn := s.next()
	require.True(t, goesOn)
	assert.True(t, in.Resume.CancelAsked)
}

func TestAnotherDecisionUnderTheSameIDIsRefused(t *testing.T) {
	s := inReview(t)
	s.capture[holdOf("ben")] = []reply{{answer: activities.AnswerInvariant}}
	first, other := decision(ActionNextBidder), decision(ActionClose)
	first.DecisionID, other.DecisionID = "click-1", "click-1"
	var r *ruling
	s.at(reviewed, func() { s.signal(first) })
	s.at(2*reviewed, func() { r = s.update(other); s.signal(other) })
	out := s.leftOpen()
	assert.Equal(t, `decision_id "click-1" was used for another decision: next-bidder by "eve"`, r.refused)
	assert.Equal(t, r.refused, out.Decisions[1].Refused)
	assert.Nil(t, out.Closed)
}

func TestAWaitIsShownWhileItsPassIsUnderWay(t *testing.T) {
	s := newScene(t, "ana")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
	asked := 0
	s.during = func() {
		if asked++; asked > 1 {
			out := s.state()
			assert.Equal(t, StateStalled, out.State)
			assert.NotNil(t, out.Waiting)
		}
		if asked == 5 {
			s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}}
		}
	}
	s.ended()
}

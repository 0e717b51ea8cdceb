package workflows

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

func manyBidders(n int) []string {
	bidders := make([]string, n)
	for i := range bidders {
		bidders[i] = fmt.Sprintf("b%04d", i)
	}
	return bidders
}

// bigLot has n bids of one price: lotOf's prices run out.
func bigLot(s *scene, n int) {
	s.lot = lotOf(manyBidders(n)...)
	for i := range s.lot.Bids {
		s.lot.Bids[i].Price = "100.00"
	}
}

func TestALargeLotIsReleasedInBatches(t *testing.T) {
	s := newScene(t)
	bigLot(s, 5000)
	out := s.ended()

	assert.Equal(t, StateSettled, out.State)
	assert.Equal(t, map[HoldOutcome]int{HoldCaptured: 1, HoldReleased: 4999}, out.HoldCounts)
	assert.Equal(t, []HoldStanding{{"b0000", "HOLDB0000", HoldCaptured}}, out.Holds)
	require.Len(t, s.batches, 20)
	seen := map[string]bool{}
	for _, batch := range s.batches {
		for _, hold := range batch.Holds {
			assert.False(t, seen[hold.AuthorizationID], "%s twice", hold.AuthorizationID)
			assert.Regexp(t, `^gv1-[0-9a-f]{32}$`, hold.RequestID)
			seen[hold.AuthorizationID] = true
		}
	}
	assert.Len(t, seen, 4999)
}

func TestAnOutcomeIsBoundedBeforeAnythingIsReleased(t *testing.T) {
	s := newScene(t)
	bigLot(s, 5000)
	s.capture["HOLDB0000"] = []reply{{answer: activities.AnswerInvariant}}
	out := s.leftOpen()
	assert.Len(t, out.Holds, 500)
	assert.Equal(t, map[HoldOutcome]int{HoldOpen: 5000}, out.HoldCounts)
}

func TestWhatWentWrongIsShownBeforeWhatIsOpen(t *testing.T) {
	all := make([]HoldStanding, 601)
	for i := range all {
		all[i].Outcome = HoldOpen
	}
	all[600] = HoldStanding{BidderID: "winner", Outcome: HoldCaptured}
	shown, counts := showHolds(all)
	assert.Len(t, shown, 500)
	assert.Equal(t, "winner", shown[0].BidderID)
	assert.Equal(t, map[HoldOutcome]int{HoldOpen: 600, HoldCaptured: 1}, counts)
}

func TestFiveHundredBidsAreShownInFull(t *testing.T) {
	s := newScene(t)
	bigLot(s, 500)
	out := s.ended()
	assert.Len(t, out.Holds, 500)
	assert.Nil(t, out.HoldCounts)
}

func TestAHoldThatIsNotReleasedIsTriedAgain(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.release[holdOf("cleo")] = activities.ReleaseFailed
	s.at(3*time.Minute, func() {
		out := s.state()
		assert.Equal(t, StateReleasing, out.State)
		assert.Equal(t, ReasonHoldNotReleased, out.Reason)
		assert.Equal(t, "ana", out.Winner.BidderID)
		assert.Empty(t, out.Waiting.BidderID)
		delete(s.release, holdOf("cleo"))
	})
	out := s.ended()
	assert.Equal(t, HoldReleased, out.Holds[2].Outcome)
	assert.Equal(t, "release [HOLDBEN HOLDCLEO]", s.did()[1])
	assert.Equal(t, "release [HOLDCLEO]", s.did()[2], "only what is left")
	assert.Equal(t, []time.Duration{5, 15, 35, 75, 135, 195}, seconds(s.timesOf("release [HOLDCLEO]")), "pauses grow")
}

func TestAReleaseThatIsLostIsDoneAgain(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.lost[activities.ReleaseHoldsName] = true
	s.at(3*time.Minute, func() {
		assert.Equal(t, "activity_lost", s.state().Waiting.Problem.Kind)
		clear(s.lost)
	})
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

func TestALoserWhoWasChargedIsAPersonsAndTheOthersAreReleased(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.release[holdOf("ben")] = activities.ReleaseCaptured
	s.shows[holdOf("ben")] = activities.StandingDifferent
	out := s.leftOpen()
	assert.Equal(t, StateFailedNeedsReview, out.State)
	assert.Equal(t, ReasonLoserCaptured, out.Reason)
	assert.Equal(t, []HoldStanding{
		{"ana", "HOLDANA", HoldCaptured}, {"ben", "HOLDBEN", HoldCaptured}, {"cleo", "HOLDCLEO", HoldReleased},
	}, out.Holds)
	assert.Equal(t, 1, out.Review.Read)
	require.Len(t, out.Review.Known, 1, "the review names what PayPal shows")
	assert.Equal(t, "ben", out.Review.Known[0].BidderID)
	assert.Contains(t, s.alerts[len(s.alerts)-1].Message, "hold HOLDBEN: different")
}

func TestALoserOnWhoseHoldEveryCaptureFailedIsNobodysCharge(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.release[holdOf("ben")] = activities.ReleaseCaptured
	s.shows[holdOf("ben")] = activities.StandingClosed
	out := s.ended()
	assert.Equal(t, StateSettled, out.State)
	assert.Equal(t, HoldGone, out.Holds[1].Outcome)
}

func TestAChargedLoserIsReadAgainOnARetry(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.release[holdOf("ben")] = activities.ReleaseCaptured
	s.lost[activities.ReadHoldsName] = true
	s.at(time.Hour, func() {
		assert.Equal(t, ReasonLoserCaptured, s.state().Reason, "a truth that is lost says of nobody that they were not charged")
		clear(s.lost)
		s.shows[holdOf("ben")] = activities.StandingClosed
		s.signal(Decision{Action: ActionRetry, By: "eve", Reason: "PayPal was down"})
	})
	assert.Equal(t, HoldGone, s.ended().Holds[1].Outcome)
}

func TestAReleaseThatOutlivesItsLotGoesOnByItself(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.release[holdOf("ben")] = activities.ReleaseFailed
	s.at(12*time.Minute, func() { delete(s.release, holdOf("ben")) })
	var input OrphanVoidInput
	s.env.OnWorkflow(OrphanVoidType, mock.Anything, mock.MatchedBy(func(in OrphanVoidInput) bool { input = in; return true })).
		Return(OrphanVoidOutcome{}, nil)
	out := s.ended()
	assert.Equal(t, StateSettled, out.State, "the lot ends all the same")
	assert.Equal(t, HoldOrphaned, out.Holds[1].Outcome)
	assert.Equal(t, "HOLDBEN", input.Hold.AuthorizationID)
	assert.Equal(t, s.batches[0].Holds[0], input.Hold, "the same request id as before")
	last := s.calls[len(s.calls)-1].at
	assert.GreaterOrEqual(t, last, 10*time.Minute)
	assert.Less(t, last, 12*time.Minute)
}

func TestTheTimeThatAPassTakesCountsAsTried(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.releasesTake(4 * time.Minute)
	s.release[holdOf("ben")] = activities.ReleaseFailed
	s.env.OnWorkflow(OrphanVoidType, mock.Anything, mock.Anything).Return(OrphanVoidOutcome{}, nil)
	assert.Equal(t, HoldOrphaned, s.ended().Holds[1].Outcome)
	assert.Len(t, s.batches, 3, "ten minutes are over in the third pass of four minutes")
}

// releasesTake lets every batch take this long.
func (s *scene) releasesTake(d time.Duration) {
	s.releasing = d
	s.releases.After(d)
}

func TestTimeInWhichABatchQueuesIsNotTried(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.releases.After(3 * time.Hour) // for a slot, or for a worker
	s.release[holdOf("ben")] = activities.ReleaseFailed
	s.at(20*time.Hour, func() { delete(s.release, holdOf("ben")) })
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

// holdsThatHang is a lot whose first n losers PayPal does not give back.
func holdsThatHang(t *testing.T, bids, n int) *scene {
	s := newScene(t)
	bigLot(s, bids)
	for _, bid := range s.lot.Bids[1 : n+1] {
		s.release[bid.Hold.AuthorizationID] = activities.ReleaseFailed
	}
	s.env.OnWorkflow(OrphanVoidType, mock.Anything, mock.Anything).Return(OrphanVoidOutcome{}, nil)
	return s
}

func TestOnlyWhatWasTriedBecomesAnOrphan(t *testing.T) {
	s := holdsThatHang(t, 2000, 1)
	s.releasesTake(10 * time.Minute) // as long as a batch can take
	assert.Equal(t, map[HoldOutcome]int{HoldCaptured: 1, HoldReleased: 1998, HoldOrphaned: 1}, s.ended().HoldCounts)
}

func TestOrphansAreStartedAFewHundredARun(t *testing.T) {
	s := holdsThatHang(t, 1300, 1299)
	s.releasesTake(10 * time.Minute)
	s.run()
	runs := 1
	for next, goesOn := s.next(); goesOn; next, goesOn = s.next() {
		again := holdsThatHang(t, 1300, 1299)
		again.resume(next)
		s, runs = again, runs+1
	}
	require.NoError(t, s.env.GetWorkflowError())
	assert.Equal(t, 3, runs)
	assert.Equal(t, map[HoldOutcome]int{HoldCaptured: 1, HoldOrphaned: 1299}, s.state().HoldCounts)
	assert.Empty(t, s.batches, "a marked orphan is its own workflow's to release")
}

func TestAVoidThatWasNeverSentMakesNoOrphan(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.releasesTake(10 * time.Minute)
	s.release[holdOf("ben")] = activities.ReleaseUntried
	s.at(3*time.Hour, func() { delete(s.release, holdOf("ben")) })
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

func TestOnceTurnedAwayAPassEnds(t *testing.T) {
	s := newScene(t)
	bigLot(s, 5000)
	for _, bid := range s.lot.Bids[1:] {
		s.release[bid.Hold.AuthorizationID] = activities.ReleaseStalled
	}
	s.at(3*time.Second, func() {
		assert.Len(t, s.batches, 1)
		clear(s.release)
	})
	assert.Equal(t, map[HoldOutcome]int{HoldCaptured: 1, HoldReleased: 4999}, s.ended().HoldCounts)
}

func TestARunThatGoesOnKeepsTheTimeThatWasTried(t *testing.T) {
	s := holdsThatHang(t, 2, 1)
	s.resume(SettlementInput{Lot: s.lot, Resume: &Progress{
		State: StateReleasing, Winner: &Winner{BidderID: "b0000"}, Holds: []HoldOutcome{HoldCaptured, HoldOpen},
		Releasing: releasing{Tried: Duration(10*time.Minute - time.Second)},
	}})
	assert.Len(t, s.batches, 2)
	assert.Equal(t, HoldOrphaned, s.state().Holds[1].Outcome)
}

func TestALargeLotThatIsReleasedSlowlyIsReleasedToItsEnd(t *testing.T) {
	s := newScene(t)
	bigLot(s, 700)
	s.releasesTake(9 * time.Minute)
	assert.Equal(t, map[HoldOutcome]int{HoldCaptured: 1, HoldReleased: 699}, s.ended().HoldCounts)
}

func TestTimeInWhichPayPalTurnsUsAwayDoesNotMakeAnOrphan(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.release[holdOf("ben")] = activities.ReleaseStalled
	s.at(5*time.Hour, func() {
		assert.Equal(t, StateStalled, s.state().State)
		assert.Equal(t, ReasonRateLimited, s.state().Reason)
		delete(s.release, holdOf("ben"))
	})
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

func TestAResultThatDoesNotAddUpReleasesNothing(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.miscount = true
	s.at(time.Minute, func() {
		assert.Equal(t, HoldOpen, s.state().Holds[1].Outcome)
		s.miscount = false
	})
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

func TestAnOrphanThatNeedsAPersonIsAlerted(t *testing.T) {
	s := newScene(t, "ana")
	s.release["HOLDBEN"] = activities.ReleaseCaptured
	s.env.ExecuteWorkflow(OrphanVoid, OrphanVoidInput{AuctionID: "spring", LotID: "17", Hold: activities.HoldToRelease{AuthorizationID: "HOLDBEN"}})
	require.Len(t, s.alerts, 1)
	assert.Equal(t, activities.AlertCritical, s.alerts[0].Level)
	assert.Contains(t, s.alerts[0].Message, "hold HOLDBEN of lot spring/17 was not released")
}

// orphanVoid runs an orphan's release whose void has these outcomes, the last one for ever.
func orphanVoid(t *testing.T, shown activities.Standing, outcomes ...activities.ReleaseOutcome) (*testsuite.TestWorkflowEnvironment, *int) {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment()
	Register(env)
	activities.Register(env, activities.Dependencies{})
	env.OnActivity(activities.AlertName, mock.Anything, mock.Anything).Return(nil).Maybe()
	env.OnActivity(activities.ReadHoldsName, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.ReadHoldsInput) (activities.ReadHoldsResult, error) {
			if shown == activities.StandingClosed {
				return activities.ReadHoldsResult{Untouched: 1, Closed: []string{in.Intents[0].AuthorizationID}}, nil
			}
			return activities.ReadHoldsResult{Others: []activities.SeenHold{{AuthorizationID: in.Intents[0].AuthorizationID, Standing: shown}}}, nil
		}).Maybe()
	env.SetWorkflowRunTimeout(60 * 24 * time.Hour)
	tries := 0
	env.OnActivity(activities.ReleaseHoldsName, mock.Anything, mock.Anything).Return(
		func(_ context.Context, in activities.ReleaseInput) (activities.ReleaseResult, error) {
			outcome := outcomes[min(tries, len(outcomes)-1)]
			tries++
			if outcome == activities.ReleaseDone {
				return activities.ReleaseResult{Released: 1}, nil
			}
			return activities.ReleaseResult{Others: []activities.NotReleased{{AuthorizationID: in.Holds[0].AuthorizationID, Outcome: outcome}}}, nil
		})
	env.ExecuteWorkflow(OrphanVoid, OrphanVoidInput{
		AuctionID: "spring", LotID: "17", Hold: activities.HoldToRelease{AuthorizationID: "HOLDBEN"}, Intent: activities.Intent{AuthorizationID: "HOLDBEN"},
	})
	return env, &tries
}

func TestAnOrphansRelease(t *testing.T) {
	state := func(env *testsuite.TestWorkflowEnvironment) OrphanVoidOutcome {
		value, err := env.QueryWorkflow(StateQuery)
		require.NoError(t, err)
		var out OrphanVoidOutcome
		require.NoError(t, value.Get(&out))
		return out
	}
	t.Run("ends when the hold is released", func(t *testing.T) {
		env, tries := orphanVoid(t, "", activities.ReleaseFailed, activities.ReleaseStalled, activities.ReleaseDone)
		require.NoError(t, env.GetWorkflowError())
		assert.Equal(t, 3, *tries)
		assert.Equal(t, OrphanVoidOutcome{
			WorkflowID: "orphan-void/HOLDBEN", State: StateReleased, AuthorizationID: "HOLDBEN", Outcome: HoldReleased,
		}, state(env))
	})
	t.Run("goes on for as long as a hold can live, then waits for a person", func(t *testing.T) {
		env, tries := orphanVoid(t, "", activities.ReleaseFailed)
		var timeout *temporal.TimeoutError
		require.ErrorAs(t, env.GetWorkflowError(), &timeout, "still open")
		assert.InDelta(t, 29*24, *tries, 15, "about once an hour for 29 days")
		assert.Equal(t, ReasonHoldNotReleased, state(env).Reason)
		assert.Equal(t, StateFailedNeedsReview, state(env).State)
	})
	t.Run("goes on when its activity is lost", func(t *testing.T) {
		s := newScene(t, "ana")
		s.lost[activities.ReleaseHoldsName] = true
		s.at(time.Hour, func() { clear(s.lost) })
		s.env.ExecuteWorkflow(OrphanVoid, OrphanVoidInput{Hold: activities.HoldToRelease{AuthorizationID: "HOLDBEN"}})
		require.NoError(t, s.env.GetWorkflowError())
		assert.Equal(t, HoldReleased, state(s.env).Outcome)
	})
	t.Run("goes on when it is cancelled", func(t *testing.T) {
		s := newScene(t, "ana")
		s.release["HOLDBEN"] = activities.ReleaseFailed
		s.at(time.Hour, s.env.CancelWorkflow)
		s.at(3*time.Hour, func() { delete(s.release, "HOLDBEN") })
		s.env.ExecuteWorkflow(OrphanVoid, OrphanVoidInput{AuctionID: "spring", LotID: "17", Hold: activities.HoldToRelease{AuthorizationID: "HOLDBEN"}})
		require.NoError(t, s.env.GetWorkflowError())
		assert.Equal(t, HoldReleased, state(s.env).Outcome)
	})
	t.Run("continues as new behind its pause, with its end and its pauses", func(t *testing.T) {
		s := newScene(t, "ana")
		s.release["HOLDBEN"] = activities.ReleaseFailed
		s.env.SetContinueAsNewSuggested(true)
		began := s.env.Now()
		s.env.ExecuteWorkflow(OrphanVoid, OrphanVoidInput{Hold: activities.HoldToRelease{AuthorizationID: "HOLDBEN"}, Passes: 3})
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, s.env.GetWorkflowError(), &next)
		var in OrphanVoidInput
		require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(next.Input, &in))
		assert.Equal(t, 4, in.Passes)
		assert.True(t, in.GivesUpAt.Equal(began.Add(29*24*time.Hour)))
		assert.Equal(t, 40*time.Second, s.env.Now().Sub(began))
	})
	t.Run("waits for a person at once where money was taken", func(t *testing.T) {
		env, tries := orphanVoid(t, activities.StandingDifferent, activities.ReleaseCaptured)
		assert.Error(t, env.GetWorkflowError())
		assert.Equal(t, 1, *tries)
		assert.Equal(t, ReasonLoserCaptured, state(env).Reason)
	})
	t.Run("ends where every capture on the hold failed", func(t *testing.T) {
		env, _ := orphanVoid(t, activities.StandingClosed, activities.ReleaseCaptured)
		require.NoError(t, env.GetWorkflowError())
		assert.Equal(t, HoldGone, state(env).Outcome)
	})
}

func TestAReleaseDoesNotShowThePaymentsProblem(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.refusal = &activities.Problem{Kind: "server_error"}
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}, {answer: activities.AnswerCaptured}}
	s.release[holdOf("ben")] = activities.ReleaseCaptured
	out := s.leftOpen()
	assert.Equal(t, ReasonLoserCaptured, out.Reason)
	assert.Nil(t, out.Waiting.Problem)
}

package workflows

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"gavel/activities"
	"gavel/paypalclient"
)

func holdOf(bidder string) string { return "HOLD" + strings.ToUpper(bidder) }

func TestTheBestBidderPaysAndEveryoneElseIsReleased(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.lot.Release = []Hold{{AuthorizationID: "OUTBID", Amount: "90.00"}}
	out := s.ended()

	assert.Equal(t, []string{"capture ana", "release [HOLDBEN HOLDCLEO OUTBID]"}, s.did())
	assert.Equal(t, Outcome{
		WorkflowID: "settlement/spring/17",
		State:      StateSettled,
		Winner:     &Winner{BidderID: "ana", CaptureID: "CAPHOLDANA", Amount: paypalclient.Money{Currency: "USD", Minor: 12000}},
		Holds: []HoldStanding{
			{"ana", "HOLDANA", HoldCaptured},
			{"ben", "HOLDBEN", HoldReleased},
			{"cleo", "HOLDCLEO", HoldReleased},
			{"", "OUTBID", HoldReleased},
		},
	}, out)
	assert.Equal(t, 3, s.batches[0].Parallel)
}

func TestAnIntentIsFixedByWhatItDoes(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}, {lost: true}, {answer: activities.AnswerRateLimited}, {answer: activities.AnswerCaptured}}
	s.ended()

	require.Len(t, s.calls, 5)
	first := s.calls[0].intent
	assert.Regexp(t, `^gv1-[0-9a-f]{32}$`, first.RequestID)
	assert.Equal(t, "gv1/spring/17", first.InvoiceID)
	for _, c := range s.calls[:4] {
		assert.Equal(t, first, c.intent, "each try of one capture is the same request")
	}
}

func TestACaptureThatIsAlreadyThereIsAdopted(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.shows[holdOf("ana")] = activities.StandingCaptured
	out := s.ended()
	assert.Equal(t, StateSettled, out.State)
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, "CAPHOLDANA", out.Winner.CaptureID)
}

func TestARefusedBidderIsFencedBeforeTheRunnerUpPaysTheirOwnPrice(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	out := s.ended()

	assert.Equal(t, []string{
		"capture ana", "read ana", "release [HOLDANA]", "read ana", "capture ben", "release [HOLDCLEO]",
	}, s.did())
	assert.Equal(t, StateSettled, out.State)
	assert.Equal(t, "ben", out.Winner.BidderID)
	assert.Equal(t, "110.00", out.Winner.Amount.Value())
	assert.Equal(t, HoldReleased, out.Holds[0].Outcome)
	assert.NotEqual(t, s.calls[0].intent.RequestID, s.calls[4].intent.RequestID, "another hold, another request")
	assert.Equal(t, s.calls[0].intent.InvoiceID, s.calls[4].intent.InvoiceID, "one invoice a lot, whoever pays")
}

func TestARefusalWhoseTruthShowsTheCaptureIsAdopted(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused, shows: activities.StandingCaptured}}
	out := s.ended()
	assert.Equal(t, "ana", out.Winner.BidderID)
	assert.True(t, out.Winner.Adopted)
	assert.False(t, s.captured("ben"))
}

func TestAHoldThatIsGoneNeedsNoFence(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.shows[holdOf("ana")] = activities.StandingClosed
	out := s.ended()
	assert.Equal(t, []string{"capture ana", "capture ben"}, s.did())
	assert.Equal(t, []HoldStanding{{"ana", "HOLDANA", HoldGone}, {"ben", "HOLDBEN", HoldCaptured}}, out.Holds)
}

func TestALotWithoutMoneyIsUnsoldAndReleased(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.lot.Release = []Hold{{AuthorizationID: "OUTBID", Amount: "90.00"}}
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
	s.shows[holdOf("ben")] = activities.StandingClosed
	out := s.ended()
	assert.Equal(t, StateUnsold, out.State)
	assert.Nil(t, out.Winner)
	assert.Equal(t, []HoldStanding{
		{"ana", "HOLDANA", HoldReleased}, {"ben", "HOLDBEN", HoldGone}, {"", "OUTBID", HoldReleased},
	}, out.Holds)
}

func TestFallback(t *testing.T) {
	refused := func(fallback Fallback) *scene {
		s := newScene(t, "ana", "ben")
		s.lot.Fallback = fallback
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		return s
	}
	t.Run("runner-up", func(t *testing.T) {
		assert.Equal(t, "ben", refused(FallbackRunnerUp).ended().Winner.BidderID)
	})
	t.Run("none", func(t *testing.T) {
		s := refused(FallbackNone)
		assert.Equal(t, StateUnsold, s.ended().State)
		assert.False(t, s.captured("ben"))
		assert.Contains(t, s.did(), "release [HOLDBEN]")
	})
	t.Run("ask", func(t *testing.T) {
		s := refused(FallbackAsk)
		out := s.leftOpen()
		assert.Equal(t, StateFailedNeedsReview, out.State)
		assert.Equal(t, ReasonBidFailed, out.Reason)
		assert.False(t, s.captured("ben"))
		assert.Equal(t, HoldOpen, out.Holds[1].Outcome)
	})
}

func TestAnInvalidLotFailsBeforeAnythingIsSent(t *testing.T) {
	s := newScene(t, "ana", "ana")
	s.run()
	var failure *temporal.ApplicationError
	require.ErrorAs(t, s.env.GetWorkflowError(), &failure)
	assert.Equal(t, ErrorTypeInvalidInput, failure.Type())
	assert.Contains(t, failure.Error(), "bids[1].bidder_id")
	assert.Empty(t, s.calls)
}

func TestALongStallContinuesAsNewWhereItStands(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.shows[holdOf("ana")] = activities.StandingClosed
	s.capture[holdOf("ben")] = []reply{{answer: activities.AnswerUnknown}, {answer: activities.AnswerRateLimited}}
	s.at(time.Minute, func() { s.env.SetContinueAsNewSuggested(true) })
	s.run()

	in, goesOn := s.next()
	require.True(t, goesOn)
	assert.Equal(t, Policy{}.withDefaults(), in.Policy)
	assert.Equal(t, s.lot, in.Lot)
	assert.Equal(t, 1, in.Resume.Rank)
	assert.Equal(t, []HoldOutcome{HoldGone, HoldOpen}, in.Resume.Holds)
	assert.Equal(t, clockMoney, in.Resume.Turn.Clocks.UnknownKind)

	again := newScene(t, "ana", "ben")
	again.shows[holdOf("ben")] = activities.StandingCaptured
	again.resume(in)
	require.NoError(t, again.env.GetWorkflowError())
	assert.Equal(t, []string{"capture ben"}, again.did())
	assert.Equal(t, "ben", again.state().Winner.BidderID)
}

func TestContinuingAsNewSkipsNoPause(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRateLimited}}
	s.env.SetContinueAsNewSuggested(true)
	s.run()
	_, goesOn := s.next()
	require.True(t, goesOn)
	assert.Equal(t, 5*time.Second, s.env.Now().Sub(s.began))
}

func TestARunThatGoesOnIsNotValidatedAgain(t *testing.T) {
	s := newScene(t, "ana", "ana") // stands for a rule that was tightened meanwhile
	s.resume(SettlementInput{Lot: s.lot, Resume: &Progress{
		State: StateReleasing, Winner: &Winner{BidderID: "ana"}, Holds: []HoldOutcome{HoldCaptured, HoldOpen},
	}})
	require.NoError(t, s.env.GetWorkflowError())
}

func TestACaptureThatNobodyCanNameIsAPersons(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured, nameless: true}}
	assert.Equal(t, ReasonDifferentCapture, s.leftOpen().Reason)
}

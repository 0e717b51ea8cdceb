package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

func (r *rig) cancel(lotID string, more ...string) result {
	r.t.Helper()
	return r.run(append([]string{"cancel", "spring", lotID, "--by", "ana", "--reason", "the seller withdrew", "--json"}, more...)...)
}

// waitsIn starts a lot and waits until its settlement waits in this state.
func (r *rig) waitsIn(state workflows.State, l workflows.Lot) {
	r.t.Helper()
	require.Equal(r.t, 0, r.run("settle", "--no-wait", r.seed(l)).Code)
	require.Eventually(r.t, func() bool { return r.outcome(l.LotID).State == state }, time.Minute, 50*time.Millisecond)
}

// failing fails every call of an operation on a hold.
func (r *rig) failing(op fake.Operation, hold string, when fake.When) {
	broken := fake.Break(op, hold, when, 500)
	broken.Times = -1
	r.PayPal.Script(broken)
}

func TestBeforeTheCaptureACancelledLotIsReleased(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 3))).Code)
	asked := r.cancel("1", "--no-wait")
	require.Equal(t, 0, asked.Code, asked.Stderr)
	assert.Equal(t, workflows.StateCapturing, asked.outcomes(t)[id("1")].State)
	gone := r.cancel("1", "--timeout", "1s")
	assert.Equal(t, 4, gone.Code, gone.Stderr)
	assert.Contains(t, gone.Stderr, "run settle with the lot's file again to follow them")

	r.work()
	got := r.cancel("1")

	if got.Code == 1 { // the earlier request may have ended it by now
		assert.Contains(t, got.Stderr, "has ended already, CANCELLED: there is nothing to call off")
	} else {
		assert.Equal(t, 0, got.Code, got.Stderr)
	}
	assert.Equal(t, workflows.StateCancelled, r.ended(lot("1", 3)).State)
	assert.Empty(t, r.PayPal.Ledger().Captures)
	for _, hold := range []string{"1B1", "1B2", "1B3"} {
		assert.Equal(t, "VOIDED", r.holdStatus(hold))
	}
}

func TestWhoCancelsAndWhyStandsInTheHistory(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	why := strings.Repeat("ä", 1000)
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 1))).Code)

	got := r.run("cancel", "spring", "1", "--by", "ana", "--reason", why, "--no-wait")

	require.Equal(t, 0, got.Code, got.Stderr)
	events := r.Temporal.GetWorkflowHistory(t.Context(), id("1"), "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		if asked := event.GetWorkflowExecutionCancelRequestedEventAttributes(); asked != nil {
			assert.Equal(t, "ana", asked.GetIdentity())
			assert.Equal(t, why, asked.GetCause())
			return
		}
	}
	t.Error("no request stands in the history")
}

func TestACancelledLotThatIsInDoubtIsResolvedFirst(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		when  fake.When
		state workflows.State
		says  string
	}{
		"the money was taken":     {fake.After, workflows.StateSettled, "The lot was NOT called off: the money had been taken, so b1 keeps it"},
		"the money was not taken": {fake.Before, workflows.StateCancelled, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.env = append(r.env, "GAVEL_CLOCKS_UNKNOWN=1h")
			r.work()
			r.failing(fake.OpCaptureAuthorization, "1B1", tc.when)
			r.PayPal.Script(fake.Fault{Operation: fake.OpGetAuthorization, Resource: "1B1"}) // it is read once, before the capture
			r.failing(fake.OpGetAuthorization, "1B1", fake.Before)
			r.waitsIn(workflows.StateUnknown, lot("1", 2))
			p := r.start("cancel", "spring", "1", "--by", "ana", "--reason", "r", "--json")
			p.says("Asked settlement/spring/1 to call the lot off.")
			r.PayPal.ClearScript()

			got := p.wait()

			assert.Equal(t, 0, got.Code, got.Stderr)
			assert.Equal(t, tc.state, got.outcomes(t)[id("1")].State)
			assert.Contains(t, got.Stderr, tc.says)
		})
	}
}

func TestAfterTheCaptureACancelledLotIsReleasedToItsEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.failing(fake.OpVoidAuthorization, "1B2", fake.Before)
	r.waitsIn(workflows.StateReleasing, lot("1", 2))
	p := r.start("cancel", "spring", "1", "--by", "ana", "--reason", "r")
	p.says("Asked settlement/spring/1 to call the lot off.")
	r.PayPal.ClearScript()

	got := p.wait()

	assert.Equal(t, 0, got.Code, got.Stderr)
	assert.Regexp(t, `spring/1 │ SETTLED │ b1 `, got.Stdout)
	assert.Contains(t, got.Stderr, "The lot was NOT called off: the money had been taken, so b1 keeps it")
	assert.Equal(t, "VOIDED", r.holdStatus("1B2"))
}

func TestAFailedBidInReviewIsCalledOff(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.work()
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "1B1", "INSTRUMENT_DECLINED"))
	asks := lot("1", 3)
	asks.Fallback = workflows.FallbackAsk
	r.toReview(asks, workflows.ReasonBidFailed)
	stop()

	unheard := r.cancel("1")
	assert.Equal(t, 4, unheard.Code, unheard.Stderr)
	assert.Contains(t, unheard.Stderr, "No worker has taken the request in yet")
	assert.NotContains(t, unheard.Stderr, "review decide", "nobody has to decide anything")

	r.work()
	require.Equal(t, workflows.StateCancelled, r.cancelledOrEnded(asks).State)
	assert.Empty(t, r.PayPal.Ledger().Captures)
}

// cancelledOrEnded cancels once more and follows the lot to its end.
func (r *rig) cancelledOrEnded(l workflows.Lot) workflows.Outcome {
	r.t.Helper()
	if got := r.cancel(l.LotID); got.Code == 0 {
		return got.outcomes(r.t)[id(l.LotID)]
	}
	return r.ended(l)
}

func TestAFailedBidInReviewIsCalledOffAtOnceByAWorkerThatRuns(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "1B1", "INSTRUMENT_DECLINED"))
	asks := lot("1", 3)
	asks.Fallback = workflows.FallbackAsk
	r.toReview(asks, workflows.ReasonBidFailed)

	got := r.cancel("1")

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, workflows.StateCancelled, got.outcomes(t)[id("1")].State)
	assert.Equal(t, "VOIDED", r.holdStatus("1B3"))
}

func TestALotInReviewNeedsItsDecisionBeforeItIsCalledOff(t *testing.T) {
	t.Parallel()
	for action, end := range map[string]workflows.State{"retry": workflows.StateCancelled, "next-bidder": workflows.StateCancelled, "release-all": workflows.StateUnsold} {
		t.Run(action, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.work()
			r.inDoubt(lot("1", 3))
			before := r.PayPal.Ledger()

			got := r.cancel("1")

			assert.Equal(t, 3, got.Code, got.Stderr)
			assert.Equal(t, workflows.StateFailedNeedsReview, got.outcomes(t)[id("1")].State)
			assert.Contains(t, got.Stderr, "A lot in review (unknown_clock_expired) is not called off by this: decide it with starter review decide settlement/spring/1.")
			assert.Equal(t, before, r.PayPal.Ledger())

			r.PayPal.ClearScript()
			r.decide("1", action).decision(t)
			assert.Equal(t, end, r.ended(lot("1", 3)).State, "the request is remembered: nothing is captured any more")
			assert.Empty(t, r.PayPal.Ledger().Captures)
		})
	}
}

func TestThereIsNothingToCallOff(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	require.Equal(t, 0, r.run("settle", r.seed(lot("1", 2))).Code)
	for lotID, because := range map[string]string{
		"1": "settlement/spring/1 has ended already, SETTLED: b1 paid 20.00 USD: there is nothing to call off",
		"2": "no workflow settlement/spring/2 is known to Temporal: check the spelling and TEMPORAL_NAMESPACE",
	} {
		r.refused(r.PayPal.Ledger(), r.cancel(lotID), because)
	}
}

func TestMistakesInACancelEndWithTwo(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"no lot":             {[]string{"spring", "--by", "ana", "--reason", "r"}, "accepts 2 arg(s)"},
		"an empty lot":       {[]string{"spring", "", "--by", "ana", "--reason", "r"}, "LOT: must be the lot's id"},
		"a bad auction":      {[]string{"a/b", "1", "--by", "ana", "--reason", "r"}, "auction_id: must be 1 to 100"},
		"nobody":             {[]string{"spring", "1", "--reason", "r"}, "--by: must say who"},
		"without a reason":   {[]string{"spring", "1", "--by", "ana"}, "--reason: must say why"},
		"a negative timeout": {[]string{"spring", "1", "--by", "ana", "--reason", "r", "--timeout", "-1s"}, "--timeout: must not be below 0"},
	} {
		t.Run(name, func(t *testing.T) {
			got := startProcess(t, nowhere, nil, append([]string{"cancel"}, tc.args...)...).wait()
			assert.Equal(t, 2, got.Code, got.Stderr)
			assert.Empty(t, got.Stdout)
			assert.Contains(t, got.Stderr, tc.want)
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
		})
	}
}

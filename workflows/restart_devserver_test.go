package workflows_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"gavel/activities"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

const springLot = "settlement/spring/17"

// stands waits until the lot stands like this.
func (h *house) stands(state workflows.State, reason workflows.Reason) workflows.Outcome {
	h.t.Helper()
	var out workflows.Outcome
	require.EventuallyWithT(h.t, func(c *assert.CollectT) {
		out = workflows.Outcome{}
		value, err := h.client.QueryWorkflow(context.Background(), springLot, "", workflows.StateQuery)
		if assert.NoError(c, err) && assert.NoError(c, value.Get(&out)) {
			assert.Equal(c, state, out.State)
			assert.Equal(c, reason, out.Reason)
			assert.NotNil(c, out.Waiting, "a pass is under way")
		}
	}, time.Minute, 20*time.Millisecond)
	return out
}

// end waits for the lot's end and checks the books.
func (h *house) end() workflows.Outcome {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out workflows.Outcome
	require.NoError(h.t, h.client.GetWorkflow(ctx, springLot, "").Get(ctx, &out))
	assert.Empty(h.t, h.paypal.Ledger().Check())
	h.replay()
	return out
}

func (h *house) decide(action workflows.Action) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	handle, err := h.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: springLot, UpdateName: workflows.DecisionUpdate, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{workflows.Decision{Action: action, By: "eve", Reason: "test"}},
	})
	if err != nil {
		return err
	}
	return handle.Get(ctx, nil)
}

// Two settlements that differ only in when the worker was restarted end alike.
func TestWhenTheWorkerIsRestartedChangesNothing(t *testing.T) {
	declined := fake.Decline(fake.OpCaptureAuthorization, "HOLD0", "INSTRUMENT_DECLINED")
	declined.Times = -1
	lost := fake.Lose(fake.OpCaptureAuthorization, "HOLD1", fake.After)
	lost.Times = 4
	// Each is a call that is held until the worker is gone.
	restarts := map[string]fake.Fault{
		"never":                            {},
		"while the first truth is read":    fake.Stop(fake.OpGetAuthorization, "HOLD0", fake.After, nil),
		"while the winner is refused":      fake.Decline(fake.OpCaptureAuthorization, "HOLD0", "INSTRUMENT_DECLINED"),
		"while the refused hold is voided": fake.Stop(fake.OpVoidAuthorization, "HOLD0", fake.After, nil),
		"while the runner-up is charged":   fake.Stop(fake.OpCaptureAuthorization, "HOLD1", fake.After, nil),
		"while the loser is released":      fake.Stop(fake.OpVoidAuthorization, "HOLD2", fake.After, nil),
	}
	for name, at := range restarts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newIdleHouse(t)
			stop := h.work(worker.Options{})
			lot := h.lot(3)
			if at.Operation == "" {
				h.paypal.Script(declined, lost)
				h.start(lot, shortWaits)
			} else {
				at.Gate = fake.NewGate()
				h.paypal.Script(at, declined, lost)
				h.start(lot, shortWaits)
				<-at.Gate.Arrived()
				stop() // no time to end: the call's answer reaches nobody
				at.Gate.Release()
				h.work(worker.Options{})
			}
			out := h.end()
			assert.Equal(t, workflows.StateSettled, out.State)
			assert.Equal(t, "bidder-1", out.Winner.BidderID)
			for i, want := range []workflows.HoldOutcome{workflows.HoldReleased, workflows.HoldCaptured, workflows.HoldReleased} {
				assert.Equal(t, want, out.Holds[i].Outcome)
			}
			assert.Len(t, takenCaptures(h), 1)
		})
	}
}

func takenCaptures(h *house) []fake.LedgerCapture {
	var taken []fake.LedgerCapture
	for _, c := range h.paypal.Ledger().Captures {
		if c.TookMoney() {
			taken = append(taken, c)
		}
	}
	return taken
}

func TestTwoStartersAtOnceAreOneSettlementAndOneCaptureCall(t *testing.T) {
	h := newHouse(t)
	lot := h.lot(2)
	const starters = 8
	started := make(chan error, starters)
	for range starters {
		go func() {
			_, err := h.tryStart(lot, shortWaits)
			started <- err
		}()
	}
	ok := 0
	for range starters {
		if err := <-started; err == nil {
			ok++
		}
	}
	assert.Equal(t, 1, ok)
	assert.Equal(t, workflows.StateSettled, h.end().State)
	assert.Equal(t, 1, h.paypal.Count(fake.OpCaptureAuthorization))
}

func TestASettlementThatWasResetEndsTheSameWayFromTheTruth(t *testing.T) {
	h := newHouse(t)
	h.settle(h.lot(3), shortWaits)
	run, err := h.client.DescribeWorkflow(context.Background(), springLot, "")
	require.NoError(t, err)
	var firstTask int64
	for _, event := range h.history() {
		if event.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_COMPLETED && firstTask == 0 {
			firstTask = event.GetEventId()
		}
	}
	_, err = h.client.ResetWorkflowExecution(context.Background(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: h.name, WorkflowExecution: run.RawResponse.GetWorkflowExecutionInfo().GetExecution(), Reason: "test",
		WorkflowTaskFinishEventId: firstTask, RequestId: "reset-1",
	})
	require.NoError(t, err)
	out := h.end()
	assert.Equal(t, workflows.StateSettled, out.State)
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, 1, h.paypal.Count(fake.OpCaptureAuthorization))
}

func TestASettlementWhoseHistoryIsGoneEndsTheSameWayFromTheTruth(t *testing.T) {
	h := newHouse(t)
	lot := h.lot(3)
	h.settle(lot, shortWaits)
	require.NoError(t, h.paypal.Forget()) // PayPal's memory of request ids is gone too
	run, err := h.client.DescribeWorkflow(context.Background(), springLot, "")
	require.NoError(t, err)
	_, err = h.client.WorkflowService().DeleteWorkflowExecution(context.Background(), &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: h.name, WorkflowExecution: run.RawResponse.GetWorkflowExecutionInfo().GetExecution(),
	})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, err := h.client.DescribeWorkflow(context.Background(), springLot, "")
		return err != nil
	}, time.Minute, 50*time.Millisecond)

	out := h.settle(lot, shortWaits)
	assert.Equal(t, workflows.StateSettled, out.State)
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, 1, h.paypal.Count(fake.OpCaptureAuthorization))
}

func TestAReviewIsDecidedBySignalAsFromTheWebUI(t *testing.T) {
	h := newHouse(t)
	h.paypal.Script(fake.Decline(fake.OpCaptureAuthorization, "HOLD0", "PAYEE_ACCOUNT_RESTRICTED"))
	h.start(h.lot(3), shortWaits)
	out := h.stands(workflows.StateFailedNeedsReview, workflows.ReasonInvariant)
	assert.Equal(t, workflows.Actions, out.Review.Actions)
	require.Len(t, h.alerts.raised(), 1)
	assert.Equal(t, activities.AlertError, h.alerts.raised()[0].Level)

	signal := map[string]string{"action": "retry", "by": "eve", "reason": "PayPal has lifted it"}
	require.NoError(t, h.client.SignalWorkflow(context.Background(), springLot, "", workflows.DecisionSignal, signal))
	assert.Equal(t, "bidder-0", h.end().Winner.BidderID)
}

func TestAReviewIsDecidedByUpdate(t *testing.T) {
	h := newHouse(t)
	broken := fake.Break(fake.OpCaptureAuthorization, "HOLD0", fake.Before, 500)
	broken.Times = -1
	h.paypal.Script(broken)
	policy := shortWaits
	policy.UnknownClock = workflows.Duration(300 * time.Millisecond)
	h.start(h.lot(3), policy)
	h.stands(workflows.StateFailedNeedsReview, workflows.ReasonUnknownClockExpired)
	assert.ErrorContains(t, h.decide("refund"), "action must be retry, adopt, next-bidder, release-all or close")
	require.NoError(t, h.decide(workflows.ActionNextBidder))
	out := h.end()
	assert.Equal(t, "bidder-1", out.Winner.BidderID)
	assert.ErrorContains(t, h.decide(workflows.ActionClose), "workflow execution already completed")
}

func TestTheKillSwitchStopsALotAndItsClockOnTheRealServer(t *testing.T) {
	h := newHouse(t)
	broken := fake.Break(fake.OpCaptureAuthorization, "HOLD0", fake.Before, 500)
	broken.Times = -1
	h.paypal.Script(broken)
	policy := shortWaits
	policy.UnknownClock = workflows.Duration(4 * time.Second)
	h.start(h.lot(2), policy)
	h.stands(workflows.StateUnknown, workflows.ReasonUnknownOutcome)
	h.flip(workflows.EngageSwitch)
	paused := h.stands(workflows.StatePaused, workflows.ReasonKillSwitch)
	assert.Positive(t, paused.Waiting.ClockLeft)
	tries, reads := h.paypal.Count(fake.OpCaptureAuthorization), h.paypal.Count(fake.OpGetAuthorization)
	require.Eventually(t, func() bool { return h.paypal.Count(fake.OpGetAuthorization) > reads+6 }, time.Minute, 20*time.Millisecond,
		"the truth is still read, once a second at the most, for longer than the clock would have run")
	assert.Equal(t, workflows.StatePaused, h.stands(workflows.StatePaused, workflows.ReasonKillSwitch).State)
	assert.Equal(t, tries, h.paypal.Count(fake.OpCaptureAuthorization))
	h.paypal.ClearScript()
	h.flip(workflows.ReleaseSwitch)
	assert.Equal(t, "bidder-0", h.end().Winner.BidderID)
}

func (h *house) flip(update string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	handle, err := h.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: activities.KillSwitchID, UpdateName: update, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{workflows.SwitchRequest{By: "eve", Reason: "test"}},
	})
	require.NoError(h.t, err)
	require.NoError(h.t, handle.Get(ctx, nil))
}

func TestCancelledBeforeTheCaptureEverythingIsReleased(t *testing.T) {
	h := newHouse(t)
	limited := fake.Limit(fake.OpCaptureAuthorization, "HOLD0", "")
	limited.Times = -1
	h.paypal.Script(limited)
	h.start(h.lot(3), shortWaits)
	h.stands(workflows.StateStalled, workflows.ReasonRateLimited)
	require.NoError(t, h.client.CancelWorkflow(context.Background(), springLot, ""))
	assert.Equal(t, workflows.StateCancelled, h.end().State)
	for i := range 3 {
		hold, _ := h.paypal.Ledger().Hold(fmt.Sprintf("HOLD%d", i))
		assert.Equal(t, "VOIDED", hold.Status)
	}
	assert.Empty(t, h.paypal.Ledger().Captures)
}

// The hold of PayPal's is too young to be renewed, whatever we think of its age.
func TestARenewalThatComesTooEarlyIsNoHindrance(t *testing.T) {
	h := newHouse(t)
	policy := shortWaits
	policy.HonorPeriod = workflows.Duration(time.Millisecond)
	lot := h.lot(2)
	out := h.settle(lot, policy)
	assert.Equal(t, "bidder-0", out.Winner.BidderID)
	assert.Equal(t, 1, h.paypal.Count(fake.OpReauthorize))
}

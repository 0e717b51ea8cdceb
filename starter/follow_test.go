package main_test

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

func TestSettleNoWaitReturnsWhenAllAreStarted(t *testing.T) {
	r := newRig(t)
	file := r.seed(lot("1", 2))

	got := r.run("settle", "--json", "--no-wait", file)

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, workflows.Outcome{
		WorkflowID: id("1"),
		State:      workflows.StateCapturing,
		Holds: []workflows.HoldStanding{
			{BidderID: "b1", AuthorizationID: "1B1", Outcome: workflows.HoldOpen},
			{BidderID: "b2", AuthorizationID: "1B2", Outcome: workflows.HoldOpen},
		},
	}, got.outcomes(t)[id("1")])

	r.work()
	followed := r.run("settle", "--json", file)
	require.Equal(t, 0, followed.Code, followed.Stderr)
	assert.Contains(t, followed.Stderr, "0 settlements started, 1 attached to.")

	again := r.run("settle", "--json", "--no-wait", file)
	require.Equal(t, 0, again.Code, again.Stderr)
	assert.Equal(t, followed.Stdout, again.Stdout, "an ended one is shown as it ended")
}

func TestSettleGivesUpAfterTheTimeout(t *testing.T) {
	t.Parallel()
	r := newRig(t)

	got := r.run("settle", "--json", "--timeout", "5s", r.seed(lot("1", 1)))

	assert.Equal(t, 4, got.Code)
	assert.Equal(t, workflows.StateCapturing, got.outcomes(t)[id("1")].State)
	assert.Contains(t, got.Stderr, `No worker polls task queue "gavel"`)
	assert.Contains(t, got.Stderr, "Gave up waiting for 1 of 1 lots. Their settlements go on")
}

func TestAnAttachedSettlementIsShownAsTemporalRecordsItWithoutAWorker(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	waiting := lot("1", 1)
	_, err := r.Temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: id("1"), TaskQueue: workflows.TaskQueue,
		TypedSearchAttributes: workflows.SearchAttributes("spring", "1", workflows.StateFailedNeedsReview, workflows.ReasonInvariant),
		Memo:                  map[string]any{workflows.MemoLotHash: workflows.LotHash(waiting)},
	}, workflows.SettlementType, workflows.SettlementInput{Lot: waiting})
	require.NoError(t, err)

	got := r.run("settle", "--json", "--timeout", "2s", r.seed(waiting))

	assert.Equal(t, 3, got.Code, got.Stderr)
	assert.Equal(t, workflows.StateFailedNeedsReview, got.outcomes(t)[id("1")].State)
	assert.NotContains(t, got.Stderr, "Temporal does not answer")
}

func TestSettleInterruptedLeavesTheSettlementsAlone(t *testing.T) {
	r := newRig(t)
	file := r.seed(lot("1", 1))
	p := r.start("settle", "--json", file)
	p.says("1 settlement started")

	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	got := p.wait()

	assert.Equal(t, 4, got.Code, got.Stderr)
	assert.Contains(t, got.Stderr, "go on")
	r.work()
	assert.Equal(t, 0, r.run("settle", file).Code)
}

func TestSettleStartsATerminatedSettlementAgainAndEndsFromTheTruth(t *testing.T) {
	r := newRig(t)
	r.work()
	gate := fake.NewGate()
	r.PayPal.Script(fake.Stop(fake.OpCaptureAuthorization, "1B1", fake.After, gate))
	file := r.seed(lot("1", 2))
	p := r.start("settle", "--json", file)
	<-gate.Arrived() // the money is taken, and the answer is under way
	require.NoError(t, r.Temporal.TerminateWorkflow(t.Context(), id("1"), "", "an operator's mistake"))

	terminated := p.wait()

	assert.Equal(t, 1, terminated.Code, terminated.Stderr)
	assert.Equal(t, workflows.Reason("terminated"), terminated.outcomes(t)[id("1")].Reason)
	assert.Contains(t, terminated.Stderr, "settlement/spring/1: its settlement was terminated (an operator's mistake)")
	gate.Release()
	<-gate.Finished()

	again := r.run("settle", "--json", file)

	require.Equal(t, 0, again.Code, again.Stderr)
	outcome := again.outcomes(t)[id("1")]
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.True(t, outcome.Winner.Adopted)
	assert.Len(t, r.PayPal.Ledger().Captures, 1)
	assert.Equal(t, 1, r.PayPal.Count(fake.OpCaptureAuthorization), "it was not even asked for twice")
}

func TestTwoStartersAtOnceSettleALotOnce(t *testing.T) {
	r := newRig(t)
	r.work()
	file := r.seed(lot("1", 3), lot("2", 3), lot("3", 3))
	results := make([]result, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() { results[i] = r.run("settle", "--json", file) })
	}
	all.Wait()

	for _, got := range results {
		require.Equal(t, 0, got.Code, got.Stderr)
		assert.Equal(t, results[0].outcomes(t), got.outcomes(t))
	}
	assert.Equal(t, 3, r.PayPal.Count(fake.OpCaptureAuthorization))
	assert.Len(t, r.PayPal.Ledger().Captures, 3)
}

func TestSettleFollowsASettlementIntoItsNextRun(t *testing.T) {
	server := devserver.ForTest(t, devserver.Options{
		SearchAttributes: workflows.SearchAttributeTypes(),
		DynamicConfig:    map[string]any{"limit.historyCount.suggestContinueAsNew": 25},
	})
	r := newRigOn(t, server, server.Namespace())
	r.env = append(r.env, "GAVEL_CLOCKS_UNKNOWN=1h")
	r.work()
	broken := fake.Break(fake.OpGetAuthorization, "1B1", fake.Before, 500)
	broken.Times = -1
	r.PayPal.Script(broken)
	p := r.start("settle", "--json", r.seed(lot("1", 2)))
	first := ""
	require.Eventually(t, func() bool {
		run, err := r.Temporal.DescribeWorkflow(t.Context(), id("1"), "")
		if err != nil {
			return false
		}
		if first == "" {
			first = run.WorkflowExecution.RunID
		}
		return run.WorkflowExecution.RunID != first
	}, time.Minute, 20*time.Millisecond, "it continues as new")

	r.PayPal.ClearScript()
	got := p.wait()

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, workflows.StateSettled, got.outcomes(t)[id("1")].State)
}

func TestSettleBearsATemporalThatIsAwayForAWhile(t *testing.T) {
	server := devserver.ForTest(t, devserver.Options{SearchAttributes: workflows.SearchAttributeTypes()})
	r := newRigOn(t, server, server.Namespace())
	r.work()
	gate := fake.NewGate()
	r.PayPal.Script(fake.Stop(fake.OpCaptureAuthorization, "1B1", fake.Before, gate))
	p := r.start("settle", "--json", r.seed(lot("1", 2)))
	<-gate.Arrived()

	require.NoError(t, server.Kill())
	require.NoError(t, server.Restart(t.Context()))
	gate.Release()
	got := p.wait()

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, workflows.StateSettled, got.outcomes(t)[id("1")].State)
	assert.Len(t, r.PayPal.Ledger().Captures, 1)
}

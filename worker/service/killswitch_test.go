package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.uber.org/zap"

	"gavel/activities"
	"gavel/config"
	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// place is a namespace and a PayPal, where services come and go.
type place struct {
	t         *testing.T
	namespace string
	client    client.Client
	paypal    *fake.Server
}

func newPlace(t *testing.T) *place {
	server := devserver.Shared(t)
	namespace := server.NewNamespace(t)
	return &place{t: t, namespace: namespace, client: server.NewClient(t, namespace), paypal: fake.Start(t)}
}

// run runs a service until the function it returns is called.
func (p *place) run() (stop func()) {
	cfg, err := config.Load("")
	require.NoError(p.t, err)
	cfg.PayPal.BaseURL, cfg.PayPal.ClientID, cfg.PayPal.ClientSecret = p.paypal.URL(), "demo", "demo"
	cfg.PayPal.BackoffMin, cfg.PayPal.BackoffMax = time.Millisecond, time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	s, err := New(ctx, cfg, p.client, p.namespace, zap.NewNop())
	require.NoError(p.t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stopped := false
	stop = func() {
		if cancel(); !stopped {
			stopped = true
			assert.NoError(p.t, <-ended)
		}
	}
	p.t.Cleanup(stop)
	return stop
}

// settle starts the settlement of a lot of two bids.
func (p *place) settle() client.WorkflowRun {
	lot := workflows.Lot{AuctionID: "spring", LotID: "17", Currency: "USD"}
	for i, bidder := range []string{"ana", "ben"} {
		hold := fmt.Sprintf("HOLD%d", i)
		p.paypal.AddHold(fake.Hold{AuthorizationID: hold, OrderID: "ORDER" + hold, Currency: "USD", Amount: "20.00"})
		lot.Bids = append(lot.Bids, workflows.Bid{
			BidderID: bidder, Price: fmt.Sprintf("%d.00", 12-i), Hold: workflows.Hold{AuthorizationID: hold, OrderID: "ORDER" + hold, Amount: "20.00"},
		})
	}
	run, err := p.client.ExecuteWorkflow(p.t.Context(), client.StartWorkflowOptions{
		ID: workflows.SettlementID(lot.AuctionID, lot.LotID), TaskQueue: workflows.TaskQueue,
	}, workflows.SettlementType, workflows.SettlementInput{Lot: lot, Policy: workflows.Policy{
		PassMin: workflows.Duration(20 * time.Millisecond), PassMax: workflows.Duration(100 * time.Millisecond),
	}})
	require.NoError(p.t, err)
	return run
}

func (p *place) moneyCalls() int {
	return p.paypal.Count(fake.OpCaptureAuthorization) + p.paypal.Count(fake.OpVoidAuthorization)
}

func TestWhatWasEngagedWhileNoWorkerRanHoldsBeforeAnyWork(t *testing.T) {
	p := newPlace(t)
	stop := p.run()
	require.Eventually(t, func() bool { _, err := querySwitch(t.Context(), p.client); return err == nil }, time.Minute, 10*time.Millisecond)
	stop()
	run := p.settle()
	require.NoError(t, p.client.SignalWorkflow(t.Context(), activities.KillSwitchID, "", workflows.EngageSwitch,
		workflows.SwitchRequest{By: "ana", Reason: "test"}))

	p.run()
	require.Eventually(t, func() bool { return p.paypal.Count(fake.OpGetAuthorization) >= 3 }, time.Minute, 10*time.Millisecond, "the truth is still read")
	assert.Zero(t, p.moneyCalls())

	handle, err := p.client.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: activities.KillSwitchID, UpdateName: workflows.ReleaseSwitch, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{workflows.SwitchRequest{By: "ben"}},
	})
	require.NoError(t, err)
	require.NoError(t, handle.Get(t.Context(), nil))
	var outcome workflows.Outcome
	require.NoError(t, run.Get(t.Context(), &outcome))
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.Len(t, p.paypal.Ledger().Captures, 1)
	assert.Empty(t, p.paypal.Ledger().Check())
	p.replay()
}

// replay runs the code over the switch's history, as a restarted worker would.
func (p *place) replay() {
	p.t.Helper()
	history := &historypb.History{}
	events := p.client.GetWorkflowHistory(p.t.Context(), activities.KillSwitchID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(p.t, err)
		history.Events = append(history.Events, event)
	}
	replayer := worker.NewWorkflowReplayer()
	workflows.RegisterKillSwitch(replayer)
	require.NoError(p.t, replayer.ReplayWorkflowHistory(nil, history))
}

func TestManyWorkersThatStartAtOnceOpenOneSwitch(t *testing.T) {
	p := newPlace(t)
	runs := make([]string, 8)
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			if !assert.NoError(t, OpenKillSwitch(t.Context(), p.client)) {
				return
			}
			found, err := p.client.DescribeWorkflow(t.Context(), activities.KillSwitchID, "")
			if assert.NoError(t, err) {
				runs[i] = found.WorkflowExecution.RunID
			}
		})
	}
	all.Wait()
	assert.Len(t, slices.Compact(runs), 1, "none replaced another's")
}

func TestASwitchThatIsTerminatedWhileAWorkerRunsStopsMoneyCallsUntilAnotherStarts(t *testing.T) {
	p := newPlace(t)
	p.run()
	require.Eventually(t, func() bool { _, err := querySwitch(t.Context(), p.client); return err == nil }, time.Minute, 10*time.Millisecond)
	require.NoError(t, p.client.TerminateWorkflow(t.Context(), activities.KillSwitchID, "", "test"))

	run := p.settle()
	require.Eventually(t, func() bool { return p.paypal.Count(fake.OpGetAuthorization) >= 3 }, time.Minute, 10*time.Millisecond)
	assert.Zero(t, p.moneyCalls())

	p.run()
	require.NoError(t, run.Get(t.Context(), nil))
	assert.Len(t, p.paypal.Ledger().Captures, 1)
}

func TestAServiceTakesOnNoWorkWhileTheSwitchDoesNotAnswer(t *testing.T) {
	p := newPlace(t)
	_, err := p.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: activities.KillSwitchID, TaskQueue: "nobody"}, workflows.KillSwitchType)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err = (&Service{client: p.client, logger: zap.NewNop()}).openSwitch(ctx)
	silent, ok := errors.AsType[*KillSwitchError](err)
	require.True(t, ok, "%v", err)
	assert.ErrorContains(t, silent, "workflow kill-switch")
	t.Log(silent)
}

package workflows_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"gavel/activities"
	"gavel/paypalclient"
	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/worker/service"
	"gavel/workflows"
)

func TestMain(m *testing.M) {
	os.Exit(devserver.Main(m, devserver.Options{SearchAttributes: workflows.SearchAttributeTypes()}))
}

// house is one auction house on the real Temporal server: a namespace of its
// own, a worker, and the fake PayPal.
type house struct {
	t      *testing.T
	server *devserver.Server
	name   string // of the namespace
	client client.Client
	paypal *fake.Server
	alerts alerts
}

func newHouse(t *testing.T) *house {
	h := newIdleHouse(t)
	h.work(worker.Options{})
	return h
}

// newIdleHouse has no worker yet but that of its kill switch.
func newIdleHouse(t *testing.T) *house {
	h := &house{t: t, server: devserver.Shared(t), paypal: fake.Start(t)}
	h.name = h.server.NewNamespace(t)
	h.client = h.server.NewClient(t, h.name)
	h.openSwitch()
	return h
}

// work runs a worker until the test's end, or until the returned function is called.
func (h *house) work(options worker.Options) (stop func()) {
	killSwitch := activities.NewSwitchReader(h.client)
	paypal, err := paypalclient.New(paypalclient.Options{
		BaseURL: h.paypal.URL(), ClientID: "demo", ClientSecret: "demo",
		BackoffMin: time.Millisecond, BackoffMax: time.Millisecond, BeforeTry: killSwitch.BeforeTry,
	})
	require.NoError(h.t, err)
	options.DisableRegistrationAliasing = true
	shared := activities.Dependencies{PayPal: paypal, Switch: killSwitch, Alerts: &h.alerts}
	w := worker.New(h.client, workflows.TaskQueue, options)
	workflows.Register(w)
	activities.Register(w, shared)
	require.NoError(h.t, w.Start())
	releases := worker.New(h.client, workflows.ReleaseTaskQueue, options)
	activities.RegisterReleases(releases, shared)
	require.NoError(h.t, releases.Start())
	stop = sync.OnceFunc(func() { w.Stop(); releases.Stop() })
	h.t.Cleanup(stop)
	return stop
}

// openSwitch starts the kill switch, with a worker for it.
func (h *house) openSwitch() {
	w := worker.New(h.client, workflows.SwitchTaskQueue, worker.Options{DisableRegistrationAliasing: true})
	workflows.RegisterKillSwitch(w)
	require.NoError(h.t, w.Start())
	h.t.Cleanup(w.Stop)
	require.NoError(h.t, service.OpenKillSwitch(context.Background(), h.client))
}

// alerts are those that a house's workers raised.
type alerts struct {
	mu  sync.Mutex
	all []activities.Alert
}

func (a *alerts) Raise(_ context.Context, alert activities.Alert) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, alert)
	return nil
}

func (a *alerts) raised() []activities.Alert {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// lot has n bids, 1.00 apart, on holds that PayPal really has.
func (h *house) lot(n int) workflows.Lot {
	lot := workflows.Lot{AuctionID: "spring", LotID: "17", Currency: "USD"}
	for i := range n {
		bid := workflows.Bid{
			BidderID: fmt.Sprintf("bidder-%d", i), Price: fmt.Sprintf("%d.00", 200-i),
			Hold: workflows.Hold{AuthorizationID: fmt.Sprintf("HOLD%d", i), OrderID: fmt.Sprintf("ORDER%d", i), Amount: "250.00"},
		}
		h.paypal.AddHold(fake.Hold{
			AuthorizationID: bid.Hold.AuthorizationID, OrderID: bid.Hold.OrderID, Currency: "USD", Amount: bid.Hold.Amount,
		})
		lot.Bids = append(lot.Bids, bid)
	}
	return lot
}

var shortWaits = workflows.Policy{PassMin: workflows.Duration(20 * time.Millisecond), PassMax: workflows.Duration(100 * time.Millisecond)}

func (h *house) start(lot workflows.Lot, policy workflows.Policy) client.WorkflowRun {
	h.t.Helper()
	run, err := h.tryStart(lot, policy)
	require.NoError(h.t, err)
	return run
}

// tryStart starts a settlement as the starter does, where none runs.
func (h *house) tryStart(lot workflows.Lot, policy workflows.Policy) (client.WorkflowRun, error) {
	return h.client.ExecuteWorkflow(context.Background(), client.StartWorkflowOptions{
		ID:                    workflows.SettlementID(lot.AuctionID, lot.LotID),
		TaskQueue:             workflows.TaskQueue,
		TypedSearchAttributes: workflows.SearchAttributes(lot.AuctionID, lot.LotID, workflows.StateCapturing, ""),

		WorkflowIDConflictPolicy:                 enumspb.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowIDReusePolicy:                    enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
	}, workflows.SettlementType, workflows.SettlementInput{Lot: lot, Policy: policy})
}

func (h *house) settle(lot workflows.Lot, policy workflows.Policy) workflows.Outcome {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out workflows.Outcome
	require.NoError(h.t, h.start(lot, policy).Get(ctx, &out))
	assert.Empty(h.t, h.paypal.Ledger().Check())
	h.replay()
	return out
}

// replay runs the workflow code over the history that the server has of it, as
// a restarted worker would.
func (h *house) replay() {
	h.t.Helper()
	replayer := worker.NewWorkflowReplayer()
	workflows.Register(replayer)
	require.NoError(h.t, replayer.ReplayWorkflowHistory(nil, &historypb.History{Events: h.history()}))
}

func (h *house) history() []*historypb.HistoryEvent {
	h.t.Helper()
	var events []*historypb.HistoryEvent
	all := h.client.GetWorkflowHistory(context.Background(), workflows.SettlementID("spring", "17"), "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for all.HasNext() {
		event, err := all.Next()
		require.NoError(h.t, err)
		events = append(events, event)
	}
	return events
}

// actions is how many billable actions the server itself has counted for the namespace.
func (h *house) actions() map[string]int {
	h.t.Helper()
	answer, err := http.Get(h.server.MetricsURL())
	require.NoError(h.t, err)
	defer answer.Body.Close()
	label := `namespace="` + strings.ReplaceAll(h.name, "-", "_") + `"` // as the server's metrics spell it
	counted := map[string]int{}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, "action{") || !strings.Contains(line, label) {
			continue
		}
		_, kind, _ := strings.Cut(line, `action_type="`)
		kind, _, _ = strings.Cut(kind, `"`)
		n, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		require.NoError(h.t, err)
		counted[kind] += int(n)
	}
	return counted
}

func TestALotOfTenBidsIsCheap(t *testing.T) {
	h := newHouse(t)
	out := h.settle(h.lot(10), workflows.Policy{})
	assert.Equal(t, workflows.StateSettled, out.State)
	assert.Equal(t, "bidder-0", out.Winner.BidderID)

	events := h.history()
	var actions map[string]int
	sum := 0
	require.EventuallyWithT(t, func(c *assert.CollectT) { // the server publishes its counters now and then
		actions, sum = h.actions(), 0
		for kind, n := range actions {
			assert.Positive(c, n, kind)
			sum += n
		}
		assert.Contains(c, actions, "command_UpsertWorkflowSearchAttributes", "the last action of a settlement")
	}, 30*time.Second, 100*time.Millisecond)
	t.Logf("%d events, %d actions %v", len(events), sum, actions)
	assert.LessOrEqual(t, len(events), 20, "history events")
	assert.LessOrEqual(t, sum, 5, "billable actions: %v", actions)

	var before []fake.Operation
	for _, request := range h.paypal.Requests() {
		if request.Operation == fake.OpVoidAuthorization {
			break
		}
		before = append(before, request.Operation)
	}
	assert.ElementsMatch(t, []fake.Operation{fake.OpGetAuthorization, fake.OpGetOrder, fake.OpCaptureAuthorization}, before,
		"requests before the releases")
}

func TestTheIntentStandsInTheHistoryBeforeAnythingIsSent(t *testing.T) {
	h := newHouse(t)
	gate := fake.NewGate()
	h.paypal.Script(fake.Stop(fake.OpGetAuthorization, "HOLD0", fake.Before, gate))
	run := h.start(h.lot(2), shortWaits)
	<-gate.Arrived()
	var scheduled string
	for _, event := range h.history() {
		if event.GetEventType() == enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED {
			scheduled = string(event.GetActivityTaskScheduledEventAttributes().GetInput().GetPayloads()[0].GetData())
		}
	}
	assert.Contains(t, scheduled, `"request_id":"gv1-`)
	assert.Contains(t, scheduled, `"invoice_id":"gv1/spring/17"`)
	assert.Contains(t, scheduled, `"value":"200.00"`)
	gate.Release()
	require.NoError(t, run.Get(context.Background(), nil))
}

func TestALostAnswerIsAdopted(t *testing.T) {
	h := newHouse(t)
	lost := fake.Lose(fake.OpCaptureAuthorization, "HOLD0", fake.After)
	lost.Times = 4
	h.paypal.Script(lost)
	out := h.settle(h.lot(3), shortWaits)
	assert.Equal(t, "bidder-0", out.Winner.BidderID)
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, 4, h.paypal.Count(fake.OpCaptureAuthorization), "the next pass reads the truth and captures nothing")
}

func TestARefusedWinnerIsFencedAndTheRunnerUpPays(t *testing.T) {
	h := newHouse(t)
	h.paypal.Script(fake.Decline(fake.OpCaptureAuthorization, "HOLD0", "INSTRUMENT_DECLINED"))
	out := h.settle(h.lot(3), shortWaits)
	assert.Equal(t, "bidder-1", out.Winner.BidderID)
	assert.Equal(t, "199.00", out.Winner.Amount.Value())
	for i, want := range []string{"VOIDED", "CAPTURED", "VOIDED"} {
		hold, ok := h.paypal.Ledger().Hold(fmt.Sprintf("HOLD%d", i))
		require.True(t, ok)
		assert.Equal(t, want, hold.Status)
	}
}

func TestAnUnknownOutcomeWaitsInTheOpenForAPerson(t *testing.T) {
	h := newHouse(t)
	broken := fake.Break(fake.OpCaptureAuthorization, "HOLD0", fake.Before, 500)
	broken.Times = -1
	h.paypal.Script(broken)
	policy := shortWaits
	policy.UnknownClock = workflows.Duration(300 * time.Millisecond)
	lot := h.lot(3)
	h.start(lot, policy)

	h.stands(workflows.StateFailedNeedsReview, workflows.ReasonUnknownClockExpired)
	assert.Empty(t, h.paypal.Ledger().Captures)
	assert.Zero(t, h.paypal.Count(fake.OpVoidAuthorization), "nobody is released while the winner is in doubt")
	described, err := h.client.DescribeWorkflow(context.Background(), workflows.SettlementID(lot.AuctionID, lot.LotID), "")
	require.NoError(t, err)
	assert.Equal(t, enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, described.Status)
	shown := described.RawResponse.GetWorkflowExecutionInfo().GetSearchAttributes().GetIndexedFields()
	assert.Equal(t, `"FAILED_NEEDS_REVIEW"`, string(shown["GavelState"].GetData()))
	assert.Equal(t, `"unknown_clock_expired"`, string(shown["GavelReason"].GetData()))
}

func TestATerminatedSettlementStartedAgainEndsFromTheTruth(t *testing.T) {
	h := newHouse(t)
	gate := fake.NewGate()
	h.paypal.Script(fake.Stop(fake.OpVoidAuthorization, "", fake.Before, gate))
	lot := h.lot(3)
	h.start(lot, shortWaits)
	<-gate.Arrived()
	require.NoError(t, h.client.TerminateWorkflow(context.Background(), workflows.SettlementID(lot.AuctionID, lot.LotID), "", "test"))
	gate.Release()

	out := h.settle(lot, shortWaits)
	assert.Equal(t, workflows.StateSettled, out.State)
	assert.True(t, out.Winner.Adopted)
	assert.Equal(t, 1, h.paypal.Count(fake.OpCaptureAuthorization))
}

func TestAReleaseOutlivesItsSettlement(t *testing.T) {
	h := newHouse(t)
	forbidden := fake.Refuse(fake.OpVoidAuthorization, "HOLD1", 403, "PERMISSION_DENIED")
	forbidden.Times = -1
	h.paypal.Script(forbidden)
	policy := shortWaits
	policy.ReleaseBounded = workflows.Duration(50 * time.Millisecond)
	out := h.settle(h.lot(3), policy)
	assert.Equal(t, workflows.StateSettled, out.State)
	assert.Equal(t, workflows.HoldOrphaned, out.Holds[1].Outcome)
	assert.Equal(t, workflows.HoldReleased, out.Holds[2].Outcome)

	h.paypal.ClearScript()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var orphan workflows.OrphanVoidOutcome
	require.NoError(t, h.client.GetWorkflow(ctx, workflows.OrphanVoidID("HOLD1"), "").Get(ctx, &orphan))
	assert.Equal(t, workflows.HoldReleased, orphan.Outcome)
	hold, _ := h.paypal.Ledger().Hold("HOLD1")
	assert.Equal(t, "VOIDED", hold.Status)
}

package workflows_test

import (
	"context"
	"fmt"
	"sync/atomic"
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

// vault is the kill switch on the real Temporal server, its worker, and the
// fake PayPal that it guards.
type vault struct {
	t      *testing.T
	server *devserver.Server
	name   string // of the namespace
	client client.Client
	paypal *fake.Server
	holds  atomic.Int64
	// readings counts how often the switch was really read.
	readings atomic.Int64
}

// counted counts the readings of one worker.
type counted struct {
	activities.WorkflowDescriber
	readings *atomic.Int64
}

func (c counted) DescribeWorkflow(ctx context.Context, id, runID string) (*client.WorkflowExecutionDescription, error) {
	defer c.readings.Add(1)
	return c.WorkflowDescriber.DescribeWorkflow(ctx, id, runID)
}

func newVault(t *testing.T, server *devserver.Server) *vault {
	v := &vault{t: t, server: server, paypal: fake.Start(t)}
	v.name = server.NewNamespace(t)
	v.client = server.NewClient(t, v.name)
	w := worker.New(v.client, workflows.SwitchTaskQueue, worker.Options{DisableRegistrationAliasing: true})
	workflows.RegisterKillSwitch(w)
	require.NoError(t, w.Start())
	t.Cleanup(w.Stop)
	require.NoError(t, service.OpenKillSwitch(t.Context(), v.client))
	return v
}

// payPal is a client as one worker has it, that reads the switch in a namespace.
func (v *vault) payPal(temporal client.Client, change ...func(*paypalclient.Options)) *paypalclient.Client {
	options := paypalclient.Options{
		BaseURL: v.paypal.URL(), ClientID: "demo", ClientSecret: "demo",
		BackoffMin: time.Millisecond, BackoffMax: time.Millisecond,
		BeforeTry: activities.NewSwitchReader(counted{temporal, &v.readings}).BeforeTry,
	}
	for _, do := range change {
		do(&options)
	}
	c, err := paypalclient.New(options)
	require.NoError(v.t, err)
	return c
}

// hold is a new hold at PayPal.
func (v *vault) hold() string {
	id := fmt.Sprintf("HOLD%d", v.holds.Add(1))
	v.paypal.AddHold(fake.Hold{AuthorizationID: id, OrderID: "ORDER" + id, Currency: "USD", Amount: "10.00"})
	return id
}

func capture(paypal *paypalclient.Client, hold string) error {
	_, err := paypal.CaptureAuthorization(context.Background(), paypalclient.CaptureAuthorizationRequest{
		AuthorizationID: hold, RequestID: "gv1-" + hold, InvoiceID: "gv1/" + hold, Amount: paypalclient.Money{Currency: "USD", Minor: 1000},
	})
	return err
}

// ask sends an update to the switch and returns its answer.
func (v *vault) ask(name, by string) activities.SwitchState {
	var state activities.SwitchState
	handle, err := v.client.UpdateWorkflow(context.Background(), client.UpdateWorkflowOptions{
		WorkflowID: activities.KillSwitchID, UpdateName: name, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{workflows.SwitchRequest{By: by, Reason: "test"}},
	})
	if assert.NoError(v.t, err) {
		assert.NoError(v.t, handle.Get(context.Background(), &state))
	}
	return state
}

func (v *vault) engage() activities.SwitchState  { return v.ask(workflows.EngageSwitch, "ana") }
func (v *vault) release() activities.SwitchState { return v.ask(workflows.ReleaseSwitch, "ben") }

// replay runs the code over the history of a run, as a restarted worker would.
func (v *vault) replay(runID string) []*historypb.HistoryEvent {
	v.t.Helper()
	var events []*historypb.HistoryEvent
	all := v.client.GetWorkflowHistory(context.Background(), activities.KillSwitchID, runID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for all.HasNext() {
		event, err := all.Next()
		require.NoError(v.t, err)
		events = append(events, event)
	}
	replayer := worker.NewWorkflowReplayer()
	workflows.RegisterKillSwitch(replayer)
	require.NoError(v.t, replayer.ReplayWorkflowHistory(nil, &historypb.History{Events: events}))
	return events
}

// shown is what the memo of a run says; "" is the current one.
func (v *vault) shown(runID string) activities.SwitchState {
	v.t.Helper()
	described, err := v.client.DescribeWorkflow(context.Background(), activities.KillSwitchID, runID)
	require.NoError(v.t, err)
	state, err := activities.ShownSwitch(described)
	require.NoError(v.t, err)
	return state
}

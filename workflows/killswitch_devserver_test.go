package workflows_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.uber.org/zap"

	"gavel/activities"
	"gavel/config"
	"gavel/paypalclient"
	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/worker/service"
	"gavel/workflows"
)

// crowd makes money calls without end, as several workers would.
type crowd struct {
	refused atomic.Int64
	wrong   atomic.Value
}

func (v *vault) crowd(workers, callers int) *crowd {
	c, stop := &crowd{}, make(chan struct{})
	var all sync.WaitGroup
	for range workers {
		paypal := v.payPal(v.client)
		for range callers {
			all.Go(func() {
				hold := v.hold()
				for pace := time.NewTicker(time.Millisecond); ; <-pace.C {
					select {
					case <-stop:
						return
					default:
					}
					if c.call(paypal, hold) {
						hold = v.hold()
					}
				}
			})
		}
	}
	v.t.Cleanup(func() { close(stop); all.Wait() })
	return c
}

func (c *crowd) call(paypal *paypalclient.Client, hold string) (captured bool) {
	err := capture(paypal, hold)
	if err == nil {
		return true
	}
	if e, ok := paypalclient.AsError(err); !ok || e.Kind != paypalclient.KindStopped || e.Outcome != paypalclient.OutcomeNotRun {
		c.wrong.Store(err.Error())
	}
	c.refused.Add(1)
	return false
}

func TestAfterEngageHasReturnedNoWorkerSendsAMoneyCall(t *testing.T) {
	for _, workers := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			v := newVault(t, devserver.Shared(t))
			c := v.crowd(workers, 6)
			captured := func() int { return v.paypal.Count(fake.OpCaptureAuthorization) }
			grows := func(what string, of func() int, by int) {
				before := of()
				require.Eventually(t, func() bool { return of() >= before+by }, time.Minute, 10*time.Millisecond, what)
			}
			readings := func() int { return int(v.readings.Load()) }
			grows("captures", captured, 50)
			for range 2 {
				v.engage()
				sent := captured()
				grows("refusals", func() int { return int(c.refused.Load()) }, 200)
				grows("readings", readings, 2*workers)
				require.Equal(t, sent, captured(), "money calls that arrived while the switch was on")
				v.release()
				grows("captures", captured, 50)
			}
			assert.Nil(t, c.wrong.Load())
			assert.Empty(t, v.paypal.Ledger().Check())
			v.replay("")
		})
	}
}

func TestTheLaterTriesOfOneCallAreStoppedToo(t *testing.T) {
	v := newVault(t, devserver.Shared(t))
	v.paypal.Script(fake.Break(fake.OpCaptureAuthorization, "", fake.Before, 503))
	var engage sync.Once
	paypal := v.payPal(v.client, func(o *paypalclient.Options) {
		o.OnTry = func(try paypalclient.Try) {
			if try.Operation == paypalclient.OpCaptureAuthorization {
				engage.Do(func() { v.engage() }) // between the first try and the second
			}
		}
	})

	e, ok := paypalclient.AsError(capture(paypal, v.hold()))
	require.True(t, ok)
	assert.Equal(t, paypalclient.KindStopped, e.Kind)
	assert.True(t, e.MayHaveArrived)
	assert.Equal(t, paypalclient.OutcomeUnknown, e.Outcome)
	assert.Equal(t, 1, v.paypal.Count(fake.OpCaptureAuthorization))
	stopped, ok := errors.AsType[*activities.SwitchError](e)
	require.True(t, ok)
	assert.Equal(t, activities.SwitchOn, stopped.Standing)
	v.replay("")
}

func TestASwitchThatCannotBeReadStopsMoneyCalls(t *testing.T) {
	for name, lose := range map[string]func(v *vault) client.Client{
		"terminated": func(v *vault) client.Client {
			require.NoError(v.t, v.client.TerminateWorkflow(v.t.Context(), activities.KillSwitchID, "", "test"))
			return v.client
		},
		"deleted": func(v *vault) client.Client {
			_, err := v.client.WorkflowService().DeleteWorkflowExecution(v.t.Context(), &workflowservice.DeleteWorkflowExecutionRequest{
				Namespace:         v.name,
				WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: activities.KillSwitchID},
			})
			require.NoError(v.t, err)
			require.Eventually(v.t, func() bool {
				_, err := v.client.DescribeWorkflow(v.t.Context(), activities.KillSwitchID, "")
				_, gone := errors.AsType[*serviceerror.NotFound](err)
				return gone
			}, time.Minute, 10*time.Millisecond)
			return v.client
		},
		"another namespace":       func(v *vault) client.Client { return v.server.NewClient(v.t, v.server.NewNamespace(v.t)) },
		"a namespace that is not": func(v *vault) client.Client { return v.server.NewClient(v.t, "no-such-namespace") },
		"a server that is not there": func(v *vault) client.Client {
			c, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:1", Logger: config.NewTemporalLogger(zap.NewNop())})
			require.NoError(v.t, err)
			v.t.Cleanup(c.Close)
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVault(t, devserver.Shared(t))
			require.NoError(t, capture(v.payPal(v.client), v.hold()))

			e, ok := paypalclient.AsError(capture(v.payPal(lose(v)), v.hold()))

			require.True(t, ok)
			assert.Equal(t, paypalclient.KindStopped, e.Kind)
			unreadable, ok := errors.AsType[*activities.SwitchError](e)
			require.True(t, ok)
			assert.Equal(t, activities.SwitchUnreadable, unreadable.Standing)
			t.Log(unreadable.Cause)
			assert.Equal(t, 1, v.paypal.Count(fake.OpCaptureAuthorization))
		})
	}
}

func TestTheStopsStandInTheMemoFromTheFirstMoment(t *testing.T) {
	v := newVault(t, devserver.Shared(t))
	assert.Empty(t, v.shown("").Stops)
	require.NoError(t, service.OpenKillSwitch(t.Context(), v.client), "one that runs is left alone")

	first := v.engage()
	assert.Equal(t, first, v.engage(), "engaging again changes nothing")
	assert.Equal(t, first, v.shown(""))
	v.release()
	over := v.release()
	assert.Equal(t, over, v.shown(""))
	require.Len(t, over.Stops, 1)
	assert.Equal(t, first.Stops[0].From, over.Stops[0].From)
	assert.Equal(t, "ben", over.Stops[0].ReleasedBy)
	assert.True(t, over.Stops[0].To.After(over.Stops[0].From))
	v.replay("")
}

func TestAClosedSwitchIsOpenedAgainAsItStood(t *testing.T) {
	for name, on := range map[string]bool{"on": true, "off": false} {
		t.Run(name, func(t *testing.T) {
			v := newVault(t, devserver.Shared(t))
			before := v.engage()
			if !on {
				before = v.release()
			}
			require.NoError(t, v.client.TerminateWorkflow(t.Context(), activities.KillSwitchID, "", "test"))
			require.NoError(t, service.OpenKillSwitch(t.Context(), v.client))
			assert.Equal(t, before, v.shown(""))
			after := v.engage()
			assert.NotNil(t, after.Current())
			v.replay("")
		})
	}
}

func TestASwitchWhosePastCannotBeReadIsOpenedAsOn(t *testing.T) {
	v := newVault(t, devserver.Shared(t))
	require.NoError(t, v.client.TerminateWorkflow(t.Context(), activities.KillSwitchID, "", "test"))
	_, err := v.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: activities.KillSwitchID, TaskQueue: "nobody", Memo: map[string]any{activities.MemoSwitch: "on"},
	}, workflows.KillSwitchType)
	require.NoError(t, err)
	require.NoError(t, v.client.TerminateWorkflow(t.Context(), activities.KillSwitchID, "", "test"))

	require.NoError(t, service.OpenKillSwitch(t.Context(), v.client))
	stop := v.shown("").Current()
	require.NotNil(t, stop)
	assert.Contains(t, stop.Reason, "cannot be read")
}

func TestContinuingAsNewKeepsTheMemoAndLosesNoRequest(t *testing.T) {
	v := newVault(t, devserver.ForTest(t, devserver.Options{
		SearchAttributes: workflows.SearchAttributeTypes(),
		DynamicConfig:    map[string]any{"limit.historyCount.suggestContinueAsNew": 40},
	}))
	run := func() string {
		described, err := v.client.DescribeWorkflow(t.Context(), activities.KillSwitchID, "")
		require.NoError(t, err)
		return described.WorkflowExecution.RunID
	}
	first := run()
	v.engage()
	v.release()
	second := make(chan activities.SwitchState)
	go func() { second <- v.engage() }()
	require.Eventually(t, func() bool { return len(v.shown("").Stops) == 2 }, time.Minute, 10*time.Millisecond)
	var engaged activities.SwitchState
	for engaged.Stops == nil { // while the second one settles
		require.NoError(t, v.client.SignalWorkflow(t.Context(), activities.KillSwitchID, "", workflows.EngageSwitch, workflows.SwitchRequest{By: "cleo", Reason: "too"}))
		_, err := v.client.QueryWorkflow(t.Context(), activities.KillSwitchID, "", workflows.StateQuery)
		require.NoError(t, err)
		select {
		case engaged = <-second:
		default:
			if run() != first {
				engaged = <-second // it ended between the two looks
			}
		}
	}
	require.NotNil(t, engaged.Current())
	require.Eventually(t, func() bool { return run() != first }, time.Minute, 10*time.Millisecond)
	assert.Equal(t, engaged, v.shown(""))
	assert.Len(t, v.release().Stops, 2)
	assert.Nil(t, v.shown("").Current())

	before, after := v.replay(first), v.replay(run())
	t.Logf("%d events before, %d after", len(before), len(after))
	assert.Greater(t, len(before), 40)
	memo := after[0].GetWorkflowExecutionStartedEventAttributes().GetMemo().GetFields()
	assert.Contains(t, string(memo[activities.MemoSwitch].GetData()), `"by":"ana"`, "the new run's memo is there before its first task")
}

package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.uber.org/zap"

	"gavel/activities"
	"gavel/workflows"
)

const (
	// switchQueryTimeout is how long one query may take; one that was sent too
	// early is not answered.
	switchQueryTimeout = 5 * time.Second
	switchQueryPause   = 200 * time.Millisecond
)

// KillSwitchError says that the kill switch cannot be opened or does not
// answer. The worker then takes on no work.
type KillSwitchError struct{ Cause error }

// Error returns one line.
func (e *KillSwitchError) Error() string {
	return fmt.Sprintf("the kill switch (workflow %s) does not answer, so no work is taken on: %v", activities.KillSwitchID, e.Cause)
}

// Unwrap returns what Temporal said.
func (e *KillSwitchError) Unwrap() error { return e.Cause }

// openSwitch makes sure that the kill switch runs, and that whatever was asked
// of it while no worker ran has been done.
func (s *Service) openSwitch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, setUpTimeout)
	defer cancel()
	if err := OpenKillSwitch(ctx, s.client); err != nil {
		return &KillSwitchError{Cause: err}
	}
	state, err := askSwitch(ctx, s.client)
	if err != nil {
		return &KillSwitchError{Cause: err}
	}
	if stop := state.Current(); stop != nil {
		s.logger.Warn("the kill switch is on: no money call is sent", zap.Time("since", stop.From), zap.String("by", stop.By), zap.String("reason", stop.Reason))
	}
	return nil
}

// OpenKillSwitch starts the kill switch where none runs. One that runs is left
// alone; one that was closed from outside is started again as it stood.
func OpenKillSwitch(ctx context.Context, c client.Client) error {
	found, err := c.DescribeWorkflow(ctx, activities.KillSwitchID, "")
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return startSwitch(ctx, c, activities.SwitchState{})
	}
	if err != nil {
		return err
	}
	switch found.Status {
	case enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, enumspb.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW, enumspb.WORKFLOW_EXECUTION_STATUS_PAUSED:
		return nil
	default:
		return startSwitch(ctx, c, lastStateOf(found))
	}
}

// lastStateOf a closed run. What cannot be read counts as on: that a person can
// set right, and a charge that was to be stopped cannot.
func lastStateOf(closed *client.WorkflowExecutionDescription) activities.SwitchState {
	state, err := activities.ShownSwitch(closed)
	if err != nil {
		state = activities.SwitchState{Stops: []activities.Stop{{
			From: time.Now().UTC(), By: identity(), Reason: "the kill switch before this one was closed, and how it stood cannot be read",
		}}}
	}
	return state
}

// startSwitch attaches where another worker was quicker.
func startSwitch(ctx context.Context, c client.Client, state activities.SwitchState) error {
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       activities.KillSwitchID,
		TaskQueue:                workflows.SwitchTaskQueue,
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		Memo:                     map[string]any{activities.MemoSwitch: state},
		StaticSummary:            "kill switch: says whether money calls may be sent; must always run",
	}, workflows.KillSwitchType, workflows.KillSwitchInput{State: state})
	return err
}

// askSwitch returns how the switch stands once it has taken everything that was
// asked of it: Temporal answers a query only behind the work that is pending.
func askSwitch(ctx context.Context, c client.Client) (state activities.SwitchState, err error) {
	for {
		if state, err = querySwitch(ctx, c); err == nil || !pause(ctx, switchQueryPause) {
			return state, err
		}
	}
}

func querySwitch(ctx context.Context, c client.Client) (state activities.SwitchState, err error) {
	ctx, cancel := context.WithTimeout(ctx, switchQueryTimeout)
	defer cancel()
	answer, err := c.QueryWorkflow(ctx, activities.KillSwitchID, "", workflows.StateQuery)
	if err != nil {
		return state, err
	}
	return state, answer.Get(&state)
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

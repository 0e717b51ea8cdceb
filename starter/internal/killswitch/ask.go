// Package killswitch engages and releases the kill switch from outside.
package killswitch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"gavel/activities"
	"gavel/workflows"
)

// answerTimeout is how long a worker has to do it; engaging takes two seconds by itself.
const answerTimeout = 10 * time.Second

// signalTimeout bounds recording the request where no worker answers.
const signalTimeout = 10 * time.Second

// UnconfirmedError says that no worker answered. What was asked for may be done
// by now, or later, or never.
type UnconfirmedError struct {
	Request string // workflows.EngageSwitch or ReleaseSwitch
	// Recorded: Temporal has taken it as a signal, which a worker that starts
	// obeys before it takes on any work.
	Recorded bool
	Cause    error
}

// Error says what is guaranteed and what is not.
func (e *UnconfirmedError) Error() string {
	text := fmt.Sprintf("%s is NOT CONFIRMED: ", e.Request)
	if !e.Recorded {
		return text + fmt.Sprintf("no worker answered, and it is not known whether Temporal has recorded the request (%v); "+
			"look with switch status, and run the command again", e.Cause)
	}
	text += fmt.Sprintf("no worker answered within %s; the request is recorded, and a worker that starts obeys it before it takes on any work; ", answerTimeout)
	if e.Request == workflows.EngageSwitch {
		text += "a worker that runs and did not answer may still send money calls; "
	}
	return text + "look with switch status, or run the command again once a worker runs (go run ./worker)"
}

// Unwrap returns why there was no answer.
func (e *UnconfirmedError) Unwrap() error { return e.Cause }

// NoneError says that no kill switch runs in the namespace: nothing was recorded.
type NoneError struct{ Cause error }

func (e *NoneError) Error() string {
	return "no kill switch runs in this namespace, and nothing was recorded: a worker creates it when it starts (go run ./worker); " +
		"if workers run, check TEMPORAL_NAMESPACE, or restart one. Without a kill switch that runs, workers send no money call"
}

// Unwrap returns Temporal's answer.
func (e *NoneError) Unwrap() error { return e.Cause }

// Ask engages or releases the switch, and returns how it stands after that. With
// no error an engaged switch holds for every worker.
//
// Errors: *UnconfirmedError, *NoneError, *temporal.ApplicationError for a request
// that the switch refused.
func Ask(ctx context.Context, c client.Client, name string, request workflows.SwitchRequest) (activities.SwitchState, error) {
	state, err := update(ctx, c, name, request)
	if err == nil {
		return state, nil
	}
	if _, refused := errors.AsType[*temporal.ApplicationError](err); refused {
		return state, err
	}
	if notFound(err) {
		return state, &NoneError{Cause: err}
	}
	// What was asked for must not be lost with the caller's patience.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signalTimeout)
	defer cancel()
	signalled := c.SignalWorkflow(ctx, activities.KillSwitchID, "", name, request)
	if notFound(signalled) {
		return state, &NoneError{Cause: signalled}
	}
	return state, &UnconfirmedError{Request: name, Recorded: signalled == nil, Cause: errors.Join(err, signalled)}
}

func update(ctx context.Context, c client.Client, name string, request workflows.SwitchRequest) (state activities.SwitchState, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	handle, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID:   activities.KillSwitchID,
		UpdateName:   name,
		Args:         []any{request},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return state, err
	}
	return state, handle.Get(ctx, &state)
}

func notFound(err error) bool {
	_, is := errors.AsType[*serviceerror.NotFound](err)
	return is
}

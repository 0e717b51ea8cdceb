// Package deciding answers reviews from outside.
package deciding

import (
	"context"
	"errors"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"gavel/workflows"
)

const (
	// answerTimeout is how long a worker has to take a decision in.
	answerTimeout = 10 * time.Second
	// stillThereEvery is the pause between two looks whether a worker still lives
	// while a decision is carried out; queryTimeout bounds one.
	stillThereEvery = 10 * time.Second
	queryTimeout    = 5 * time.Second
	// silences is after how many of them in a row that nobody answered none does.
	silences = 2
)

// Decide sends a decision to the workflow whose review it answers, and waits
// until it was carried out or refused: for as long as it takes while a worker
// lives. Where none does it sends nothing: Temporal would keep it for the next
// one, and by then somebody may have decided otherwise. notice is told once that it takes its time. The decision needs an id,
// with which it can be sent again and counts once.
//
// Errors: *RefusedError, *NotRunningError, *UnansweredError, *UnderWayError.
func Decide(ctx context.Context, c client.Client, workflowID string, decision workflows.Decision, notice func(string)) (workflows.Verdict, error) {
	if err := answers(ctx, c, workflowID); err != nil {
		return workflows.Verdict{}, &UnansweredError{WorkflowID: workflowID, Cause: because(ctx, err)}
	}
	handle, err := send(ctx, c, workflowID, decision)
	if err != nil {
		return workflows.Verdict{}, notSent(ctx, workflowID, decision, err)
	}
	verdict, err := await(ctx, c, handle, notice)
	if err == nil {
		return verdict, nil
	}
	if refusal, answered := errors.AsType[*temporal.ApplicationError](err); answered {
		return verdict, &RefusedError{WorkflowID: workflowID, Because: refusal.Message(), Cause: err}
	}
	return verdict, &UnderWayError{WorkflowID: workflowID, DecisionID: decision.DecisionID, Taken: true, Cause: because(ctx, err)}
}

// answers returns an error where no worker answers for the workflow. What the
// update itself will say, it leaves to that.
func answers(ctx context.Context, c client.Client, workflowID string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	_, err := c.QueryWorkflow(ctx, workflowID, "", workflows.StateQuery)
	if _, failed := errors.AsType[*serviceerror.QueryFailed](err); failed || err == nil {
		return nil
	}
	lookCtx, stop := context.WithTimeout(context.WithoutCancel(ctx), queryTimeout)
	defer stop()
	found, lookErr := c.DescribeWorkflow(lookCtx, workflowID, "")
	if lookErr == nil && found.Status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return err
	}
	return nil
}

// updateID is the same for the same decision, so that sending it again finds the
// first one; another decision under the same id is for the workflow to refuse.
func updateID(decision workflows.Decision) string {
	return decision.DecisionID + "/" + string(decision.Action) + "/" + decision.CaptureID
}

// send returns once a worker has taken the decision in, or refused it.
func send(ctx context.Context, c client.Client, workflowID string, decision workflows.Decision) (client.WorkflowUpdateHandle, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		UpdateID:     updateID(decision),
		WorkflowID:   workflowID,
		UpdateName:   workflows.DecisionUpdate,
		Args:         []any{decision},
		WaitForStage: client.WorkflowUpdateStageAccepted,
	})
}

func notSent(ctx context.Context, workflowID string, decision workflows.Decision, err error) error {
	_, unknown := errors.AsType[*serviceerror.NotFound](err)
	_, unfit := errors.AsType[*serviceerror.InvalidArgument](err)
	switch {
	case unknown:
		return &NotRunningError{WorkflowID: workflowID, Cause: err}
	case unfit:
		return &RefusedError{WorkflowID: workflowID, Because: "Temporal does not take it: " + err.Error(), Cause: err}
	default:
		return &UnderWayError{WorkflowID: workflowID, DecisionID: decision.DecisionID, Cause: because(ctx, err)}
	}
}

// because prefers that the caller gave up to how gRPC puts it.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// answer is what became of a decision.
type answer struct {
	verdict workflows.Verdict
	err     error
}

// errNoWorker: no worker answers any more.
var errNoWorker = errors.New("no worker answers any more; the decision is carried out when one runs (go run ./worker)")

// await waits for the end of a decision that was taken in.
func await(ctx context.Context, c client.Client, handle client.WorkflowUpdateHandle, notice func(string)) (workflows.Verdict, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan answer, 1)
	go func() {
		var a answer
		a.err = handle.Get(ctx, &a.verdict)
		ended <- a
	}()
	look := time.NewTicker(stillThereEvery)
	defer look.Stop()
	for told, silent := false, 0; ; {
		select {
		case a := <-ended:
			return a.verdict, a.err
		case <-look.C:
		}
		if !told {
			told = true
			notice(fmt.Sprintf("The decision was taken in and is being carried out: %s still stands in its review; waiting for as long as a worker lives.", handle.WorkflowID()))
		}
		if silent++; workerLives(ctx, c, handle.WorkflowID()) {
			silent = 0
		}
		if silent == silences {
			return workflows.Verdict{}, errNoWorker
		}
	}
}

// workerLives asks what only a worker can answer.
func workerLives(ctx context.Context, c client.Client, workflowID string) bool {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	_, err := c.QueryWorkflow(ctx, workflowID, "", workflows.StateQuery)
	return err == nil
}

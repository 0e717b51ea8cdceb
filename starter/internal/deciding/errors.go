package deciding

import (
	"context"
	"errors"
	"fmt"
)

// RefusedError says that a decision had no effect, and why.
type RefusedError struct {
	WorkflowID string
	Because    string
	Cause      error
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s refused the decision: %s", e.WorkflowID, e.Because)
}

// Unwrap returns the workflow's answer.
func (e *RefusedError) Unwrap() error { return e.Cause }

// NotRunningError says that Temporal knows no workflow of that id that runs.
type NotRunningError struct {
	WorkflowID string
	Cause      error
}

func (e *NotRunningError) Error() string { return e.WorkflowID + " does not run" }

// Unwrap returns Temporal's answer.
func (e *NotRunningError) Unwrap() error { return e.Cause }

// UnansweredError says that no worker answers, so that nothing was sent: who
// comes back later may decide otherwise.
type UnansweredError struct {
	WorkflowID string
	Cause      error
}

func (e *UnansweredError) Error() string {
	if errors.Is(e.Cause, context.Canceled) {
		return "interrupted; the decision was not sent"
	}
	return fmt.Sprintf("no worker answered for %s within %s, so the decision was not sent; start a worker (go run ./worker) and run the command again",
		e.WorkflowID, answerTimeout)
}

// Unwrap returns Temporal's answer.
func (e *UnansweredError) Unwrap() error { return e.Cause }

// UnderWayError says that nobody waits any more for what becomes of a decision,
// which may still be carried out. Taken: it is recorded, and will be.
type UnderWayError struct {
	WorkflowID, DecisionID string
	Taken                  bool
	Cause                  error
}

func (e *UnderWayError) Error() string {
	text := e.Cause.Error()
	if errors.Is(e.Cause, context.Canceled) {
		text = "interrupted"
	}
	may := "the decision may still be carried out"
	if e.Taken {
		may = "the decision was taken in and may still be carried out"
	}
	return fmt.Sprintf("%s: %s; %s: look with starter review list, or run the command again with --decision-id %s, which counts once",
		e.WorkflowID, text, may, e.DecisionID)
}

// Unwrap returns why nobody waits any more.
func (e *UnderWayError) Unwrap() error { return e.Cause }

// Package settling starts the settlements of lots and follows them until each
// has ended or needs a person.
package settling

import (
	"time"

	"go.temporal.io/sdk/client"

	"gavel/starter/internal/lotfile"
	"gavel/workflows"
)

// atATime is how many calls to Temporal are under way at once.
const atATime = 16

// callTimeout bounds one call to Temporal, the SDK's own retries included.
const callTimeout = 10 * time.Second

// Settler starts and follows settlements.
type Settler struct {
	Client client.Client
	// Policy goes into the input of what is started.
	Policy workflows.Policy
	// Detail: somebody watches every single settlement, so that each is asked
	// again when the pause that it waits for is over.
	Detail bool
	// Watch is told what happens, on the goroutine that called.
	Watch Watcher
}

// Watcher is told what happens to settlements that are followed.
type Watcher interface {
	// Moved is called when a settlement is known to stand elsewhere than before.
	Moved(Standing)
	// Notice gives a line that a person should see once.
	Notice(line string)
}

// Settlement is one run of a lot's settlement.
type Settlement struct {
	Entry      lotfile.Entry
	WorkflowID string
	RunID      string
	// Attached: it was there before.
	Attached bool
}

// Standing is where a settlement stands.
type Standing struct {
	Settlement
	Outcome workflows.Outcome
	// Closed says how Temporal closed it where it left no outcome ("terminated",
	// "failed", ...): State and Reason of Outcome are then the last ones shown.
	Closed string
	// Problem is what Temporal recorded with that, in one line.
	Problem string
}

// Over tells whether following has come to its end: the lot has ended, needs a
// person, or its settlement was closed from outside.
func (s Standing) Over() bool {
	return s.Closed != "" || s.Outcome.State.Ended() || s.Outcome.State == workflows.StateFailedNeedsReview
}

// Ended tells whether the settlement's workflow is over, so that nothing can be
// asked of it any more.
func (s Standing) Ended() bool {
	return s.Closed != "" || s.Outcome.State.Ended() || s.Outcome.Closed != nil
}

// Unknown tells whether Temporal knows of no such workflow.
func (s Standing) Unknown() bool { return s.Closed == closedUnknown }

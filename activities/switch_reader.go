package activities

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"gavel/paypalclient"
)

const (
	// readingLasts is how long an answer may be used, from the moment it was asked
	// for. Engaging the switch waits that out.
	readingLasts = time.Second
	// maxAsks is how often one caller waits for an answer that is too old when it comes.
	maxAsks = 3
)

// WorkflowDescriber is all that a SwitchReader needs of Temporal; client.Client is one.
type WorkflowDescriber interface {
	DescribeWorkflow(ctx context.Context, workflowID, runID string) (*client.WorkflowExecutionDescription, error)
}

// SwitchReader reads the kill switch from the memo of its workflow, for all
// activities of a worker together. It implements Switch.
type SwitchReader struct {
	ask func(context.Context) (SwitchState, error)

	mu     sync.Mutex
	latest *asking
}

// NewSwitchReader reads the switch of the client's namespace.
func NewSwitchReader(temporal WorkflowDescriber) *SwitchReader {
	return &SwitchReader{ask: func(ctx context.Context) (SwitchState, error) { return askForSwitch(ctx, temporal) }}
}

// asking is one question to Temporal, shared by everyone who wants to know.
type asking struct {
	at    time.Time
	done  chan struct{} // closed when state and err are there
	state SwitchState
	err   error
}

// Read returns how the switch stood at some moment of the last second. What it
// returns is shared and must not be changed.
//
// Errors: *SwitchError, with SwitchUnreadable.
func (r *SwitchReader) Read(ctx context.Context) (SwitchState, error) {
	var late error
	for range maxAsks {
		a := r.join()
		select {
		case <-ctx.Done():
			return SwitchState{}, &SwitchError{Standing: SwitchUnreadable, Cause: ctx.Err()}
		case <-a.done:
		}
		switch {
		case a.usable():
			return a.state, nil
		case a.err != nil && !passes(a.err):
			return SwitchState{}, &SwitchError{Standing: SwitchUnreadable, Cause: a.err}
		}
		late = a.err
	}
	if late == nil {
		late = fmt.Errorf("no answer of Temporal came within %s", readingLasts)
	}
	return SwitchState{}, &SwitchError{Standing: SwitchUnreadable, Cause: late}
}

// BeforeTry lets a try of a money call pass while the switch is off; see
// paypalclient.Options.
//
// Errors: *SwitchError.
func (r *SwitchReader) BeforeTry(ctx context.Context, _ paypalclient.Operation) error {
	state, err := r.Read(ctx)
	if err != nil {
		return err
	}
	if state.Current() != nil {
		return &SwitchError{Standing: SwitchOn}
	}
	return nil
}

// join returns the answer that may still be used, or the question that is under
// way, or asks.
func (r *SwitchReader) join() *asking {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a := r.latest; a != nil && (!a.over() || a.usable()) {
		return a
	}
	a := &asking{at: time.Now(), done: make(chan struct{})}
	r.latest = a
	go func() {
		defer close(a.done)
		// An answer that comes later is of no use. No single caller's end ends it for the others.
		ctx, cancel := context.WithDeadline(context.Background(), a.at.Add(readingLasts))
		defer cancel()
		a.state, a.err = r.ask(ctx)
	}()
	return a
}

func (a *asking) over() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// usable is asked of a question that is over. The monotonic clock stands still
// while a machine sleeps, and the wall clock can be set back: the longer time counts.
func (a *asking) usable() bool {
	now := time.Now()
	return a.err == nil && max(now.Sub(a.at), now.Round(0).Sub(a.at.Round(0))) <= readingLasts
}

var errSwitchMoves = errors.New("workflow " + KillSwitchID + " continues as new")

// passes tells whether asking once more may help.
func passes(err error) bool {
	return errors.Is(err, errSwitchMoves) || errors.Is(err, context.DeadlineExceeded)
}

// askForSwitch describes the workflow, which is never behind what it has done.
func askForSwitch(ctx context.Context, temporal WorkflowDescriber) (SwitchState, error) {
	found, err := temporal.DescribeWorkflow(ctx, KillSwitchID, "")
	if err != nil {
		if ctx.Err() != nil {
			return SwitchState{}, fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		return SwitchState{}, err
	}
	switch found.Status {
	case enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING:
		return ShownSwitch(found)
	case enumspb.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
		return SwitchState{}, errSwitchMoves
	default:
		return SwitchState{}, fmt.Errorf("workflow %s does not run: it is %s", KillSwitchID, found.Status)
	}
}

// ShownSwitch decodes the state that a run of the kill switch shows in its memo.
func ShownSwitch(found *client.WorkflowExecutionDescription) (SwitchState, error) {
	var state SwitchState
	if err := found.GetMemoValue(MemoSwitch, &state); err != nil {
		return SwitchState{}, fmt.Errorf("memo %s of workflow %s: %w", MemoSwitch, KillSwitchID, err)
	}
	return state, nil
}

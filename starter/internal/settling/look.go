package settling

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"gavel/workflows"
)

// queryTimeout is how long a worker has to answer where a settlement stands.
const queryTimeout = 5 * time.Second

// Looker finds out where settlements stand, for as long as one command runs.
type Looker struct {
	Client client.Client
	// silentUntil is until when no query is tried, because none was answered:
	// without a worker each would take its whole timeout.
	silentUntil atomic.Int64
}

// closedUnknown is the Closed of a settlement that Temporal does not know (any more).
const closedUnknown = "deleted"

// silence is how long queries rest after one that was not answered.
const silence = 10 * time.Second

// Look finds out where a settlement stands. It never relies on visibility,
// which is behind: the run's state comes from Temporal's own record of it, its
// details from the state query, and its end from its result.
//
// answered is false where the settlement runs and no worker answered the query:
// the outcome then holds what the search attributes say, and no holds.
func (l *Looker) Look(ctx context.Context, before Standing) (now Standing, answered bool, err error) {
	now = before
	run, err := describe(ctx, l.Client, before.WorkflowID)
	if err != nil {
		return now, false, err
	}
	if run == nil {
		now.Closed, now.Problem = closedUnknown, "Temporal does not know it"
		return now, true, nil
	}
	// The lot's current run counts: one that continued as new, or was closed and
	// started again by someone, is the same lot.
	now.RunID = run.WorkflowExecution.RunID
	switch run.Status {
	case enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING, enumspb.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
		return l.ask(ctx, now, run)
	case enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED:
		now.Outcome, err = l.result(ctx, now.Settlement)
		return now, true, err
	default:
		now.Outcome = shownBy(run)
		now.Closed = strings.ToLower(run.Status.String())
		now.Problem = l.closedBecause(ctx, now.Settlement)
		return now, true, nil
	}
}

// ask queries a running settlement.
func (l *Looker) ask(ctx context.Context, now Standing, run *client.WorkflowExecutionDescription) (Standing, bool, error) {
	if outcome, answered := l.query(ctx, now.Settlement); answered {
		now.Outcome = outcome
		return now, true, nil
	}
	// What Temporal's own record shows is true as well, also where the time for
	// asking is over; it says less than an earlier answer of the same state.
	if shown := shownBy(run); ctx.Err() == nil || shown.State != now.Outcome.State || shown.Reason != now.Outcome.Reason {
		now.Outcome = shown
	}
	return now, false, ctx.Err()
}

func (l *Looker) query(ctx context.Context, of Settlement) (outcome workflows.Outcome, answered bool) {
	if time.Now().UnixNano() < l.silentUntil.Load() {
		return outcome, false
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	answer, err := l.Client.QueryWorkflow(ctx, of.WorkflowID, of.RunID, workflows.StateQuery)
	if err == nil {
		err = answer.Get(&outcome)
	}
	if err != nil {
		l.silentUntil.Store(time.Now().Add(silence).UnixNano())
	}
	return outcome, err == nil
}

func (l *Looker) result(ctx context.Context, of Settlement) (outcome workflows.Outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err = l.Client.GetWorkflow(ctx, of.WorkflowID, of.RunID).Get(ctx, &outcome)
	return outcome, err
}

// closedBecause is the failure, or the operator's reason, that Temporal
// recorded; empty where there is none, or it cannot be read now.
func (l *Looker) closedBecause(ctx context.Context, of Settlement) string {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	events := l.Client.GetWorkflowHistory(ctx, of.WorkflowID, of.RunID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
	if !events.HasNext() {
		return ""
	}
	end, err := events.Next()
	if err != nil {
		return ""
	}
	because := end.GetWorkflowExecutionTerminatedEventAttributes().GetReason() +
		end.GetWorkflowExecutionFailedEventAttributes().GetFailure().GetMessage()
	return strings.Join(strings.Fields(because), " ")
}

// shownBy is what the search attributes of a run say, as an outcome without
// holds and winner.
func shownBy(run *client.WorkflowExecutionDescription) workflows.Outcome {
	fields := run.RawResponse.GetWorkflowExecutionInfo().GetSearchAttributes().GetIndexedFields()
	return workflows.Outcome{
		WorkflowID: run.WorkflowExecution.ID,
		State:      workflows.State(keyword(fields[stateAttribute])),
		Reason:     workflows.Reason(keyword(fields[reasonAttribute])),
		Holds:      []workflows.HoldStanding{},
	}
}

const (
	stateAttribute  = "GavelState"
	reasonAttribute = "GavelReason"
)

// keyword decodes a search attribute; these are never encrypted.
func keyword(payload *commonpb.Payload) string {
	var value string
	if payload == nil || converter.GetDefaultDataConverter().FromPayload(payload, &value) != nil {
		return ""
	}
	return value
}

// passing tells whether a call to Temporal may succeed later.
func passing(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	switch err.(type) {
	case *serviceerror.Unavailable, *serviceerror.DeadlineExceeded, *serviceerror.ResourceExhausted, *serviceerror.Internal, *serviceerror.Canceled:
		return true
	default:
		return false
	}
}

package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
	"gavel/paypalclient"
)

// heartbeatTimeout is how soon a dead worker is noticed.
const heartbeatTimeout = 5 * time.Second

// callMargin is what an activity may take beside its requests to PayPal.
const callMargin = 20 * time.Second

// once: after a crash the workflow looks at the truth first, so the capture
// activity is never simply tried again.
var once = &temporal.RetryPolicy{MaximumAttempts: 1}

// again: reading and releasing can always be done again. An activity that is
// lost each time comes back to the workflow, whose clocks then decide.
var again = &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 10 * time.Second, MaximumAttempts: 5}

func (s *settlement) capture(intent activities.Intent) (activities.CaptureResult, error) {
	ctx := workflow.WithActivityOptions(s.ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 3*time.Duration(s.policy.RequestBudget) + callMargin, // hold, order, capture
		HeartbeatTimeout:    heartbeatTimeout,
		RetryPolicy:         once,
		Summary:             summarize("capture %s from %s", intent.Amount, intent.BidderID),
	})
	var result activities.CaptureResult
	err := workflow.ExecuteActivity(ctx, activities.CaptureName, activities.CaptureInput{Intent: intent}).Get(ctx, &result)
	return result, err
}

// readTruth reads the truth about the bid in turn. A reading that is lost is a
// truth that could not be read.
func (s *settlement) readTruth(intent activities.Intent) (activities.Truth, error) {
	longest := 3*time.Duration(s.policy.RequestBudget) + callMargin // hold, order, capture
	ctx := workflow.WithActivityOptions(s.ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    longest,
		ScheduleToCloseTimeout: 2 * longest,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy:            again,
		Summary:                summarize("read the truth about %s's hold", intent.BidderID),
	})
	var truth activities.Truth
	in := activities.ReadTruthInput{Intent: intent, CaptureID: s.CaptureID}
	if err := workflow.ExecuteActivity(ctx, activities.ReadTruthName, in).Get(ctx, &truth); err != nil {
		truth = activities.Truth{Standing: activities.StandingUnreadable, Problem: lostProblem(activities.ReadTruthName)}
		return truth, ignoreLost(err)
	}
	s.found(truth, activities.Answer{})
	return truth, nil
}

// releaseTimeout bounds one attempt at a batch; what it has done by then is in
// its heartbeat, and the next attempt goes on from there.
const releaseTimeout = 10 * time.Minute

func (s *settlement) releaseHolds(holds []activities.HoldToRelease, urgent bool) ([]activities.NotReleased, error) {
	return releaseHolds(s.ctx, activities.ReleaseInput{Holds: holds, Parallel: s.policy.ReleaseParallel, Urgent: urgent})
}

// releaseHolds returns the holds that were not released. Where the activity was
// lost, that is every one: releasing them once more does no harm.
func releaseHolds(ctx workflow.Context, in activities.ReleaseInput) ([]activities.NotReleased, error) {
	summary := summarize("release %d holds", len(in.Holds))
	if len(in.Holds) == 1 {
		summary = summarize("release hold %s", in.Holds[0].AuthorizationID)
	}
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    releaseTimeout,
		ScheduleToCloseTimeout: 2 * releaseTimeout,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy:            again,
		Summary:                summary,
	})
	var result activities.ReleaseResult
	err := workflow.ExecuteActivity(ctx, activities.ReleaseHoldsName, in).Get(ctx, &result)
	if err == nil {
		return result.Others, nil
	}
	others := make([]activities.NotReleased, len(in.Holds))
	for i, hold := range in.Holds {
		others[i] = activities.NotReleased{
			AuthorizationID: hold.AuthorizationID, Outcome: activities.ReleaseFailed, Problem: lostProblem(activities.ReleaseHoldsName),
		}
	}
	return others, ignoreLost(err)
}

// lostProblem says that an activity did not end, whatever PayPal made of it.
func lostProblem(activity string) *activities.Problem {
	return &activities.Problem{Operation: activity, Kind: "activity_lost", Outcome: string(paypalclient.OutcomeUnknown)}
}

// ignoreLost drops the error of an activity that did not end, or that somebody
// failed by hand: what it did is unknown, and handled as that.
func ignoreLost(err error) error {
	var lost *temporal.ActivityError
	if errors.As(err, &lost) {
		return nil
	}
	return err
}

// summarize keeps a label within the 200 bytes that the Web UI shows of one
// (Temporal documentation, user metadata).
func summarize(format string, args ...any) string {
	const most = 200
	label := fmt.Sprintf(format, args...)
	if len(label) > most {
		label = string([]rune(label)[:min(len([]rune(label)), most/4)]) + "…"
	}
	return label
}

package workflows

import (
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// heartbeatTimeout is how soon a dead worker is noticed.
const heartbeatTimeout = 5 * time.Second

// callMargin is what an activity may take beside its requests to PayPal.
const callMargin = 20 * time.Second

// once: after a crash the workflow looks at the truth first, so the capture
// activity is never simply tried again.
var once = &temporal.RetryPolicy{MaximumAttempts: 1}

// untilDone: reading and releasing can always be done again.
var untilDone = &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 10 * time.Second}

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

func (s *settlement) readTruth(intent activities.Intent) (activities.Truth, error) {
	ctx := workflow.WithActivityOptions(s.ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 3*time.Duration(s.policy.RequestBudget) + callMargin, // hold, order, capture
		HeartbeatTimeout:    heartbeatTimeout,
		RetryPolicy:         untilDone,
		Summary:             summarize("read the truth about %s's hold", intent.BidderID),
	})
	var truth activities.Truth
	in := activities.ReadTruthInput{Intent: intent, CaptureID: s.CaptureID}
	if err := workflow.ExecuteActivity(ctx, activities.ReadTruthName, in).Get(ctx, &truth); err != nil {
		return truth, err
	}
	s.found(truth, activities.Answer{})
	return truth, nil
}

// releaseTimeout bounds one attempt at a batch; what it has done by then is in
// its heartbeat, and the next attempt goes on from there.
const releaseTimeout = 10 * time.Minute

func (s *settlement) releaseHolds(holds []activities.HoldToRelease) (activities.ReleaseResult, error) {
	return releaseHolds(s.ctx, holds, s.policy.ReleaseParallel)
}

func releaseHolds(ctx workflow.Context, holds []activities.HoldToRelease, parallel int) (activities.ReleaseResult, error) {
	summary := summarize("release %d holds", len(holds))
	if len(holds) == 1 {
		summary = summarize("release hold %s", holds[0].AuthorizationID)
	}
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: releaseTimeout,
		HeartbeatTimeout:    heartbeatTimeout,
		RetryPolicy:         untilDone,
		Summary:             summary,
	})
	var result activities.ReleaseResult
	err := workflow.ExecuteActivity(ctx, activities.ReleaseHoldsName, activities.ReleaseInput{Holds: holds, Parallel: parallel}).Get(ctx, &result)
	return result, err
}

// ignoreLost drops the error of an activity that did not end: the settlement
// handles it as an unknown outcome.
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

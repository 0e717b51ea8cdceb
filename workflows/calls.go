package workflows

import (
	"errors"
	"fmt"
	"slices"
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
		StartToCloseTimeout: s.requests(4), // hold and order, renewal, order again or capture
		HeartbeatTimeout:    heartbeatTimeout,
		RetryPolicy:         once,
		Summary:             summarize("capture %s from %s", intent.Amount, intent.BidderID),
	})
	in := activities.CaptureInput{Intent: intent, RenewBefore: s.renewBefore(), CaptureID: s.Turn.CaptureID, ClockFrom: s.Turn.Clocks.UnknownFrom}
	var result activities.CaptureResult
	err := workflow.ExecuteActivity(ctx, activities.CaptureName, in).Get(ctx, &result)
	return result, err
}

func (s *settlement) reauthorize(intent activities.Intent) (activities.ReauthorizeResult, error) {
	ctx := workflow.WithActivityOptions(s.ctx, workflow.ActivityOptions{
		StartToCloseTimeout: s.requests(4),
		HeartbeatTimeout:    heartbeatTimeout,
		RetryPolicy:         once,
		Summary:             summarize("renew %s's hold for %s", intent.BidderID, intent.Amount),
	})
	in := activities.ReauthorizeInput{Intent: intent, CaptureID: s.Turn.CaptureID, ClockFrom: s.Turn.Clocks.UnknownFrom}
	var result activities.ReauthorizeResult
	err := workflow.ExecuteActivity(ctx, activities.ReauthorizeName, in).Get(ctx, &result)
	return result, err
}

// requests is what an activity of so many requests to PayPal may take.
func (s *settlement) requests(n int) time.Duration {
	return time.Duration(n)*time.Duration(s.policy.RequestBudget) + callMargin
}

// reading are the options of an activity that only reads.
func reading(ctx workflow.Context, longest time.Duration, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    longest,
		ScheduleToCloseTimeout: 2 * longest,
		HeartbeatTimeout:       heartbeatTimeout,
		RetryPolicy:            again,
		Summary:                summary,
	})
}

// readTruth reads the truth about the bid in turn. A reading that is lost is a
// truth that could not be read.
func (s *settlement) readTruth() (activities.Truth, activities.SwitchSeen, error) {
	intent := s.intent()
	ctx := reading(s.ctx, s.requests(4), summarize("read the truth about %s's hold", intent.BidderID))
	in := activities.ReadTruthInput{Intent: intent, CaptureID: s.Turn.CaptureID, ClockFrom: s.Turn.Clocks.UnknownFrom}
	var result activities.ReadTruthResult
	if err := workflow.ExecuteActivity(ctx, activities.ReadTruthName, in).Get(ctx, &result); err != nil {
		truth := activities.Truth{Standing: activities.StandingUnreadable, Problem: lostProblem(activities.ReadTruthName)}
		return truth, activities.SwitchSeen{Standing: activities.SwitchUnseen}, ignoreLost(err)
	}
	s.found(result.Truth, activities.Answer{})
	s.Turn.Clocks.hold(result.Switch)
	return result.Truth, result.Switch, nil
}

// readHolds looks at holds and returns those on which money was taken, or of
// which PayPal cannot say; once it knows of many it looks no further.
func (s *settlement) readHolds(intents []activities.Intent) ([]activities.SeenHold, error) {
	var seen []activities.SeenHold
	for batch := range slices.Chunk(intents, releaseBatch) {
		result, err := readHolds(s.ctx, activities.ReadHoldsInput{Intents: batch, Parallel: s.policy.ReleaseParallel})
		if err != nil {
			return nil, err
		}
		seen = append(seen, result.Others...)
		if len(seen) >= maxKnownHolds {
			return seen[:maxKnownHolds], nil
		}
	}
	return seen, nil
}

// readHolds reads one batch. A reading that is lost says of nothing that it is
// untouched or closed, and stands for all of the batch under its first hold.
func readHolds(ctx workflow.Context, in activities.ReadHoldsInput) (activities.ReadHoldsResult, error) {
	ctx = reading(ctx, releaseTimeout, summarize("read the truth about %d holds", len(in.Intents)))
	var result activities.ReadHoldsResult
	err := workflow.ExecuteActivity(ctx, activities.ReadHoldsName, in).Get(ctx, &result)
	if err != nil || result.Untouched+len(result.Others) != len(in.Intents) {
		result = activities.ReadHoldsResult{Others: []activities.SeenHold{{
			BidderID: in.Intents[0].BidderID, AuthorizationID: in.Intents[0].AuthorizationID,
			Standing: activities.StandingUnreadable, Problem: lostProblem(activities.ReadHoldsName),
		}}}
	}
	return result, ignoreLost(err)
}

func (s *settlement) readCapture(captureID string) (activities.ReadCaptureResult, error) {
	ctx := reading(s.ctx, s.requests(1), summarize("read capture %s", captureID))
	var result activities.ReadCaptureResult
	err := workflow.ExecuteActivity(ctx, activities.ReadCaptureName, activities.ReadCaptureInput{CaptureID: captureID}).Get(ctx, &result)
	if err != nil {
		result.Problem = lostProblem(activities.ReadCaptureName)
	}
	return result, ignoreLost(err)
}

// releaseTimeout bounds one attempt at a batch; what it has done by then is in
// its heartbeat, and the next attempt goes on from there.
const releaseTimeout = 10 * time.Minute

func (s *settlement) releaseHolds(holds []activities.HoldToRelease, urgent bool) (activities.ReleaseResult, error) {
	return releaseHolds(s.ctx, activities.ReleaseInput{Holds: holds, Parallel: s.policy.ReleaseParallel, Urgent: urgent})
}

// releaseHolds says which holds were not released. Where the activity was lost,
// that is every one: releasing them once more does no harm. It may queue for as
// long as it takes.
func releaseHolds(ctx workflow.Context, in activities.ReleaseInput) (activities.ReleaseResult, error) {
	summary := summarize("release %d holds", len(in.Holds))
	if len(in.Holds) == 1 {
		summary = summarize("release hold %s", in.Holds[0].AuthorizationID)
	}
	queue := ReleaseTaskQueue
	if in.Urgent {
		queue = TaskQueue
	}
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           queue,
		StartToCloseTimeout: releaseTimeout,
		HeartbeatTimeout:    heartbeatTimeout,
		RetryPolicy:         again,
		Summary:             summary,
	})
	var result activities.ReleaseResult
	err := workflow.ExecuteActivity(ctx, activities.ReleaseHoldsName, in).Get(ctx, &result)
	if err == nil && result.Released+len(result.Others) == len(in.Holds) {
		return result, nil
	}
	result = activities.ReleaseResult{Others: make([]activities.NotReleased, len(in.Holds))}
	for i, hold := range in.Holds {
		result.Others[i] = activities.NotReleased{
			AuthorizationID: hold.AuthorizationID, Outcome: activities.ReleaseFailed, Problem: lostProblem(activities.ReleaseHoldsName),
		}
	}
	return result, ignoreLost(err)
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

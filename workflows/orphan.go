package workflows

import (
	"fmt"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// maxOrphans is how many orphans one run starts. Temporal allows a run 2,000
// children that are still open (limit numPendingChildExecutions), abandoned ones
// included; the next run starts with none.
const maxOrphans = 500

// orphan marks the holds that PayPal refused to give back, and returns the others.
func (s *settlement) orphan(left []leftOver) []leftOver {
	return slices.DeleteFunc(left, func(l leftOver) bool {
		if l.failed() {
			s.Holds[l.place] = HoldOrphaned
			s.Releasing.Orphans = append(s.Releasing.Orphans, l.place)
		}
		return l.failed()
	})
}

// startOrphans gives every hold that is marked a workflow of its own, which
// outlives this settlement.
func (s *settlement) startOrphans() error {
	all, holds := s.lot.holdStandings(), s.lot.holds()
	for len(s.Releasing.Orphans) > 0 {
		if s.orphansStarted == maxOrphans {
			return s.continueAsNew()
		}
		place := s.Releasing.Orphans[0]
		in := OrphanVoidInput{
			AuctionID: s.lot.AuctionID,
			LotID:     s.lot.LotID,
			BidderID:  all[place].BidderID,
			Hold:      s.holdToRelease(holds[place]),
			Intent:    s.intentAt(place),
			Policy:    s.policy,
		}
		if err := startOrphanVoid(s.ctx, in); err != nil {
			return err
		}
		s.Releasing.Orphans = s.Releasing.Orphans[1:]
		s.orphansStarted++
		s.logger.Warn("release goes on by itself", "authorization", in.Hold.AuthorizationID, "workflow", OrphanVoidID(in.Hold.AuthorizationID))
	}
	return nil
}

func startOrphanVoid(ctx workflow.Context, in OrphanVoidInput) error {
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{
		WorkflowID:            OrphanVoidID(in.Hold.AuthorizationID),
		TaskQueue:             TaskQueue,
		ParentClosePolicy:     enumspb.PARENT_CLOSE_POLICY_ABANDON,
		WorkflowIDReusePolicy: enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		TypedSearchAttributes: SearchAttributes(in.AuctionID, in.LotID, StateReleasing, ReasonHoldNotReleased),
		StaticSummary:         summarize("release hold %s of lot %s/%s", in.Hold.AuthorizationID, in.AuctionID, in.LotID),
	})
	err := workflow.ExecuteChildWorkflow(ctx, OrphanVoidType, in).GetChildWorkflowExecution().Get(ctx, nil)
	if temporal.IsWorkflowExecutionAlreadyStartedError(err) {
		return nil
	}
	return err
}

// OrphanVoidInput is a hold that its settlement could not release in time.
type OrphanVoidInput struct {
	AuctionID string                   `json:"auction_id"`
	LotID     string                   `json:"lot_id"`
	BidderID  string                   `json:"bidder_id,omitempty"`
	Hold      activities.HoldToRelease `json:"hold"`
	// Intent is what would have been captured on it, to know it by at PayPal.
	Intent activities.Intent `json:"intent,omitzero"`
	Policy Policy            `json:"policy,omitzero"`
	// GivesUpAt is set by the first run.
	GivesUpAt time.Time `json:"gives_up_at,omitzero"`
	// Passes is how many waits it has had, in all its runs.
	Passes int `json:"passes,omitempty"`
}

// OrphanVoidOutcome is what the state query of an orphan's release answers.
type OrphanVoidOutcome struct {
	WorkflowID      string      `json:"workflow_id"`
	State           State       `json:"state"`
	AuthorizationID string      `json:"authorization_id"`
	Outcome         HoldOutcome `json:"outcome"`
	Reason          Reason      `json:"reason"`
}

// orphanPauseMax is the widest pause between two tries of an orphan's release.
const orphanPauseMax = time.Hour

// OrphanVoid releases one hold for as long as a hold can live. Where it cannot,
// or where money was taken on the hold, it stays open and waits for a person.
// Cancelling it changes nothing: a hold is not forgotten.
func OrphanVoid(ctx workflow.Context, in OrphanVoidInput) (OrphanVoidOutcome, error) {
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	in.Policy = in.Policy.withDefaults()
	if in.GivesUpAt.IsZero() {
		in.GivesUpAt = workflow.Now(ctx).Add(time.Duration(in.Policy.OrphanClock))
	}
	at := OrphanVoidOutcome{
		WorkflowID:      OrphanVoidID(in.Hold.AuthorizationID),
		State:           StateReleasing,
		AuthorizationID: in.Hold.AuthorizationID,
		Outcome:         HoldOrphaned,
		Reason:          ReasonHoldNotReleased,
	}
	err := workflow.SetQueryHandlerWithOptions(ctx, StateQuery, func() (OrphanVoidOutcome, error) { return at, nil },
		workflow.QueryHandlerOptions{Description: "Where the release stands."})
	if err != nil {
		return at, err
	}
	return at, releaseOrphan(ctx, in, &at)
}

func releaseOrphan(ctx workflow.Context, in OrphanVoidInput, at *OrphanVoidOutcome) error {
	widest := in.Policy
	widest.PassMax = Duration(orphanPauseMax)
	for {
		result, err := releaseHolds(ctx, activities.ReleaseInput{Holds: []activities.HoldToRelease{in.Hold}, Parallel: 1})
		if err != nil {
			return err
		}
		switch {
		case len(result.Others) == 0:
			at.Outcome = HoldReleased
			return endOrphan(ctx, in, at, StateReleased, "")
		case result.Others[0].Outcome == activities.ReleaseCaptured:
			return endCaptured(ctx, in, at)
		case !workflow.Now(ctx).Before(in.GivesUpAt):
			return endOrphan(ctx, in, at, StateFailedNeedsReview, ReasonHoldNotReleased)
		}
		wait := workflow.TimerOptions{Summary: summarize("hold %s not released: next try", in.Hold.AuthorizationID)}
		if err := workflow.NewTimerWithOptions(ctx, pause(widest, in.Passes, StateReleasing), wait).Get(ctx, nil); err != nil {
			return err
		}
		in.Passes++
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return workflow.NewContinueAsNewError(ctx, OrphanVoidType, in)
		}
	}
}

// endCaptured ends the release of a hold that PayPal calls captured: nobody was
// charged where every capture on it was declined or failed.
func endCaptured(ctx workflow.Context, in OrphanVoidInput, at *OrphanVoidOutcome) error {
	seen, err := readHolds(ctx, activities.ReadHoldsInput{Intents: []activities.Intent{in.Intent}, Parallel: 1})
	if err != nil {
		return err
	}
	if len(seen.Closed) > 0 {
		at.Outcome = HoldGone
		return endOrphan(ctx, in, at, StateReleased, "")
	}
	return endOrphan(ctx, in, at, StateFailedNeedsReview, ReasonLoserCaptured)
}

// endOrphan shows the last state; a release that needs a person stays open.
func endOrphan(ctx workflow.Context, in OrphanVoidInput, at *OrphanVoidOutcome, state State, reason Reason) error {
	at.State, at.Reason = state, reason
	if err := workflow.UpsertTypedSearchAttributes(ctx, searchAttributeUpdates(in.AuctionID, in.LotID, state, reason)...); err != nil {
		return err
	}
	if state != StateFailedNeedsReview {
		return nil
	}
	workflow.GetLogger(ctx).Error("needs a person", "reason", reason, "authorization", in.Hold.AuthorizationID)
	alert := activities.Alert{
		Level: activities.AlertError, WorkflowID: at.WorkflowID, State: string(state), Reason: string(reason), BidderID: in.BidderID,
		Message: fmt.Sprintf("hold %s of lot %s/%s was not released: look at it in PayPal's dashboard, then terminate this workflow",
			in.Hold.AuthorizationID, in.AuctionID, in.LotID),
	}
	if reason == ReasonLoserCaptured {
		alert.Level = activities.AlertCritical
	}
	if err := tellOperators(ctx, alert); err != nil {
		return err
	}
	return workflow.Await(ctx, func() bool { return false })
}

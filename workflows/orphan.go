package workflows

import (
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// orphan hands every hold that is still open to a workflow of its own, which
// outlives this settlement.
func (s *settlement) orphan() error {
	all := s.holds()
	holds := s.allHolds()
	for _, place := range s.openPlaces() {
		in := OrphanVoidInput{
			AuctionID: s.lot.AuctionID,
			LotID:     s.lot.LotID,
			BidderID:  all[place].BidderID,
			Hold:      s.holdToRelease(holds[place]),
			Policy:    s.policy,
		}
		if err := startOrphanVoid(s.ctx, in); err != nil {
			return err
		}
		s.Holds[place] = HoldOrphaned
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
	Policy    Policy                   `json:"policy,omitzero"`
	// GivesUpAt is set by the first run.
	GivesUpAt time.Time `json:"gives_up_at,omitzero"`
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
func OrphanVoid(ctx workflow.Context, in OrphanVoidInput) (OrphanVoidOutcome, error) {
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
	for passes := 0; ; passes++ {
		result, err := releaseHolds(ctx, []activities.HoldToRelease{in.Hold}, 1)
		if err != nil {
			return err
		}
		switch {
		case len(result.Others) == 0:
			at.Outcome = HoldReleased
			return endOrphan(ctx, in, at, StateReleased, "")
		case result.Others[0].Outcome == activities.ReleaseCaptured:
			return endOrphan(ctx, in, at, StateFailedNeedsReview, ReasonLoserCaptured)
		case !workflow.Now(ctx).Before(in.GivesUpAt):
			return endOrphan(ctx, in, at, StateFailedNeedsReview, ReasonHoldNotReleased)
		case workflow.GetInfo(ctx).GetContinueAsNewSuggested():
			return workflow.NewContinueAsNewError(ctx, OrphanVoidType, in)
		}
		wait := workflow.TimerOptions{Summary: summarize("hold %s not released: next try", in.Hold.AuthorizationID)}
		if err := workflow.NewTimerWithOptions(ctx, pause(widest, passes, stageFence), wait).Get(ctx, nil); err != nil {
			return err
		}
	}
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
	return workflow.Await(ctx, func() bool { return false })
}

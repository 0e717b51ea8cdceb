// Package workflows holds what happens to a lot, in which order, and how long
// it waits. It is deterministic and does no I/O: every call to PayPal is an
// activity of package activities.
package workflows

import (
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// SettlementInput is what a settlement starts with.
type SettlementInput struct {
	Lot    Lot    `json:"lot"`
	Policy Policy `json:"policy,omitzero"`
	// Resume is where an earlier run of this settlement left off before it
	// continued as new; whoever starts a settlement leaves it out.
	Resume *Progress `json:"resume,omitempty"`
}

// ErrorTypeInvalidInput is the type of the application error with which a
// settlement of an invalid lot fails, before anything was sent.
const ErrorTypeInvalidInput = "InvalidInput"

// Settlement settles one lot: it captures the best bid whose money can be had,
// and releases every other hold. It returns when the lot has ended; what needs
// a person stays open and waits for a decision (DecisionSignal, DecisionUpdate).
func Settlement(ctx workflow.Context, in SettlementInput) (Outcome, error) {
	// A run that goes on was validated when it began, and is under way.
	if err := in.Lot.Validate(); err != nil && in.Resume == nil {
		return Outcome{}, temporal.NewNonRetryableApplicationError("the lot is not valid: "+err.Error(), ErrorTypeInvalidInput, nil)
	}
	s, err := newSettlement(ctx, in)
	if err != nil {
		return Outcome{}, err
	}
	return s.run()
}

type settlement struct {
	Progress
	lot    Lot
	policy Policy
	// ctx is not cancelled with the workflow: a settlement that is called off
	// still has holds to give back.
	ctx    workflow.Context
	called workflow.Context // the workflow's own context, cancelled when the lot is called off
	inbox  inbox
	// candidate is who paid, if what the pass in turn saw settles the lot.
	candidate *Winner
	waiting   *Waiting
	released  bool
	// orphansStarted counts those of this run.
	orphansStarted int
	shown          shown
	logger         log.Logger
}

func newSettlement(ctx workflow.Context, in SettlementInput) (*settlement, error) {
	s := &settlement{lot: in.Lot, policy: in.Policy.withDefaults(), called: ctx}
	s.ctx, _ = workflow.NewDisconnectedContext(ctx)
	s.logger = log.With(workflow.GetLogger(ctx), "auction", in.Lot.AuctionID, "lot", in.Lot.LotID)
	if in.Resume != nil {
		s.Progress = *in.Resume
	} else {
		s.Progress = newProgress(len(in.Lot.Bids) + len(in.Lot.Release))
	}
	s.shown = shown{s.State, s.Reason}
	if err := s.openInbox(ctx); err != nil {
		return nil, err
	}
	s.describe()
	return s, workflow.SetQueryHandlerWithOptions(ctx, StateQuery, func() (Outcome, error) { return s.outcome(), nil },
		workflow.QueryHandlerOptions{Description: "Where the settlement stands: state, winner, holds, reason, and what it waits for."})
}

// run takes the lot from one phase to the next until it has ended.
func (s *settlement) run() (Outcome, error) {
	for !s.released && s.Closed == nil {
		if err := s.phase(); err != nil {
			return Outcome{}, err
		}
	}
	if err := s.emptyInbox(); err != nil {
		return Outcome{}, err
	}
	s.waiting = nil
	s.enter(s.endState(), s.endReason())
	s.show()
	return s.outcome(), nil
}

func (s *settlement) phase() error {
	switch {
	case s.Review != nil:
		return s.review()
	case s.Winner == nil && !s.CalledOff && s.Rank < len(s.lot.Bids):
		return s.settleBid()
	default:
		return s.release()
	}
}

func (s *settlement) endState() State {
	switch {
	case s.Closed != nil:
		return StateFailedNeedsReview
	case s.Winner != nil:
		return StateSettled
	case s.CalledOff:
		return StateCancelled
	default:
		return StateUnsold
	}
}

func (s *settlement) endReason() Reason {
	if s.Closed != nil {
		return s.Reason
	}
	return ""
}

// cancelled: once the workflow was cancelled, nothing is captured any more. What
// may have been captured already is looked into first.
func (s *settlement) cancelled() bool {
	s.CancelAsked = s.CancelAsked || s.called.Err() != nil
	return s.CancelAsked
}

// bid is the bid in turn.
func (s *settlement) bid() Bid { return s.lot.Bids[s.Rank] }

func (s *settlement) outcome() Outcome {
	all := s.lot.holdStandings()
	for i, outcome := range s.Holds {
		all[i].Outcome = outcome
	}
	shown, counts := showHolds(all)
	return Outcome{
		WorkflowID: SettlementID(s.lot.AuctionID, s.lot.LotID),
		State:      s.State,
		Winner:     s.Winner,
		Holds:      shown,
		HoldCounts: counts,
		Reason:     s.Reason,
		Waiting:    s.waiting,

		CancelAsked: s.CancelAsked && !s.State.Ended(),
		Review:      s.Review,
		Decisions:   s.Decisions,
		Closed:      s.Closed,
	}
}

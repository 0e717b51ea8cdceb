// Package workflows holds what happens to a lot, in which order, and how long
// it waits. It is deterministic and does no I/O: every call to PayPal is an
// activity of package activities.
package workflows

import (
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
	"gavel/paypalclient"
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
// a person stays open and waits.
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

// Progress is everything that a settlement knows beside its input. It is what
// one run hands to the next when it continues as new.
type Progress struct {
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
	// Rank is the place of the bid in turn.
	Rank int `json:"rank"`
	// Stage, Passes, Clocks and CaptureID belong to the bid in turn: what its
	// next pass does, how many waits it has had in a row, and the capture that
	// is known at PayPal.
	Stage     stage  `json:"stage"`
	Passes    int    `json:"passes,omitempty"`
	Clocks    clocks `json:"clocks,omitzero"`
	CaptureID string `json:"capture_id,omitempty"`
	// Problem is the last answer of PayPal's to this bid that was not what was asked for.
	Problem *activities.Problem `json:"problem,omitempty"`
	// Answered: CaptureID was answered to us, rather than found at PayPal.
	Answered bool `json:"answered,omitempty"`

	Winner *Winner `json:"winner,omitempty"`
	// CancelAsked: somebody has cancelled the workflow, in this run or an
	// earlier one. CalledOff: the lot ends by it.
	CancelAsked bool `json:"cancel_asked,omitempty"`
	CalledOff   bool `json:"called_off,omitempty"`
	// Holds is what became of each hold: the bids' in rank order, then those of
	// the release list.
	Holds []HoldOutcome `json:"holds"`
	// Releasing is the release phase's own progress.
	Releasing releasing `json:"releasing,omitzero"`
}

type settlement struct {
	Progress
	lot    Lot
	policy Policy
	// ctx is not cancelled with the workflow: a settlement that is called off
	// still has holds to give back.
	ctx    workflow.Context
	called workflow.Context // the workflow's own context, cancelled when the lot is called off
	// candidate is who paid, if what the pass in turn saw settles the lot.
	candidate *Winner
	waiting   *Waiting
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
		s.Progress = Progress{State: StateCapturing, Stage: stageCapture, Holds: make([]HoldOutcome, len(s.holds()))}
		for i := range s.Holds {
			s.Holds[i] = HoldOpen
		}
	}
	s.shown = shown{s.State, s.Reason}
	s.describe()
	return s, workflow.SetQueryHandlerWithOptions(ctx, StateQuery, func() (Outcome, error) { return s.outcome(), nil },
		workflow.QueryHandlerOptions{Description: "Where the settlement stands: state, winner, holds, reason, and what it waits for."})
}

func (s *settlement) run() (Outcome, error) {
	for s.Winner == nil && !s.CalledOff && s.Rank < len(s.lot.Bids) {
		if err := s.settleBid(); err != nil {
			return Outcome{}, err
		}
	}
	if err := s.release(); err != nil {
		return Outcome{}, err
	}
	switch {
	case s.Winner != nil:
		s.enter(StateSettled, "")
	case s.CalledOff:
		s.enter(StateCancelled, "")
	default:
		s.enter(StateUnsold, "")
	}
	s.show()
	return s.outcome(), nil
}

// cancelled: once the workflow was cancelled, nothing is captured any more. What
// may have been captured already is looked into first.
func (s *settlement) cancelled() bool {
	s.CancelAsked = s.CancelAsked || s.called.Err() != nil
	return s.CancelAsked
}

// bid is the bid in turn.
func (s *settlement) bid() Bid { return s.lot.Bids[s.Rank] }

// holds are all the lot's holds, in the order of Progress.Holds.
func (s *settlement) holds() []HoldStanding {
	all := make([]HoldStanding, 0, len(s.lot.Bids)+len(s.lot.Release))
	for _, b := range s.lot.Bids {
		all = append(all, HoldStanding{BidderID: b.BidderID, AuthorizationID: b.Hold.AuthorizationID})
	}
	for _, h := range s.lot.Release {
		all = append(all, HoldStanding{AuthorizationID: h.AuthorizationID})
	}
	return all
}

func (s *settlement) outcome() Outcome {
	all := s.holds()
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
	}
}

// price is what the bid in turn pays. The lot was validated, so it parses.
func (s *settlement) price() paypalclient.Money {
	price, err := paypalclient.ParseMoney(s.lot.Currency, s.bid().Price)
	if err != nil {
		panic("a validated price does not parse: " + err.Error())
	}
	return price
}

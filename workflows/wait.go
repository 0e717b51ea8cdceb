package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// waitUntil waits on one cancellable timer. A settlement that is called off
// meanwhile goes on at once. It returns an error only to continue as new.
func (s *settlement) waitUntil(due, clockEnd time.Time, summary string) error {
	s.waiting = &Waiting{BidderID: s.bidderInTurn(), NextPassAt: due, ClockEndsAt: clockEnd, Problem: s.Problem}
	s.show()
	if workflow.GetInfo(s.ctx).GetContinueAsNewSuggested() {
		return s.continueAsNew()
	}
	timerCtx, stop := workflow.WithCancel(s.ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(timerCtx, due.Sub(workflow.Now(s.ctx)), workflow.TimerOptions{Summary: summary})
	selector := workflow.NewSelector(s.ctx)
	selector.AddFuture(timer, func(workflow.Future) {})
	if s.called.Err() == nil {
		selector.AddReceive(s.called.Done(), func(workflow.ReceiveChannel, bool) {})
	}
	selector.Select(s.ctx)
	s.waiting = nil
	return nil
}

// review leaves the lot open for a person. Nothing that can be decided by
// itself is left, so it returns only when the workflow ends from outside.
func (s *settlement) review(reason Reason) error {
	return s.reviewUntil(reason, func() bool { return false })
}

func (s *settlement) reviewUntil(reason Reason, over func() bool) error {
	s.enter(StateFailedNeedsReview, reason)
	s.waiting = &Waiting{BidderID: s.bidderInTurn(), Problem: s.Problem}
	s.show()
	s.logger.Error("needs a person", "reason", reason)
	err := workflow.Await(s.ctx, over)
	s.waiting = nil
	return err
}

// continueAsNew starts the settlement's next run where this one stands, before
// its history grows too long. The pause that was due is over by then.
func (s *settlement) continueAsNew() error {
	in := SettlementInput{Lot: s.lot, Policy: s.policy, Resume: &s.Progress}
	return workflow.NewContinueAsNewError(s.ctx, SettlementType, in)
}

// bidderInTurn is empty once no bid is left to be settled.
func (s *settlement) bidderInTurn() string {
	if s.Winner != nil || s.CalledOff || s.Rank >= len(s.lot.Bids) {
		return ""
	}
	return s.bid().BidderID
}

package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// waitUntil waits on one cancellable timer. A settlement that is cancelled
// meanwhile goes on at once.
func (s *settlement) waitUntil(due, clockEnd time.Time, summary string) {
	s.waiting = &Waiting{BidderID: s.bidderInTurn(), NextPassAt: due, ClockEndsAt: clockEnd, Problem: s.Problem}
	s.show()
	timerCtx, stop := workflow.WithCancel(s.ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(timerCtx, due.Sub(workflow.Now(s.ctx)), workflow.TimerOptions{Summary: summary})
	selector := workflow.NewSelector(s.ctx)
	selector.AddFuture(timer, func(workflow.Future) {})
	if !s.cancelled() {
		selector.AddReceive(s.called.Done(), func(workflow.ReceiveChannel, bool) {})
	}
	selector.Select(s.ctx)
	s.waiting = nil
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

// goOnAsNew starts the settlement's next run where this one stands, once its
// history grows long. It stands behind a wait, so that no pause is skipped.
func (s *settlement) goOnAsNew() error {
	if !workflow.GetInfo(s.ctx).GetContinueAsNewSuggested() {
		return nil
	}
	return s.continueAsNew()
}

func (s *settlement) continueAsNew() error {
	s.cancelled() // a cancellation outlives the run that heard of it
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

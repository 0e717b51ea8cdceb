package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// waitUntil waits until due, or until an alarm is due before that. A settlement
// that is cancelled meanwhile goes on at once. What else arrives does not
// lengthen the wait, nor shorten it.
func (s *settlement) waitUntil(due, clockEnd time.Time, summary string) error {
	if err := s.soundAlarms(); err != nil {
		return err
	}
	due = earliest(due, s.nextAlarm())
	s.waiting = &Waiting{
		BidderID: s.bidderInTurn(), NextPassAt: due, Since: s.Alarm.Since,
		ClockEndsAt: clockEnd, Problem: s.Turn.Problem,
	}
	if s.waiting.BidderID != "" {
		s.waiting.ClockLeft = s.Turn.Clocks.left(s.policy)
	}
	s.show()
	timerCtx, stop := workflow.WithCancel(s.ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(timerCtx, due.Sub(workflow.Now(s.ctx)), workflow.TimerOptions{Summary: summary})
	over := false
	selector := workflow.NewSelector(s.ctx)
	selector.AddFuture(timer, func(workflow.Future) { over = true })
	if !s.cancelled() {
		selector.AddReceive(s.called.Done(), func(workflow.ReceiveChannel, bool) { over = true })
	}
	s.inbox.listen(selector, s.turnDown)
	for !over {
		selector.Select(s.ctx)
	}
	return s.goOnAsNew()
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
	if err := s.emptyInbox(); err != nil {
		return err
	}
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

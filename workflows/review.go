package workflows

import (
	"cmp"
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// needsPerson stops the settlement until somebody decides, and tells operators.
func (s *settlement) needsPerson(reason Reason) error {
	s.enterReview(reason)
	if reason == ReasonDuplicateInvoice {
		others := s.otherIntents(maxKnownHolds)
		known, err := s.readHolds(others)
		if err != nil {
			return err
		}
		s.Review.Known, s.Review.Read = known, len(others)
	}
	return s.alert(activities.AlertError, s.question())
}

// needsPersonForLosers is needsPerson for bidders who were charged beside the
// winner, or in a lot without one.
func (s *settlement) needsPersonForLosers(charged []activities.SeenHold, read int) error {
	s.enterReview(ReasonLoserCaptured)
	s.Review.Known, s.Review.Read = charged, read
	return s.alert(activities.AlertCritical, s.question()+"; PayPal shows "+cmp.Or(takenOn(charged), "no money taken, and voids it not"))
}

func (s *settlement) enterReview(reason Reason) {
	s.enter(StateFailedNeedsReview, reason)
	s.turnDownAll() // what was decided before was not about this
	s.Review = &Review{Reason: reason, Since: workflow.Now(s.ctx), Actions: fitting(reason), Taken: s.Turn.Taken}
	s.logger.Error("needs a person", "reason", reason)
}

// question is the alert of a review.
func (s *settlement) question() string {
	return fmt.Sprintf("the settlement waits for a decision (%s): %s, by signal or update in the Web UI or with starter review decide",
		s.Review.Reason, list(s.Review.Actions))
}

// review waits until a decision has taken the settlement on, or the lot is
// called off where nothing is in doubt.
func (s *settlement) review() error {
	for s.Review != nil {
		if s.Review.Reason == ReasonBidFailed && s.cancelled() {
			s.Review, s.CalledOff = nil, true
			return nil
		}
		sub, err := s.nextDecision()
		if err != nil {
			return err
		}
		if sub == nil {
			continue
		}
		if err := s.takeUp(*sub); err != nil {
			return err
		}
	}
	s.turnDownAll() // they were about the review that is over
	return nil
}

// nextDecision waits for one, or returns nil for something else to look at: the
// lot is cancelled, or an alarm is due.
func (s *settlement) nextDecision() (*submission, error) {
	if err := s.soundAlarms(); err != nil {
		return nil, err
	}
	var taken *submission
	woken := false
	selector := workflow.NewSelector(s.ctx)
	s.inbox.listen(selector, func(sub submission) { taken = &sub })
	if !selector.HasPending() {
		if err := s.goOnAsNew(); err != nil {
			return nil, err
		}
	}
	if !s.cancelled() && s.Review.Reason == ReasonBidFailed {
		selector.AddReceive(s.called.Done(), func(workflow.ReceiveChannel, bool) { woken = true })
	}
	timerCtx, stop := workflow.WithCancel(s.ctx)
	defer stop()
	if due := s.expiryAlarm(); !due.IsZero() {
		summary := workflow.TimerOptions{Summary: summarize("hold of bidder %s is close to its end: alert", s.bidderInTurn())}
		timer := workflow.NewTimerWithOptions(timerCtx, due.Sub(workflow.Now(s.ctx)), summary)
		selector.AddFuture(timer, func(workflow.Future) { woken = true })
	}
	s.waiting = &Waiting{BidderID: s.bidderInTurn(), Since: s.Alarm.Since, Problem: s.Turn.Problem}
	s.show()
	for taken == nil && !woken {
		selector.Select(s.ctx)
	}
	return taken, nil
}

// otherIntents are up to most of the lot's holds beside the one in turn; most
// below 0 is all of them.
func (s *settlement) otherIntents(most int) []activities.Intent {
	var others []activities.Intent
	for place := range s.Holds {
		if len(others) == most {
			break
		}
		if place != s.Rank {
			others = append(others, s.intentAt(place))
		}
	}
	return others
}

// intentAt is what would be captured on the hold at a place: a bidder's price,
// or all of a hold that belongs to no bid.
func (s *settlement) intentAt(place int) activities.Intent {
	if place < len(s.lot.Bids) {
		return s.intentOf(s.lot.Bids[place])
	}
	hold := s.lot.Release[place-len(s.lot.Bids)]
	return s.intentOf(Bid{Price: hold.Amount, Hold: hold})
}

// takenOn says in a few words on which holds PayPal shows money taken, or cannot
// say, and is empty where it shows none.
func takenOn(seen []activities.SeenHold) string {
	const most = 5
	var words []string
	for _, hold := range seen[:min(len(seen), most)] {
		text := fmt.Sprintf("hold %s: %s", hold.AuthorizationID, hold.Standing)
		for _, c := range hold.Captures {
			text += fmt.Sprintf(", capture %s of %s %s", c.ID, c.Amount, c.Status)
		}
		words = append(words, text)
	}
	if more := len(seen) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, "; ")
}

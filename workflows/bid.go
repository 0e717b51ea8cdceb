package workflows

import (
	"cmp"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// settleBid makes passes over the bid in turn until the lot is settled, the
// turn goes to the next bidder, or the lot is called off.
func (s *settlement) settleBid() error {
	intent := s.intent()
	for {
		if s.cancelled() && s.Stage == stageCapture {
			s.Stage = stageConfirm
		}
		seen, err := s.observe(intent)
		if err != nil {
			return err
		}
		next := decide(s.Stage, seen)
		s.Clocks.advance(workflow.Now(s.ctx), s.policy, seen, next)
		s.logger.Info("pass", "bidder", intent.BidderID, "stage", s.Stage, "truth", seen.truth, "answer", seen.answer, "next", next.do)
		switch next.do {
		case doSettle:
			return s.settled()
		case doNextBidder:
			return s.passOver()
		case doReview:
			return s.review(next.reason)
		case doPass:
			s.Stage, s.Passes = next.stage, 0
		case doWait:
			if s.Stage == stageUnknownExpired && s.Clocks.UnknownKind != clockNone {
				return s.review(ReasonUnknownClockExpired)
			}
			if err := s.waitForPass(next, seen.lost); err != nil {
				return err
			}
		}
	}
}

// intent is the capture that the bid in turn calls for: the same for every try.
func (s *settlement) intent() activities.Intent {
	bid, price := s.bid(), s.price()
	return activities.Intent{
		BidderID:        bid.BidderID,
		AuthorizationID: bid.Hold.AuthorizationID,
		OrderID:         bid.Hold.OrderID,
		Amount:          price,
		InvoiceID:       InvoiceID(s.policy.InvoicePrefix, s.lot.AuctionID, s.lot.LotID),
		RequestID:       requestID(operationCapture, s.lot.AuctionID, s.lot.LotID, bid.Hold.AuthorizationID, price.String()),
	}
}

// observe does what the stage asks and brings back what PayPal said.
func (s *settlement) observe(intent activities.Intent) (observation, error) {
	switch s.Stage {
	case stageCapture:
		result, err := s.capture(intent)
		if err != nil {
			// The activity itself was lost: it may have sent the capture.
			return observation{answer: activities.AnswerUnknown, lost: true}, ignoreLost(err)
		}
		s.found(result.Truth, result.Answer)
		return observation{truth: result.Truth.Standing, answer: result.Answer.Kind}, nil
	case stageFence:
		return s.fence(intent)
	default:
		truth, err := s.readTruth(intent)
		return observation{truth: truth.Standing}, err
	}
}

// fence voids the failed bidder's hold, so that no late or repeated call can
// take it any more. What the void says proves nothing: the truth read after it does.
func (s *settlement) fence(intent activities.Intent) (observation, error) {
	others, err := s.releaseHolds([]activities.HoldToRelease{s.holdToRelease(s.bid().Hold)}, true)
	if err != nil {
		return observation{}, err
	}
	truth, err := s.readTruth(intent)
	seen := observation{truth: truth.Standing}
	if len(others) == 1 {
		s.Problem = cmp.Or(s.Problem, others[0].Problem)
		if truth.Standing == activities.StandingOpen {
			seen.answer = others[0].TurnedAway()
		}
	}
	return seen, err
}

// found remembers the capture that is known for this intent, who paid by it,
// and what PayPal had to say against it.
func (s *settlement) found(truth activities.Truth, answer activities.Answer) {
	s.Problem = cmp.Or(answer.Problem, truth.Problem)
	capture, answered := answer.Capture, true
	if answer.Kind == activities.AnswerNone {
		capture, answered = truth.OwnCapture(), false
	}
	if capture == nil || !capture.Ours {
		return
	}
	s.Answered = answered || s.Answered && s.CaptureID == capture.ID
	s.CaptureID = capture.ID
	s.candidate = &Winner{BidderID: s.bid().BidderID, CaptureID: capture.ID, Amount: capture.Amount, Adopted: !s.Answered}
}

// settled: the money is there. Where nobody can say by which capture, a person
// has to look.
func (s *settlement) settled() error {
	if s.candidate == nil {
		return s.review(ReasonDifferentCapture)
	}
	s.Winner = s.candidate
	s.Holds[s.Rank] = HoldCaptured
	s.enter(StateCaptured, "")
	return nil
}

// passOver records what became of the failed bidder's hold and gives the turn
// to whom the lot's fallback names, unless the lot is called off.
func (s *settlement) passOver() error {
	s.Holds[s.Rank] = HoldGone
	if s.Stage == stageFence {
		s.Holds[s.Rank] = HoldReleased
	}
	if s.lot.Fallback == FallbackAsk && !s.cancelled() {
		// Nothing is in doubt here, so the lot can still be called off.
		if err := s.reviewUntil(ReasonBidFailed, s.cancelled); err != nil {
			return err
		}
	}
	switch {
	case s.cancelled():
		s.CalledOff = true
		return nil
	case s.lot.Fallback == FallbackNone:
		s.Rank = len(s.lot.Bids)
	default:
		s.Rank++
	}
	s.Stage, s.Passes, s.Clocks, s.Problem = stageCapture, 0, clocks{}, nil
	s.CaptureID, s.Answered, s.candidate = "", false, nil
	s.enter(StateCapturing, "")
	return nil
}

// waitForPass waits until the next pass is due or the clock that runs has run
// out. After the first loss of an activity the next pass is due at once.
func (s *settlement) waitForPass(next step, lost bool) error {
	if next.stage != "" {
		s.Stage = next.stage
	}
	s.enter(s.waitsFor(next))
	s.Passes++
	if lost && s.Passes == 1 {
		return nil
	}
	due := workflow.Now(s.ctx).Add(pause(s.policy, s.Passes-1, s.Stage))
	end, expired := s.Clocks.endsAt(s.Stage)
	if !end.IsZero() && end.Before(due) {
		due = end
	}
	summary := summarize("%s (%s): next look at bidder %s", s.State, s.Reason, s.bid().BidderID)
	s.waitUntil(due, end, summary)
	if !end.IsZero() && !workflow.Now(s.ctx).Before(end) {
		s.Stage = expired
	}
	return s.goOnAsNew()
}

// waitsFor is the state and reason of a wait. While the unknown clock runs, the
// reason is what started it: a doubt is older than a later stall, and runs on.
func (s *settlement) waitsFor(next step) (State, Reason) {
	switch {
	case s.Clocks.UnknownKind == clockMoney, next.state == StateUnknown && s.Clocks.UnknownKind != clockNone:
		return StateUnknown, s.Clocks.UnknownReason
	default:
		return next.state, next.reason
	}
}

package workflows

import (
	"cmp"
	"slices"
	"time"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// settleBid makes passes over the bid in turn until the lot is settled, the
// turn goes to the next bidder, the lot is called off, or a person is needed.
func (s *settlement) settleBid() error {
	rank := s.Rank
	for s.Winner == nil && s.Review == nil && !s.CalledOff && s.Rank == rank {
		if s.cancelled() && s.mayCapture() {
			s.Turn.Stage = stageCallOff
		}
		if err := s.pass(); err != nil {
			return err
		}
	}
	return nil
}

// mayCapture: the next pass may charge the bidder, or waits to do so.
func (s *settlement) mayCapture() bool {
	switch s.Turn.Stage {
	case stageCapture, stageRenew:
		return true
	case stageAwait:
		return s.Turn.CaptureID == ""
	default:
		return false
	}
}

// pass looks once and does what the decision table says about it.
func (s *settlement) pass() error {
	at := s.Turn.Clocks.at(workflow.Now(s.ctx), s.Turn.Stage, s.policy)
	seen, err := s.observe(at)
	if err != nil {
		return err
	}
	seen.duplicate = s.Turn.Duplicate
	now := workflow.Now(s.ctx)
	if at != s.Turn.Stage && s.goesOn(now, seen) {
		return nil
	}
	next := decide(at, seen)
	s.Turn.Clocks.advance(now, s.policy, seen, next)
	s.logger.Info("pass", "bidder", s.bid().BidderID, "stage", at, "truth", seen.truth, "answer", seen.answer, "next", next.do)
	switch next.do {
	case doSettle:
		return s.settled()
	case doNextBidder:
		return s.passOver()
	case doReview:
		return s.needsPerson(next.reason)
	case doPass:
		s.Turn.Stage, s.Turn.Passes = next.stage, 0
		return nil
	default:
		return s.waitForPass(next, seen.lost)
	}
}

// goesOn tells, after the last look of a clock, that it has not run out after
// all: the truth that it ran for can be read, or the kill switch has held it.
func (s *settlement) goesOn(now time.Time, seen observation) bool {
	readable := s.Turn.Clocks.onlyOfTruth(seen)
	if readable {
		s.Turn.Clocks.stopUnknown()
	}
	held := seen.killSwitch == activities.SwitchOff
	return (readable || held) && s.Turn.Clocks.at(now, s.Turn.Stage, s.policy) == s.Turn.Stage
}

// observe does what the stage asks and brings back what PayPal said.
func (s *settlement) observe(at stage) (observation, error) {
	switch at {
	case stageCapture:
		return s.tryCapture()
	case stageRenew:
		return s.tryRenewal()
	case stageFence:
		return s.fence()
	default:
		truth, seen, err := s.readTruth()
		return observation{truth: truth.Standing, killSwitch: seen.Standing}, err
	}
}

func (s *settlement) tryCapture() (observation, error) {
	intent := s.intent()
	result, err := s.capture(intent)
	if err != nil {
		// The activity itself was lost: it may have sent the capture.
		s.Turn.Renewal.Over = true
		return s.lost(err)
	}
	if result.Answer.Kind.Reached() {
		s.Turn.Renewal.Over = true // one hold, one capture: it is not renewed under a capture that was sent
	}
	s.Turn.Duplicate = s.Turn.Duplicate || result.Answer.Kind == activities.AnswerDuplicateInvoice
	s.found(result.Truth, result.Answer)
	s.Turn.Clocks.hold(result.Switch)
	return observation{truth: result.Truth.Standing, answer: result.Answer.Kind, killSwitch: result.Switch.Standing}, nil
}

// lost is what a money call brings back whose activity did not end: nobody
// knows whether it was sent. While a clock is held somebody has to look whether
// it still is.
func (s *settlement) lost(err error) (observation, error) {
	if err = ignoreLost(err); err == nil && !s.Turn.Clocks.HeldFrom.IsZero() {
		_, _, err = s.readTruth()
	}
	return observation{answer: activities.AnswerUnknown, lost: true}, err
}

// tryRenewal renews the hold past its honor period, once: what PayPal answers
// for certain ends it, whatever it is.
func (s *settlement) tryRenewal() (observation, error) {
	intent := s.renewalIntent()
	result, err := s.reauthorize(intent)
	if err != nil {
		return s.lost(err)
	}
	s.found(result.Truth, result.Answer)
	s.Turn.Clocks.hold(result.Switch)
	switch result.Answer.Kind {
	case activities.AnswerRenewed:
		s.Turn.Renewal = renewal{ID: result.RenewedID, Over: true}
	case activities.AnswerNotRenewed:
		s.Turn.Renewal.Over = true
	}
	return observation{truth: result.Truth.Standing, answer: result.Answer.Kind, killSwitch: result.Switch.Standing}, nil
}

// fence voids the failed bidder's hold, so that no late or repeated call can
// take it any more. What the void says proves nothing: the truth read after it does.
func (s *settlement) fence() (observation, error) {
	voided, err := s.releaseHolds([]activities.HoldToRelease{s.holdToRelease(s.bid().Hold)}, true)
	if err != nil {
		return observation{}, err
	}
	truth, held, err := s.readTruth()
	seen := observation{truth: truth.Standing, killSwitch: held.Standing}
	if len(voided.Others) == 1 {
		s.Turn.Problem = cmp.Or(truth.Problem, voided.Others[0].Problem, s.Turn.Problem)
		switch truth.Standing {
		case activities.StandingOpen, activities.StandingDeclined, activities.StandingShort, activities.StandingHoldPending, activities.StandingCapturedUnseen:
			seen.answer = voided.Others[0].TurnedAway()
		}
	}
	return seen, err
}

// found remembers the capture that is known for this intent, who paid by it,
// and what PayPal had to say against it.
func (s *settlement) found(truth activities.Truth, answer activities.Answer) {
	s.Turn.Problem = cmp.Or(answer.Problem, truth.Problem, s.Turn.Problem)
	s.Turn.Taken = takenBy(truth, answer)
	s.Turn.OrderID = cmp.Or(truth.OrderID, s.Turn.OrderID)
	if !truth.ExpiresAt.IsZero() {
		s.Turn.Expiry.At = truth.ExpiresAt
	}
	capture, answered := answer.Capture, true
	if answer.Kind == activities.AnswerNone {
		capture, answered = truth.OwnCapture(), false
	}
	if capture == nil || !capture.Ours {
		return
	}
	s.Turn.Answered = answered || s.Turn.Answered && s.Turn.CaptureID == capture.ID
	s.Turn.CaptureID = capture.ID
	s.candidate = &Winner{BidderID: s.bid().BidderID, CaptureID: capture.ID, Amount: capture.Amount, Adopted: !s.Turn.Answered}
}

// takenBy are the captures that took money, or that PayPal answered for
// something else.
func takenBy(truth activities.Truth, answer activities.Answer) []activities.SeenCapture {
	taken := slices.DeleteFunc(slices.Clone(truth.Captures), func(c activities.SeenCapture) bool { return !c.TookMoney() })
	if answer.Kind == activities.AnswerMismatch && answer.Capture != nil {
		taken = append(taken, *answer.Capture)
	}
	return taken
}

// settled: the money is there. Where nobody can say by which capture, a person
// has to look.
func (s *settlement) settled() error {
	if s.candidate == nil {
		return s.needsPerson(ReasonDifferentCapture)
	}
	s.paidBy(*s.candidate, s.Rank)
	return nil
}

// paidBy ends the search for a winner: this capture pays for the lot.
func (s *settlement) paidBy(winner Winner, place int) {
	s.Winner, s.Paid = &winner, place
	s.Holds[place] = HoldCaptured
	s.enter(StateCaptured, "")
}

// passOver records what became of the failed bidder's hold and gives the turn
// to whom the lot's fallback names, unless the lot is called off.
func (s *settlement) passOver() error {
	s.Holds[s.Rank] = HoldGone
	if s.Turn.Stage == stageFence {
		s.Holds[s.Rank] = HoldReleased
	}
	switch {
	case s.cancelled():
		s.CalledOff = true
	case s.lot.Fallback == FallbackAsk:
		return s.needsPerson(ReasonBidFailed)
	case s.lot.Fallback == FallbackNone:
		s.nextTurn(len(s.lot.Bids))
	default:
		s.nextTurn(s.Rank + 1)
	}
	return nil
}

// nextTurn gives the turn to the bid of this rank; at the end of the bids
// nobody is left who could pay.
func (s *settlement) nextTurn(rank int) {
	s.Rank, s.Turn, s.candidate = rank, Turn{Stage: stageCapture}, nil
	if rank < len(s.lot.Bids) {
		s.enter(StateCapturing, "")
	} else {
		s.enter(StateReleasing, "")
	}
}

// waitForPass waits until the next pass is due or the clock that runs has run
// out. After the first loss of an activity the next pass is due at once.
func (s *settlement) waitForPass(next step, lost bool) error {
	if next.stage != "" {
		s.Turn.Stage = next.stage
	}
	s.enter(s.waitsFor(next))
	s.Turn.Passes++
	if lost && s.Turn.Passes == 1 {
		return nil
	}
	now := workflow.Now(s.ctx)
	end, _ := s.Turn.Clocks.endsAt(s.Turn.Stage, s.policy)
	if !end.After(now) {
		end = time.Time{} // it has run out, and nobody could say so yet
	}
	due := earliest(now.Add(pause(s.policy, s.Turn.Passes-1, s.State)), end)
	summary := summarize("%s (%s): next look at bidder %s", s.State, s.Reason, s.bid().BidderID)
	return s.waitUntil(due, end, summary)
}

// waitsFor is the state and reason of a wait. While the unknown clock runs, the
// reason is what started it: a doubt is older than a later stall, and runs on.
func (s *settlement) waitsFor(next step) (State, Reason) {
	clocks := s.Turn.Clocks
	switch {
	case next.state == StatePaused:
		return next.state, next.reason
	case clocks.UnknownKind == clockMoney, next.state == StateUnknown && clocks.UnknownKind != clockNone:
		return StateUnknown, clocks.UnknownReason
	default:
		return next.state, next.reason
	}
}

// earliest of these times, zero ones left out.
func earliest(times ...time.Time) time.Time {
	var first time.Time
	for _, t := range times {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}

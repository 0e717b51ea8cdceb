package workflows

import (
	"slices"

	"gavel/activities"
)

// row is one line of the decision table. An empty list fits everything, but
// truth is looked at only where no money call was answered: the answer is
// newer than the truth that was read before it.
type row struct {
	name       string
	at         []stage
	truth      []activities.Standing
	answer     []activities.AnswerKind
	killSwitch []activities.SwitchStanding
	duplicate  bool // fits only where the invoice was known already
	then       step
}

func (r row) fits(at stage, seen observation) bool {
	if len(r.at) > 0 && !slices.Contains(r.at, at) {
		return false
	}
	if r.duplicate && !seen.duplicate {
		return false
	}
	if len(r.killSwitch) > 0 && !slices.Contains(r.killSwitch, seen.killSwitch) {
		return false
	}
	if len(r.answer) > 0 {
		return slices.Contains(r.answer, seen.answer)
	}
	if len(r.truth) > 0 {
		return seen.answer == activities.AnswerNone && slices.Contains(r.truth, seen.truth)
	}
	return true
}

// stages, standings, answers and switches only make the table read as one.
func stages(s ...stage) []stage                                  { return s }
func standings(s ...activities.Standing) []activities.Standing   { return s }
func answers(a ...activities.AnswerKind) []activities.AnswerKind { return a }
func switches(s ...activities.SwitchStanding) []activities.SwitchStanding {
	return s
}

// undecided are the stages in which no clock has run out and nobody may have
// been charged for the lot elsewhere; running has that one as well.
var (
	undecided = stages(stageCapture, stageRenew, stageAwait, stageCallOff, stageConfirm, stageFence)
	running   = append(stages(stageDuplicate), undecided...)
)

// expired are those in which the unknown clock has.
var expired = stages(stageUnknownExpired, stageFenceExpired)

// doubtful are the truths that say nothing about the money.
var doubtful = standings(activities.StandingUnreadable, activities.StandingNotFound, activities.StandingUnclear, activities.StandingCapturedUnseen)

// rows is the decision table. The first row that fits decides.
var rows = []row{
	// The kill switch: nothing was sent. No clock starts, and one that runs is held.
	{name: "kill switch on", answer: answers(activities.AnswerPaused), then: paused(ReasonKillSwitch)},
	{name: "kill switch unreadable", answer: answers(activities.AnswerSwitchUnreadable), then: paused(ReasonSwitchUnreadable)},

	{name: "kill switch on, and the truth unreadable or unclear", at: undecided, truth: doubtful, killSwitch: switches(activities.SwitchOn), then: heldDoubt(ReasonKillSwitch)},
	{name: "kill switch and truth unreadable", at: undecided, truth: doubtful, killSwitch: switches(activities.SwitchUnreadable), then: heldDoubt(ReasonSwitchUnreadable)},
	{name: "kill switch on, and the truth turned away", at: undecided, truth: standings(activities.StandingNoToken, activities.StandingRateLimited), killSwitch: switches(activities.SwitchOn), then: paused(ReasonKillSwitch)},

	// Turned away: nothing was done, so no clock starts.
	{name: "no token for the money call", answer: answers(activities.AnswerNoToken), then: stall(ReasonAuthUnavailable)},
	{name: "money call rate limited", answer: answers(activities.AnswerRateLimited), then: stall(ReasonRateLimited)},
	{name: "no time for the money call", answer: answers(activities.AnswerUnsent), then: stall(ReasonNotSent)},
	{name: "no token for the truth", at: running, truth: standings(activities.StandingNoToken), then: stall(ReasonAuthUnavailable)},
	{name: "truth rate limited", at: running, truth: standings(activities.StandingRateLimited), then: stall(ReasonRateLimited)},

	// Past the honor period: the hold is renewed once, and then the renewal is captured.
	{name: "hold past its honor period", answer: answers(activities.AnswerAged), then: pass(stageRenew)},
	{name: "hold renewed", at: stages(stageRenew), answer: answers(activities.AnswerRenewed), then: pass(stageCapture)},
	{name: "renewal refused, so the original is captured", at: stages(stageRenew), answer: answers(activities.AnswerNotRenewed), then: pass(stageCapture)},
	{name: "outcome of the renewal unknown", at: stages(stageRenew), answer: answers(activities.AnswerUnknown), then: wait(stageRenew, StateUnknown, ReasonUnknownOutcome, clockMoney)},
	{name: "nothing to renew", at: stages(stageRenew), truth: standings(activities.StandingCapturedUnseen), then: pass(stageCapture)},

	// The lot's own capture.
	{name: "capture completed", answer: answers(activities.AnswerCaptured), then: settle()},
	{name: "capture found completed", truth: standings(activities.StandingCaptured), then: settle()},
	{name: "capture pending", answer: answers(activities.AnswerPending), then: wait(stageAwait, StatePendingAtPayPal, ReasonCapturePending, clockPending)},
	{name: "pending clock has run out", at: stages(stagePendingExpired), truth: standings(activities.StandingPending, activities.StandingHoldPending), then: review(ReasonPendingExpired)},
	{name: "capture found pending", truth: standings(activities.StandingPending), then: wait(stageAwait, StatePendingAtPayPal, ReasonCapturePending, clockPending)},
	{name: "capture declined", answer: answers(activities.AnswerDeclined), then: pass(stageConfirm)},
	{name: "capture for something else", answer: answers(activities.AnswerMismatch), then: review(ReasonDifferentCapture)},

	// What nobody can know yet.
	{name: "outcome of the capture unknown", answer: answers(activities.AnswerUnknown), then: wait(stageCapture, StateUnknown, ReasonUnknownOutcome, clockMoney)},

	// Refusals.
	{name: "refusal that names us", answer: answers(activities.AnswerInvariant), then: review(ReasonInvariant)},
	{name: "refusal that names this hold", answer: answers(activities.AnswerRefused), then: pass(stageConfirm)},
	{name: "invoice known already", answer: answers(activities.AnswerDuplicateInvoice), then: pass(stageDuplicate)},
	{name: "any other refusal", answer: answers(activities.AnswerOther), then: wait(stageCapture, StateUnknown, ReasonOtherRefusal, clockMoney)},

	// The truth, where no money call was answered.
	{name: "invoice known already, and not from this hold", at: stages(stageDuplicate), then: review(ReasonDuplicateInvoice)},
	{name: "money taken otherwise than intended", truth: standings(activities.StandingDifferent), then: review(ReasonDifferentCapture)},
	{name: "capture given back", truth: standings(activities.StandingRefunded), then: review(ReasonCaptureRefunded)},
	{name: "called off, and nothing captured", at: stages(stageCallOff), truth: standings(activities.StandingOpen, activities.StandingShort, activities.StandingHoldPending, activities.StandingDeclined), then: pass(stageFence)},
	{name: "fence not proved", at: stages(stageFence), truth: standings(activities.StandingOpen, activities.StandingDeclined, activities.StandingCapturedUnseen, activities.StandingShort, activities.StandingHoldPending), then: wait(stageFence, StateUnknown, ReasonHoldNotReleased, clockMoney)},
	{name: "hold smaller than the price", truth: standings(activities.StandingShort), then: review(ReasonHoldTooSmall)},
	{name: "hold proved closed, and the invoice was known already: somebody may have paid", truth: standings(activities.StandingClosed), duplicate: true, then: review(ReasonDuplicateInvoice)},
	{name: "hold proved closed", truth: standings(activities.StandingClosed), then: nextBidder()},
	{name: "hold under review", at: append(stages(stagePendingExpired), running...), truth: standings(activities.StandingHoldPending), then: wait(stageAwait, StatePendingAtPayPal, ReasonHoldPending, clockPending)},
	{name: "own capture was declined", at: stages(stageCapture, stageRenew, stageAwait, stageConfirm, stageUnknownExpired, stagePendingExpired), truth: standings(activities.StandingDeclined), then: pass(stageFence)},
	{name: "no longer pending", at: stages(stageAwait, stagePendingExpired), truth: standings(activities.StandingOpen), then: pass(stageCapture)},
	{name: "refused, and open without a capture", at: stages(stageConfirm), truth: standings(activities.StandingOpen), then: pass(stageFence)},

	// Doubt waits; doubt at the end of its clock is a person's.
	{name: "pending clock has run out in doubt", at: stages(stagePendingExpired), then: review(ReasonPendingExpired)},
	{name: "unknown clock would have run out, and the kill switch holds it", at: expired, killSwitch: switches(activities.SwitchOn), then: paused(ReasonKillSwitch)},
	{name: "unknown clock would have run out, and the kill switch cannot be read", at: expired, killSwitch: switches(activities.SwitchUnreadable), then: paused(ReasonSwitchUnreadable)},
	{name: "unknown clock would have run out, and nobody could look", at: expired, killSwitch: switches(activities.SwitchUnseen), then: wait("", StateUnknown, ReasonTruthUnreadable, clockTruth)},
	{name: "unknown clock has run out", at: expired, then: review(ReasonUnknownClockExpired)},
	{name: "truth unreadable or unclear", truth: doubtful, then: wait("", StateUnknown, ReasonTruthUnreadable, clockTruth)},
}

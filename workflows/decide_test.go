package workflows

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
)

var (
	allStages = []stage{
		stageCapture, stageRenew, stageAwait, stageCallOff, stageConfirm, stageDuplicate, stageFence,
		stageUnknownExpired, stageFenceExpired, stagePendingExpired,
	}
	allStandings = []activities.Standing{
		activities.StandingOpen, activities.StandingCaptured, activities.StandingPending, activities.StandingHoldPending,
		activities.StandingDeclined, activities.StandingClosed, activities.StandingDifferent, activities.StandingRefunded,
		activities.StandingShort, activities.StandingCapturedUnseen, activities.StandingUnclear,
		activities.StandingUnreadable, activities.StandingNotFound, activities.StandingRateLimited, activities.StandingNoToken,
	}
	// allAnswers are those to a capture.
	allAnswers = []activities.AnswerKind{
		activities.AnswerCaptured, activities.AnswerPending, activities.AnswerDeclined, activities.AnswerRefused,
		activities.AnswerMismatch, activities.AnswerDuplicateInvoice, activities.AnswerInvariant,
		activities.AnswerRateLimited, activities.AnswerNoToken, activities.AnswerOther, activities.AnswerUnknown,
		activities.AnswerAged, activities.AnswerPaused, activities.AnswerSwitchUnreadable, activities.AnswerUnsent,
	}
	allSwitches = []activities.SwitchStanding{activities.SwitchOff, activities.SwitchOn, activities.SwitchUnreadable, activities.SwitchUnseen}
)

var (
	waitUnknown        = wait(stageCapture, StateUnknown, ReasonUnknownOutcome, clockMoney)
	waitOtherRefusal   = wait(stageCapture, StateUnknown, ReasonOtherRefusal, clockMoney)
	waitPending        = wait(stageAwait, StatePendingAtPayPal, ReasonCapturePending, clockPending)
	waitHoldPending    = wait(stageAwait, StatePendingAtPayPal, ReasonHoldPending, clockPending)
	waitTruth          = wait("", StateUnknown, ReasonTruthUnreadable, clockTruth)
	waitFence          = wait(stageFence, StateUnknown, ReasonHoldNotReleased, clockMoney)
	stallNoToken       = stall(ReasonAuthUnavailable)
	stallRateLimited   = stall(ReasonRateLimited)
	reviewDifferent    = review(ReasonDifferentCapture)
	reviewUnknownClock = review(ReasonUnknownClockExpired)
	reviewPendingClock = review(ReasonPendingExpired)
	reviewDuplicate    = review(ReasonDuplicateInvoice)
	pausedByTheSwitch  = paused(ReasonKillSwitch)
	pausedUnreadable   = paused(ReasonSwitchUnreadable)
)

// An answer is newer than the truth that was read before it.
func TestDecideAnswerToTheCapture(t *testing.T) {
	for answer, want := range map[activities.AnswerKind]step{
		activities.AnswerCaptured:         settle(),
		activities.AnswerPending:          waitPending,
		activities.AnswerDeclined:         pass(stageConfirm),
		activities.AnswerRefused:          pass(stageConfirm),
		activities.AnswerMismatch:         reviewDifferent,
		activities.AnswerDuplicateInvoice: pass(stageDuplicate),
		activities.AnswerInvariant:        review(ReasonInvariant),
		activities.AnswerRateLimited:      stallRateLimited,
		activities.AnswerNoToken:          stallNoToken,
		activities.AnswerOther:            waitOtherRefusal,
		activities.AnswerUnknown:          waitUnknown,
		activities.AnswerAged:             pass(stageRenew),
		activities.AnswerPaused:           pausedByTheSwitch,
		activities.AnswerSwitchUnreadable: pausedUnreadable,
		activities.AnswerUnsent:           stall(ReasonNotSent),
	} {
		t.Run(string(answer), func(t *testing.T) {
			for _, truth := range []activities.Standing{activities.StandingOpen, activities.StandingCapturedUnseen, ""} {
				assert.Equal(t, want, decide(stageCapture, observation{truth: truth, answer: answer}))
			}
		})
	}
}

func TestDecideAnswerToTheRenewal(t *testing.T) {
	for answer, want := range map[activities.AnswerKind]step{
		activities.AnswerRenewed:          pass(stageCapture),
		activities.AnswerNotRenewed:       pass(stageCapture),
		activities.AnswerUnknown:          wait(stageRenew, StateUnknown, ReasonUnknownOutcome, clockMoney),
		activities.AnswerRateLimited:      stallRateLimited,
		activities.AnswerNoToken:          stallNoToken,
		activities.AnswerPaused:           pausedByTheSwitch,
		activities.AnswerSwitchUnreadable: pausedUnreadable,
		activities.AnswerUnsent:           stall(ReasonNotSent),
	} {
		t.Run(string(answer), func(t *testing.T) {
			assert.Equal(t, want, decide(stageRenew, observation{truth: activities.StandingOpen, answer: answer}))
		})
	}
}

// A clock runs out only after a truth that was read with the kill switch off;
// what the truth itself decides needs no switch.
func TestDecideAtTheEndOfTheUnknownClockAsksTheSwitch(t *testing.T) {
	for sw, doubt := range map[activities.SwitchStanding]step{
		activities.SwitchOff: reviewUnknownClock, activities.SwitchOn: pausedByTheSwitch, activities.SwitchUnreadable: pausedUnreadable,
		activities.SwitchUnseen: waitTruth,
	} {
		at := func(truth activities.Standing) step {
			return decide(stageUnknownExpired, observation{truth: truth, killSwitch: sw})
		}
		assert.Equal(t, doubt, at(activities.StandingHoldPending))
		assert.Equal(t, doubt, decide(stageFenceExpired, observation{truth: activities.StandingDeclined, killSwitch: sw}))
		assert.Equal(t, doubt, at(activities.StandingOpen))
		assert.Equal(t, doubt, at(activities.StandingUnreadable))
		assert.Equal(t, settle(), at(activities.StandingCaptured))
		assert.Equal(t, nextBidder(), at(activities.StandingClosed))
		assert.Equal(t, reviewDifferent, at(activities.StandingDifferent))
		assert.Equal(t, waitPending, at(activities.StandingPending))
	}
	t.Run("the pending clock is PayPal's time", func(t *testing.T) {
		next := decide(stagePendingExpired, observation{truth: activities.StandingPending, killSwitch: activities.SwitchOn})
		assert.Equal(t, reviewPendingClock, next)
	})
}

// The truth where no money call was answered: one line a standing, one column a stage.
func TestDecideTruth(t *testing.T) {
	type line map[stage]step
	everywhere := func(s step) line {
		all := line{}
		for _, at := range allStages {
			all[at] = s
		}
		return all
	}
	but := func(base line, changes line) line {
		for at, s := range changes {
			base[at] = s
		}
		return base
	}
	// Nothing waits once a clock has run out or the invoice is known already.
	doubt := func(s step) line {
		return but(everywhere(s), line{
			stageDuplicate: reviewDuplicate, stageUnknownExpired: reviewUnknownClock, stageFenceExpired: reviewUnknownClock,
			stagePendingExpired: reviewPendingClock,
		})
	}
	// What is neither captured nor closed is fenced where the lot is called off, and
	// leaves a fence unproved.
	fenced := func(l line) line {
		l[stageCallOff], l[stageFence] = pass(stageFence), waitFence
		return l
	}
	for truth, want := range map[activities.Standing]line{
		activities.StandingCaptured: everywhere(settle()),
		activities.StandingPending:  but(everywhere(waitPending), line{stagePendingExpired: reviewPendingClock}),
		activities.StandingHoldPending: fenced(but(doubt(waitHoldPending), line{
			stagePendingExpired: reviewPendingClock,
		})),
		activities.StandingClosed:    but(everywhere(nextBidder()), line{stageDuplicate: reviewDuplicate}),
		activities.StandingDifferent: but(everywhere(reviewDifferent), line{stageDuplicate: reviewDuplicate}),
		activities.StandingRefunded:  but(everywhere(review(ReasonCaptureRefunded)), line{stageDuplicate: reviewDuplicate}),
		activities.StandingShort:     fenced(but(everywhere(review(ReasonHoldTooSmall)), line{stageDuplicate: reviewDuplicate})),
		activities.StandingDeclined: fenced(but(everywhere(pass(stageFence)), line{
			stageDuplicate: reviewDuplicate, stageFenceExpired: reviewUnknownClock,
		})),
		activities.StandingOpen: fenced(but(doubt(waitTruth), line{
			stageAwait: pass(stageCapture), stagePendingExpired: pass(stageCapture), stageConfirm: pass(stageFence),
		})),
		activities.StandingCapturedUnseen: but(doubt(waitTruth), line{
			stageFence: waitFence, stageRenew: pass(stageCapture),
		}),
		activities.StandingUnclear:     doubt(waitTruth),
		activities.StandingUnreadable:  doubt(waitTruth),
		activities.StandingNotFound:    doubt(waitTruth),
		activities.StandingRateLimited: but(doubt(stallRateLimited), line{stageDuplicate: stallRateLimited}),
		activities.StandingNoToken:     but(doubt(stallNoToken), line{stageDuplicate: stallNoToken}),
	} {
		for _, at := range allStages {
			t.Run(string(truth)+" at "+string(at), func(t *testing.T) {
				assert.Equal(t, want[at], decide(at, observation{truth: truth}))
			})
		}
	}
}

// answersAt are the answers that a pass of a stage can bring back.
func answersAt(at stage) []activities.AnswerKind {
	switch at {
	case stageCapture:
		return append(slices.Clone(allAnswers), activities.AnswerNone, "an answer of a later version")
	case stageRenew:
		return []activities.AnswerKind{
			activities.AnswerNone, activities.AnswerRenewed, activities.AnswerNotRenewed, activities.AnswerUnknown, activities.AnswerRateLimited,
			activities.AnswerNoToken, activities.AnswerPaused, activities.AnswerSwitchUnreadable, activities.AnswerUnsent,
		}
	case stageFence:
		return []activities.AnswerKind{
			activities.AnswerNone, activities.AnswerRateLimited, activities.AnswerNoToken,
			activities.AnswerPaused, activities.AnswerSwitchUnreadable, activities.AnswerUnsent,
		}
	default:
		return []activities.AnswerKind{activities.AnswerNone}
	}
}

func TestDecideNeverTheNextBidderWhereSomebodyMayHavePaid(t *testing.T) {
	for _, at := range allStages {
		for _, truth := range allStandings {
			next := decide(at, observation{truth: truth, duplicate: true})
			assert.NotEqual(t, doNextBidder, next.do, "%s at %s", truth, at)
		}
	}
}

// The rules that no row may break, whatever is added to the table.
func TestDecideNever(t *testing.T) {
	definite := []activities.Standing{activities.StandingClosed}
	for _, at := range allStages {
		for _, truth := range append(slices.Clone(allStandings), "", "a standing of a later version") {
			for _, answer := range answersAt(at) {
				next := decide(at, observation{truth: truth, answer: answer})
				if next.do == doNextBidder {
					assert.Equal(t, activities.AnswerNone, answer, "the next bidder on an answer, at %s", at)
					assert.Contains(t, definite, truth, "the next bidder on a maybe, at %s", at)
				}
				if next.do == doSettle {
					assert.True(t, answer == activities.AnswerCaptured || truth == activities.StandingCaptured && answer == activities.AnswerNone,
						"settled without a completed capture: %s %s %s", at, truth, answer)
				}
				if next.do == doReview || next.do == doWait {
					assert.NotEmpty(t, next.reason, "a wait without a reason: %s %s %s", at, truth, answer)
				}
				if next.do == doPass {
					assert.NotEqual(t, at, next.stage, "a pass that leads nowhere: %s %s", truth, answer)
				}
			}
		}
	}
}

func TestEveryRowIsReached(t *testing.T) {
	reached := map[string]bool{}
	for _, at := range allStages {
		for _, truth := range append(slices.Clone(allStandings), "") {
			for _, answer := range answersAt(at) {
				for _, sw := range allSwitches {
					for _, duplicate := range []bool{false, true} {
						i := slices.IndexFunc(rows, func(r row) bool {
							return r.fits(at, observation{truth: truth, answer: answer, killSwitch: sw, duplicate: duplicate})
						})
						if i >= 0 {
							reached[rows[i].name] = true
						}
					}
				}
			}
		}
	}
	for _, r := range rows {
		assert.True(t, reached[r.name], "row %q can never decide", r.name)
	}
}

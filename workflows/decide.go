package workflows

import "gavel/activities"

// stage is what the next pass over a bid does.
type stage string

const (
	// stageCapture reads the truth and captures an open hold.
	stageCapture stage = "capture"
	// stageRenew reads the truth and renews an open hold past its honor period.
	stageRenew stage = "renew"
	// stageAwait reads the truth about what is pending at PayPal.
	stageAwait stage = "await"
	// stageCallOff reads the truth after the lot was called off.
	stageCallOff stage = "call off"
	// stageConfirm reads the truth after PayPal refused this hold.
	stageConfirm stage = "confirm"
	// stageDuplicate reads the truth after PayPal knew the lot's invoice already.
	stageDuplicate stage = "duplicate"
	// stageFence voids the hold and reads the truth.
	stageFence stage = "fence"
	// stageUnknownExpired stands for any stage whose unknown clock has run out: the
	// truth is read a last time.
	stageUnknownExpired stage = "unknown expired"
	// stageFenceExpired is the same for stageFence.
	stageFenceExpired stage = "fence expired"
	// stagePendingExpired stands for stageAwait when the pending clock has run out:
	// the truth is read a last time.
	stagePendingExpired stage = "pending expired"
)

// observation is what one pass brought back.
type observation struct {
	truth activities.Standing
	// answer to the pass's money call; AnswerNone where it sent none. A fence's
	// void has an answer only where it was turned away.
	answer activities.AnswerKind
	// killSwitch is how the kill switch stood; looked at only while a clock runs.
	killSwitch activities.SwitchStanding
	// duplicate: PayPal has said of this bid that the lot's invoice was captured before.
	duplicate bool
	// lost: the activity itself did not end, so what it did is unknown. It was
	// waited for already, so the truth is read at once.
	lost bool
}

// verb is what a settlement does about an observation.
type verb string

const (
	doSettle     verb = "settle"      // the lot's money is there
	doPass       verb = "pass"        // another pass at once
	doWait       verb = "wait"        // another pass, later
	doNextBidder verb = "next bidder" // this hold is proved closed, with no capture on it
	doReview     verb = "review"      // a person decides
)

// step is the next thing that a settlement does. An empty stage is the one it
// is in already.
type step struct {
	do     verb
	stage  stage
	state  State
	reason Reason
	clock  clockKind
}

// decide turns what PayPal showed and answered into the next step. It is the
// heart of the program and a pure function: the first row of the table that
// fits decides. What fits no row is in doubt, and doubt waits.
func decide(at stage, seen observation) step {
	for _, r := range rows {
		if r.fits(at, seen) {
			return r.then
		}
	}
	return wait("", StateUnknown, ReasonTruthUnreadable, clockTruth)
}

func settle() step              { return step{do: doSettle} }
func pass(s stage) step         { return step{do: doPass, stage: s} }
func nextBidder() step          { return step{do: doNextBidder} }
func review(reason Reason) step { return step{do: doReview, reason: reason} }
func stall(reason Reason) step  { return step{do: doWait, state: StateStalled, reason: reason} }
func paused(reason Reason) step { return step{do: doWait, state: StatePaused, reason: reason} }

// heldDoubt is a doubt about the truth whose clock the kill switch holds.
func heldDoubt(reason Reason) step {
	return step{do: doWait, state: StatePaused, reason: reason, clock: clockTruth}
}

func wait(s stage, state State, reason Reason, clock clockKind) step {
	return step{do: doWait, stage: s, state: state, reason: reason, clock: clock}
}

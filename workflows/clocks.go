package workflows

import (
	"time"

	"gavel/activities"
)

// clockKind is which clock a wait runs on.
type clockKind string

const (
	// clockNone: the wait has no end of its own.
	clockNone clockKind = ""
	// clockTruth: the unknown clock, started by a truth that could not be read;
	// it stops at the next one that can.
	clockTruth clockKind = "truth"
	// clockMoney: the unknown clock, started by a money call of unknown outcome;
	// it runs on until the outcome is known.
	clockMoney clockKind = "money"
	// clockPending: PayPal's own time to decide.
	clockPending clockKind = "pending"
)

// clocks are the two clocks of the bid in turn. They are absolute times on the
// workflow's clock, so that no restart and no extra pass lengthens them. Only
// the kill switch does, and only the unknown clock: by the time it was on.
type clocks struct {
	UnknownKind   clockKind `json:"unknown_kind,omitempty"`
	UnknownFrom   time.Time `json:"unknown_from,omitzero"`
	UnknownReason Reason    `json:"unknown_reason,omitempty"`
	// Held is how long the kill switch has held the unknown clock, HeldFrom since
	// when it holds it now; zero where it does not.
	Held          Duration  `json:"held,omitempty"`
	HeldFrom      time.Time `json:"held_from,omitzero"`
	PendingEndsAt time.Time `json:"pending_ends_at,omitzero"`
	// UnknownTold and PendingTold: an operator was told that the clock runs.
	UnknownTold bool `json:"unknown_told,omitempty"`
	PendingTold bool `json:"pending_told,omitempty"`
}

// hold takes in how long the kill switch was on since the unknown clock was
// started. Who could not read it has learnt nothing, and what was once learnt is
// not forgotten with the switch's history.
func (c *clocks) hold(seen activities.SwitchSeen) {
	if c.UnknownKind == clockNone || seen.Standing != activities.SwitchOff && seen.Standing != activities.SwitchOn {
		return
	}
	c.Held, c.HeldFrom = max(c.Held, seen.Held), seen.HeldFrom
}

// advance starts and stops the clocks as an observation and its step ask.
func (c *clocks) advance(now time.Time, policy Policy, seen observation, next step) {
	if c.resolvedBy(seen, next) {
		c.stopUnknown()
	}
	switch next.clock {
	case clockTruth, clockMoney:
		if c.UnknownKind == clockNone || c.UnknownKind == clockTruth && next.clock == clockMoney {
			c.stopUnknown()
			c.UnknownKind, c.UnknownFrom, c.UnknownReason = next.clock, now, next.reason
			if next.state == StatePaused {
				c.UnknownReason = ReasonTruthUnreadable
			}
			if seen.killSwitch == activities.SwitchOn {
				c.HeldFrom = now
			}
		}
	case clockPending:
		if c.PendingEndsAt.IsZero() {
			c.PendingEndsAt = now.Add(time.Duration(policy.PendingClock))
		}
	}
	if next.do == doPass && next.stage == stageCapture {
		c.PendingEndsAt, c.PendingTold = time.Time{}, false // PayPal has decided; what it makes pending next has its own time
	}
}

// resolvedBy tells whether what the unknown clock ran for is known now.
func (c *clocks) resolvedBy(seen observation, next step) bool {
	switch {
	case next.reason == ReasonCapturePending, next.stage == stageFence && next.do == doPass:
		return true
	case seen.answer == activities.AnswerRenewed, seen.answer == activities.AnswerNotRenewed:
		return true
	}
	return c.onlyOfTruth(seen)
}

// onlyOfTruth tells whether the unknown clock runs for nothing but a truth that
// could not be read, and this one can.
func (c *clocks) onlyOfTruth(seen observation) bool {
	clear := seen.truth.Readable() && seen.truth != activities.StandingUnclear && seen.truth != activities.StandingCapturedUnseen
	return c.UnknownKind == clockTruth && clear
}

func (c *clocks) stopUnknown() {
	*c = clocks{PendingEndsAt: c.PendingEndsAt, PendingTold: c.PendingTold}
}

// unknownEndsAt is when the unknown clock runs out; zero where it does not run,
// or stands still.
func (c *clocks) unknownEndsAt(policy Policy) time.Time {
	if c.UnknownKind == clockNone || !c.HeldFrom.IsZero() {
		return time.Time{}
	}
	return c.UnknownFrom.Add(time.Duration(policy.UnknownClock + c.Held))
}

// left is what is left of the unknown clock while the kill switch holds it.
func (c *clocks) left(policy Policy) Duration {
	if c.UnknownKind == clockNone || c.HeldFrom.IsZero() {
		return 0
	}
	return max(0, policy.UnknownClock+c.Held-Duration(c.HeldFrom.Sub(c.UnknownFrom)))
}

// endsAt is when the first clock that runs in this stage runs out, and what
// stage that makes it. The pending clock counts only while PayPal is pending.
func (c *clocks) endsAt(at stage, policy Policy) (time.Time, stage) {
	end, next := c.unknownEndsAt(policy), stageUnknownExpired
	switch at {
	case stageFence:
		next = stageFenceExpired
	case stageDuplicate:
		next = stageDuplicate // somebody may have been charged: no clock takes that back
	}
	if pending := c.PendingEndsAt; at == stageAwait && !pending.IsZero() && (end.IsZero() || pending.Before(end)) {
		end, next = pending, stagePendingExpired
	}
	return end, next
}

// at is the stage that a pass is at: the one given, or the end of its clock.
func (c *clocks) at(now time.Time, given stage, policy Policy) stage {
	if end, expired := c.endsAt(given, policy); !end.IsZero() && !now.Before(end) {
		return expired
	}
	return given
}

// pause is how long to wait before the next pass: it doubles from the first
// pass to the widest, which is wider while PayPal takes its time.
func pause(policy Policy, passes int, waits State) time.Duration {
	widest := time.Duration(policy.PassMax)
	if waits == StatePendingAtPayPal {
		widest = max(widest, time.Duration(policy.PendingPollMax))
	}
	next := time.Duration(policy.PassMin)
	for range passes {
		if next >= widest {
			break
		}
		next *= 2
	}
	return min(next, widest)
}

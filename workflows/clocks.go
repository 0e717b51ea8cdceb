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
// workflow's clock, so that no restart and no extra pass lengthens them.
type clocks struct {
	UnknownKind   clockKind `json:"unknown_kind,omitempty"`
	UnknownEndsAt time.Time `json:"unknown_ends_at,omitzero"`
	UnknownReason Reason    `json:"unknown_reason,omitempty"`
	PendingEndsAt time.Time `json:"pending_ends_at,omitzero"`
}

// advance starts and stops the clocks as an observation and its step ask.
func (c *clocks) advance(now time.Time, policy Policy, seen observation, next step) {
	if c.resolvedBy(seen, next) {
		c.UnknownKind, c.UnknownEndsAt, c.UnknownReason = clockNone, time.Time{}, ""
	}
	switch next.clock {
	case clockTruth, clockMoney:
		if c.UnknownKind == clockNone {
			c.UnknownEndsAt = now.Add(time.Duration(policy.UnknownClock))
			c.UnknownReason = next.reason
		}
		if c.UnknownKind != clockMoney {
			c.UnknownKind = next.clock
		}
	case clockPending:
		if c.PendingEndsAt.IsZero() {
			c.PendingEndsAt = now.Add(time.Duration(policy.PendingClock))
		}
	}
	if next.do == doPass && next.stage == stageCapture {
		c.PendingEndsAt = time.Time{} // PayPal has decided; what it makes pending next has its own time
	}
}

// resolvedBy tells whether what the unknown clock ran for is known now.
func (c *clocks) resolvedBy(seen observation, next step) bool {
	if next.reason == ReasonCapturePending || next.stage == stageFence && next.do == doPass {
		return true
	}
	clear := seen.truth.Readable() && seen.truth != activities.StandingUnclear && seen.truth != activities.StandingCapturedUnseen
	return c.UnknownKind == clockTruth && clear
}

// endsAt is when the first clock that runs in this stage runs out, and the
// stage that follows then. The pending clock counts only while PayPal is pending.
func (c *clocks) endsAt(at stage) (time.Time, stage) {
	end, next := c.UnknownEndsAt, stageUnknownExpired
	if pending := c.PendingEndsAt; at == stageAwait && !pending.IsZero() && (end.IsZero() || pending.Before(end)) {
		end, next = pending, stagePendingExpired
	}
	return end, next
}

// pause is how long to wait before the next pass: it doubles from the first
// pass to the widest.
func pause(policy Policy, passes int, at stage) time.Duration {
	widest := time.Duration(policy.PassMax)
	if at == stageAwait {
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

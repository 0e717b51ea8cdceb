package workflows_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
	"gavel/workflows"
)

// Part A: the outcome of a capture is unknown, soft or pending.
func TestFieldCasesOfCaptures(t *testing.T) {
	t.Run("01 Empty answer, buyer tries again, charged three times", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opCapture, 0, "empty", -1)}})
		assert.True(t, c.ends(workflows.StateSettled, first).Winner.Adopted, "read, not asked for again")
		assert.Equal(t, 1, c.asked(opCapture, 0))

		c = newCase(t, scenario{Faults: []fault{on(opCapture, 0, "empty, not done", 3)}})
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, 4, c.asked(opCapture, 0), "under one request id")
	})
	t.Run("02 PAYER_CANNOT_PAY at capture, later the same hold captures by hand", func(t *testing.T) {
		refused := refuse(opCapture, 0, "PAYER_CANNOT_PAY", 1)
		c := newCase(t, scenario{Faults: []fault{refused}, Events: []event{when(opVoid, 0, 1, "captured by somebody")}})
		c.waits(workflows.ReasonDifferentCapture)

		c = newCase(t, scenario{Faults: []fault{refused}, Events: []event{when(opVoid, 0, 1, "captured as intended")}})
		assert.True(t, c.ends(workflows.StateSettled, first).Winner.Adopted, "the winner has paid after all")

		c = newCase(t, scenario{Faults: []fault{refused}})
		c.ends(workflows.StateSettled, second)
		assert.Equal(t, "VOIDED", c.holdStatus("HOLD0"))
	})
	t.Run("03 Deterministic 500", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opCapture, 0, "500 before", -1)}})
		c.waits(workflows.ReasonUnknownClockExpired)
		assert.Zero(t, c.asked(opVoid, 0), "the hold is left as it is")
	})
	t.Run("04 Live captures that 500 for days", func(t *testing.T) {
		again := decision{After: 12 * time.Hour, Action: workflows.ActionRetry}
		bids := []bidder{{Price: 12000, Age: 26 * 24 * time.Hour}, {Price: 11000}}
		c := newCase(t, scenario{Bids: bids, Faults: []fault{on(opCapture, 0, "500 before", -1)}, Person: slices.Repeat([]decision{again}, 7)})
		warned := c.warnedOfExpiry()
		out := c.live()
		assert.Equal(t, workflows.StateSettled, out.State)
		assert.Greater(t, c.firstAsked(opCapture, 1), 72*time.Hour, "the runner-up pays only once the hold has lapsed")
		assert.Equal(t, 48*time.Hour, warned(), "a day before that")
	})
	t.Run("06 PENDING capture left “unpaid”, so the buyer can pay again", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opCapture, 0, "pending, paid", 1)}})
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, 1, c.asked(opCapture, 0))
		assert.Zero(t, c.asked(opCapture, 1))
	})
	t.Run("07 E-check counted as paid, then cancelled", func(t *testing.T) {
		denied := on(opCapture, 0, "pending, denied", 1)
		c := newCase(t, scenario{Faults: []fault{denied}})
		seen := c.seenAt(25 * time.Hour)
		c.ends(workflows.StateSettled, second)
		assert.Equal(t, workflows.StatePendingAtPayPal, seen.State)
		assert.Greater(t, c.firstAsked(opCapture, 1), 26*time.Hour)

		gone := event{At: 2 * time.Hour, Do: "hold voided", Bidder: 1}
		newCase(t, scenario{Faults: []fault{denied}, Events: []event{gone}}).ends(workflows.StateUnsold, "")
	})
	t.Run("08 Pending order not shown at all for 2–3 days", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opCapture, 0, "pending", 1)}})
		seen := c.seenAt(time.Hour)
		c.waits(workflows.ReasonPendingExpired)
		assert.Equal(t, workflows.StatePendingAtPayPal, seen.State)
		assert.Equal(t, workflows.ReasonCapturePending, seen.Reason)
		assert.True(t, dawn.Add(72*time.Hour).Equal(seen.Waiting.ClockEndsAt), "it shows its deadline")
		assert.Contains(t, c.told(), workflows.ReasonCapturePending)
	})
	t.Run("09 COMPLETED event never comes, only PENDING", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opCapture, 0, "pending, paid", 1)}})
		c.ends(workflows.StateSettled, first)
		assert.Less(t, c.asked(opRead, 0), 45, "it is looked for more and more rarely")
	})
	t.Run("10 Capturing a hold under review blows up or lies", func(t *testing.T) {
		bids := []bidder{{Price: 12000, Status: "PENDING"}, {Price: 11000}}
		c := newCase(t, scenario{Bids: bids, Events: []event{{At: 5 * time.Hour, Do: "review of hold passed"}}})
		c.ends(workflows.StateSettled, first)
		assert.Greater(t, c.firstAsked(opCapture, 0), 5*time.Hour)

		c = newCase(t, scenario{Bids: bids, Events: []event{{At: 5 * time.Hour, Do: "review of hold failed"}}})
		assert.Equal(t, workflows.HoldGone, outcomeOf(c.ends(workflows.StateSettled, second), "HOLD0"))
		assert.Zero(t, c.asked(opCapture, 0))
	})
	t.Run("15 State machine loses the last good state", func(t *testing.T) {
		bids := []bidder{{Price: 12000, Age: 80 * time.Hour}, {Price: 11000}}
		c := newCase(t, scenario{
			Bids: bids, Renewals: true, Faults: []fault{on(opCapture, anyHold, "lost before", 6)},
			Events: []event{{At: 3500 * time.Millisecond, Do: "continue as new"}, {At: 12500 * time.Millisecond, Do: "continue as new"}},
		})
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, 1, c.asked(opRenew, 0), "what was renewed is known in the next run")
	})
	t.Run("16 Local “processing” with no way out", func(t *testing.T) {
		// That no class of answer is a dead end is P5 of the properties.
		declined := []fault{refuse(opCapture, 0, "INSTRUMENT_DECLINED", -1)}
		newCase(t, scenario{Faults: declined}).ends(workflows.StateSettled, second)
		newCase(t, scenario{Faults: declined, Fallback: workflows.FallbackNone}).ends(workflows.StateUnsold, "")
		next := decision{After: time.Hour, Action: workflows.ActionNextBidder}
		newCase(t, scenario{Faults: declined, Fallback: workflows.FallbackAsk, Person: []decision{next}}).ends(workflows.StateSettled, second)
	})
	t.Run("17 Capture fired before authorize finished", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opRead, 0, "404", 2)}})
		c.ends(workflows.StateSettled, first)
		assert.Positive(t, c.firstAsked(opCapture, 0), "only a hold that was read back is captured")
	})
}

// warnedOfExpiry returns, when all is over, when somebody was told that a hold ends.
func (c *caseOf) warnedOfExpiry() func() time.Duration {
	return func() time.Duration {
		for _, a := range c.alerts {
			if a.Level == activities.AlertError && a.BidderID == first && containsEnd(a.Message) {
				return a.at.Sub(dawn)
			}
		}
		c.T.Error("nobody was told that the hold ends")
		return patience
	}
}

package workflows_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

func containsEnd(message string) bool { return strings.Contains(message, "ends at") }

// Part B: voids, orphan holds, wrong targets.
func TestFieldCasesOfReleases(t *testing.T) {
	t.Run("18 Void failed, order cancelled anyway, hold still capturable", func(t *testing.T) {
		c := newCase(t, scenario{
			Faults:  []fault{on(opCapture, 0, "429", -1), on(opVoid, 1, "500 before", -1)},
			Events:  []event{{At: 30500 * time.Millisecond, Do: "cancel"}},
			ClearAt: 5 * time.Hour,
		})
		out := c.ends(workflows.StateCancelled, "")
		assert.Equal(t, workflows.HoldOrphaned, outcomeOf(out, "HOLD1"), "the settlement says so")
		assert.Equal(t, "VOIDED", c.holdStatus("HOLD1"), "and its release has gone on")
	})
	t.Run("19 Second void reported as failure", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opVoid, 1, "lost after", 1)}, Events: []event{when(opVoid, 1, 2, "forget request ids")}})
		assert.Equal(t, workflows.HoldReleased, outcomeOf(c.ends(workflows.StateSettled, first), "HOLD1"))
		assert.Equal(t, 2, c.asked(opVoid, 1))
	})
	t.Run("22 Void of a captured hold", func(t *testing.T) {
		c := newCase(t, scenario{Events: []event{when(opVoid, 1, 1, "captured by somebody")}})
		out := c.waits(workflows.ReasonLoserCaptured)
		assert.Equal(t, workflows.HoldCaptured, outcomeOf(out, "HOLD1"))
		assert.Equal(t, activities.AlertCritical, c.alerts[len(c.alerts)-1].Level)
	})
	t.Run("23 VOIDED after partial captures: was money lost?", func(t *testing.T) {
		c := newCase(t, scenario{Events: []event{when(opRead, 0, 1, "captured in part"), when(opRead, 0, 1, "hold voided")}})
		c.waits(workflows.ReasonDifferentCapture)
	})
	t.Run("24 Hold voided from the PayPal website", func(t *testing.T) {
		c := newCase(t, scenario{Events: []event{when(opRead, 0, 1, "hold voided")}})
		assert.Equal(t, workflows.HoldGone, outcomeOf(c.ends(workflows.StateSettled, second), "HOLD0"))

		c = newCase(t, scenario{Events: []event{when(opRead, 0, 1, "hold voided"), {On: call{opRead, 0, 1}, Do: "hold voided", Bidder: 1}}})
		c.ends(workflows.StateUnsold, "")
	})
	t.Run("25 Old hold's VOIDED event cancels the new hold", func(t *testing.T) {
		// The old hold is of the same order, and was voided before the new one was given.
		c := newCase(t, scenario{Bids: []bidder{{Price: 12000, Age: time.Hour}, {Price: 11000}}})
		c.paypal.AddHold(fake.Hold{
			AuthorizationID: "OLD", OrderID: orderID(0), Currency: "USD", Amount: "120.00", Status: "VOIDED", CreateTime: dawn.Add(-2 * time.Hour),
		})
		c.lot.Release = append(c.lot.Release, workflows.Hold{AuthorizationID: "OLD", Amount: "120.00"})
		c.ends(workflows.StateSettled, first)
	})
	t.Run("27 Cancel impossible after expiry", func(t *testing.T) {
		bids := []bidder{{Price: 12000}, {Price: 11000, Age: 29*24*time.Hour + time.Hour}}
		c := newCase(t, scenario{Bids: bids})
		assert.Equal(t, workflows.HoldReleased, outcomeOf(c.ends(workflows.StateSettled, first), "HOLD1"))
	})
	t.Run("28 Second hold for the same order: first cancel works, second silently not", func(t *testing.T) {
		// A bidder's other holds stand on the release list: each has a state of its own.
		c := newCase(t, scenario{Release: 2, Faults: []fault{on(opVoid, 100, "500 before", 5)}})
		out := c.ends(workflows.StateSettled, first)
		for _, id := range []string{spareID(0), spareID(1)} {
			assert.Equal(t, workflows.HoldReleased, outcomeOf(out, id))
			assert.Equal(t, "VOIDED", c.holdStatus(id))
		}
		assert.Equal(t, 6, c.asked(opVoid, 100))
	})
	t.Run("29 “cancel” applied to a completed payment", func(t *testing.T) {
		c := newCase(t, scenario{
			Faults: []fault{on(opVoid, 1, "500 before", 6)},
			Events: []event{{At: 6500 * time.Millisecond, Do: "cancel"}},
		})
		c.at(dawn.Add(7*time.Second), "decision", func() { c.decide(decision{Action: workflows.ActionReleaseAll}) })
		out := c.ends(workflows.StateSettled, first)
		assert.Equal(t, workflows.HoldReleased, outcomeOf(out, "HOLD1"))
		assert.Contains(t, c.taken[0].refused, "nothing waits for a decision here")
	})
}

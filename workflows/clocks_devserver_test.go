package workflows_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/activities"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// always is a fault for every call.
func always(f fake.Fault) fake.Fault {
	f.Times = -1
	return f
}

// What the clocks do with their real lengths is tested on skipped time; here
// the real server's timers run them, short.
func TestClocksOnTheRealServer(t *testing.T) {
	for name, c := range map[string]struct {
		fault  fake.Fault
		change func(*workflows.Policy)
		waits  workflows.State
		reason workflows.Reason // it waits for
		ends   workflows.Reason // in review
	}{
		"outcome unknown": {
			fault: always(fake.Break(fake.OpCaptureAuthorization, "HOLD0", fake.Before, 500)),
			waits: workflows.StateUnknown, reason: workflows.ReasonUnknownOutcome, ends: workflows.ReasonUnknownClockExpired,
		},
		"truth unreadable": {
			fault: always(fake.Spoil(fake.OpGetOrder, "ORDER0", fake.ShapeHTML)),
			waits: workflows.StateUnknown, reason: workflows.ReasonTruthUnreadable, ends: workflows.ReasonUnknownClockExpired,
		},
		"truth not found": {
			fault: always(fake.Refuse(fake.OpGetAuthorization, "HOLD0", 404, "INVALID_RESOURCE_ID")),
			waits: workflows.StateUnknown, reason: workflows.ReasonTruthUnreadable, ends: workflows.ReasonUnknownClockExpired,
		},
		"another refusal": {
			fault: always(fake.Refuse(fake.OpCaptureAuthorization, "HOLD0", 403, "PERMISSION_DENIED")),
			waits: workflows.StateUnknown, reason: workflows.ReasonOtherRefusal, ends: workflows.ReasonUnknownClockExpired,
		},
		"pending": {
			fault:  fake.Outcomes(fake.OpCaptureAuthorization, "HOLD0", "PENDING", "ECHECK"),
			change: func(p *workflows.Policy) { p.PendingClock, p.PendingPollMax = p.UnknownClock, p.PassMax },
			waits:  workflows.StatePendingAtPayPal, reason: workflows.ReasonCapturePending, ends: workflows.ReasonPendingExpired,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.paypal.Script(c.fault)
			policy := shortWaits
			policy.UnknownClock, policy.AlertClock = workflows.Duration(5*time.Second), workflows.Duration(time.Second)
			if c.change != nil {
				c.change(&policy)
			}
			h.start(h.lot(2), policy)
			waits := h.stands(c.waits, c.reason)
			assert.False(t, waits.Waiting.ClockEndsAt.IsZero())
			h.stands(workflows.StateFailedNeedsReview, c.ends)
			raised := h.alerts.raised()
			require.Len(t, raised, 2, "one that it lasts, one that it needs a person")
			assert.Equal(t, string(c.reason), raised[0].Reason)
			assert.Equal(t, string(c.ends), raised[1].Reason)
			assert.Zero(t, h.paypal.Count(fake.OpVoidAuthorization))
			h.replay()
		})
	}
}

func TestAPendingCaptureEndsAsPayPalDecides(t *testing.T) {
	for status, winner := range map[string]string{"COMPLETED": "bidder-0", "DECLINED": "bidder-1"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.paypal.Script(fake.Outcomes(fake.OpCaptureAuthorization, "HOLD0", "PENDING", "ECHECK"))
			policy := shortWaits
			policy.PendingPollMax = policy.PassMax
			h.start(h.lot(2), policy)
			h.stands(workflows.StatePendingAtPayPal, workflows.ReasonCapturePending)
			require.NoError(t, h.paypal.Resolve(h.paypal.Ledger().Captures[0].CaptureID, status))
			out := h.end()
			assert.Equal(t, winner, out.Winner.BidderID)
			assert.Len(t, takenCaptures(h), 1)
		})
	}
}

func TestAHoldPastItsHonorPeriodIsRenewedAndTheOriginalVoidedWhereItFails(t *testing.T) {
	aged := func(t *testing.T, faults ...fake.Fault) *house {
		h := newHouse(t)
		for i := range 2 {
			h.paypal.AddHold(fake.Hold{
				AuthorizationID: fmt.Sprintf("HOLD%d", i), OrderID: fmt.Sprintf("ORDER%d", i), Currency: "USD", Amount: "250.00",
				CreateTime: time.Now().Add(-73 * time.Hour),
			})
		}
		h.paypal.Script(faults...)
		return h
	}
	t.Run("the renewal is captured", func(t *testing.T) {
		h := aged(t)
		out := h.settle(lotOfTwo(), shortWaits)
		assert.Equal(t, "bidder-0", out.Winner.BidderID)
		captures := takenCaptures(h)
		require.Len(t, captures, 1)
		renewal, _ := h.paypal.Ledger().Hold(captures[0].AuthorizationID)
		assert.Equal(t, "HOLD0", renewal.ParentID)
		assert.Equal(t, "200.00", renewal.Amount)
	})
	t.Run("its answer is lost, and it is asked for again", func(t *testing.T) {
		lost := fake.Lose(fake.OpReauthorize, "HOLD0", fake.After)
		lost.Times = 4
		h := aged(t, lost)
		out := h.settle(lotOfTwo(), shortWaits)
		assert.Equal(t, "bidder-0", out.Winner.BidderID)
		assert.Len(t, h.paypal.Ledger().Holds, 3, "one renewal")
	})
	t.Run("it is refused, and the original is captured", func(t *testing.T) {
		h := aged(t, fake.Decline(fake.OpReauthorize, "HOLD0", "REAUTHORIZATION_DECLINED_BY_PROCESSOR"))
		assert.Equal(t, "bidder-0", h.settle(lotOfTwo(), shortWaits).Winner.BidderID)
		assert.Equal(t, "HOLD0", takenCaptures(h)[0].AuthorizationID)
	})
	t.Run("a bidder who is refused is fenced with both", func(t *testing.T) {
		h := aged(t, fake.Decline(fake.OpCaptureAuthorization, "", "INSTRUMENT_DECLINED"))
		out := h.settle(lotOfTwo(), shortWaits)
		assert.Equal(t, "bidder-1", out.Winner.BidderID)
		for _, hold := range h.paypal.Ledger().Holds {
			if hold.AuthorizationID == "HOLD0" || hold.ParentID == "HOLD0" {
				assert.Equal(t, "VOIDED", hold.Status)
			}
		}
	})
	t.Run("started again after it was paid, the capture on the renewal is adopted", func(t *testing.T) {
		gate := fake.NewGate()
		h := aged(t, fake.Stop(fake.OpVoidAuthorization, "HOLD1", fake.Before, gate))
		h.start(lotOfTwo(), shortWaits)
		<-gate.Arrived()
		require.NoError(t, h.client.TerminateWorkflow(t.Context(), springLot, "", "test"))
		gate.Release()
		out := h.settle(lotOfTwo(), shortWaits)
		assert.True(t, out.Winner.Adopted)
		assert.Equal(t, 1, h.paypal.Count(fake.OpCaptureAuthorization))
	})
}

func lotOfTwo() workflows.Lot {
	lot := workflows.Lot{AuctionID: "spring", LotID: "17", Currency: "USD"}
	for i := range 2 {
		lot.Bids = append(lot.Bids, workflows.Bid{
			BidderID: fmt.Sprintf("bidder-%d", i), Price: fmt.Sprintf("%d.00", 200-i),
			Hold: workflows.Hold{AuthorizationID: fmt.Sprintf("HOLD%d", i), OrderID: fmt.Sprintf("ORDER%d", i), Amount: "250.00"},
		})
	}
	return lot
}

func TestALoserWhoWasChargedIsTheLoudestAlert(t *testing.T) {
	h := newHouse(t)
	lot := h.lot(3)
	_, err := h.paypal.Take(fake.Taking{AuthorizationID: "HOLD2", InvoiceID: "somebody-else"})
	require.NoError(t, err)
	h.start(lot, shortWaits)
	out := h.stands(workflows.StateFailedNeedsReview, workflows.ReasonLoserCaptured)
	assert.Equal(t, workflows.HoldReleased, out.Holds[1].Outcome)
	assert.Equal(t, activities.AlertCritical, h.alerts.raised()[0].Level)
	require.ErrorContains(t, h.decide(workflows.ActionReleaseAll), "decide retry or close")
	require.NoError(t, h.decide(workflows.ActionClose))
	closed := h.end()
	assert.Equal(t, workflows.StateFailedNeedsReview, closed.State)
	assert.Equal(t, "eve", closed.Closed.By)
}

package workflows_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// finding is a property that does not hold, and why.
type finding struct{ property, why string }

func (w *world) breaks(property, format string, args ...any) {
	why := fmt.Sprintf(format, args...)
	w.note("BROKEN %s: %s", property, why)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = append(w.broken, finding{property, why})
}

// books are PayPal's own, by bidder.
type books struct {
	w      *world
	ledger fake.Ledger
}

func (w *world) books() books { return books{w, w.paypal.Ledger()} }

// family are a bidder's hold and its renewals.
func (b books) family(rank int) []fake.LedgerHold {
	return slices.DeleteFunc(slices.Clone(b.ledger.Holds), func(h fake.LedgerHold) bool {
		return b.w.rankOf(h.AuthorizationID) != rank
	})
}

// open is a hold of the bidder's that can still be captured, if there is one.
func (b books) open(rank int) string {
	for _, h := range b.family(rank) {
		if h.Status == "CREATED" || h.Status == "PENDING" || h.Status == "PARTIALLY_CAPTURED" {
			return fmt.Sprintf("%s is %s", h.AuthorizationID, h.Status)
		}
	}
	return ""
}

// taken are the captures that took money from a bidder.
func (b books) taken(rank int) []fake.LedgerCapture {
	return slices.DeleteFunc(slices.Clone(b.ledger.Captures), func(c fake.LedgerCapture) bool {
		return !c.TookMoney() || b.w.rankOf(c.AuthorizationID) != rank
	})
}

// ours are the captures that the program asked for and that took money.
func (b books) ours() []fake.LedgerCapture {
	return slices.DeleteFunc(slices.Clone(b.ledger.Captures), func(c fake.LedgerCapture) bool {
		return !c.TookMoney() || c.RequestID == ""
	})
}

// checkAtCall looks at the books at the moment when a money call is sent.
func (w *world) checkAtCall(s sent) {
	if stands := w.breaker.stands(); stands != "" {
		w.breaks(p6, "%s of %s was sent while the kill switch is %s", s.Op, s.resource, stands)
	}
	if s.Bidder < 0 || s.Bidder >= len(w.lot.Bids) {
		return
	}
	if s.Op == fake.OpVoidAuthorization {
		w.checkGivingUp(s)
		return
	}
	b := w.books()
	for rank := range s.Bidder {
		if open := b.open(rank); open != "" {
			w.breaks(p2, "%s on %s was sent, and of the earlier bidder-%d %s", s.Op, s.resource, rank, open)
		}
		if taken := b.taken(rank); len(taken) > 0 {
			w.breaks(p2, "%s on %s was sent, and the earlier bidder-%d was charged by %s", s.Op, s.resource, rank, taken[0].CaptureID)
		}
	}
	for _, c := range b.taken(s.Bidder) {
		if c.Time.Sub(dawn) < s.at && b.open(s.Bidder) != "" {
			w.breaks(p1, "%s on %s was sent, although PayPal shows capture %s on it since %s", s.Op, s.resource, c.CaptureID, c.Time.Sub(dawn))
		}
	}
}

// checkGivingUp: the hold of a bidder who was asked for money is given up only
// after PayPal refused it, or a person decided.
func (w *world) checkGivingUp(s sent) {
	w.mu.Lock()
	somebody := len(w.taken) > 0 || len(w.deeds) > 0 || w.runsLost > 0
	w.mu.Unlock()
	cancelled := slices.ContainsFunc(w.scenario.Events, func(e event) bool { return e.Do == "cancel" })
	if somebody || cancelled || len(w.scenario.Late) > 0 {
		return
	}
	asked, refused := false, false
	for _, before := range w.wire.calls() {
		if before.Op == fake.OpCaptureAuthorization && before.Bidder == s.Bidder {
			asked = true
			refused = refused || before.status == 422 || before.said == "PENDING" || before.said == "DECLINED" || before.said == "FAILED"
		}
	}
	if asked && !refused && !w.declinedUnheard(s.Bidder) {
		w.breaks(p2, "the hold of bidder-%d is voided, and PayPal never refused to capture it", s.Bidder)
	}
}

// declinedUnheard: PayPal made a capture and declined it, and that answer was lost.
func (w *world) declinedUnheard(rank int) bool {
	return slices.ContainsFunc(w.books().ledger.Captures, func(c fake.LedgerCapture) bool {
		return w.rankOf(c.AuthorizationID) == rank && !c.TookMoney()
	})
}

const (
	p1 = "P1 at most one charge a lot"
	p2 = "P2 never the next bidder on a maybe"
	p3 = "P3 the bidder's own price, from the bidder's own hold, under the lot's invoice"
	p4 = "P4 what has ended has ended as it says"
	p5 = "P5 no state without a way out"
	p6 = "P6 no money call and no lapse of a clock while the kill switch is on"
	p7 = "P7 one request id an intent, one intent a request id"
)

// check looks at the books when all is over.
func (w *world) check() []finding {
	if w.failure != nil {
		w.breaks(p5, "the settlement failed: %v", w.failure)
		return w.broken
	}
	b := w.books()
	w.checkCharges(b)
	w.checkIntents()
	w.checkClocks()
	if w.ended {
		w.checkEnd(b)
	} else {
		w.breaks(p5, "still %s (%s) after %s", w.final.State, w.final.Reason, patience)
	}
	return w.broken
}

func (w *world) checkCharges(b books) {
	ours := b.ours()
	if len(ours) > 1 {
		w.breaks(p1, "the program took money %d times: %+v", len(ours), ours)
	}
	own := b.ledger
	own.Captures = ours
	for _, problem := range own.Check() {
		w.breaks(p1, "%s", problem)
	}
	for _, c := range ours {
		rank := w.rankOf(c.AuthorizationID)
		if rank < 0 || rank >= len(w.lot.Bids) {
			w.breaks(p3, "capture %s is on no bidder's hold: %s", c.CaptureID, c.AuthorizationID)
			continue
		}
		if price := w.lot.Bids[rank].Price; c.Amount != price {
			w.breaks(p3, "bidder-%d pays %s and was charged %s", rank, price, c.Amount)
		}
		if c.InvoiceID != "gv1/spring/17" || !c.Final || c.Currency != w.lot.Currency {
			w.breaks(p3, "capture %s: invoice %q, final %t, in %s", c.CaptureID, c.InvoiceID, c.Final, c.Currency)
		}
	}
}

// checkIntents: P7 over every request that was sent, in every run.
func (w *world) checkIntents() {
	ids, intents := map[string]string{}, map[string]string{}
	for _, s := range w.wire.calls() {
		if !moves(s.Op) {
			continue
		}
		intent := strings.Join([]string{string(s.Op), s.resource, s.body}, " ")
		if before, ok := ids[s.requestID]; ok && before != intent {
			w.breaks(p7, "request id %s stands for %s and for %s", s.requestID, before, intent)
		}
		if before, ok := intents[intent]; ok && before != s.requestID {
			w.breaks(p7, "%s was asked under %s and under %s", intent, before, s.requestID)
		}
		if s.requestID == "" || len(s.requestID) > 38 {
			w.breaks(p7, "%s was asked under %q", intent, s.requestID)
		}
		ids[s.requestID], intents[intent] = intent, s.requestID
	}
}

// checkClocks: the unknown clock runs out with the switch off, and not before its
// length of time with the switch off has passed since the first doubt of the turn.
func (w *world) checkClocks() {
	for _, a := range w.alerts {
		if a.Reason != string(workflows.ReasonUnknownClockExpired) || !strings.Contains(a.Message, "waits for a decision") {
			continue
		}
		from, doubt := w.firstDoubt(a.BidderID, a.at)
		if !doubt {
			w.breaks(p6, "the unknown clock ran out at %s, and nothing was in doubt", a.at.Sub(dawn))
			continue
		}
		if off := a.at.Sub(from) - w.breaker.onBetween(from, a.at); off < 10*time.Minute {
			w.breaks(p6, "the unknown clock ran out at %s, after %s with the switch off since the first doubt at %s", a.at.Sub(dawn), off, from.Sub(dawn))
		}
		if stop := w.breaker.stopAt(a.at); stop {
			w.breaks(p6, "the unknown clock ran out at %s, while the switch is on", a.at.Sub(dawn))
		}
	}
}

// firstDoubt is when the clock that ran out at a time can have been started at the
// earliest: by the first doubtful call since the turn began.
func (w *world) firstDoubt(bidder string, until time.Time) (time.Time, bool) {
	begin := dawn
	for _, at := range w.turns {
		if !at.After(until) {
			begin = at
		}
	}
	if len(w.deeds) > 0 || len(w.scenario.Late) > 0 || w.runsLost > 0 || w.orderless() {
		return begin, true
	}
	for _, s := range w.wire.calls() {
		at := dawn.Add(s.at)
		if s.doubtful && !at.Before(begin) && !at.After(until) && fmt.Sprintf("bidder-%d", s.Bidder) == bidder {
			return at, true
		}
	}
	return time.Time{}, false
}

func (b *breaker) stopAt(at time.Time) bool {
	return b.onBetween(at.Add(-time.Millisecond), at.Add(time.Millisecond)) > time.Millisecond
}

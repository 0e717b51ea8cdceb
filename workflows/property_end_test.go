package workflows_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/temporal"

	"gavel/activities"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// inspect looks at a settlement long after everything works again: it has ended,
// or waits for a person who was told why.
func (w *world) inspect() {
	out := w.state()
	w.note("inspected: %s %s", out.State, out.Reason)
	if last := w.turns[len(w.turns)-1]; last.After(w.now().Add(-settles)) && w.now().Sub(dawn) > settles {
		return // decided, or started again, not long ago
	}
	if out.State == workflows.StatePendingAtPayPal && out.Waiting != nil && !out.Waiting.ClockEndsAt.IsZero() {
		return // a bidder whose turn came late; what never ends is found at the end
	}
	if out.State != workflows.StateFailedNeedsReview {
		w.breaks(p5, "it is %s (%s) although everything has worked for %s", out.State, out.Reason, settles)
		return
	}
	w.checkReview(out)
}

func (w *world) checkReview(out workflows.Outcome) {
	w.mu.Lock()
	told := slices.ContainsFunc(w.alerts, func(a heard) bool {
		return a.State == string(workflows.StateFailedNeedsReview) && a.Reason == string(out.Reason)
	})
	w.mu.Unlock()
	if out.Reason == "" || out.Review == nil || !told {
		w.breaks(p5, "it waits for a person, reason %q, and an alert said so: %t", out.Reason, told)
	}
}

// wrapUp decides a review that is still open, with PayPal telling the truth.
func (w *world) wrapUp(action workflows.Action) {
	out := w.state()
	if out.Review == nil || !slices.Contains(out.Review.Actions, action) {
		return
	}
	w.checkReview(out)
	w.decide(decision{Action: action})
	if action == workflows.ActionRetry && w.plain() {
		w.mu.Lock()
		w.retried = out.Reason
		w.mu.Unlock()
	}
}

// plain tells whether nobody did anything behind our back and PayPal never lied,
// so that a retry must lead to an end.
func (w *world) plain() bool {
	lied := slices.ContainsFunc(w.scenario.Faults, func(f fault) bool { return f.lies() || f.What == "pending" })
	return len(w.deeds) == 0 && !lied && !w.orderless() && len(w.scenario.Late) == 0
}

// orderless: of a hold without an order nobody can prove what was captured on it.
func (w *world) orderless() bool {
	return slices.ContainsFunc(w.scenario.Bids, func(b bidder) bool { return b.Orderless })
}

func (w *world) checkEnd(b books) {
	if w.final.State == workflows.StateFailedNeedsReview {
		if w.final.Closed == nil {
			w.breaks(p4, "it ended in review, and nobody closed it")
		}
		w.checkRetry()
		return
	}
	switch w.final.State {
	case workflows.StateSettled:
		w.checkWinner(b)
	case workflows.StateUnsold, workflows.StateCancelled:
		if ours := b.ours(); len(ours) > 0 {
			w.breaks(p4, "it ended %s, and capture %s took money", w.final.State, ours[0].CaptureID)
		}
	default:
		w.breaks(p4, "it ended %s", w.final.State)
	}
	for _, h := range w.final.Holds {
		w.checkHold(b, h)
	}
}

// checkRetry: where nothing was odd, a retry needs no further decision that closes.
func (w *world) checkRetry() {
	byHand := w.final.Closed != nil && slices.ContainsFunc(w.scenario.Person, func(d decision) bool { return d.Action == workflows.ActionClose })
	if w.retried != "" && !byHand && !w.stillOpenToDoubt() {
		w.breaks(p5, "in review for %s, PayPal tells the truth again, and a retry did not lead to an end but to %s", w.retried, w.final.Reason)
	}
}

// stillOpenToDoubt: a hold that PayPal goes on reviewing, a bid that has failed, an
// invoice that the account blocks and a bidder who was charged in a lot that was
// called off are a person's matter however often it is tried.
func (w *world) stillOpenToDoubt() bool {
	switch w.final.Reason {
	case workflows.ReasonPendingExpired, workflows.ReasonBidFailed:
		return true
	case workflows.ReasonDuplicateInvoice:
		return w.scenario.Account.Invoices != ""
	case workflows.ReasonLoserCaptured:
		return slices.ContainsFunc(w.final.Holds, func(h workflows.HoldStanding) bool {
			return h.Outcome == workflows.HoldCaptured && len(w.books().taken(w.rankOf(h.AuthorizationID))) > 0
		})
	default:
		return false
	}
}

func (w *world) checkWinner(b books) {
	winner := w.final.Winner
	if winner == nil {
		w.breaks(p4, "it ended SETTLED without a winner")
		return
	}
	at := slices.IndexFunc(b.ledger.Captures, func(c fake.LedgerCapture) bool { return c.CaptureID == winner.CaptureID })
	if at < 0 {
		w.breaks(p4, "PayPal has no capture %s", winner.CaptureID)
		return
	}
	c := b.ledger.Captures[at]
	refunded := slices.Contains(w.deeds, "capture refunded") && c.Status == "REFUNDED"
	if c.Status != "COMPLETED" && !refunded {
		w.breaks(p4, "it ended SETTLED, and capture %s is %s", c.CaptureID, c.Status)
	}
	if c.Amount != winner.Amount.Value() {
		w.breaks(p4, "the winner paid %s, and it says %s", c.Amount, winner.Amount)
	}
	rank := w.rankOf(c.AuthorizationID)
	byPerson := slices.ContainsFunc(w.final.Decisions, func(d workflows.DecisionRecord) bool {
		return d.Action == workflows.ActionAdopt && d.Refused == "" && d.CaptureID == c.CaptureID
	})
	if byPerson {
		return
	}
	if winner.BidderID != fmt.Sprintf("bidder-%d", rank) || c.Amount != w.lot.Bids[rank].Price {
		w.breaks(p3, "%s won by capture %s of %s on the hold of bidder-%d", winner.BidderID, c.CaptureID, c.Amount, rank)
	}
	if c.RequestID == "" && !winner.Adopted {
		w.breaks(p4, "capture %s is somebody else's, and it is not called adopted", c.CaptureID)
	}
}

// checkHold: a hold that is called released cannot be charged any more, and a
// bidder who was charged beside the winner was a person's matter.
func (w *world) checkHold(b books, h workflows.HoldStanding) {
	rank := w.rankOf(h.AuthorizationID)
	winner := w.final.Winner != nil && w.winnerHold(b) == h.AuthorizationID
	switch h.Outcome {
	case workflows.HoldReleased, workflows.HoldGone:
		if open := b.open(rank); open != "" && !w.liedAbout(rank) {
			w.breaks(p4, "hold %s is called %s, and %s", h.AuthorizationID, h.Outcome, open)
		}
		hold, _ := b.ledger.Hold(h.AuthorizationID)
		if taken := b.taken(rank); hold.Status == "CAPTURED" && len(taken) > 0 && !w.liedAbout(rank) {
			w.breaks(p4, "hold %s is called %s, and %s took money from it", h.AuthorizationID, h.Outcome, taken[0].CaptureID)
		}
	case workflows.HoldCaptured:
		if !winner {
			w.breaks(p4, "it ended %s, and hold %s of a loser was captured", w.final.State, h.AuthorizationID)
		}
	case workflows.HoldOrphaned:
		if !slices.ContainsFunc(w.orphan, func(in workflows.OrphanVoidInput) bool { return in.Hold.AuthorizationID == h.AuthorizationID }) {
			w.breaks(p4, "hold %s is called orphaned, and nothing goes on releasing it", h.AuthorizationID)
		}
	default:
		w.breaks(p4, "it ended %s, and hold %s is %s", w.final.State, h.AuthorizationID, h.Outcome)
	}
}

// winnerHold is the hold that the winner's capture was made on.
func (w *world) winnerHold(b books) string {
	for _, c := range b.ledger.Captures {
		if c.CaptureID == w.final.Winner.CaptureID {
			if hold, ok := b.ledger.Hold(c.AuthorizationID); ok && hold.ParentID != "" {
				return hold.ParentID
			}
			return c.AuthorizationID
		}
	}
	return ""
}

func (w *world) liedAbout(rank int) bool {
	return slices.ContainsFunc(w.scenario.Faults, func(f fault) bool { return f.lies() && (f.Bidder == rank || f.Bidder == anyHold) })
}

// runOrphans lives through the releases that outlived the settlement.
func (w *world) runOrphans() {
	for _, in := range w.orphan {
		began := w.now()
		env := quietEnvironment()
		env.SetStartTime(began)
		workflows.Register(env)
		activities.Register(env, activities.Dependencies{PayPal: w.client, Switch: w.breaker, Alerts: w})
		env.SetWorkflowRunTimeout(patience)
		w.mu.Lock()
		w.env = env
		env.RegisterDelayedCallback(w.clear, max(0, dawn.Add(w.scenario.ClearAt).Sub(began)))
		w.mu.Unlock()
		env.ExecuteWorkflow(workflows.OrphanVoid, in)
		w.checkOrphan(in)
	}
}

func (w *world) checkOrphan(in workflows.OrphanVoidInput) {
	rank := w.rankOf(in.Hold.AuthorizationID)
	var timeout *temporal.TimeoutError
	switch err := w.env.GetWorkflowError(); {
	case err == nil:
		if open := w.books().open(rank); open != "" && !w.liedAbout(rank) {
			w.breaks(p4, "the release of orphan %s has ended, and %s", in.Hold.AuthorizationID, open)
		}
	case errors.As(err, &timeout):
		if len(w.books().taken(rank)) == 0 && !w.liedAbout(rank) {
			w.breaks(p5, "the release of orphan %s never ended", in.Hold.AuthorizationID)
		}
	default:
		w.breaks(p5, "the release of orphan %s failed: %v", in.Hold.AuthorizationID, err)
	}
}

// payer is the place of the bidder whom the program charged, or anyHold.
func (w *world) payer() int {
	for _, c := range w.books().ours() {
		return w.rankOf(c.AuthorizationID)
	}
	return anyHold
}

// chargedWhenClear: the program charged somebody after everything worked again.
func (w *world) chargedWhenClear() bool {
	return slices.ContainsFunc(w.books().ours(), func(c fake.LedgerCapture) bool {
		return !c.Time.Before(dawn.Add(w.scenario.ClearAt))
	})
}

// report is everything that a person needs to understand a failure.
func (w *world) report() string {
	var b strings.Builder
	for _, f := range w.broken {
		fmt.Fprintf(&b, "%s\n    %s\n", f.property, f.why)
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n", literal(w.scenario), strings.Join(w.shortTrace(), "\n"))
	return b.String()
}

// shortTrace leaves out what only happens again.
func (w *world) shortTrace() []string {
	var short []string
	recent, again := map[string]bool{}, 0
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.trace {
		what := strings.TrimSpace(line[min(len(line), 15):])
		if recent[what] {
			again++
			continue
		}
		if again > 2 {
			short = append(short, fmt.Sprintf("               … the same, %d lines", again))
		}
		if len(recent) > 5 || again > 0 {
			clear(recent)
		}
		recent[what], again = true, 0
		short = append(short, line)
	}
	return short
}

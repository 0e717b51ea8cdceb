package workflows_test

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/testsuite"

	"gavel/paypalclient"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// seed makes the lot's holds known to PayPal and returns the lot.
func (s scenario) seed(paypal *fake.Server) workflows.Lot {
	currency := s.Currency
	if currency == "" {
		currency = "USD"
	}
	lot := workflows.Lot{AuctionID: "spring", LotID: "17", Currency: currency, Fallback: s.Fallback}
	for i, b := range s.Bids {
		held := paypalclient.Money{Currency: currency, Minor: b.Price + b.Above}
		hold := fake.Hold{
			AuthorizationID: holdID(i), OrderID: orderID(i), Currency: currency, Amount: held.Value(),
			Status: b.Status, CreateTime: dawn.Add(-b.Age),
		}
		named := workflows.Hold{AuthorizationID: holdID(i), OrderID: orderID(i), Amount: held.Value()}
		if b.Orderless {
			hold.OrderID, named.OrderID = "", ""
		}
		if b.Unnamed {
			named.OrderID = ""
		}
		paypal.AddHold(hold)
		lot.Bids = append(lot.Bids, workflows.Bid{
			BidderID: fmt.Sprintf("bidder-%d", i), Price: paypalclient.Money{Currency: currency, Minor: b.Price}.Value(), Hold: named,
		})
	}
	for i := range s.Release {
		paypal.AddHold(fake.Hold{AuthorizationID: spareID(i), OrderID: "O" + spareID(i), Currency: currency, Amount: "90"})
		lot.Release = append(lot.Release, workflows.Hold{AuthorizationID: spareID(i), Amount: paypalclient.Money{Currency: currency, Minor: 9000}.Value()})
	}
	if s.Release > 0 && currency != "USD" {
		panic("holds of a release list are in USD")
	}
	return lot
}

// plan puts the scenario on the fake's script and the world's agenda.
func (w *world) plan() {
	for _, f := range w.scenario.Faults {
		w.paypal.Script(f.scripted(f.resource()))
	}
	for _, e := range w.scenario.Events {
		if e.On.Nth == 0 && e.At < w.scenario.ClearAt {
			w.at(dawn.Add(e.At), e.Do, func() { w.do(e) })
		}
	}
	// A quarter of a second keeps all this apart from the settlement's own timers
	// and from the events.
	cleared := dawn.Add(w.scenario.ClearAt + 250*time.Millisecond)
	w.at(cleared, "clear", w.clear)
	w.at(cleared.Add(settles), "inspect", w.inspect)
	w.planWrapUp(cleared)
}

// planWrapUp: one decision after the other, and the last one for as long as it
// takes, since what anybody decided before may have to run its course first.
func (w *world) planWrapUp(cleared time.Time) {
	actions := []workflows.Action{workflows.ActionRetry, workflows.ActionNextBidder, workflows.ActionReleaseAll, workflows.ActionClose}
	for i := 0; ; i++ {
		at := cleared.Add(time.Duration(i+1)*settles + time.Hour)
		if !at.Before(dawn.Add(patience)) {
			return
		}
		action := actions[min(i, len(actions)-1)]
		w.at(at, "wrap up", func() { w.wrapUp(action) })
	}
}

// settles is longer than the longest clock of a settlement, 72 hours.
const settles = 80 * time.Hour

// resource is the id that a fault's calls carry in their path.
func (f fault) resource() string {
	switch {
	case f.Bidder == anyHold, f.Op == fake.OpGetCapture, f.Op == fake.OpToken:
		return ""
	case f.Op == fake.OpGetOrder:
		return orderID(f.Bidder)
	case f.Bidder >= 100:
		return spareID(f.Bidder - 100)
	default:
		return holdID(f.Bidder)
	}
}

// clear makes PayPal, the switch and the workers work again.
func (w *world) clear() {
	w.note("everything works again")
	w.paypal.ClearScript()
	w.breaker.set(false, false)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.losses = nil
}

// do does what an event says.
func (w *world) do(e event) {
	w.note("event: %s (bidder %d)", e.Do, e.Bidder)
	switch e.Do {
	case "engage switch":
		w.breaker.set(true, false)
	case "release switch":
		w.breaker.set(false, false)
	case "lose switch":
		w.breaker.set(w.breaker.on(), true)
	case "cancel":
		w.env.CancelWorkflow()
	case "continue as new":
		w.env.SetContinueAsNewSuggested(true)
	case "die":
		w.mu.Lock()
		w.dead = true
		w.mu.Unlock()
	case "forget request ids":
		w.must(w.paypal.Forget())
	case "revoke token":
		w.must(w.paypal.RevokeToken(e.Bidder + 1))
	default:
		w.behind(e)
	}
}

func (w *world) must(err error) {
	if err != nil {
		w.breaks("P0 the scenario can be played", "%v", err)
	}
}

// decide sends a decision.
func (w *world) decide(d decision) {
	sent := workflows.Decision{Action: d.Action, By: "ana@example.com", Reason: "looked into it", DecisionID: d.ID, CaptureID: d.Capture}
	if d.Capture == "newest" {
		sent.CaptureID = w.newestCapture()
	}
	w.note("decision: %s %s", sent.Action, sent.CaptureID)
	if w.state().Review != nil && (sent.Action == workflows.ActionRetry || sent.Action == workflows.ActionNextBidder) {
		w.turn()
	}
	w.mu.Lock()
	at := len(w.taken)
	w.taken = append(w.taken, verdict{Decision: sent, at: w.env.Now()})
	w.mu.Unlock()
	if d.Signal {
		w.env.SignalWorkflow(workflows.DecisionSignal, sent)
		return
	}
	w.env.UpdateWorkflow(workflows.DecisionUpdate, fmt.Sprintf("decision-%d", at), &testsuite.TestUpdateCallback{
		OnReject:   func(err error) { w.heardOf(at, err) },
		OnComplete: func(_ any, err error) { w.heardOf(at, err) },
	}, sent)
}

func (w *world) heardOf(at int, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	w.note("decision %s: %q", w.taken[at].Action, text)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken[at].refused, w.taken[at].known = text, true
}

func (w *world) newestCapture() string {
	newest := "CAPTURENONE"
	for _, c := range w.paypal.Ledger().Captures {
		newest = c.CaptureID
	}
	return newest
}

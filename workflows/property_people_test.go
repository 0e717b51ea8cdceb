package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
	"gavel/paypalclient"
	"gavel/testsuite/fakepaypal/fake"
)

// breaker is the kill switch, in memory.
type breaker struct {
	w *world

	mu    sync.Mutex
	state activities.SwitchState
	lost  bool        // nobody can read it
	times []time.Time // since when it was lost, and when it was found again, in turn
}

// Read implements activities.Switch.
func (b *breaker) Read(context.Context) (activities.SwitchState, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lost {
		return activities.SwitchState{}, &activities.SwitchError{Standing: activities.SwitchUnreadable, Cause: errors.New("not found")}
	}
	return activities.SwitchState{Stops: slices.Clone(b.state.Stops)}, nil
}

func (b *breaker) beforeTry(ctx context.Context, _ paypalclient.Operation) error {
	state, err := b.Read(ctx)
	if err == nil && state.Current() != nil {
		return &activities.SwitchError{Standing: activities.SwitchOn}
	}
	return err
}

func (b *breaker) on() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state.Current() != nil
}

func (b *breaker) set(on, lost bool) {
	now := b.w.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if lost != b.lost {
		b.times = append(b.times, now)
	}
	b.lost = lost
	switch current := b.state.Current(); {
	case on && current == nil:
		b.state.Stops = append(b.state.Stops, activities.Stop{From: now, By: "ana", Reason: "test"})
	case !on && current != nil:
		current.To = now
	}
}

// stands is how the switch stands, for a message; empty where money may move.
func (b *breaker) stands() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.lost:
		return "unreadable"
	case b.state.Current() != nil:
		return "on"
	default:
		return ""
	}
}

// onBetween is for how long the switch was on between two times.
func (b *breaker) onBetween(from, to time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	var sum time.Duration
	for _, stop := range b.state.Stops {
		end := stop.To
		if end.IsZero() || end.After(to) {
			end = to
		}
		begin := stop.From
		if begin.Before(from) {
			begin = from
		}
		sum += max(0, end.Sub(begin))
	}
	return sum
}

// reaper loses activities, and ends a settlement that was terminated while one ran.
type reaper struct {
	interceptor.WorkerInterceptorBase
	w *world
}

func (r *reaper) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &reapedActivity{interceptor.ActivityInboundInterceptorBase{Next: next}, r.w}
}

func (r *reaper) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &reapedWorkflow{interceptor.WorkflowInboundInterceptorBase{Next: next}, r.w}
}

type reapedActivity struct {
	interceptor.ActivityInboundInterceptorBase
	w *world
}

var errDied = errors.New("the process died")

func (a *reapedActivity) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	name := activity.GetInfo(ctx).ActivityType.Name
	lost := a.w.loses(name)
	if a.w.isDead() || lost != nil && lost.Before {
		a.w.note("%s: lost before it ran", name)
		return nil, errDied
	}
	result, err := a.Next.ExecuteActivity(ctx, in)
	if lost != nil || a.w.isDead() {
		a.w.note("%s: lost after it ran", name)
		return nil, errDied
	}
	return result, err
}

func (w *world) isDead() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dead
}

// loses returns the loss that meets this run of an activity.
func (w *world) loses(name string) *loss {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs[name]++
	for _, l := range w.losses {
		if l.Activity == name && l.Nth == w.runs[name] {
			w.runsLost++
			return &l
		}
	}
	return nil
}

type reapedWorkflow struct {
	interceptor.WorkflowInboundInterceptorBase
	w *world
}

func (r *reapedWorkflow) Init(outbound interceptor.WorkflowOutboundInterceptor) error {
	return r.Next.Init(&reapedCalls{interceptor.WorkflowOutboundInterceptorBase{Next: outbound}, r.w})
}

type reapedCalls struct {
	interceptor.WorkflowOutboundInterceptorBase
	w *world
}

// ExecuteActivity of a settlement that was terminated is never reached.
func (r *reapedCalls) ExecuteActivity(ctx workflow.Context, name string, args ...any) workflow.Future {
	if r.w.isDead() {
		future, settable := workflow.NewFuture(ctx)
		settable.SetError(errDied)
		return future
	}
	return r.Next.ExecuteActivity(ctx, name, args...)
}

// behind does what somebody else does at PayPal. What PayPal refuses them does not happen.
func (w *world) behind(e event) {
	invoice := "gv1/spring/17"
	price := w.lot.Bids[e.Bidder].Price
	take := func(t fake.Taking) error {
		t.AuthorizationID = holdID(e.Bidder)
		_, err := w.paypal.Take(t)
		return err
	}
	var err error
	switch e.Do {
	case "hold voided":
		err = w.setOpenHold(e.Bidder, "VOIDED")
	case "hold denied":
		err = w.setOpenHold(e.Bidder, "DENIED")
	case "review of hold passed":
		err = w.setPendingHold(e.Bidder, "CREATED")
	case "review of hold failed":
		err = w.setPendingHold(e.Bidder, "DENIED")
	case "captured as intended":
		err = take(fake.Taking{Amount: price, InvoiceID: invoice})
	case "captured short":
		err = take(fake.Taking{Amount: "1.00", InvoiceID: invoice})
	case "captured in part":
		err = take(fake.Taking{Amount: "1.00", InvoiceID: "theirs", Partial: true})
	case "captured by somebody":
		err = take(fake.Taking{InvoiceID: "theirs"})
	case "captured without invoice":
		err = take(fake.Taking{Amount: price})
	case "capture refunded":
		err = w.refund(e.Bidder)
	default:
		panic(fmt.Sprintf("no event %q", e.Do))
	}
	if err != nil {
		w.note("%s: did not happen: %v", e.Do, err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deeds = append(w.deeds, e.Do)
}

func (w *world) setOpenHold(bidder int, status string) error {
	hold, _ := w.paypal.Ledger().Hold(holdID(bidder))
	if !slices.Contains([]string{"CREATED", "PENDING", "PARTIALLY_CAPTURED"}, hold.Status) {
		return errors.New("the hold is closed")
	}
	return w.paypal.SetHold(holdID(bidder), status, "")
}

func (w *world) setPendingHold(bidder int, status string) error {
	hold, _ := w.paypal.Ledger().Hold(holdID(bidder))
	if hold.Status != "PENDING" {
		return errors.New("the hold is not pending")
	}
	return w.paypal.SetHold(holdID(bidder), status, "")
}

func (w *world) refund(bidder int) error {
	for _, c := range w.paypal.Ledger().Captures {
		if w.rankOf(c.AuthorizationID) == bidder && c.Status == "COMPLETED" {
			return w.paypal.Resolve(c.CaptureID, "REFUNDED")
		}
	}
	return errors.New("nothing was captured")
}

// rankOf is whose hold an id stands for, a renewal's too; those of the release
// list come after 100, and what is nobody's is anyHold.
func (w *world) rankOf(id string) int {
	if hold, ok := w.paypal.Ledger().Hold(id); ok && hold.ParentID != "" {
		id = hold.ParentID
	}
	var n int
	for prefix, base := range map[string]int{"HOLD": 0, "ORDER": 0, "SPARE": 100, "OSPARE": 100} {
		if rest, ok := strings.CutPrefix(id, prefix); ok {
			if _, err := fmt.Sscanf(rest, "%d", &n); err == nil {
				return base + n
			}
		}
	}
	return anyHold
}

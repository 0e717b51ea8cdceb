package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
	"gavel/paypalclient"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// dawn is when every scenario begins.
var dawn = time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)

// patience is how long a settlement may stay open before the world ends.
const patience = 40 * 24 * time.Hour

// world is where a scenario is lived through: the real workflow, the real
// activities and the real client, against the fake PayPal, on a clock that skips.
// A settlement that continues as new, or is terminated and started again, has
// one environment after the other in the same world.
type world struct {
	scenario scenario
	lot      workflows.Lot
	policy   workflows.Policy
	paypal   *fake.Server
	client   *paypalclient.Client
	wire     *wire
	breaker  *breaker

	// mu guards what activities and callbacks write.
	mu     sync.Mutex
	env    *testsuite.TestWorkflowEnvironment
	agenda []*appointment
	trace  []string
	broken []finding
	runs   map[string]int // of activities, by name
	alerts []heard
	dead   bool // the settlement was terminated in the middle of an activity
	person []decision
	losses []loss // that are still to come
	taken  []verdict
	deeds  []string // what was done behind our back
	turns  []time.Time
	orphan []workflows.OrphanVoidInput

	runsLost int              // of activities
	retried  workflows.Reason // of the review that a retry had to end

	ended   bool
	final   workflows.Outcome
	failure error
}

// appointment is something that is to happen at a time.
type appointment struct {
	at   time.Time
	name string
	do   func()
	done bool
}

// heard is an alert and when it was raised.
type heard struct {
	activities.Alert
	at time.Time
}

// verdict is a decision that was sent and what became of it.
type verdict struct {
	workflows.Decision
	at      time.Time
	refused string
	known   bool // there was an answer
}

func newWorld(t fake.TB, s scenario) *world {
	w := &world{scenario: s, runs: map[string]int{}, person: s.Person, losses: s.Losses}
	account := s.Account
	account.Clock = w.now
	w.paypal = fake.Start(t, account)
	w.lot = s.seed(w.paypal)
	w.breaker = &breaker{w: w}
	w.wire = newWire(w)
	w.policy = workflows.Policy{PassMax: workflows.Duration(s.PassMax), NoRenewals: !s.Renewals, ReleaseParallel: 1}
	client, err := paypalclient.New(paypalclient.Options{
		BaseURL: w.paypal.URL(), ClientID: "demo", ClientSecret: "demo", Attempts: max(1, s.Attempts),
		BackoffMin: 1, BackoffMax: 1, RetryAfterMax: time.Second, Clock: hurried{}, Transport: w.wire, BeforeTry: w.breaker.beforeTry,
	})
	if err != nil {
		t.Fatalf("client: %v", err)
	}
	t.Cleanup(client.Close)
	w.client = client
	return w
}

// now is the time of the environment in turn.
func (w *world) now() time.Time {
	w.mu.Lock()
	env := w.env
	w.mu.Unlock()
	if env == nil {
		return dawn
	}
	return env.Now()
}

// since is the time as a trace shows it.
func (w *world) since() time.Duration { return w.now().Sub(dawn) }

func (w *world) note(format string, args ...any) {
	line := fmt.Sprintf("%-14s ", w.since()) + fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace = append(w.trace, line)
}

// live lives through the scenario until the settlement and its orphans have
// ended, or the world does.
func (w *world) live() {
	w.plan()
	in := workflows.SettlementInput{Lot: w.lot, Policy: w.policy}
	for again := true; again; {
		in, again = w.run(in)
	}
	w.late()
	w.runOrphans()
}

// run lives through one run of the settlement, and returns the input of the next
// one, if there is one.
func (w *world) run(in workflows.SettlementInput) (next workflows.SettlementInput, again bool) {
	end := w.enter()
	w.note("run begins, resumed: %t", in.Resume != nil)
	if in.Resume == nil {
		w.turn()
	}
	w.env.ExecuteWorkflow(workflows.Settlement, in)
	var goesOn *workflow.ContinueAsNewError
	var timeout *temporal.TimeoutError
	switch err := w.env.GetWorkflowError(); {
	case err == nil:
		w.ended = true
		w.failure = w.env.GetWorkflowResult(&w.final)
		w.note("run ends: %s %s", w.final.State, w.final.Reason)
	case errors.As(err, &goesOn):
		w.failure = converter.GetDefaultDataConverter().FromPayloads(goesOn.Input, &next)
		w.note("run continues as new")
		return next, w.failure == nil
	case w.dead, errors.As(err, &timeout) && end.Before(dawn.Add(patience)):
		w.note("run terminated")
		w.dead = false
		return workflows.SettlementInput{Lot: w.lot, Policy: w.policy}, true
	case errors.As(err, &timeout):
		w.final = w.state()
		w.note("still open: %s %s", w.final.State, w.final.Reason)
	default:
		w.failure = err
	}
	return next, false
}

// enter makes the next environment, which goes on at the time of the last one,
// and returns when its run is terminated.
func (w *world) enter() (end time.Time) {
	began := w.now()
	env := quietEnvironment()
	env.SetStartTime(began)
	env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{&reaper{w: w}}})
	env.SetTestTimeout(time.Minute)
	workflows.Register(env)
	activities.Register(env, activities.Dependencies{PayPal: w.client, Switch: w.breaker, Alerts: w})
	env.OnWorkflow(workflows.OrphanVoidType, mock.Anything, mock.Anything).Return(w.onOrphan).Maybe()
	end = dawn.Add(patience)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.env = env
	for _, a := range w.agenda {
		if a.name == "terminate" && !a.done && a.at.Before(end) && a.at.After(began) {
			end = a.at
		}
	}
	env.SetWorkflowRunTimeout(end.Sub(began))
	for _, a := range w.agenda {
		if !a.done && a.name != "terminate" {
			w.keep(a)
		}
	}
	return end
}

func quietEnvironment() *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	return suite.NewTestWorkflowEnvironment()
}

// keep sees to it that an appointment is kept in the environment in turn.
func (w *world) keep(a *appointment) {
	env := w.env
	env.RegisterDelayedCallback(func() {
		if w.env == env && !a.done {
			a.done = true
			a.do()
		}
	}, max(time.Millisecond, a.at.Sub(env.Now())))
}

// at makes an appointment.
func (w *world) at(at time.Time, name string, do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := &appointment{at: at, name: name, do: do}
	w.agenda = append(w.agenda, a)
	if w.env != nil {
		w.keep(a)
	}
}

// late delivers the requests that are still under way when all is over.
func (w *world) late() {
	for _, a := range w.agenda {
		if a.name == "late" && !a.done {
			a.done = true
			a.do()
		}
	}
}

// turn notes that a bidder's turn begins afresh, so that no clock is older.
func (w *world) turn() {
	at := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turns = append(w.turns, at)
}

func (w *world) state() workflows.Outcome {
	var out workflows.Outcome
	value, err := w.env.QueryWorkflow(workflows.StateQuery)
	if err == nil {
		err = value.Get(&out)
	}
	if err != nil {
		w.breaks("P0 the state query answers", "%v", err)
	}
	return out
}

// Raise hears an alert; a person answers those of a review.
func (w *world) Raise(_ context.Context, alert activities.Alert) error {
	w.note("alert %s: %s %s", alert.Level, alert.State, alert.Reason)
	at := w.now()
	w.mu.Lock()
	w.alerts = append(w.alerts, heard{alert, at})
	var next *decision
	if alert.State == string(workflows.StateFailedNeedsReview) && len(w.person) > 0 {
		next = &w.person[0]
		w.person = w.person[1:]
	}
	w.mu.Unlock()
	if next != nil {
		w.at(at.Add(next.After), "decision", func() { w.decide(*next) })
	}
	return nil
}

// onOrphan takes note of an orphan; it is lived through after the settlement.
func (w *world) onOrphan(_ workflow.Context, in workflows.OrphanVoidInput) (workflows.OrphanVoidOutcome, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.orphan = append(w.orphan, in)
	return workflows.OrphanVoidOutcome{}, nil
}

// hurried is the system's clock, on which nobody sleeps.
type hurried struct{}

func (hurried) Now() time.Time                                   { return time.Now() }
func (hurried) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }
func (hurried) AfterFunc(d time.Duration, f func()) func() {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}

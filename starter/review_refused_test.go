package main_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// refused checks that a decision had no effect: the reason is one line on
// stderr, and nothing has moved at PayPal.
func (r *rig) refused(before fake.Ledger, got result, because string) {
	r.t.Helper()
	assert.Equal(r.t, 1, got.Code, got.Stderr)
	assert.Empty(r.t, got.Stdout)
	assert.Contains(r.t, got.Stderr, because)
	assert.Equal(r.t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
	assert.Equal(r.t, before, r.PayPal.Ledger(), "nothing has moved")
	assert.Empty(r.t, before.Check())
}

func TestWhatAReviewRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		// taken was captured behind our back, once the lot was in review
		taken   fake.Taking
		action  string
		args    func(capture string) []string
		because string
	}{
		"next-bidder while PayPal shows the lot's capture": {
			fake.Taking{AuthorizationID: "1B1", Amount: "30.00", InvoiceID: "gv1/spring/1"}, "next-bidder", nil, "PayPal shows a capture on hold 1B1 (captured)",
		},
		"next-bidder while PayPal shows another capture": {
			fake.Taking{AuthorizationID: "1B1", Amount: "1.00", InvoiceID: "other", Partial: true}, "next-bidder", nil, "PayPal shows a capture on hold 1B1 (different)",
		},
		"release-all while a loser was charged": {
			fake.Taking{AuthorizationID: "1B3", InvoiceID: "other"}, "release-all", nil, "PayPal shows money taken, or cannot say, on hold 1B3: different, capture ",
		},
		"release-all while the bidder in turn was charged": {
			fake.Taking{AuthorizationID: "1B1", InvoiceID: "other"}, "release-all", nil, "PayPal shows a capture on hold 1B1 (different)",
		},
		"adopt of a capture on a hold of another lot": {
			fake.Taking{AuthorizationID: "FOREIGN"}, "adopt", func(capture string) []string { return []string{"--capture-id", capture} }, "is on none of the lot's holds",
		},
		"adopt of a capture that is pending": {
			fake.Taking{AuthorizationID: "1B1", Status: "PENDING"}, "adopt", func(capture string) []string { return []string{"--capture-id", capture} }, "as PENDING, not as completed",
		},
		"adopt of a capture that PayPal does not know": {
			fake.Taking{}, "adopt", func(string) []string { return []string{"--capture-id", "NOSUCH"} }, "PayPal does not show capture NOSUCH: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.work()
			r.PayPal.AddHold(fake.Hold{AuthorizationID: "FOREIGN", Currency: "USD", Amount: "30.00"})
			r.inDoubt(lot("1", 3))
			var more []string
			capture := ""
			if tc.taken.AuthorizationID != "" {
				var err error
				capture, err = r.PayPal.Take(tc.taken)
				require.NoError(t, err)
			}
			if tc.args != nil {
				more = tc.args(capture)
			}
			before := r.PayPal.Ledger()

			r.refused(before, r.decide("1", tc.action, more...), tc.because)

			outcome := r.outcome("1")
			assert.Equal(t, workflows.StateFailedNeedsReview, outcome.State, "it stays in review")
			assert.Contains(t, outcome.Decisions[0].Refused, tc.because)
			r.decide("1", "close").decision(t)
		})
	}
}

func TestADecisionThatDoesNotFitTheReviewIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	file := r.seed(lot("1", 3))
	_, err := r.PayPal.Take(fake.Taking{AuthorizationID: "1B3", InvoiceID: "other"})
	require.NoError(t, err)
	require.Equal(t, 3, r.run("settle", file).Code)
	require.Equal(t, workflows.ReasonLoserCaptured, r.outcome("1").Reason)
	before := r.PayPal.Ledger()

	for _, action := range []string{"next-bidder", "release-all"} {
		r.refused(before, r.decide("1", action), action+" does not fit a review for loser_captured: decide retry or close")
	}
	r.decide("1", "retry").decision(t)
	require.Eventually(t, func() bool {
		again := r.outcome("1")
		return again.State == workflows.StateFailedNeedsReview && again.Review != nil && len(again.Decisions) > 0
	}, time.Minute, 50*time.Millisecond, "the money is still taken")
	r.decide("1", "close").decision(t)
	assert.Equal(t, "b1", r.ended(lot("1", 3)).Winner.BidderID)
}

func TestNothingIsDecidedWhereNothingWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.opened()
	r.env = append(r.env, "GAVEL_CLOCKS_UNKNOWN=1h")
	unreadable := fake.Break(fake.OpGetAuthorization, "1B1", fake.Before, 500)
	unreadable.Times = -1
	r.PayPal.Script(unreadable)
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 1))).Code)
	require.Equal(t, 0, r.run("settle", r.seed(lot("2", 1))).Code)
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("3", 1))).Code)
	require.NoError(t, r.Temporal.TerminateWorkflow(t.Context(), id("3"), "", "an operator's mistake"))
	require.Eventually(t, func() bool { return len(r.PayPal.Ledger().Captures) > 0 }, time.Minute, 10*time.Millisecond)
	before := r.PayPal.Ledger()

	r.refused(before, r.decide("1", "retry"), "settlement/spring/1 refused the decision: nothing waits for a decision here")
	r.refused(before, r.decide("2", "retry"), "settlement/spring/2 has ended already, SETTLED: b1 paid 10.00 USD: nothing waits for a decision there")
	r.refused(before, r.decide("3", "retry"), "settlement/spring/3 has ended already, ")
	r.refused(before, r.decide("4", "retry"), "no workflow settlement/spring/4 is known to Temporal: check the spelling and TEMPORAL_NAMESPACE")
	other := r.run("review", "decide", "kill-switch", "--action", "retry", "--by", "ana", "--reason", "r")
	r.refused(before, other, "kill-switch refused the decision: ")
}

func TestMistakesInADecisionEndWithTwo(t *testing.T) {
	t.Parallel()
	fine := []string{"--action", "retry", "--by", "ana", "--reason", "r"}
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"no workflow":                {fine, "accepts 1 arg(s)"},
		"an empty workflow":          {append([]string{""}, fine...), "WORKFLOW: must be the workflow's id"},
		"no action":                  {[]string{"w", "--by", "ana", "--reason", "r"}, "--action: must be retry, adopt, next-bidder, release-all or close"},
		"an unknown action":          {[]string{"w", "--action", "settle", "--by", "ana", "--reason", "r"}, `--action: must be retry, adopt, next-bidder, release-all or close, not "settle"`},
		"nobody":                     {[]string{"w", "--action", "retry", "--reason", "r"}, "--by: must say who decides"},
		"a blank reason":             {[]string{"w", "--action", "retry", "--by", "ana", "--reason", " "}, "--reason: must say why"},
		"adopt without a capture":    {[]string{"w", "--action", "adopt", "--by", "ana", "--reason", "r"}, "--capture-id: must name the capture to adopt"},
		"a capture for another":      {append([]string{"w", "--capture-id", "C1"}, fine...), "--capture-id: goes with adopt only"},
		"a decision id that is long": {append([]string{"w", "--decision-id", strings.Repeat("x", 201)}, fine...), "--decision-id: must have at most 200"},
	} {
		t.Run(name, func(t *testing.T) {
			got := startProcess(t, nowhere, nil, append([]string{"review", "decide"}, tc.args...)...).wait()
			assert.Equal(t, 2, got.Code, got.Stderr)
			assert.Empty(t, got.Stdout)
			assert.Contains(t, got.Stderr, tc.want)
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
		})
	}
}

func TestWithoutAWorkerADecisionIsNotLeftBehind(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.work()
	r.inDoubt(lot("1", 2))
	stop()

	got := r.decide("1", "release-all", "--decision-id", "ticket-7")

	assert.Equal(t, 1, got.Code)
	assert.Empty(t, got.Stdout)
	assert.Contains(t, got.Stderr, "no worker answered for settlement/spring/1 within 10s, so the decision was not sent")
	r.work()
	require.Eventually(t, func() bool { return len(r.run("review", "list", "--json").outcomes(t)[id("1")].Holds) > 0 }, time.Minute, 50*time.Millisecond)
	stands := r.run("status", "--json", "spring", "1").outcomes(t)[id("1")]
	assert.Equal(t, workflows.StateFailedNeedsReview, stands.State)
	assert.Empty(t, stands.Decisions)
	r.decide("1", "release-all", "--decision-id", "ticket-7").decision(t)
	other := r.decide("1", "close", "--decision-id", "ticket-7")
	assert.NotEqual(t, 0, other.Code, "another decision under the same id")
	outcome := r.ended(lot("1", 2))
	assert.Equal(t, workflows.StateUnsold, outcome.State)
	assert.Len(t, outcome.Decisions, 1)
}

func TestADecisionThatIsInterruptedIsCarriedOutAllTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 2))
	gate := fake.NewGate()
	r.PayPal.Script(fake.Stop(fake.OpVoidAuthorization, "1B1", fake.Before, gate))
	p := r.start("review", "decide", id("1"), "--action", "release-all", "--by", "ana", "--reason", "r", "--decision-id", "ticket-7")
	<-gate.Arrived()
	p.says("The decision was taken in and is being carried out")

	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	got := p.wait()

	assert.Equal(t, 4, got.Code, got.Stderr)
	assert.Contains(t, got.Stderr, "interrupted; the decision was taken in and may still be carried out: look with starter review list, or run the command again with --decision-id ticket-7")
	gate.Release()
	again := r.decide("1", "release-all", "--decision-id", "ticket-7")
	again.decision(t)
	assert.Equal(t, workflows.StateUnsold, r.ended(lot("1", 2)).State)
}

func TestADecisionWhoseWorkerDiedIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.work()
	r.inDoubt(lot("1", 2))
	gate := fake.NewGate()
	t.Cleanup(gate.Release)
	r.PayPal.Script(fake.Stop(fake.OpVoidAuthorization, "1B1", fake.Before, gate))
	p := r.start("review", "decide", id("1"), "--action", "next-bidder", "--by", "ana", "--reason", "r")
	<-gate.Arrived()
	stop()

	got := p.wait()

	assert.Equal(t, 4, got.Code, got.Stderr)
	assert.Contains(t, got.Stderr, "no worker answers any more; the decision is carried out when one runs (go run ./worker); the decision was taken in")
}

package main_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// decision is what review decide prints with --json.
type decision struct {
	WorkflowID string           `json:"workflow_id"`
	DecisionID string           `json:"decision_id"`
	State      workflows.State  `json:"state"`
	Reason     workflows.Reason `json:"reason"`
}

func (r result) decision(t *testing.T) decision {
	t.Helper()
	require.Equal(t, 0, r.Code, r.Stderr)
	var d decision
	in := json.NewDecoder(strings.NewReader(r.Stdout))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&d), r.Stdout)
	require.Equal(t, 1, strings.Count(r.Stdout, "\n"), r.Stdout)
	return d
}

// inDoubt brings a lot into review: its capture is never answered and never
// takes effect, until its clock has run out.
func (r *rig) inDoubt(l workflows.Lot) {
	r.t.Helper()
	broken := fake.Break(fake.OpCaptureAuthorization, l.Bids[0].Hold.AuthorizationID, fake.Before, 500)
	broken.Times = -1
	r.PayPal.Script(broken)
	r.toReview(l, workflows.ReasonUnknownClockExpired)
}

// toReview settles a lot that ends up in review for this reason.
func (r *rig) toReview(l workflows.Lot, reason workflows.Reason) {
	r.t.Helper()
	got := r.run("settle", "--json", r.seed(l))
	require.Equal(r.t, 3, got.Code, got.Stderr)
	require.Equal(r.t, reason, got.outcomes(r.t)[id(l.LotID)].Reason)
}

func (r *rig) decide(lotID, action string, more ...string) result {
	r.t.Helper()
	return r.run(append([]string{"review", "decide", id(lotID), "--action", action, "--by", "ana", "--reason", "looked into it", "--json"}, more...)...)
}

// ended waits for the lot's end and checks that the ledger is in order.
func (r *rig) ended(l workflows.Lot) workflows.Outcome {
	r.t.Helper()
	got := r.run("settle", "--json", r.file(l))
	assert.Empty(r.t, r.PayPal.Ledger().Check())
	return got.outcomes(r.t)[id(l.LotID)]
}

func (r *rig) outcome(lotID string) workflows.Outcome {
	r.t.Helper()
	return r.run("status", "--json", "spring", lotID).outcomes(r.t)[id(lotID)]
}

func (r *rig) holdStatus(authorizationID string) string {
	r.t.Helper()
	hold, found := r.PayPal.Ledger().Hold(authorizationID)
	require.True(r.t, found, authorizationID)
	return hold.Status
}

func TestARetryThatSucceedsChargesOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 3))
	r.PayPal.ClearScript()

	got := r.decide("1", "retry", "--decision-id", "ticket-7").decision(t)

	assert.Equal(t, decision{WorkflowID: id("1"), DecisionID: "ticket-7", State: workflows.StateCapturing}, got)
	outcome := r.ended(lot("1", 3))
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.Equal(t, "b1", outcome.Winner.BidderID)
	assert.Len(t, r.PayPal.Ledger().Captures, 1)
	require.Len(t, outcome.Decisions, 1)
	assert.Equal(t, workflows.Decision{Action: workflows.ActionRetry, By: "ana", Reason: "looked into it", DecisionID: "ticket-7"}, outcome.Decisions[0].Decision)
}

func TestAdoptTakesACaptureThatPayPalShows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 3))
	capture, err := r.PayPal.Take(fake.Taking{AuthorizationID: "1B1", Amount: "25.00", InvoiceID: "made-by-hand"})
	require.NoError(t, err)

	r.decide("1", "adopt", "--capture-id", capture).decision(t)

	outcome := r.ended(lot("1", 3))
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.Equal(t, capture, outcome.Winner.CaptureID)
	assert.Equal(t, "25.00", outcome.Winner.Amount.Value())
	assert.True(t, outcome.Winner.Adopted)
	assert.Len(t, r.PayPal.Ledger().Captures, 1)
	assert.Equal(t, "VOIDED", r.holdStatus("1B2"))
}

func TestNextBidderPaysTheirOwnPrice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 3))

	r.decide("1", "next-bidder").decision(t)

	outcome := r.ended(lot("1", 3))
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.Equal(t, "b2", outcome.Winner.BidderID)
	assert.Equal(t, "20.00", outcome.Winner.Amount.Value())
	assert.Equal(t, "VOIDED", r.holdStatus("1B1"))
	assert.Len(t, r.PayPal.Ledger().Captures, 1)
}

func TestReleaseAllEndsUnsold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 3))

	r.decide("1", "release-all").decision(t)

	assert.Equal(t, workflows.StateUnsold, r.ended(lot("1", 3)).State)
	assert.Empty(t, r.PayPal.Ledger().Captures)
	for _, hold := range []string{"1B1", "1B2", "1B3"} {
		assert.Equal(t, "VOIDED", r.holdStatus(hold))
	}
}

func TestCloseEndsItAsItStands(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 2))

	got := r.decide("1", "close").decision(t)

	assert.Equal(t, workflows.StateFailedNeedsReview, got.State)
	require.NoError(t, r.Temporal.GetWorkflow(t.Context(), id("1"), "").Get(t.Context(), nil))
	run, err := r.Temporal.DescribeWorkflow(t.Context(), id("1"), "")
	require.NoError(t, err)
	assert.Equal(t, enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED, run.Status)
	outcome := r.outcome("1")
	assert.Equal(t, workflows.StateFailedNeedsReview, outcome.State)
	assert.Equal(t, workflows.ReasonUnknownClockExpired, outcome.Reason)
	assert.Equal(t, "ana", outcome.Closed.By)
	assert.Equal(t, "CREATED", r.holdStatus("1B1"))
	assert.Empty(t, r.PayPal.Ledger().Captures)
	again := r.run("settle", r.file(lot("1", 2)))
	assert.Equal(t, 3, again.Code)
	assert.Contains(t, again.Stderr, "settlement/spring/1 closed as it stood by ana: looked into it.")
	assert.NotContains(t, again.Stderr, "need a person", "it waits for nobody")
	assert.Empty(t, r.run("review", "list", "--json").Stdout)
	assert.Empty(t, r.PayPal.Ledger().Check())
}

func TestADecisionWithTheSameIDCountsOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.inDoubt(lot("1", 2))
	r.decide("1", "retry", "--decision-id", "ticket-7").decision(t)
	require.Eventually(t, func() bool {
		outcome := r.outcome("1")
		return outcome.State == workflows.StateFailedNeedsReview && len(outcome.Decisions) == 1
	}, time.Minute, 50*time.Millisecond, "the retry met the same doubt")
	asked := r.PayPal.Counts()

	r.decide("1", "retry", "--decision-id", "ticket-7").decision(t)

	assert.Len(t, r.outcome("1").Decisions, 1)
	assert.Equal(t, asked, r.PayPal.Counts(), "nothing was tried a second time")
	r.decide("1", "close", "--decision-id", "ticket-8").decision(t)
	require.NoError(t, r.Temporal.GetWorkflow(t.Context(), id("1"), "").Get(t.Context(), nil))
	r.decide("1", "close", "--decision-id", "ticket-8").decision(t)
	assert.Len(t, r.outcome("1").Decisions, 2)
	assert.Empty(t, r.PayPal.Ledger().Check())
}

func TestAfterAFailedBidAPersonGivesTheTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "1B1", "INSTRUMENT_DECLINED"))
	asks := lot("1", 2)
	asks.Fallback = workflows.FallbackAsk
	r.toReview(asks, workflows.ReasonBidFailed)

	refused := r.decide("1", "retry")
	assert.Equal(t, 1, refused.Code)
	assert.Contains(t, refused.Stderr, "retry does not fit a review for bid_failed: decide adopt, next-bidder, release-all or close")

	got := r.run("review", "decide", id("1"), "--action", "next-bidder", "--by", "ana", "--reason", "r")

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, "settlement/spring/1: next-bidder was carried out; it is CAPTURING now.\n", got.Stdout)
	assert.Equal(t, "b2", r.ended(asks).Winner.BidderID)
}

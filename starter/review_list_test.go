package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

func TestReviewListShowsTheOldestFirstWithWhatFits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	assert.Equal(t, "Nothing waits for a person.\n", r.run("review", "list").Stdout)
	nobody := r.run("review", "list", "--json")
	assert.Equal(t, 0, nobody.Code, nobody.Stderr)
	assert.Empty(t, nobody.Stdout)
	require.Equal(t, 0, r.run("settle", r.seed(lot("0", 1))).Code)
	first, second := lot("9", 2), lot("1", 2)
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "9B1", "PAYEE_ACCOUNT_RESTRICTED"))
	r.toReview(first, workflows.ReasonInvariant)
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "1B1", "INSTRUMENT_DECLINED"))
	second.Fallback = workflows.FallbackAsk
	r.toReview(second, workflows.ReasonBidFailed)

	var got result
	require.Eventually(t, func() bool {
		got = r.run("review", "list", "--json")
		return strings.Count(got.Stdout, "\n") == 2
	}, time.Minute, 50*time.Millisecond, "visibility is behind")
	assert.Equal(t, 0, got.Code)
	assert.Less(t, strings.Index(got.Stdout, id("9")), strings.Index(got.Stdout, id("1")))
	outcome := got.outcomes(t)[id("9")]
	assert.Equal(t, workflows.Actions, outcome.Review.Actions)
	assert.WithinRange(t, outcome.Review.Since, time.Now().Add(-time.Minute), time.Now())

	text := r.run("review", "list")
	require.Equal(t, 0, text.Code, text.Stderr)
	assert.Regexp(t, `settlement/spring/9 │ [0-9: -]+ │ invariant +│ b1 +│ capture_authorization: invariant, HTTP 422, PAYEE_ACCOUNT_RESTRICTED[^│]* │ retry, adopt, next-bidder, release-all, close │`, text.Stdout)
	assert.Regexp(t, `settlement/spring/1 │ [0-9: -]+ │ bid_failed +│ b1 +│ [^│]* │ adopt, next-bidder, release-all, close +│`, text.Stdout)
	assert.Contains(t, text.Stdout, "Decide one with: starter review decide WORKFLOW --action ACTION")
	settle := r.run("settle", r.file(first))
	assert.Contains(t, settle.Stderr, "1 of 1 lots need a person: starter review list shows why, and starter review decide answers.")

	r.decide("9", "close").decision(t)
	require.Eventually(t, func() bool {
		left := r.run("review", "list", "--json").outcomes(t)
		return len(left) == 1 && left[id("1")].State != ""
	}, time.Minute, 50*time.Millisecond)
	assert.Empty(t, r.PayPal.Ledger().Check())
}

func TestReviewListNamesWhatIsKnownOfOtherHolds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	file := r.seed(lot("1", 2))
	capture, err := r.PayPal.Take(fake.Taking{AuthorizationID: "1B2", InvoiceID: "by-hand"})
	require.NoError(t, err)
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "1B1", "DUPLICATE_INVOICE_ID"))
	require.Equal(t, 3, r.run("settle", file).Code)

	require.Eventually(t, func() bool {
		return strings.Contains(r.run("review", "list").Stdout, "settlement/spring/1: PayPal shows hold 1B2 of b2 as different, capture "+capture+" of 20.00 USD COMPLETED")
	}, time.Minute, 50*time.Millisecond)

	r.decide("1", "adopt", "--capture-id", capture).decision(t)
	outcome := r.ended(lot("1", 2))
	assert.Equal(t, "b2", outcome.Winner.BidderID)
	assert.Equal(t, "VOIDED", r.holdStatus("1B1"))
}

func TestReviewListNamesTheCaptureOnTheHoldInTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	file := r.seed(lot("1", 2))
	capture, err := r.PayPal.Take(fake.Taking{AuthorizationID: "1B1", Amount: "7.00", InvoiceID: "by-hand"})
	require.NoError(t, err)
	require.Equal(t, 3, r.run("settle", file).Code)
	require.Eventually(t, func() bool {
		return strings.Contains(r.run("review", "list").Stdout, "settlement/spring/1: PayPal shows on the hold in turn, capture "+capture+" of 7.00 USD COMPLETED")
	}, time.Minute, 50*time.Millisecond)
	r.decide("1", "adopt", "--capture-id", capture).decision(t)
	assert.Equal(t, "7.00", r.ended(lot("1", 2)).Winner.Amount.Value())
}

func TestReviewListWithoutAWorkerSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, err := r.Temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: id("1"), TaskQueue: workflows.TaskQueue,
		TypedSearchAttributes: workflows.SearchAttributes("spring", "1", workflows.StateFailedNeedsReview, workflows.ReasonInvariant),
	}, workflows.SettlementType, workflows.SettlementInput{Lot: lot("1", 1)})
	require.NoError(t, err)

	var got result
	require.Eventually(t, func() bool {
		got = r.run("review", "list")
		return strings.Contains(got.Stdout, id("1"))
	}, time.Minute, 50*time.Millisecond)
	assert.Equal(t, 0, got.Code)
	assert.Contains(t, got.Stdout, "invariant")
	assert.Contains(t, got.Stderr, "No worker answers for all of them")
	assert.Contains(t, got.Stderr, "since when the run was started")

	r.work() // it settles: visibility said review, and it is not in one
	require.Eventually(t, func() bool {
		return r.run("review", "list").Stdout == "Nothing waits for a person.\n"
	}, time.Minute, 50*time.Millisecond)
}

package main_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

func TestSettlePrintsOneOutcomeALine(t *testing.T) {
	r := newRig(t)
	r.work()
	one, two := lot("1", 2), lot("2", 1)
	one.Release = []workflows.Hold{{AuthorizationID: "OUTBID1", Amount: "5.00"}}

	got := r.run("settle", "--json", r.seed(one), r.seed(two))

	require.Equal(t, 0, got.Code, got.Stderr)
	require.Len(t, got.outcomes(t), 2)
	capture := r.PayPal.Ledger().CapturesOf("1B1")[0].CaptureID
	line := got.Stdout[strings.Index(got.Stdout, `{"workflow_id":"settlement/spring/1"`):]
	assert.JSONEq(t, `{
		"workflow_id": "settlement/spring/1",
		"state": "SETTLED",
		"winner": {"bidder_id": "b1", "capture_id": "`+capture+`", "amount": {"currency_code": "USD", "value": "20.00"}, "adopted": false},
		"holds": [
			{"bidder_id": "b1", "authorization_id": "1B1", "outcome": "CAPTURED"},
			{"bidder_id": "b2", "authorization_id": "1B2", "outcome": "RELEASED"},
			{"authorization_id": "OUTBID1", "outcome": "RELEASED"}
		],
		"reason": ""
	}`, strings.SplitAfter(line, "\n")[0])
}

func TestSettlePrintsATableForPeople(t *testing.T) {
	r := newRig(t)
	r.work()
	r.PayPal.Script(fake.Decline(fake.OpCaptureAuthorization, "2B1", "INSTRUMENT_DECLINED"))

	got := r.run("settle", r.seed(lot("1", 3), lot("2", 3)))

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Regexp(t, `spring/1 +│ SETTLED │ b1 +│ 30\.00 USD │ [A-Z0-9]+ +│ 1 captured, 2 released`, got.Stdout)
	assert.Regexp(t, `spring/2 +│ SETTLED │ b2 +│ 20\.00 USD `, got.Stdout)
	assert.Contains(t, got.Stdout, "2 lots: 2 settled; taken 50.00 USD\n")
	assert.NotContains(t, got.Stderr, "\x1b", "nothing is drawn where there is no terminal")
}

func TestSettleReadsStdin(t *testing.T) {
	r := newRig(t)
	r.work()
	content, err := os.ReadFile(r.seed(lot("1", 1)))
	require.NoError(t, err)

	got := startProcess(t, r.env, content, "settle", "--json", "-").wait()

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, workflows.StateSettled, got.outcomes(t)[id("1")].State)
}

func TestSettleOfAHundredLotsChargesEachOnceAndAgainNever(t *testing.T) {
	r := newRig(t)
	r.work()
	var lots []workflows.Lot
	for n := range 100 {
		lots = append(lots, lot(fmt.Sprintf("lot-%d", n), 6))
	}
	file := r.seed(lots...)

	first := r.run("settle", "--json", file)

	require.Equal(t, 0, first.Code, first.Stderr)
	outcomes := first.outcomes(t)
	require.Len(t, outcomes, 100)
	for _, l := range lots {
		outcome := outcomes[id(l.LotID)]
		require.Equal(t, workflows.StateSettled, outcome.State)
		captures := r.PayPal.Ledger().CapturesOf(l.Bids[0].Hold.AuthorizationID)
		require.Len(t, captures, 1)
		assert.Equal(t, captures[0].CaptureID, outcome.Winner.CaptureID)
		assert.Equal(t, "60.00", captures[0].Amount)
	}
	ledger := r.PayPal.Ledger()
	assert.Len(t, ledger.Captures, 100)
	assert.Empty(t, ledger.Check())
	for _, hold := range ledger.Holds {
		assert.Contains(t, []string{"CAPTURED", "VOIDED"}, hold.Status, hold.AuthorizationID)
	}

	requests := r.PayPal.Counts()
	again := r.run("settle", "--json", file)

	require.Equal(t, 0, again.Code, again.Stderr)
	assert.Equal(t, outcomes, again.outcomes(t))
	assert.Contains(t, again.Stderr, "0 settlements started, 100 attached to.")
	assert.Equal(t, requests, r.PayPal.Counts(), "PayPal was not asked again")
}

func TestSettleRefusesAnotherInputForAKnownLot(t *testing.T) {
	r := newRig(t)
	r.work()
	require.Equal(t, 0, r.run("settle", r.seed(lot("1", 2))).Code)
	other := lot("1", 2)
	other.Bids[0].Price = "20.01"
	other.Bids[0].Hold.Amount = "30.00"

	got := r.run("settle", "--json", r.file(lot("2", 1), other))

	assert.Equal(t, 2, got.Code)
	assert.Empty(t, got.Stdout)
	assert.Contains(t, got.Stderr, "lots.jsonl: line 2: lot 1 of auction spring was started with another input, as workflow settlement/spring/1")
	assert.Equal(t, 1, strings.Count(got.Stderr, "\n"))
	_, err := r.Temporal.DescribeWorkflow(t.Context(), id("2"), "")
	assert.ErrorContains(t, err, "not found", "nothing else was started either")
}

func TestSettleLeavesWhatNeedsAPersonOpen(t *testing.T) {
	r := newRig(t)
	r.work()
	refused := fake.Decline(fake.OpCaptureAuthorization, "1B1", "PAYEE_ACCOUNT_RESTRICTED")
	refused.Times = -1
	r.PayPal.Script(refused)
	file := r.seed(lot("1", 2), lot("2", 2))

	for _, when := range []string{"the first time", "attached to"} {
		t.Run(when, func(t *testing.T) {
			got := r.run("settle", "--json", file)

			assert.Equal(t, 3, got.Code, got.Stderr)
			outcome := got.outcomes(t)[id("1")]
			assert.Equal(t, workflows.StateFailedNeedsReview, outcome.State)
			assert.Equal(t, workflows.ReasonInvariant, outcome.Reason)
			assert.Equal(t, workflows.StateSettled, got.outcomes(t)[id("2")].State)
			assert.Contains(t, got.Stderr, "1 of 2 lots need a person")
		})
	}
	assert.Equal(t, 1, r.PayPal.Count(fake.OpCaptureAuthorization)-len(r.PayPal.Ledger().CapturesOf("2B1")))
}

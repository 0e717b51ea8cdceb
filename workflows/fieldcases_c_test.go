package workflows_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// aged are bids of which the first is past its honor period.
var aged = []bidder{{Price: 12000, Age: 8 * 24 * time.Hour}, {Price: 11000}}

// Part C: time, amounts, renewals.
func TestFieldCasesOfTimeAndAmounts(t *testing.T) {
	t.Run("30 Reauthorize too early and code lost", func(t *testing.T) {
		c := newCase(t, scenario{Bids: aged, Renewals: true, Faults: []fault{refuse(opRenew, 0, "REAUTHORIZATION_TOO_SOON", -1)}})
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, "HOLD0", c.books().ours()[0].AuthorizationID, "the hold that is there is captured")
		assert.Equal(t, 1, c.asked(opRenew, 0))
	})
	t.Run("31 Reauthorize answers 500 for a week-old hold", func(t *testing.T) {
		// By the design an unknown renewal is a person's when its clock runs out; a
		// retry then captures the original.
		retry := decision{After: time.Hour, Action: workflows.ActionRetry}
		c := newCase(t, scenario{Bids: aged, Renewals: true, Faults: []fault{on(opRenew, 0, "500 before", -1)}, Person: []decision{retry}})
		c.ends(workflows.StateSettled, first)
		assert.Contains(t, c.told(), workflows.ReasonUnknownClockExpired)
		assert.Equal(t, "HOLD0", c.books().ours()[0].AuthorizationID)
	})
	t.Run("32 Nobody watches the 3 days", func(t *testing.T) {
		bids := []bidder{{Price: 12000, Age: 27*24*time.Hour + 20*time.Hour}, {Price: 11000}}
		c := newCase(t, scenario{Bids: bids, Events: []event{when(opRead, 0, 1, "engage switch")}, ClearAt: 20 * time.Hour})
		warned := c.warnedOfExpiry()
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, 4*time.Hour, warned(), "a day before the hold's end")
	})
	t.Run("34 Final flag on the wrong part", func(t *testing.T) {
		c := newCase(t, scenario{})
		c.ends(workflows.StateSettled, first)
		taken := c.books().ours()
		require.Len(t, taken, 1)
		assert.Equal(t, "120.00", taken[0].Amount, "of a hold of 150.00")
		assert.True(t, taken[0].Final)
	})
	t.Run("35 Yen divided by 100", func(t *testing.T) {
		c := newCase(t, scenario{Currency: "JPY", Bids: []bidder{{Price: 10000}}})
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, "10000", c.books().ours()[0].Amount)
	})
	t.Run("36 SDK forgets HUF, or adds decimals to JPY", func(t *testing.T) {
		whole := map[string]bool{"HUF": true, "JPY": true, "TWD": true}
		for _, currency := range []string{
			"AUD", "BRL", "CAD", "CNY", "CZK", "DKK", "EUR", "HKD", "HUF", "ILS", "JPY", "MYR", "MXN", "TWD", "NZD", "NOK", "PHP", "PLN",
			"GBP", "SGD", "SEK", "CHF", "THB", "USD",
		} {
			c := newCase(t, scenario{Currency: currency, Bids: []bidder{{Price: 12050}}})
			c.ends(workflows.StateSettled, first)
			want := "120.50"
			if whole[currency] {
				want = "12050"
			}
			sent := c.wire.calls()
			assert.Contains(t, sent[len(sent)-1].body, fmt.Sprintf(`{"currency_code":"%s","value":"%s"}`, currency, want))
		}
	})
}

// Part D: request ids, invoices, tokens. Case 40 is about a library's signature.
func TestFieldCasesOfRequests(t *testing.T) {
	t.Run("37 RID reused for another call", func(t *testing.T) {
		// Each case holds its requests against P7; here the account refuses as well.
		c := newCase(t, scenario{
			Bids: aged, Renewals: true, Release: 1, Account: fake.Options{OtherBody: fake.OtherBody400},
			Faults: []fault{refuse(opCapture, anyHold, "PAYER_CANNOT_PAY", 1)},
		})
		c.ends(workflows.StateSettled, second)
		assert.NotContains(t, c.report(), "DUPLICATE_REQUEST_ID")
	})
	t.Run("38 Capture had no key at all", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(opCapture, 0, "lost after", -1)}})
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, 2, c.asked(opCapture, 0))
		for _, r := range c.paypal.Requests() {
			assert.NotContains(t, r.Flags, "no_request_id")
		}
	})
	t.Run("39 Deterministic invoice id blocks the retry", func(t *testing.T) {
		// One invoice a lot is on purpose: the collision is a fence, and the winner's
		// own capture is looked for before it is somebody's matter.
		declined := on(opCapture, 0, "declined capture", 1)
		newCase(t, scenario{Faults: []fault{declined}, Account: fake.Options{Invoices: fake.InvoicesTaken}}).ends(workflows.StateSettled, second)

		c := newCase(t, scenario{Faults: []fault{declined}, Account: fake.Options{Invoices: fake.InvoicesEver}})
		out := c.live()
		assert.Equal(t, workflows.ReasonDuplicateInvoice, out.Reason)
		assert.Empty(t, c.books().ours())

		mine := refuse(opCapture, 0, "DUPLICATE_INVOICE_ID", 1)
		c = newCase(t, scenario{Faults: []fault{mine}, Events: []event{when(opCapture, 0, 1, "captured as intended")}})
		assert.True(t, c.ends(workflows.StateSettled, first).Winner.Adopted, "it was us")
	})
	t.Run("41 invoice_id as the only duplicate guard", func(t *testing.T) {
		c := newCase(t, scenario{
			Faults: []fault{on(opCapture, 0, "lost after", -1)},
			Events: []event{when(opCapture, 0, 1, "die"), when(opCapture, 0, 2, "forget request ids")},
		})
		assert.True(t, c.ends(workflows.StateSettled, first).Winner.Adopted)
		assert.Contains(t, c.report(), "run terminated")
	})
	t.Run("42 Token per transaction → 429 on the token endpoint", func(t *testing.T) {
		c := newCase(t, scenario{Faults: []fault{on(fake.OpToken, anyHold, "429", 40)}})
		seen := c.seenAt(7 * time.Second)
		c.ends(workflows.StateSettled, first)
		assert.Equal(t, workflows.StateStalled, seen.State)
		assert.Equal(t, workflows.ReasonAuthUnavailable, seen.Reason)
		assert.Zero(t, seen.Waiting.ClockEndsAt, "no clock runs")
		assert.Equal(t, 41, c.paypal.Count(fake.OpToken), "one token for everything")
	})
	t.Run("43 Token never refreshed / refreshed in the wrong time zone", func(t *testing.T) {
		c := newCase(t, scenario{
			Faults: []fault{on(opCapture, 0, "pending, paid", 1)},
			Events: []event{{At: 1500 * time.Millisecond, Do: "revoke token"}},
		})
		c.ends(workflows.StateSettled, first)
		assert.Greater(t, c.paypal.Count(fake.OpToken), 3, "over a day, with tokens of nine hours")
	})
}

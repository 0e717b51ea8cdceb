package demo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/paypalclient"
	"gavel/starter/internal/settling"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// books are one lot that ana won for 12.00 USD, and PayPal's ledger of it.
func books() (fake.Ledger, []settling.Standing) {
	standing := settling.Standing{Outcome: workflows.Outcome{State: workflows.StateSettled, Winner: &workflows.Winner{
		BidderID: "ana", CaptureID: "C1", Amount: paypalclient.Money{Currency: "USD", Minor: 1200},
	}}}
	standing.Entry.Lot = workflows.Lot{AuctionID: "spring", LotID: "1"}
	return fake.Ledger{
		Holds: []fake.LedgerHold{
			{AuthorizationID: "A1", Currency: "USD", Amount: "15.00", Status: "CAPTURED"},
			{AuthorizationID: "A2", Currency: "USD", Amount: "15.00", Status: "VOIDED"},
		},
		Captures: []fake.LedgerCapture{{
			CaptureID: "C1", AuthorizationID: "A1", InvoiceID: "gv1/spring/1", Currency: "USD", Amount: "12.00", Status: "COMPLETED",
		}},
	}, []settling.Standing{standing}
}

func TestAuditFindsNothingInBooksThatAreInOrder(t *testing.T) {
	ledger, standings := books()
	assert.Empty(t, Audit(ledger, standings, "gv1"))
}

func TestAuditNamesEveryDifference(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*fake.Ledger, *settling.Standing)
		want   string
	}{
		"a second charge for a lot, on another hold": {func(l *fake.Ledger, _ *settling.Standing) {
			second := l.Captures[0]
			second.CaptureID, second.AuthorizationID = "C2", "A2"
			l.Captures = append(l.Captures, second)
		}, "lot 1: PayPal took money 2 times, and 1 was right"},
		"a settled lot that nobody paid":     {func(l *fake.Ledger, _ *settling.Standing) { l.Captures = nil }, "lot 1: PayPal took money 0 times, and 1 was right"},
		"money taken for a lot without sale": {func(_ *fake.Ledger, s *settling.Standing) { s.Outcome.Winner = nil }, "lot 1: PayPal took money 1 times, and 0 was right"},
		"money taken for something else": {func(l *fake.Ledger, _ *settling.Standing) {
			other := l.Captures[0]
			other.CaptureID, other.AuthorizationID, other.InvoiceID = "C2", "A2", "gv1/fall/1"
			l.Captures = append(l.Captures, other)
		}, `invoice "gv1/fall/1" belongs to no lot`},
		"another amount": {func(l *fake.Ledger, _ *settling.Standing) { l.Captures[0].Amount = "13.00" },
			"lot 1: PayPal shows capture C1 of 13.00 USD, the settlement says C1 of 12.00 USD"},
		"another capture": {func(l *fake.Ledger, _ *settling.Standing) { l.Captures[0].CaptureID = "C9" },
			"lot 1: PayPal shows capture C9 of 12.00 USD, the settlement says C1 of 12.00 USD"},
		"what the ledger finds by itself": {func(l *fake.Ledger, _ *settling.Standing) { l.Captures[0].Amount = "16.00" }, "16.00"},
	} {
		t.Run(name, func(t *testing.T) {
			ledger, standings := books()
			tc.change(&ledger, &standings[0])
			violations := Audit(ledger, standings, "gv1")
			require.NotEmpty(t, violations)
			found := ""
			for _, v := range violations {
				found += v + "\n"
			}
			assert.Contains(t, found, tc.want)
		})
	}
}

func TestTheSampleIsALotFileWhoseHoldsTheFakeTakes(t *testing.T) {
	entries, err := Sample()
	require.NoError(t, err)
	assert.Len(t, entries, len(Story))
	paypal := fake.Start(t)
	require.NoError(t, seed(paypal))
	for _, id := range []string{lostAnswers, declined, voidedBefore} {
		_, known := paypal.Ledger().Hold(id)
		assert.True(t, known, id)
	}
}

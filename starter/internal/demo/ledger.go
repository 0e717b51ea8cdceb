package demo

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"gavel/starter/internal/settling"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// PrintLedger prints what PayPal's books say was taken.
func PrintLedger(w io.Writer, ledger fake.Ledger) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(table.Row{"Invoice", "Capture", "Hold", "Amount", "Status"})
	for _, c := range ledger.Captures {
		t.AppendRow(table.Row{c.InvoiceID, c.CaptureID, c.AuthorizationID, c.Amount + " " + c.Currency, c.Status})
	}
	statuses := map[string]int{}
	for _, h := range ledger.Holds {
		statuses[h.Status]++
	}
	_, err := fmt.Fprintf(w, "%s\nHolds: %d captured, %d voided, %d still open\n",
		t.Render(), statuses["CAPTURED"], statuses["VOIDED"], len(ledger.Holds)-statuses["CAPTURED"]-statuses["VOIDED"])
	return err
}

// Audit compares the books with what the settlements say, and lists every
// violation: each settled lot has exactly one capture that took money, the
// winner's, and nothing else took any.
func Audit(ledger fake.Ledger, standings []settling.Standing, invoicePrefix string) []string {
	violations := ledger.Check()
	taken := map[string][]fake.LedgerCapture{}
	for _, c := range ledger.Captures {
		if c.TookMoney() {
			taken[c.InvoiceID] = append(taken[c.InvoiceID], c)
		}
	}
	for _, s := range standings {
		lot := s.Entry.Lot
		invoice := workflows.InvoiceID(invoicePrefix, lot.AuctionID, lot.LotID)
		captures := taken[invoice]
		delete(taken, invoice)
		want := 0
		if s.Outcome.Winner != nil {
			want = 1
		}
		if len(captures) != want {
			violations = append(violations, fmt.Sprintf("lot %s: PayPal took money %d times, and %d was right", lot.LotID, len(captures), want))
			continue
		}
		if want == 1 && !matches(captures[0], *s.Outcome.Winner) {
			violations = append(violations, fmt.Sprintf("lot %s: PayPal shows capture %s of %s %s, the settlement says %s of %s",
				lot.LotID, captures[0].CaptureID, captures[0].Amount, captures[0].Currency, s.Outcome.Winner.CaptureID, s.Outcome.Winner.Amount))
		}
	}
	for invoice, captures := range taken {
		violations = append(violations, fmt.Sprintf("invoice %q belongs to no lot, and PayPal took money for it %d times", invoice, len(captures)))
	}
	return violations
}

func matches(c fake.LedgerCapture, winner workflows.Winner) bool {
	return c.CaptureID == winner.CaptureID && c.Amount == winner.Amount.Value() && c.Currency == winner.Amount.Currency
}

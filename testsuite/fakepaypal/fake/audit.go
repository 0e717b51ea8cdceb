package fake

import (
	"fmt"
	"sort"
)

// Check lists everything in the ledger that must never happen, none when all is well: two captures that took money
// for one invoice, one hold or one order, and money taken beyond what a hold or order was for. A hold counts together
// with its renewals.
func (l Ledger) Check() []string {
	byInvoice, byHold, byOrder := map[string][]LedgerCapture{}, map[string][]LedgerCapture{}, map[string][]LedgerCapture{}
	limits := l.limits()
	roots := l.roots()
	for _, c := range l.Captures {
		if !c.TookMoney() {
			continue
		}
		if c.InvoiceID != "" {
			byInvoice[c.InvoiceID] = append(byInvoice[c.InvoiceID], c)
		}
		if c.AuthorizationID != "" {
			root := roots[c.AuthorizationID]
			byHold[root] = append(byHold[root], c)
		}
		if c.OrderID != "" {
			byOrder[c.OrderID] = append(byOrder[c.OrderID], c)
		}
	}
	var found []string
	found = append(found, several("invoice", byInvoice)...)
	found = append(found, several("hold", byHold)...)
	found = append(found, several("order", byOrder)...)
	found = append(found, beyond("hold", byHold, limits)...)
	found = append(found, beyond("order", byOrder, limits)...)
	return found
}

// roots maps every authorization to the one that the buyer gave.
func (l Ledger) roots() map[string]string {
	roots := map[string]string{}
	for _, h := range l.Holds {
		roots[h.AuthorizationID] = h.AuthorizationID
		if h.ParentID != "" {
			roots[h.AuthorizationID] = h.ParentID
		}
	}
	return roots
}

// limits is what each hold that a buyer gave, and each order, was for.
func (l Ledger) limits() map[string]int64 {
	limits := map[string]int64{}
	for _, h := range l.Holds {
		if h.ParentID == "" {
			limits[h.AuthorizationID] = minorOf(h.Currency, h.Amount)
		}
	}
	for _, o := range l.Orders {
		limits[o.OrderID] = minorOf(o.Currency, o.Amount)
	}
	return limits
}

func several(kind string, groups map[string][]LedgerCapture) []string {
	var found []string
	for id, captures := range groups {
		if len(captures) > 1 {
			found = append(found, fmt.Sprintf("%s %s was captured %d times: %s", kind, id, len(captures), idsOf(captures)))
		}
	}
	sort.Strings(found)
	return found
}

func beyond(kind string, groups map[string][]LedgerCapture, limits map[string]int64) []string {
	var found []string
	for id, captures := range groups {
		var sum int64
		for _, c := range captures {
			sum += minorOf(c.Currency, c.Amount)
		}
		if limit := limits[id]; sum > limit {
			currency := captures[0].Currency
			found = append(found, fmt.Sprintf("%s %s of %s %s was captured for %s",
				kind, id, money{currency, limit}.value(), currency, money{currency, sum}.value()))
		}
	}
	sort.Strings(found)
	return found
}

func idsOf(captures []LedgerCapture) string {
	text := ""
	for i, c := range captures {
		if i > 0 {
			text += ", "
		}
		text += c.CaptureID
	}
	return text
}

func minorOf(currency, value string) int64 {
	amount, _ := amountOf(currency, value) // written by the ledger itself
	return amount.Minor
}

// Package show prints settlements for people and for programs.
package show

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"

	"gavel/paypalclient"
	"gavel/starter/internal/settling"
	"gavel/workflows"
)

// JSON prints a settlement's outcome as one line.
func JSON(w io.Writer, standing settling.Standing) error {
	line, err := json.Marshal(outcomeOf(standing))
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// outcomeOf gives a settlement that was closed from outside the closing as its
// reason: its own was that of a wait which is no more.
func outcomeOf(standing settling.Standing) workflows.Outcome {
	outcome := standing.Outcome
	if standing.Closed != "" {
		outcome.Reason = workflows.Reason(standing.Closed)
	}
	return outcome
}

// Table prints what became of the lots, with a line that sums up.
func Table(w io.Writer, standings []settling.Standing) error {
	t := newTable("Lot", "State", "Winner", "Paid", "Capture", "Holds", "Reason")
	for _, s := range standings {
		row := table.Row{lotOf(s.Settlement), string(s.Outcome.State), "", "", "", holds(s.Outcome), string(outcomeOf(s).Reason)}
		if winner := s.Outcome.Winner; winner != nil {
			row[2], row[3], row[4] = clean(winner.BidderID), winner.Amount.String(), winner.CaptureID
			if winner.Adopted {
				row[4] = winner.CaptureID + " (adopted)"
			}
		}
		t.AppendRow(row)
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", t.Render(), Summary(standings))
	return err
}

// Summary is one line on all lots: how many ended how, and what was taken.
func Summary(standings []settling.Standing) string {
	ends, taken := map[string]int{}, map[string]paypalclient.Money{}
	var order, currencies []string
	for _, s := range standings {
		end := strings.ToLower(strings.ReplaceAll(string(s.Outcome.State), "_", " "))
		if s.Closed != "" {
			end = s.Closed
		}
		if ends[end]++; ends[end] == 1 {
			order = append(order, end)
		}
		if winner := s.Outcome.Winner; winner != nil {
			sum, err := winner.Amount.Add(orZero(taken[winner.Amount.Currency], winner.Amount.Currency))
			if err != nil {
				continue
			}
			if _, known := taken[sum.Currency]; !known {
				currencies = append(currencies, sum.Currency)
			}
			taken[sum.Currency] = sum
		}
	}
	parts := make([]string, len(order))
	for i, end := range order {
		parts[i] = fmt.Sprintf("%d %s", ends[end], end)
	}
	line := fmt.Sprintf("%s: %s", plural(len(standings), "lot"), strings.Join(parts, ", "))
	slices.Sort(currencies)
	for i, currency := range currencies {
		line += []string{"; taken ", " and "}[min(i, 1)] + taken[currency].String()
	}
	return line
}

func orZero(m paypalclient.Money, currency string) paypalclient.Money {
	m.Currency = currency
	return m
}

// holds counts the outcomes of a lot's holds: "1 captured, 5 released".
func holds(outcome workflows.Outcome) string {
	counts := outcome.HoldCounts
	if counts == nil {
		counts = map[workflows.HoldOutcome]int{}
		for _, hold := range outcome.Holds {
			counts[hold.Outcome]++
		}
	}
	var parts []string
	for _, each := range []workflows.HoldOutcome{
		workflows.HoldCaptured, workflows.HoldReleased, workflows.HoldGone, workflows.HoldOrphaned, workflows.HoldOpen,
	} {
		if counts[each] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[each], strings.ToLower(string(each))))
		}
	}
	return strings.Join(parts, ", ")
}

func newTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.AppendHeader(header)
	return t
}

// lotOf is "auction/lot".
func lotOf(s settling.Settlement) string {
	return strings.TrimPrefix(s.WorkflowID, "settlement/")
}

// clean keeps what others wrote from steering a terminal.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return '�'
		}
		return r
	}, text)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

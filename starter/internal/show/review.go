package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"gavel/activities"
	"gavel/starter/internal/settling"
	"gavel/workflows"
)

// Reviews prints what waits for a person, and how it is decided.
func Reviews(w io.Writer, reviews []settling.Review) error {
	if len(reviews) == 0 {
		_, err := fmt.Fprintln(w, "Nothing waits for a person.")
		return err
	}
	t := newTable("Workflow", "Since", "Reason", "Bidder in turn", "PayPal's last problem", "Actions")
	var known []string
	for _, r := range reviews {
		row := table.Row{r.WorkflowID, clock(r.Since), string(r.Outcome.Reason), "", "", ""}
		if waiting := r.Outcome.Waiting; waiting != nil {
			row[3] = clean(waiting.BidderID)
			if waiting.Problem != nil {
				row[4] = clean(waiting.Problem.String())
			}
		}
		if r.Outcome.Review != nil {
			row[5] = actions(r.Outcome.Review.Actions)
			known = append(known, knownHolds(r)...)
		}
		t.AppendRow(row)
	}
	lines := append([]string{t.Render()}, known...)
	lines = append(lines, "Decide one with: starter review decide WORKFLOW --action ACTION --by NAME --reason TEXT (adopt takes --capture-id ID)")
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func actions(fitting []workflows.Action) string {
	words := make([]string, len(fitting))
	for i, action := range fitting {
		words[i] = string(action)
	}
	return strings.Join(words, ", ")
}

// knownHolds says on which holds of a lot PayPal shows money taken: what can be
// adopted stands there.
func knownHolds(r settling.Review) []string {
	var lines []string
	if taken := r.Outcome.Review.Taken; len(taken) > 0 {
		lines = append(lines, fmt.Sprintf("%s: PayPal shows on the hold in turn%s", r.WorkflowID, captures(taken)))
	}
	for _, hold := range r.Outcome.Review.Known {
		lines = append(lines, fmt.Sprintf("%s: PayPal shows hold %s of %s as %s%s",
			r.WorkflowID, hold.AuthorizationID, clean(hold.BidderID), hold.Standing, captures(hold.Captures)))
	}
	return lines
}

func captures(all []activities.SeenCapture) string {
	text := ""
	for _, c := range all {
		text += fmt.Sprintf(", capture %s of %s %s", clean(c.ID), c.Amount, clean(c.Status))
	}
	return text
}

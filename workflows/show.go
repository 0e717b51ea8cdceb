package workflows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"
)

// shown is what the search attributes say.
type shown struct {
	state  State
	reason Reason
}

// enter moves the settlement into a state.
func (s *settlement) enter(state State, reason Reason) {
	if state != s.State {
		s.waiting = nil
	}
	lasting := alarm{State: state}
	if state == StatePaused {
		lasting.Reason = reason
	}
	if lasting.State != s.Alarm.State || lasting.Reason != s.Alarm.Reason {
		lasting.Since = workflow.Now(s.ctx)
		s.Alarm = lasting
	}
	s.State, s.Reason = state, reason
	s.describe()
}

// show writes the state into the search attributes, where it is not there yet.
// It is called before a wait and at the end: a state that only passes by is
// not worth an action.
func (s *settlement) show() {
	s.describe()
	if now := (shown{s.State, s.Reason}); now != s.shown {
		s.shown = now
		err := workflow.UpsertTypedSearchAttributes(s.ctx, searchAttributeUpdates(s.lot.AuctionID, s.lot.LotID, s.State, s.Reason)...)
		if err != nil {
			s.logger.Error("search attributes not written", "error", err)
		}
	}
}

// These keep the Web UI's page readable.
const (
	maxBidsDescribed      = 20
	maxDecisionsDescribed = 5
)

// describe renders the page that the Web UI shows of a settlement.
func (s *settlement) describe() {
	var page strings.Builder
	fmt.Fprintf(&page, "### %s", s.State)
	if s.Reason != "" {
		fmt.Fprintf(&page, " · %s", s.Reason)
	}
	page.WriteString("\n\n")
	if s.Winner != nil {
		fmt.Fprintf(&page, "%s paid %s, capture %s.\n\n", cell(s.Winner.BidderID), s.Winner.Amount, s.Winner.CaptureID)
	}
	s.describeWait(&page)
	s.describeReview(&page)
	page.WriteString("| rank | bidder | price | hold | outcome |\n| --- | --- | --- | --- | --- |\n")
	for i, bid := range s.lot.Bids[:min(len(s.lot.Bids), maxBidsDescribed)] {
		fmt.Fprintf(&page, "| %d | %s | %s | %s | %s |\n", i+1, cell(bid.BidderID), bid.Price, bid.Hold.AuthorizationID, s.Holds[i])
	}
	if more := len(s.Holds) - min(len(s.lot.Bids), maxBidsDescribed); more > 0 {
		fmt.Fprintf(&page, "\nand %d more holds\n", more)
	}
	workflow.SetCurrentDetails(s.ctx, page.String())
}

func (s *settlement) describeWait(page *strings.Builder) {
	if s.waiting == nil {
		return
	}
	if s.State == StateFailedNeedsReview {
		fmt.Fprintf(page, "Waits for a person since %s.", stamp(s.waiting.Since))
	} else {
		fmt.Fprintf(page, "Looks again at %s.", s.waiting.NextPassAt.UTC().Format(time.RFC3339))
	}
	if s.waiting.BidderID != "" {
		fmt.Fprintf(page, " Bidder in turn: %s.", cell(s.waiting.BidderID))
	}
	if !s.waiting.ClockEndsAt.IsZero() {
		fmt.Fprintf(page, " Its clock runs out at %s.", s.waiting.ClockEndsAt.UTC().Format(time.RFC3339))
	}
	page.WriteString("\n\n")
	if s.waiting.ClockLeft > 0 {
		fmt.Fprintf(page, "The kill switch holds its clock, which has %s left.\n\n", time.Duration(s.waiting.ClockLeft))
	}
	if s.waiting.Problem != nil {
		fmt.Fprintf(page, "PayPal's last answer: %s.\n\n", cell(s.waiting.Problem.String()))
	}
}

// describeReview says what can be decided, and what became of the decisions
// that were sent.
func (s *settlement) describeReview(page *strings.Builder) {
	if s.Review != nil {
		fmt.Fprintf(page, "**Decide** %s: send the signal `%s` with\n\n```\n{\"action\": \"%s\", \"by\": \"your name\", \"reason\": \"why\"}\n```\n\n",
			list(s.Review.Actions), DecisionSignal, exampleOf(s.Review.Actions))
		for _, c := range s.Review.Taken {
			fmt.Fprintf(page, "On its hold: capture %s of %s, %s, invoice %s.\n\n", c.ID, c.Amount, c.Status, cell(cmp.Or(c.InvoiceID, "none")))
		}
		if s.Review.Read > 0 {
			fmt.Fprintf(page, "%d other holds were read; money taken, or not clear: %s.\n\n", s.Review.Read, cmp.Or(cell(takenOn(s.Review.Known)), "none"))
		}
	}
	for _, d := range newest(s.Decisions, maxDecisionsDescribed) {
		fmt.Fprintf(page, "- %s: %s decided %s (%s)", stamp(d.At), cell(d.By), cell(string(d.Action)), cell(d.Reason))
		if d.Refused != "" {
			fmt.Fprintf(page, ", refused: %s", cell(d.Refused))
		}
		page.WriteString("\n")
	}
	page.WriteString("\n")
}

// exampleOf is an action that fits and needs nothing else.
func exampleOf(fitting []Action) Action {
	return fitting[slices.IndexFunc(fitting, func(a Action) bool { return a != ActionAdopt })]
}

// markdown are the characters that would make more of a text than the text.
var markdown = strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "!", "\\!", "`", "\\`",
	"&", "&amp;", "<", "&lt;", "\n", " ")

// cell keeps a bidder's own words what they are on the page.
func cell(text string) string { return markdown.Replace(text) }

package workflows

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/activities"
)

var update = flag.Bool("update", false, "write docs/decisions.md anew")

const decisionsPage = "../docs/decisions.md"

// The page about the decision table is made from the table: after a change,
// go test ./workflows -run TheDecisionsPage -update.
func TestTheDecisionsPageIsCurrent(t *testing.T) {
	page := renderDecisions()
	if *update {
		require.NoError(t, os.WriteFile(decisionsPage, []byte(page), 0o644))
	}
	written, err := os.ReadFile(decisionsPage)
	require.NoError(t, err)
	assert.Equal(t, page, string(written), "run: go test ./workflows -run TheDecisionsPage -update")
}

const pageHead = `# What a settlement does about PayPal's answers

Generated from the decision table (workflows/table.go); a test keeps it current.

A pass over the bid in turn does what its stage asks and brings back what PayPal answered and what the
truth shows. The first row that fits decides. An answer is newer than the truth that was read before it,
so a row about the truth fits only where no money call was answered. What fits no row is in doubt, and
doubt waits. An empty cell fits everything. What the words for truth and answer mean stands in
activities/truth.go and activities/answer.go.

## Stages

| stage | what a pass does |
| --- | --- |
`

// stageWords say what a pass of each stage does.
var stageWords = map[stage]string{
	stageCapture:        "reads the truth and captures an open hold",
	stageRenew:          "reads the truth and renews an open hold past its honor period, once",
	stageAwait:          "reads the truth about what is pending at PayPal",
	stageCallOff:        "reads the truth after the lot was called off",
	stageConfirm:        "reads the truth after PayPal refused this hold",
	stageDuplicate:      "reads the truth after PayPal knew the lot's invoice already",
	stageFence:          "voids the hold and reads the truth",
	stageUnknownExpired: "any other stage whose unknown clock has run out: reads the truth a last time, and the kill switch",
	stageFenceExpired:   "the same for `fence`",
	stagePendingExpired: "`await` when the pending clock has run out: reads the truth a last time",
}

const clockWords = `
## Clocks

- **truth**: the unknown clock (clocks.unknown), started by a truth that could not be read; it stops at the next one that can.
- **money**: the unknown clock, started by a money call of unknown outcome; it runs on until the outcome is known, through later
  stalls too. Only the kill switch holds it, to the second, and it runs out only after a look that saw the switch off.
- **pending**: PayPal's own time (clocks.pending). Nothing holds it.

A wait without a clock lasts as long as it takes; after clocks.alert an operator is told, once.

## The table

| # | case | stage | truth | answer | kill switch | what happens |
| --- | --- | --- | --- | --- | --- | --- |
`

func renderDecisions() string {
	var page strings.Builder
	page.WriteString(pageHead)
	for _, s := range allStages {
		fmt.Fprintf(&page, "| `%s` | %s |\n", s, stageWords[s])
	}
	page.WriteString(clockWords)
	for i, r := range rows {
		fmt.Fprintf(&page, "| %d | %s | %s | %s | %s | %s | %s |\n", i+1, r.name, codes(r.at), codes(r.truth), codes(r.answer), codes(r.killSwitch), happens(r.then))
	}
	fmt.Fprintf(&page, "| | anything else | | | | | %s |\n", happens(decide("", observation{truth: "what nobody knows"})))
	page.WriteString(renderReviews())
	return page.String()
}

// renderReviews says which decisions fit which review.
func renderReviews() string {
	var page strings.Builder
	page.WriteString("\n## What a person can decide\n\n| in a review for |")
	for _, action := range Actions {
		fmt.Fprintf(&page, " %s |", action)
	}
	page.WriteString("\n| --- |" + strings.Repeat(" --- |", len(Actions)) + "\n")
	for _, reason := range []Reason{ReasonLoserCaptured, ReasonBidFailed, "any other reason"} {
		fmt.Fprintf(&page, "| %s |", reason)
		for _, action := range Actions {
			fits := "no"
			for _, fitting := range fitting(reason) {
				if fitting == action {
					fits = "yes"
				}
			}
			fmt.Fprintf(&page, " %s |", fits)
		}
		page.WriteString("\n")
	}
	return page.String()
}

func codes[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = "`" + string(one) + "`"
		if string(one) == string(activities.AnswerNone) {
			words[i] = "none"
		}
	}
	return strings.Join(words, ", ")
}

func happens(s step) string {
	switch s.do {
	case doSettle:
		return "the lot is paid"
	case doNextBidder:
		return "the next bidder, at their own price"
	case doReview:
		return fmt.Sprintf("**review** `%s`", s.reason)
	case doPass:
		return fmt.Sprintf("at once: `%s`", s.stage)
	}
	text := fmt.Sprintf("waits, %s `%s`", s.state, s.reason)
	if s.clock != clockNone {
		text += fmt.Sprintf(", %s clock", s.clock)
	}
	if s.stage != "" {
		text += fmt.Sprintf("; then `%s`", s.stage)
	}
	return text
}

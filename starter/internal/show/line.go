package show

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"gavel/starter/internal/settling"
	"gavel/workflows"
)

// Line is one settlement in one line, without its name: its state, why, what it
// waits for, and until when.
func Line(s settling.Standing) string {
	line := string(s.Outcome.State)
	if reason := outcomeOf(s).Reason; reason != "" {
		line += fmt.Sprintf(" (%s)", reason)
	}
	if winner := s.Outcome.Winner; winner != nil {
		line += fmt.Sprintf(": %s paid %s", clean(winner.BidderID), winner.Amount)
		if winner.Adopted {
			line += ", adopted"
		}
	}
	if waits := Waits(s); waits != "" {
		line += ": " + waits
	}
	return line
}

// Waits says what a settlement waits for and until when; empty where it does not.
func Waits(s settling.Standing) string {
	switch {
	case s.Closed != "":
		return s.Problem
	case s.Outcome.Closed != nil:
		return fmt.Sprintf("closed as it stood by %s: %s", clean(s.Outcome.Closed.By), clean(s.Outcome.Closed.Reason))
	case s.Outcome.State == workflows.StateFailedNeedsReview:
		return waitsForAPerson(s.Outcome)
	case s.Outcome.Waiting == nil:
		return ""
	}
	waiting, text := s.Outcome.Waiting, ""
	if waiting.BidderID != "" {
		text = clean(waiting.BidderID) + ", "
	}
	text += "next look " + clock(waiting.NextPassAt)
	switch {
	case waiting.ClockLeft > 0:
		text += fmt.Sprintf(", clock held with %s left", time.Duration(waiting.ClockLeft).Truncate(time.Second))
	case !waiting.ClockEndsAt.IsZero():
		text += ", clock ends " + clock(waiting.ClockEndsAt)
	}
	if !waiting.Since.IsZero() {
		text += ", since " + clock(waiting.Since)
	}
	return text
}

func waitsForAPerson(outcome workflows.Outcome) string {
	text := "waits for a person"
	if outcome.Review != nil {
		text += " since " + clock(outcome.Review.Since)
	}
	if outcome.Waiting != nil && outcome.Waiting.Problem != nil {
		text += "; PayPal's last answer: " + outcome.Waiting.Problem.String()
	}
	return text
}

// Status prints where settlements stand, with their waits.
func Status(w io.Writer, standings []settling.Standing) error {
	t := newTable("Lot", "State", "Reason", "Waiting", "Winner", "Holds")
	for _, s := range standings {
		winner := ""
		if s.Outcome.Winner != nil {
			winner = fmt.Sprintf("%s, %s", clean(s.Outcome.Winner.BidderID), s.Outcome.Winner.Amount)
		}
		t.AppendRow(table.Row{lotOf(s.Settlement), string(s.Outcome.State), string(outcomeOf(s).Reason), Waits(s), winner, holds(s.Outcome)})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// clock is a time as a person at this machine reads it.
func clock(t time.Time) string {
	t = t.Local()
	if now := time.Now(); t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}

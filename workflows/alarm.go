package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// alertTimeout bounds one try to tell operators.
const alertTimeout = 30 * time.Second

// alarm is since when a settlement has been in its state, and whether an
// operator was told that it lasts.
type alarm struct {
	State State `json:"state,omitempty"`
	// Reason sets two pauses apart: by a person, and for want of an answer.
	Reason Reason    `json:"reason,omitempty"`
	Since  time.Time `json:"since,omitzero"`
	Raised bool      `json:"raised,omitempty"`
}

// expiry is when the hold of the bid in turn ends, and whether an operator was
// told that this is close.
type expiry struct {
	At     time.Time `json:"at,omitzero"`
	Raised bool      `json:"raised,omitempty"`
}

// lasts tells whether operators want to know that a state lasts. Those who
// engaged the kill switch know.
func (s *settlement) lasts() bool {
	switch s.State {
	case StateStalled, StateUnknown, StatePendingAtPayPal:
		return true
	case StatePaused:
		return s.Reason == ReasonSwitchUnreadable
	default:
		return false
	}
}

// nextAlarm is when the next alarm is due; zero where none is.
func (s *settlement) nextAlarm() time.Time {
	return earliest(s.lastingAlarm(), s.expiryAlarm())
}

// lastingAlarm is when the state that the settlement is in has lasted; zero
// where nobody wants to know, or does already.
func (s *settlement) lastingAlarm() time.Time {
	since, told := s.lasting()
	if *told || !s.lasts() {
		return time.Time{}
	}
	return since.Add(time.Duration(s.policy.AlertClock))
}

// lasting is since when a wait lasts, and whether an operator was told. A doubt
// and a pending last as long as their clocks, whatever comes in between.
func (s *settlement) lasting() (since time.Time, told *bool) {
	clocks := &s.Turn.Clocks
	switch {
	case s.State == StateUnknown && clocks.UnknownKind != clockNone:
		return clocks.UnknownFrom.Add(time.Duration(clocks.Held)), &clocks.UnknownTold
	case s.State == StatePendingAtPayPal && !clocks.PendingEndsAt.IsZero():
		return clocks.PendingEndsAt.Add(-time.Duration(s.policy.PendingClock)), &clocks.PendingTold
	default:
		return s.Alarm.Since, &s.Alarm.Raised
	}
}

func (s *settlement) expiryAlarm() time.Time {
	if s.Turn.Expiry.At.IsZero() || s.Turn.Expiry.Raised || s.bidderInTurn() == "" || s.Holds[s.Rank] != HoldOpen {
		return time.Time{}
	}
	return s.Turn.Expiry.At.Add(-time.Duration(s.policy.HoldExpiryAlert))
}

// soundAlarms raises the alarms that are due, each once.
func (s *settlement) soundAlarms() error {
	now := workflow.Now(s.ctx)
	if due := s.lastingAlarm(); !due.IsZero() && !now.Before(due) {
		since, told := s.lasting()
		*told = true
		message := fmt.Sprintf("the settlement is %s (%s) since %s and goes on trying", s.State, s.Reason, stamp(since))
		if err := s.alert(activities.AlertWarning, message); err != nil {
			return err
		}
	}
	if due := s.expiryAlarm(); !due.IsZero() && !now.Before(due) {
		s.Turn.Expiry.Raised = true
		message := fmt.Sprintf("hold %s of bidder %s ends at %s, and the settlement still needs it",
			s.bid().Hold.AuthorizationID, s.bid().BidderID, stamp(s.Turn.Expiry.At))
		return s.alert(activities.AlertError, message)
	}
	return nil
}

func (s *settlement) alert(level activities.AlertLevel, message string) error {
	return tellOperators(s.ctx, activities.Alert{
		Level: level, WorkflowID: SettlementID(s.lot.AuctionID, s.lot.LotID),
		State: string(s.State), Reason: string(s.Reason), BidderID: s.bidderInTurn(), Since: s.Alarm.Since, Message: message,
	})
}

// tellOperators raises an alert, which then also stands in the history. That
// nobody could be told holds nothing up.
func tellOperators(ctx workflow.Context, alert activities.Alert) error {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    alertTimeout,
		ScheduleToCloseTimeout: 4 * alertTimeout,
		RetryPolicy:            again,
		Summary:                summarize("alert: %s", alert.Message),
	})
	err := workflow.ExecuteActivity(ctx, activities.AlertName, alert).Get(ctx, nil)
	if err != nil {
		workflow.GetLogger(ctx).Error("nobody was told", "alert", alert.Message, "error", err)
	}
	return ignoreLost(err)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

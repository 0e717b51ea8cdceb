package activities

import (
	"context"
	"time"
)

// AlertLevel is how soon somebody has to look.
type AlertLevel string

const (
	// AlertWarning: it may still resolve itself.
	AlertWarning AlertLevel = "warning"
	// AlertError: it waits for a person.
	AlertError AlertLevel = "error"
	// AlertCritical: somebody may have been charged who should not have been.
	AlertCritical AlertLevel = "critical"
)

// Alert is one thing that an operator has to know.
type Alert struct {
	Level      AlertLevel `json:"level"`
	WorkflowID string     `json:"workflow_id"`
	State      string     `json:"state"`
	Reason     string     `json:"reason"`
	BidderID   string     `json:"bidder_id,omitempty"`
	// Since is when what the alert is about began.
	Since time.Time `json:"since,omitzero"`
	// Message says what happened and what to do next, in one line.
	Message string `json:"message"`
}

// Alerts tells operators. Raise returns an error where nobody could be told.
type Alerts interface {
	Raise(ctx context.Context, alert Alert) error
}

// Alerter has the Alert activity.
type Alerter struct{ Alerts Alerts }

// Alert tells operators, once an activity.
func (a *Alerter) Alert(ctx context.Context, alert Alert) error {
	return a.Alerts.Raise(ctx, alert)
}

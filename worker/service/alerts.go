package service

import (
	"context"

	"go.uber.org/zap"

	"gavel/activities"
)

// logAlerts tells operators through the log, which is where alerts stand
// whatever else is told.
type logAlerts struct{ logger *zap.Logger }

// Raise never fails.
func (l logAlerts) Raise(_ context.Context, alert activities.Alert) error {
	fields := []zap.Field{
		zap.String("severity", string(alert.Level)),
		zap.String("workflow_id", alert.WorkflowID),
		zap.String("state", alert.State),
		zap.String("reason", alert.Reason),
	}
	if alert.BidderID != "" {
		fields = append(fields, zap.String("bidder", alert.BidderID))
	}
	if !alert.Since.IsZero() {
		fields = append(fields, zap.Time("since", alert.Since))
	}
	if alert.Level == activities.AlertWarning {
		l.logger.Warn(alert.Message, fields...)
	} else {
		l.logger.Error(alert.Message, fields...)
	}
	return nil
}

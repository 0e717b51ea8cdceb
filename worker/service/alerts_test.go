package service

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"gavel/activities"
)

func TestAlertsStandInTheLog(t *testing.T) {
	core, logged := observer.New(zapcore.DebugLevel)
	since := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	for level, want := range map[activities.AlertLevel]zapcore.Level{
		activities.AlertWarning: zapcore.WarnLevel, activities.AlertError: zapcore.ErrorLevel, activities.AlertCritical: zapcore.ErrorLevel,
	} {
		require.NoError(t, logAlerts{zap.New(core)}.Raise(context.Background(), activities.Alert{
			Level: level, WorkflowID: "settlement/spring/17", State: "STALLED", Reason: "rate_limited", BidderID: "ana", Since: since, Message: "look",
		}))
		entry := logged.TakeAll()[0]
		assert.Equal(t, want, entry.Level)
		assert.Equal(t, "look", entry.Message)
		assert.Equal(t, map[string]any{
			"severity": string(level), "workflow_id": "settlement/spring/17", "state": "STALLED", "reason": "rate_limited", "bidder": "ana", "since": since,
		}, entry.ContextMap())
	}
}

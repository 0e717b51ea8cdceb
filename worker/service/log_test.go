package service

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"gavel/paypalclient"
)

func TestEveryTryIsLoggedWithWhatPayPalsSupportAsksFor(t *testing.T) {
	core, logged := observer.New(zapcore.DebugLevel)
	log := logTry(zap.New(core))
	try := paypalclient.Try{
		Operation: paypalclient.OpCaptureAuthorization, Resource: "A1", RequestID: "gv1-1", Number: 2, Status: 503, DebugID: "d1",
		Duration: time.Second, Kind: paypalclient.KindServerError,
	}
	log(try)
	try.Kind, try.Status = "", 201
	log(try)

	try.Kind, try.Status = paypalclient.KindAuthFailed, 401
	log(try)

	require.Equal(t, 3, logged.Len())
	failed, done, refused := logged.All()[0], logged.All()[1], logged.All()[2]
	assert.Equal(t, zapcore.ErrorLevel, refused.Level)
	assert.Contains(t, refused.Message, "paypal.client_secret")
	assert.Equal(t, zapcore.InfoLevel, failed.Level)
	assert.Equal(t, map[string]any{
		"operation": "capture_authorization", "resource": "A1", "request_id": "gv1-1", "try": int64(2), "status": int64(503),
		"debug_id": "d1", "took": time.Second, "kind": "server_error",
	}, failed.ContextMap())
	assert.Equal(t, zapcore.DebugLevel, done.Level)
	assert.NotContains(t, done.ContextMap(), "kind")
}

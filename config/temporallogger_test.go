package config_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"gavel/config"
)

func observed() (log.Logger, *observer.ObservedLogs) {
	core, logs := observer.New(zapcore.DebugLevel)
	return config.NewTemporalLogger(zap.New(core, zap.AddCaller())), logs
}

func TestKeysAndValuesBecomeFields(t *testing.T) {
	for name, tc := range map[string]struct {
		keyvals []any
		want    map[string]any
	}{
		"none":                  {nil, map[string]any{}},
		"pairs":                 {[]any{"lot", "17", "attempt", 2}, map[string]any{"lot": "17", "attempt": int64(2)}},
		"an error":              {[]any{"error", errors.New("refused")}, map[string]any{"error": "refused"}},
		"a value without a key": {[]any{"lot", "17", "lost"}, map[string]any{"lot": "17", "extra": "lost"}},
		"a key that is no text": {[]any{42, "answer"}, map[string]any{"42": "answer"}},
		"a nil value":           {[]any{"hold", nil}, map[string]any{"hold": nil}},
		"a nil key":             {[]any{nil, "x"}, map[string]any{"<nil>": "x"}},
		"a zap field":           {[]any{zap.Int("n", 1), "lot", "17"}, map[string]any{"n": int64(1), "lot": "17"}},
	} {
		t.Run(name, func(t *testing.T) {
			logger, logs := observed()
			logger.Info("message", tc.keyvals...)
			require.Equal(t, 1, logs.Len())
			assert.Equal(t, tc.want, logs.All()[0].ContextMap())
		})
	}
}

func TestLevelsAreThoseOfTheSDK(t *testing.T) {
	logger, logs := observed()
	logger.Debug("d")
	logger.Info("i")
	logger.Warn("w")
	logger.Error("e")
	var levels []zapcore.Level
	for _, entry := range logs.All() {
		levels = append(levels, entry.Level)
	}
	assert.Equal(t, []zapcore.Level{zapcore.DebugLevel, zapcore.InfoLevel, zapcore.WarnLevel, zapcore.ErrorLevel}, levels)
}

func TestWithKeepsFieldsAndLeavesTheOriginalAlone(t *testing.T) {
	logger, logs := observed()
	child := log.With(logger, "lot", "17")
	child.Info("one", "hold", "A")
	logger.Info("two")
	assert.Equal(t, map[string]any{"lot": "17", "hold": "A"}, logs.All()[0].ContextMap())
	assert.Empty(t, logs.All()[1].ContextMap())
}

func TestTheCallerIsWhoeverLogged(t *testing.T) {
	logger, logs := observed()
	logger.Info("direct")
	helper := func() { log.Skip(logger, 1).Info("through a helper") }
	helper()
	log.With(logger, "a", 1).Info("with fields")
	for _, entry := range logs.All() {
		assert.Equal(t, "temporallogger_test.go", filepath.Base(entry.Caller.File), entry.Message)
	}
}

package config

import (
	"fmt"

	"go.temporal.io/sdk/log"
	"go.uber.org/zap"
)

// NewTemporalLogger lets the Temporal SDK, and through it workflows and
// activities, write to a zap logger.
func NewTemporalLogger(logger *zap.Logger) log.Logger {
	return temporalLogger{logger.WithOptions(zap.AddCallerSkip(1))}
}

type temporalLogger struct{ zap *zap.Logger }

var (
	_ log.WithLogger      = temporalLogger{}
	_ log.WithSkipCallers = temporalLogger{}
)

func (l temporalLogger) Debug(msg string, keyvals ...any) { l.zap.Debug(msg, fields(keyvals)...) }
func (l temporalLogger) Info(msg string, keyvals ...any)  { l.zap.Info(msg, fields(keyvals)...) }
func (l temporalLogger) Warn(msg string, keyvals ...any)  { l.zap.Warn(msg, fields(keyvals)...) }
func (l temporalLogger) Error(msg string, keyvals ...any) { l.zap.Error(msg, fields(keyvals)...) }

func (l temporalLogger) With(keyvals ...any) log.Logger {
	return temporalLogger{l.zap.With(fields(keyvals)...)}
}

func (l temporalLogger) WithCallerSkip(skip int) log.Logger {
	return temporalLogger{l.zap.WithOptions(zap.AddCallerSkip(skip))}
}

// fields pairs keys with values. A zap field stands for itself; a key that is no
// text is written as one; a value without a key is kept under "extra".
func fields(keyvals []any) []zap.Field {
	result := make([]zap.Field, 0, len(keyvals)/2+1)
	for i := 0; i < len(keyvals); i++ {
		if field, ok := keyvals[i].(zap.Field); ok {
			result = append(result, field)
			continue
		}
		if i+1 == len(keyvals) {
			result = append(result, zap.Any("extra", keyvals[i]))
			break
		}
		name, ok := keyvals[i].(string)
		if !ok {
			name = fmt.Sprint(keyvals[i])
		}
		result = append(result, zap.Any(name, keyvals[i+1]))
		i++
	}
	return result
}

package config

import (
	"fmt"
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"gavel/config/input"
)

// NewLogger returns a logger that writes to w, line by line and safe for
// concurrent use. terminal says whether w is one, which decides the format "auto".
// Errors: *input.Error for a level or format that Load would not have let pass.
func NewLogger(log Log, w io.Writer, terminal bool) (*zap.Logger, error) {
	level, err := zapcore.ParseLevel(log.Level)
	if err != nil {
		return nil, &input.Error{Path: "log.level", Rule: fmt.Sprintf("unknown level %q", log.Level)}
	}
	encoder, err := newEncoder(log.Format, terminal)
	if err != nil {
		return nil, err
	}
	sink := zapcore.Lock(zapcore.AddSync(w))
	return zap.New(zapcore.NewCore(encoder, sink, level), zap.ErrorOutput(sink)), nil
}

func newEncoder(format string, terminal bool) (zapcore.Encoder, error) {
	fields := zap.NewProductionEncoderConfig()
	fields.TimeKey, fields.EncodeTime = "time", zapcore.RFC3339NanoTimeEncoder
	fields.EncodeDuration = zapcore.StringDurationEncoder
	if format == "auto" || format == "" {
		format = "json"
		if terminal {
			format = "console"
		}
	}
	switch format {
	case "json":
		return zapcore.NewJSONEncoder(fields), nil
	case "console":
		fields.EncodeTime = zapcore.TimeEncoderOfLayout("15:04:05.000")
		fields.EncodeLevel = zapcore.CapitalLevelEncoder
		return zapcore.NewConsoleEncoder(fields), nil
	}
	return nil, &input.Error{Path: "log.format", Rule: fmt.Sprintf("unknown format %q", format)}
}

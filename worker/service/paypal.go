package service

import (
	"context"

	"go.uber.org/zap"

	"gavel/config"
	"gavel/paypalclient"
)

// payPal makes the client that all activities of this process share, and with
// it the one token bucket. beforeTry is asked before each try of a money call.
func payPal(
	cfg config.PayPal, beforeTry func(context.Context, paypalclient.Operation) error, logger *zap.Logger,
) (*paypalclient.Client, error) {
	return paypalclient.New(paypalclient.Options{
		BaseURL:           cfg.BaseURL,
		ClientID:          cfg.ClientID,
		ClientSecret:      cfg.ClientSecret.Reveal(),
		Attempts:          cfg.Attempts,
		AttemptTimeout:    cfg.AttemptTimeout,
		BackoffMin:        cfg.BackoffMin,
		BackoffMax:        cfg.BackoffMax,
		RetryAfterMax:     cfg.RetryAfterMax,
		RequestsPerSecond: cfg.RequestsPerSecond,
		BeforeTry:         beforeTry,
		OnTry:             logTry(logger),
	})
}

// logTry logs what PayPal's support asks for, and nothing of a body.
func logTry(logger *zap.Logger) func(paypalclient.Try) {
	return func(try paypalclient.Try) {
		fields := []zap.Field{
			zap.String("operation", string(try.Operation)),
			zap.String("resource", try.Resource),
			zap.String("request_id", try.RequestID),
			zap.Int("try", try.Number),
			zap.Int("status", try.Status),
			zap.String("debug_id", try.DebugID),
			zap.Duration("took", try.Duration),
		}
		if try.Kind == "" {
			logger.Debug("PayPal answered", fields...)
			return
		}
		fields = append(fields, zap.String("kind", string(try.Kind)))
		if try.Kind == paypalclient.KindAuthFailed {
			logger.Error("PayPal refuses the credentials: check paypal.client_id, paypal.client_secret and paypal.base_url", fields...)
			return
		}
		logger.Info("PayPal did not do it", fields...)
	}
}

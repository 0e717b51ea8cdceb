package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.yaml.in/yaml/v3"

	"gavel/config"
)

func TestASecretIsNeverPrinted(t *testing.T) {
	clean(t)
	t.Setenv("GAVEL_PAYPAL_CLIENT_SECRET", "hush")
	t.Setenv("GAVEL_NOTIFY_URLS", "slack://hush")
	loaded, err := config.Load("")
	require.NoError(t, err)
	require.Equal(t, "hush", loaded.PayPal.ClientSecret.Reveal())
	secret := loaded.PayPal.ClientSecret

	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10s"} {
		assert.Equal(t, "[redacted]", fmt.Sprintf(verb, secret), verb)
		assert.NotContains(t, fmt.Sprintf(verb, loaded), "hush", verb)
		assert.NotContains(t, fmt.Sprintf(verb, &loaded), "hush", verb)
		assert.NotContains(t, fmt.Sprintf(verb, loaded), "68757368", verb)
	}
	asJSON, err := json.Marshal(loaded)
	require.NoError(t, err)
	assert.Contains(t, string(asJSON), "[redacted]")
	assert.NotContains(t, string(asJSON), "hush")
	asYAML, err := yaml.Marshal(loaded)
	require.NoError(t, err)
	assert.NotContains(t, string(asYAML), "hush")
}

func TestASecretIsNeverLogged(t *testing.T) {
	secret := config.Secret("hush")
	for _, format := range []string{"json", "console"} {
		var log bytes.Buffer
		logger, err := config.NewLogger(config.Log{Level: "debug", Format: format}, &log, false)
		require.NoError(t, err)
		holder := struct{ Inner config.PayPal }{config.PayPal{ClientSecret: secret}}
		logger.Info("stringer", zap.Stringer("s", secret))
		logger.Info("any", zap.Any("s", secret), zap.Any("h", holder), zap.Any("l", []config.Secret{secret}))
		logger.Info("reflect", zap.Reflect("s", secret))
		logger.Sugar().Infow("sugared", "s", secret, "h", holder)
		assert.Contains(t, log.String(), "[redacted]", format)
		assert.NotContains(t, log.String(), "hush", format)
	}
}

func TestAnEmptySecretPrintsAsNothing(t *testing.T) {
	assert.Empty(t, fmt.Sprint(config.Secret("")))
}

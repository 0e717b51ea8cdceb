package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config"
)

func TestCredentialsAreAskedForOnlyWhereTheyAreNeeded(t *testing.T) {
	for name, tc := range map[string]struct{ yaml, missing, hint string }{
		"both are there":       {"paypal: {client_id: a, client_secret: b}", "", ""},
		"nothing is there":     {"", "paypal.client_id", "GAVEL_PAYPAL_CLIENT_ID"},
		"the id is missing":    {"paypal: {client_secret: b}", "paypal.client_id", "GAVEL_PAYPAL_CLIENT_ID"},
		"no secret is there":   {"paypal: {client_id: a}", "paypal.client_secret", "GAVEL_PAYPAL_CLIENT_SECRET"},
		"a file is named too":  {"paypal: {client_id: a}", "paypal.client_secret", "paypal.client_secret_file"},
		"its variable as well": {"paypal: {client_id: a}", "paypal.client_secret", "GAVEL_PAYPAL_CLIENT_SECRET_FILE"},
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			got, err := config.Load(file(t, "gavel.yaml", tc.yaml))
			require.NoError(t, err, "loading never asks for them")
			err = got.RequirePayPal()
			if tc.missing == "" {
				require.NoError(t, err)
				return
			}
			found := mistake(t, err)
			assert.Equal(t, tc.missing, found.Path)
			assert.Contains(t, found.Rule, tc.hint)
		})
	}
}

func TestWhatThisVersionLacksIsListedWhenItIsSet(t *testing.T) {
	for key, value := range map[string]string{
		"sweep.database_url": valid["sweep.database_url"], "sweep.orders_table": "orders", "sweep.holds_table": "holds",
		"notify.urls": "slack://x", "webhook.listen": ":8090", "webhook.id": "WH-1", "metrics.listen": ":9090", "codec.key": codecKey,
	} {
		t.Run(key, func(t *testing.T) {
			clean(t)
			t.Setenv(config.EnvName(key), value)
			got, err := config.Load("")
			require.NoError(t, err)
			listed := got.Unsupported()
			require.Len(t, listed, 1)
			assert.Equal(t, config.EnvName(key)+": "+key+": is not supported by this version; remove it", listed[0].Error())
		})
	}
	for key, content := range map[string]string{
		"sweep.database_url_file": valid["sweep.database_url"], "codec.key_file": codecKey,
	} {
		t.Run(key, func(t *testing.T) {
			clean(t)
			t.Setenv(config.EnvName(key), file(t, "value", content))
			got, err := config.Load("")
			require.NoError(t, err)
			require.Len(t, got.Unsupported(), 1)
			assert.Equal(t, key, got.Unsupported()[0].Path)
		})
	}
	t.Run("switched off in so many words", func(t *testing.T) {
		clean(t)
		got, err := config.Load(file(t, "gavel.yaml", "webhook: {listen: off}\nmetrics: {listen: off}\nnotify: {urls: []}"))
		require.NoError(t, err)
		assert.Empty(t, got.Unsupported())
	})
}

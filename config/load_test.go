package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config"
	"gavel/config/input"
)

// clean removes the GAVEL_* and TEMPORAL_* variables for the test.
func clean(t *testing.T) {
	t.Helper()
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "GAVEL_") || strings.HasPrefix(name, "TEMPORAL_") {
			t.Setenv(name, value) // restored at the test's end
			require.NoError(t, os.Unsetenv(name))
		}
	}
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func mistake(t *testing.T, err error) *input.Error {
	t.Helper()
	var found *input.Error
	require.ErrorAs(t, err, &found)
	assert.NotContains(t, err.Error(), "\n", "one line")
	return found
}

func TestDefaults(t *testing.T) {
	clean(t)
	got, err := config.Load("")
	require.NoError(t, err)

	assert.Equal(t, config.PayPal{
		BaseURL: "https://api-m.sandbox.paypal.com", InvoicePrefix: "gv1", Attempts: 4, AttemptTimeout: 10 * time.Second,
		BackoffMin: 250 * time.Millisecond, BackoffMax: 4 * time.Second, RetryAfterMax: 30 * time.Second, RequestsPerSecond: 25,
	}, got.PayPal)
	assert.Equal(t, config.Clocks{
		Unknown: 10 * time.Minute, Pending: 72 * time.Hour, Alert: 10 * time.Minute, PassMin: 5 * time.Second,
		PassMax: time.Minute, PendingPollMax: time.Hour, Abandon: 20 * time.Minute, AbandonHold: 72 * time.Hour,
		Orphan: 696 * time.Hour, HoldExpiryAlert: 24 * time.Hour,
	}, got.Clocks)
	assert.Equal(t, config.Release{Parallel: 3, Bounded: 10 * time.Minute}, got.Release)
	assert.Equal(t, config.Honor{Period: 72 * time.Hour, Reauthorize: true}, got.Honor)
	assert.Equal(t, config.Sweep{Every: 5 * time.Minute, Limit: 50}, got.Sweep)
	assert.Equal(t, config.Notify{}, got.Notify)
	assert.Equal(t, config.Webhook{Verify: "offline"}, got.Webhook)
	assert.Equal(t, config.Metrics{}, got.Metrics)
	assert.Equal(t, config.Codec{}, got.Codec)
	assert.Equal(t, config.Log{Level: "info", Format: "auto"}, got.Log)
	assert.Empty(t, got.Unsupported())
}

func TestTheFileWinsOverDefaultsAndVariablesOverTheFile(t *testing.T) {
	clean(t)
	path := file(t, "gavel.yaml", `
paypal: {client_id: from-file, requests_per_second: 12.5}
clocks:
  unknown: 90s
  pass_min: 1s
honor: {reauthorize: false}
`)
	t.Setenv("GAVEL_CLOCKS_UNKNOWN", "2m")
	t.Setenv("GAVEL_PAYPAL_ATTEMPTS", "7")
	t.Setenv("GAVEL_CLOCKS_PASS_MIN", "") // counts as not set

	got, err := config.Load(path)
	require.NoError(t, err)
	assert.Equal(t, "from-file", got.PayPal.ClientID)
	assert.Equal(t, 12.5, got.PayPal.RequestsPerSecond)
	assert.False(t, got.Honor.Reauthorize)
	assert.Equal(t, 2*time.Minute, got.Clocks.Unknown)
	assert.Equal(t, 7, got.PayPal.Attempts)
	assert.Equal(t, time.Second, got.Clocks.PassMin)
	assert.Equal(t, 72*time.Hour, got.Clocks.Pending, "the rest keeps its default")
}

// valid holds for each key a value that is not its default.
var valid = map[string]string{
	"paypal.base_url": "http://127.0.0.1:8099", "paypal.client_id": "id", "paypal.client_secret": "hush",
	"paypal.invoice_prefix": "shop-2", "paypal.attempts": "10", "paypal.attempt_timeout": "3s",
	"paypal.backoff_min": "10ms", "paypal.backoff_max": "5s", "paypal.retry_after_max": "1m", "paypal.requests_per_second": "0.5",
	"clocks.unknown": "1m", "clocks.pending": "24h", "clocks.alert": "5m", "clocks.pass_min": "50ms", "clocks.pass_max": "2m",
	"clocks.pending_poll_max": "30m", "clocks.abandon": "1h", "clocks.abandon_hold": "48h", "clocks.orphan": "100h",
	"clocks.hold_expiry_alert": "12h", "release.parallel": "50", "release.bounded": "1m", "honor.period": "71h",
	"honor.reauthorize": "false", "sweep.every": "1m", "sweep.limit": "1000",
	"sweep.database_url": "postgres://shop:hush@db:5432/shop", "sweep.orders_table": "orders", "sweep.holds_table": "shop.holds",
	"notify.urls": "slack://hush discord://hush@1", "webhook.listen": "127.0.0.1:8090", "webhook.id": "WH-1",
	"webhook.verify": "api", "metrics.listen": ":9090", "codec.key": strings.Repeat("A", 43) + "=",
	"log.level": "debug", "log.format": "json",
	"paypal.client_secret_file": "", "sweep.database_url_file": "", "codec.key_file": "", // tested apart
}

func TestEveryKeyCanBeSetByFileAndByVariable(t *testing.T) {
	require.ElementsMatch(t, config.KeyNames(), keysOf(valid), "a value for each key")
	clean(t)
	plain, err := config.Load("")
	require.NoError(t, err)
	for name, value := range valid {
		if value == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			group, member, _ := strings.Cut(name, ".")
			byFile, err := config.Load(file(t, "gavel.yaml", fmt.Sprintf("%s:\n  %s: %s\n", group, member, value)))
			require.NoError(t, err)
			t.Setenv(config.EnvName(name), value)
			byVariable, err := config.Load("")
			require.NoError(t, err)

			assert.Equal(t, groups(byFile), groups(byVariable))
			assert.NotEqual(t, groups(plain), groups(byVariable), "the value arrives")
		})
	}
}

func groups(c config.Config) []any {
	return []any{c.PayPal, c.Clocks, c.Release, c.Honor, c.Sweep, c.Notify, c.Webhook, c.Metrics, c.Codec, c.Log}
}

func keysOf(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func TestABadValueNamesKeyAndSource(t *testing.T) {
	for _, tc := range []struct{ key, value, rule string }{
		{"clocks.unknown", "10", "must be a duration"},
		{"clocks.unknown", "ten minutes", "must be a duration"},
		{"clocks.unknown", "-10m", "above 0"},
		{"clocks.unknown", "0", "above 0"},
		{"clocks.orphan", "29d", "must be a duration"},
		{"paypal.attempts", "0", "from 1 to 10"},
		{"paypal.attempts", "11", "from 1 to 10"},
		{"paypal.attempts", "4.5", "whole number"},
		{"paypal.attempts", "many", "whole number"},
		{"paypal.attempts", "true", "whole number"},
		{"paypal.requests_per_second", "0", "above 0"},
		{"paypal.requests_per_second", "-1", "above 0"},
		{"paypal.requests_per_second", "NaN", "above 0"},
		{"paypal.requests_per_second", "Inf", "above 0"},
		{"paypal.requests_per_second", "25/s", "a number"},
		{"paypal.invoice_prefix", "a/b", "letters, digits"},
		{"paypal.invoice_prefix", strings.Repeat("a", 31), "1 to 30"},
		{"paypal.base_url", "http://api-m.paypal.com", "must be https"},
		{"paypal.base_url", "http://127.0.0.1.example.com", "must be https"},
		{"paypal.base_url", "ftp://127.0.0.1", "must be https"},
		{"paypal.base_url", "api-m.paypal.com", "must be a URL"},
		{"paypal.base_url", "https://", "must be a URL"},
		{"paypal.base_url", "https://u:hush@api-m.paypal.com", "user name"},
		{"paypal.base_url", "https://api-m.paypal.com?a=b", "query"},
		{"release.parallel", "0", "from 1 to 50"},
		{"release.parallel", "51", "from 1 to 50"},
		{"honor.reauthorize", "yes", "true or false"},
		{"honor.reauthorize", "1", "true or false"},
		{"sweep.limit", "1001", "from 1 to 1000"},
		{"sweep.database_url", "mysql://u:hush@h/d", "PostgreSQL URL"},
		{"sweep.orders_table", "orders;drop", "a table name"},
		{"notify.urls", "not-a-url", "item 1"},
		{"webhook.listen", "8090", "host and port"},
		{"webhook.listen", "localhost:http", "host and port"},
		{"webhook.verify", "never", "offline, api"},
		{"metrics.listen", "localhost:70000", "host and port"},
		{"codec.key", "c2hvcnQ=", "32 bytes"},
		{"codec.key", "hush, not base64", "32 bytes"},
		{"log.level", "loud", "debug, info, warn, error"},
		{"log.level", "INFO", "debug, info, warn, error"},
		{"log.format", "xml", "auto, console, json"},
	} {
		t.Run(tc.key+"="+tc.value, func(t *testing.T) {
			clean(t)
			group, member, _ := strings.Cut(tc.key, ".")
			path := file(t, "gavel.yaml", fmt.Sprintf("%s:\n  %s: %s\n", group, member, tc.value))
			_, err := config.Load(path)
			found := mistake(t, err)
			assert.Equal(t, path, found.Source)
			assert.Equal(t, tc.key, found.Path)
			assert.Contains(t, found.Rule, tc.rule)

			t.Setenv(config.EnvName(tc.key), tc.value)
			_, err = config.Load("")
			found = mistake(t, err)
			assert.Equal(t, config.EnvName(tc.key), found.Source)
			assert.Equal(t, tc.key, found.Path)
			assert.Contains(t, found.Rule, tc.rule)
			assert.NotContains(t, err.Error(), "hush", "secrets are not repeated")
		})
	}
}

func TestRulesOverTwoKeys(t *testing.T) {
	for name, tc := range map[string]struct{ yaml, path, rule string }{
		"pass_min above the default pass_max": {"clocks: {pass_min: 2m}", "clocks.pass_min", "must not be above clocks.pass_max, which is 1m0s"},
		"pass_max below the default pass_min": {"clocks: {pass_max: 1s}", "clocks.pass_min", "is 5s"},
		"pass_min above pending_poll_max":     {"clocks: {pending_poll_max: 1s}", "clocks.pass_min", "clocks.pending_poll_max"},
		"backoff_min above backoff_max":       {"paypal: {backoff_min: 5s}", "paypal.backoff_min", "paypal.backoff_max, which is 4s"},
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			path := file(t, "gavel.yaml", tc.yaml)
			_, err := config.Load(path)
			found := mistake(t, err)
			assert.Equal(t, path, found.Source)
			assert.Equal(t, tc.path, found.Path)
			assert.Contains(t, found.Rule, tc.rule)
		})
	}
}

func TestAnUnknownVariableIsRefused(t *testing.T) {
	for _, name := range []string{"GAVEL_CLOCKS_UNKOWN", "GAVEL_", "GAVEL_PAYPAL", "GAVEL_clocks_unknown"} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			t.Setenv(name, "10m")
			_, err := config.Load("")
			assert.Equal(t, name, mistake(t, err).Source)
		})
	}
}

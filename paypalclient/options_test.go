package paypalclient

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func validOptions() Options {
	return Options{BaseURL: SandboxURL, ClientID: "id", ClientSecret: "s3cret"}
}

func TestBaseURLs(t *testing.T) {
	taken := map[string]string{
		SandboxURL:                       SandboxURL,
		LiveURL + "/":                    LiveURL,
		"https://proxy.test:8443/paypal": "https://proxy.test:8443/paypal",
		"https://proxy.test/a%2Fb/":      "https://proxy.test/a%2Fb",
		"http://127.0.0.1:8080":          "http://127.0.0.1:8080",
		"http://127.9.9.9":               "http://127.9.9.9",
		"http://[::1]:8080/":             "http://[::1]:8080",
		"http://localhost:80":            "http://localhost:80",
		"http://LocalHost":               "http://LocalHost",
		"http://[::ffff:127.0.0.1]":      "http://[::ffff:127.0.0.1]",
	}
	for raw, want := range taken {
		got, err := checkBaseURL(raw)
		require.NoError(t, err, raw)
		assert.Equal(t, want, got)
	}
	refused := []string{
		"", "http://api-m.paypal.com", "http://10.0.0.1", "http://0.0.0.0", "http://localhost.evil.test", "http://127.0.0.1.evil.test",
		"http://[::2]", "http://169.254.1.1", "https://user@api.test", "https://user:pw@api.test", "http://x@127.0.0.1",
		"https://api.test?x=1", "https://api.test?", "https://api.test#x", "https://api.test#", "ftp://api.test", "api.test",
		"//api.test", "https://", "https:///x", "https:api.test", "://", "https://api.test:port", "unix:///run/x", "http://2130706433",
	}
	for _, raw := range refused {
		_, err := checkBaseURL(raw)
		var refusal *OptionError
		require.ErrorAs(t, err, &refusal, raw)
		assert.Equal(t, "BaseURL", refusal.Option)
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	rows := map[string]func(*Options){
		"ClientID":          func(o *Options) { o.ClientID = "" },
		"ClientSecret":      func(o *Options) { o.ClientSecret = "a\n" },
		"BaseURL":           func(o *Options) { o.BaseURL = "http://api.test" },
		"Attempts":          func(o *Options) { o.Attempts = -1 },
		"AttemptTimeout":    func(o *Options) { o.AttemptTimeout = -1 },
		"BackoffMin":        func(o *Options) { o.BackoffMin = -1 },
		"BackoffMax":        func(o *Options) { o.BackoffMax = time.Millisecond },
		"RetryAfterMax":     func(o *Options) { o.RetryAfterMax = -1 },
		"RequestsPerSecond": func(o *Options) { o.RequestsPerSecond = math.NaN() },
	}
	for option, spoil := range rows {
		options := validOptions()
		spoil(&options)
		_, err := New(options)
		var refusal *OptionError
		require.ErrorAs(t, err, &refusal, option)
		assert.Equal(t, option, refusal.Option)
		assert.Contains(t, refusal.Error(), option)
	}
}

func TestDefaults(t *testing.T) {
	client, err := New(validOptions())
	require.NoError(t, err)
	defer client.Close()
	o := client.core.options
	assert.Equal(t, []any{4, 10 * time.Second, 250 * time.Millisecond, 4 * time.Second, 30 * time.Second, 0.0},
		[]any{o.Attempts, o.AttemptTimeout, o.BackoffMin, o.BackoffMax, o.RetryAfterMax, o.RequestsPerSecond})
}

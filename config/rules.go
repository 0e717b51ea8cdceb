package config

import (
	"fmt"
	"time"

	"gavel/config/input"
)

// checkTogether checks the rules that need more than one key.
func (c Config) checkTogether() error {
	for _, pair := range []struct {
		low, high   string
		least, most time.Duration
	}{
		{"paypal.backoff_min", "paypal.backoff_max", c.PayPal.BackoffMin, c.PayPal.BackoffMax},
		{"clocks.pass_min", "clocks.pass_max", c.Clocks.PassMin, c.Clocks.PassMax},
		{"clocks.pass_min", "clocks.pending_poll_max", c.Clocks.PassMin, c.Clocks.PendingPollMax},
	} {
		if pair.least > pair.most {
			return c.mistake(pair.low, pair.high, fmt.Sprintf("is %s and must not be above %s, which is %s",
				pair.least, pair.high, pair.most))
		}
	}
	return nil
}

// mistake names the low key, and the source of whichever was set.
func (c Config) mistake(low, high, rule string) *input.Error {
	source := c.sources[low]
	if source == "" {
		source = c.sources[high]
	}
	return &input.Error{Source: source, Path: low, Rule: rule}
}

// RequirePayPal returns the error of the first credential that is missing: an
// *input.Error, or nil. Commands that do not talk to PayPal need none.
func (c Config) RequirePayPal() error {
	for _, credential := range []struct{ name, value, also string }{
		{"paypal.client_id", c.PayPal.ClientID, ""},
		{"paypal.client_secret", c.PayPal.ClientSecret.Reveal(), ", or paypal.client_secret_file or " + EnvName("paypal.client_secret_file")},
	} {
		if credential.value == "" {
			return &input.Error{Path: credential.name, Rule: fmt.Sprintf(
				"is missing: set it in the configuration file, or %s%s", EnvName(credential.name), credential.also)}
		}
	}
	return nil
}

// later are the keys of features that this version does not have.
var later = []string{
	"sweep.database_url", "sweep.database_url_file", "sweep.orders_table", "sweep.holds_table",
	"notify.urls", "webhook.listen", "webhook.id", "metrics.listen", "codec.key", "codec.key_file",
}

// Unsupported lists what was set and has no effect in this version, so that a
// program can refuse to run instead of ignoring it. A value that switches a
// feature off ("off", an empty list) is not listed.
func (c Config) Unsupported() []*input.Error {
	off := map[string]bool{
		"webhook.listen": c.Webhook.Listen == "",
		"metrics.listen": c.Metrics.Listen == "",
		"notify.urls":    len(c.Notify.URLs) == 0,
	}
	var found []*input.Error
	for _, name := range later {
		if source := c.sources[name]; source != "" && !off[name] {
			found = append(found, &input.Error{Source: source, Path: name, Rule: "is not supported by this version; remove it"})
		}
	}
	return found
}

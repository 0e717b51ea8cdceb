package config

import (
	"strings"
	"time"
)

// SandboxURL is PayPal's sandbox, where payments are not real.
const SandboxURL = "https://api-m.sandbox.paypal.com"

// key is one thing that can be set.
type key struct {
	name string
	// preset is the default, already parsed; nil for a key without one.
	preset any
	// parse turns what YAML or a variable holds into the field's type.
	parse parser
}

// env is the variable of a key: GAVEL_A_B_C for a.b_c.
func (k key) env() string { return EnvName(k.name) }

// EnvName is the environment variable of a configuration key.
func EnvName(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

const (
	envPrefix = "GAVEL_"
	day       = 24 * time.Hour
)

// keys is the one list of everything that can be set.
var keys = []key{
	{"paypal.base_url", SandboxURL, parseBaseURL},
	{"paypal.client_id", "", parseText},
	{"paypal.client_secret", Secret(""), parseSecret},
	{"paypal.client_secret_file", "", parseText},
	{"paypal.invoice_prefix", "gv1", parsePattern(prefixPattern, "1 to 30 of letters, digits and - _ . : ~")},
	{"paypal.attempts", 4, parseInt(1, 10)},
	{"paypal.attempt_timeout", 10 * time.Second, parseDuration},
	{"paypal.backoff_min", 250 * time.Millisecond, parseDuration},
	{"paypal.backoff_max", 4 * time.Second, parseDuration},
	{"paypal.retry_after_max", 30 * time.Second, parseDuration},
	{"paypal.requests_per_second", 25.0, parseRate},
	{"clocks.unknown", 10 * time.Minute, parseDuration},
	{"clocks.pending", 3 * day, parseDuration},
	{"clocks.alert", 10 * time.Minute, parseDuration},
	{"clocks.pass_min", 5 * time.Second, parseDuration},
	{"clocks.pass_max", 60 * time.Second, parseDuration},
	{"clocks.pending_poll_max", time.Hour, parseDuration},
	{"clocks.abandon", 20 * time.Minute, parseDuration},
	{"clocks.abandon_hold", 3 * day, parseDuration},
	{"clocks.orphan", 29 * day, parseDuration},
	{"clocks.hold_expiry_alert", day, parseDuration},
	{"release.parallel", 3, parseInt(1, 50)},
	{"release.bounded", 10 * time.Minute, parseDuration},
	{"honor.period", 3 * day, parseDuration},
	{"honor.reauthorize", true, parseBool},
	{"sweep.every", 5 * time.Minute, parseDuration},
	{"sweep.limit", 50, parseInt(1, 1000)},
	{"sweep.database_url", Secret(""), parseDatabaseURL},
	{"sweep.database_url_file", "", parseText},
	{"sweep.orders_table", "", parsePattern(tablePattern, "a table name such as orders or shop.orders")},
	{"sweep.holds_table", "", parsePattern(tablePattern, "a table name such as holds or shop.holds")},
	{"notify.urls", []Secret(nil), parseURLs},
	{"webhook.listen", "", parseListen},
	{"webhook.id", "", parseText},
	{"webhook.verify", "offline", parseOneOf("offline", "api")},
	{"metrics.listen", "", parseListen},
	{"codec.key", Secret(""), parseCodecKey},
	{"codec.key_file", "", parseText},
	{"log.level", "info", parseOneOf("debug", "info", "warn", "error")},
	{"log.format", "auto", parseOneOf("auto", "console", "json")},
}

// fileKeys are the keys whose value may be in a file of its own, which another
// key names.
var fileKeys = map[string]string{
	"paypal.client_secret": "paypal.client_secret_file",
	"sweep.database_url":   "sweep.database_url_file",
	"codec.key":            "codec.key_file",
}

func keyNamed(name string) (key, bool) {
	for _, k := range keys {
		if k.name == name {
			return k, true
		}
	}
	return key{}, false
}

// Package config reads what the two programs are told: a YAML file and GAVEL_*
// variables, strictly; and makes from it, and from Temporal's own variables, the
// logger, the Temporal client and the search attributes of a namespace.
package config

import "time"

// Config is everything that can be set, with defaults filled in. It comes from
// Load, which has checked it. It can be logged: secrets print as "[redacted]".
type Config struct {
	PayPal  PayPal  `mapstructure:"paypal"`
	Clocks  Clocks  `mapstructure:"clocks"`
	Release Release `mapstructure:"release"`
	Honor   Honor   `mapstructure:"honor"`
	Sweep   Sweep   `mapstructure:"sweep"`
	Notify  Notify  `mapstructure:"notify"`
	Webhook Webhook `mapstructure:"webhook"`
	Metrics Metrics `mapstructure:"metrics"`
	Codec   Codec   `mapstructure:"codec"`
	Log     Log     `mapstructure:"log"`

	// sources holds the file or variable of each key that was set.
	sources map[string]string
}

// PayPal is the account and how hard one request tries.
type PayPal struct {
	// BaseURL is https, or http on a loopback address.
	BaseURL  string `mapstructure:"base_url"`
	ClientID string `mapstructure:"client_id"`
	// ClientSecret holds the content of ClientSecretFile where that is set.
	ClientSecret     Secret `mapstructure:"client_secret"`
	ClientSecretFile string `mapstructure:"client_secret_file"`
	// InvoicePrefix begins every invoice id, and so keeps two installations on
	// one PayPal account apart.
	InvoicePrefix string `mapstructure:"invoice_prefix"`
	// Attempts is the number of tries in one request, 1 to 10.
	Attempts       int           `mapstructure:"attempts"`
	AttemptTimeout time.Duration `mapstructure:"attempt_timeout"`
	BackoffMin     time.Duration `mapstructure:"backoff_min"`
	BackoffMax     time.Duration `mapstructure:"backoff_max"`
	// RetryAfterMax is the longest Retry-After that one request waits out.
	RetryAfterMax time.Duration `mapstructure:"retry_after_max"`
	// RequestsPerSecond is for this worker, over all lots and tries.
	RequestsPerSecond float64 `mapstructure:"requests_per_second"`
}

// Clocks say how long a settlement or a checkout waits for what.
type Clocks struct {
	Unknown time.Duration `mapstructure:"unknown"`
	Pending time.Duration `mapstructure:"pending"`
	Alert   time.Duration `mapstructure:"alert"`
	// The pause between two passes grows from PassMin to PassMax, and while a
	// capture is pending to PendingPollMax.
	PassMin        time.Duration `mapstructure:"pass_min"`
	PassMax        time.Duration `mapstructure:"pass_max"`
	PendingPollMax time.Duration `mapstructure:"pending_poll_max"`
	// Abandon is for approved orders, AbandonHold for holds of no settlement.
	Abandon     time.Duration `mapstructure:"abandon"`
	AbandonHold time.Duration `mapstructure:"abandon_hold"`
	// Orphan is how long a release is retried.
	Orphan          time.Duration `mapstructure:"orphan"`
	HoldExpiryAlert time.Duration `mapstructure:"hold_expiry_alert"`
}

// Release says how losers get their money back.
type Release struct {
	// Parallel holds of one lot are released at a time, 1 to 50.
	Parallel int `mapstructure:"parallel"`
	// Bounded is how long a settlement tries itself before a release becomes a
	// workflow of its own.
	Bounded time.Duration `mapstructure:"bounded"`
}

// Honor is PayPal's honor period of an authorization.
type Honor struct {
	Period time.Duration `mapstructure:"period"`
	// Reauthorize renews an older hold before it is captured.
	Reauthorize bool `mapstructure:"reauthorize"`
}

// Sweep is the regular search for what no timer watches.
type Sweep struct {
	Every time.Duration `mapstructure:"every"`
	// Limit is the number of items of one run, 1 to 1000.
	Limit int `mapstructure:"limit"`
	// DatabaseURL holds the content of DatabaseURLFile where that is set; it is
	// a secret because it may carry a password.
	DatabaseURL     Secret `mapstructure:"database_url"`
	DatabaseURLFile string `mapstructure:"database_url_file"`
	OrdersTable     string `mapstructure:"orders_table"`
	HoldsTable      string `mapstructure:"holds_table"`
}

// Notify is where operator alerts go apart from the log.
type Notify struct {
	URLs []Secret `mapstructure:"urls"`
}

// Webhook is the receiver of PayPal's events.
type Webhook struct {
	// Listen is host:port; "" is off.
	Listen string `mapstructure:"listen"`
	ID     string `mapstructure:"id"`
	// Verify is "offline" or "api".
	Verify string `mapstructure:"verify"`
}

// Metrics is the Prometheus endpoint.
type Metrics struct {
	// Listen is host:port; "" is off.
	Listen string `mapstructure:"listen"`
}

// Codec is the encryption of payloads.
type Codec struct {
	// Key is 32 bytes in base64, and holds the content of KeyFile where that is
	// set; "" leaves payloads as they are.
	Key     Secret `mapstructure:"key"`
	KeyFile string `mapstructure:"key_file"`
}

// Log is what is logged and how.
type Log struct {
	// Level is debug, info, warn or error.
	Level string `mapstructure:"level"`
	// Format is console, json, or auto: console on a terminal, else json.
	Format string `mapstructure:"format"`
}

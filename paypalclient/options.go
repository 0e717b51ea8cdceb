package paypalclient

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"
)

// PayPal's two environments.
const (
	SandboxURL = "https://api-m.sandbox.paypal.com"
	LiveURL    = "https://api-m.paypal.com"
)

// Options configure a Client. BaseURL, ClientID and ClientSecret are required; zero elsewhere takes the
// default that is named.
type Options struct {
	BaseURL      string // https only, except for loopback; may have a path, nothing behind it
	ClientID     string
	ClientSecret string `json:"-"`

	Attempts       int           // tries in one call: 4
	AttemptTimeout time.Duration // of each try: 10s
	BackoffMin     time.Duration // the first wait is up to this: 250ms
	BackoffMax     time.Duration // and no wait is above this: 4s
	RetryAfterMax  time.Duration // the longest Retry-After that is waited for inside one call: 30s

	// RequestsPerSecond is a token bucket over all tries of all calls; 0 is no limit. Requests for a token
	// are not counted: they are one in hours. See WithBackgroundPriority.
	RequestsPerSecond float64

	Transport http.RoundTripper                     // nil: see DefaultTransport
	Clock     Clock                                 // nil: the system's
	Jitter    func(max time.Duration) time.Duration // a random duration from 0 to max; nil: uniform

	// BeforeTry is asked immediately before each try of an operation that moves money. An error stops the
	// call with KindStopped; nothing more is sent. It must return when the context ends.
	BeforeTry func(ctx context.Context, op Operation) error

	// OnTry is told of each try when it has ended, on the goroutine that made it. It must be quick and safe
	// for concurrent use.
	OnTry func(Try)
}

// Try is one HTTP request, for logs and metrics. It holds no secret and nothing of a body.
type Try struct {
	Operation Operation
	Resource  string // id of the authorization, capture or order; empty for OpToken
	RequestID string // PayPal-Request-Id; empty for reads
	Number    int    // from 1, within its call
	Status    int    // HTTP status; 0: no answer
	DebugID   string
	Duration  time.Duration
	Kind      Kind // empty: success
}

// OptionError names an option that cannot be used.
type OptionError struct {
	Option string // name of the field
	Rule   string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("paypalclient: option %s: %s", e.Option, e.Rule)
}

// Format keeps the secret out of every fmt verb.
func (o Options) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "paypalclient.Options{BaseURL:"+o.BaseURL+" ClientID:"+o.ClientID+" ClientSecret:[redacted]}")
}

func (o Options) withDefaults() Options {
	setDefault(&o.Attempts, 4)
	setDefault(&o.AttemptTimeout, 10*time.Second)
	setDefault(&o.BackoffMin, 250*time.Millisecond)
	setDefault(&o.BackoffMax, 4*time.Second)
	setDefault(&o.RetryAfterMax, 30*time.Second)
	if o.Transport == nil {
		o.Transport = DefaultTransport()
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Jitter == nil {
		o.Jitter = uniform
	}
	return o
}

func setDefault[T comparable](option *T, value T) {
	var zero T
	if *option == zero {
		*option = value
	}
}

// check refuses what withDefaults left unusable.
func (o Options) check() error {
	switch {
	case o.ClientID == "" || hasControl(o.ClientID):
		return &OptionError{"ClientID", "is required, without control characters"}
	case o.ClientSecret == "" || hasControl(o.ClientSecret):
		return &OptionError{"ClientSecret", "is required, without control characters"}
	case o.Attempts < 1:
		return &OptionError{"Attempts", "must be at least 1"}
	case o.AttemptTimeout < 0:
		return &OptionError{"AttemptTimeout", "must be above zero"}
	case o.BackoffMin < 0:
		return &OptionError{"BackoffMin", "must be above zero"}
	case o.BackoffMax < o.BackoffMin:
		return &OptionError{"BackoffMax", "must not be below BackoffMin"}
	case o.RetryAfterMax < 0:
		return &OptionError{"RetryAfterMax", "must be above zero"}
	case o.RequestsPerSecond < 0 || math.IsNaN(o.RequestsPerSecond) || math.IsInf(o.RequestsPerSecond, 0):
		return &OptionError{"RequestsPerSecond", "must be zero (no limit) or a positive number"}
	}
	return nil
}

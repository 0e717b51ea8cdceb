package paypalclient

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Error is the only error that calls to PayPal return. Its strings are bounded and hold plain codes only; it
// carries no body, no secret and no network error.
type Error struct {
	Operation Operation
	Kind      Kind
	Outcome   Outcome
	Status    int      // HTTP status of the last answer; 0 if there was none
	Name      string   // PayPal's error name ("UNPROCESSABLE_ENTITY"), or OAuth's ("invalid_token")
	Issues    []string // PayPal's fine codes, in its order, at most 10
	DebugID   string   // PayPal-Debug-Id of the last answer: what PayPal's support asks for
	Tries     int      // API requests that were sent

	// MayHaveArrived says that at least one try may have reached PayPal and been carried out.
	MayHaveArrived bool
	// RetryAfter is how long PayPal asked to wait, if it did.
	RetryAfter time.Duration
	// Detail is what did not fit, in our own words: "amount", "hold", "request id".
	Detail string
	// Capture is what a capture's answer said, when Kind is KindMismatch.
	Capture *Capture
	// Authorization is what a renewal's or a void's answer said, when Kind is KindMismatch.
	Authorization *Authorization

	cause error
}

// Error tells operation, kind, outcome, what PayPal named, and what to do next.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "paypal %s: %s, outcome %s", e.Operation, e.Kind, e.Outcome)
	if e.Status != 0 {
		fmt.Fprintf(&b, ", HTTP %d", e.Status)
	}
	if e.Name != "" {
		fmt.Fprintf(&b, " %s", e.Name)
	}
	if len(e.Issues) > 0 {
		fmt.Fprintf(&b, " [%s]", strings.Join(e.Issues, " "))
	}
	if e.Detail != "" {
		fmt.Fprintf(&b, " (%s)", e.Detail)
	}
	if e.DebugID != "" {
		fmt.Fprintf(&b, ", debug id %s", e.DebugID)
	}
	fmt.Fprintf(&b, ", tries %d: %s", e.Tries, advice[e.Kind])
	return b.String()
}

// Unwrap gives the context's error for KindCancelled and KindDeadline, and the hook's for KindStopped.
func (e *Error) Unwrap() error { return e.cause }

// AsError finds the *Error in err.
func AsError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

func newError(kind Kind, detail string) *Error {
	return &Error{Kind: kind, Outcome: outcomes[kind], Detail: detail}
}

// invalid is the error for arguments that are not sent: nothing took effect.
func invalid(op Operation, detail string) *Error {
	e := newError(KindInvalidRequest, detail)
	e.Operation, e.Outcome = op, OutcomeNotRun
	return e
}

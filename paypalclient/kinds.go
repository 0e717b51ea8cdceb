package paypalclient

// Kind says what went wrong. The values are stable.
type Kind string

// No valid access token. Handled alike: nothing of the request took effect.
const (
	KindAuthExpired     Kind = "auth_expired"     // 401, and no try was left for a fresh token
	KindAuthFailed      Kind = "auth_failed"      // 401 with a fresh token as well, or the client id and secret are refused
	KindAuthUnavailable Kind = "auth_unavailable" // the token endpoint does not answer, or not with a token
)

// Nothing was decided about the money.
const (
	KindRateLimited Kind = "rate_limited" // 429
	KindServerError Kind = "server_error" // 5xx
	KindNetwork     Kind = "network"      // no answer, or a try that ran out of time
	KindUnreadable  Kind = "unreadable"   // 2xx, but cut off, not JSON, or without id, status or amount
	KindMismatch    Kind = "mismatch"     // 2xx, but for another amount, currency, invoice, hold or order
	KindRejected    Kind = "rejected"     // 4xx that proves nothing: 408, 409, 425, or an issue that is not listed
	KindForbidden   Kind = "forbidden"    // 403
)

// The request ended before PayPal was asked again.
const (
	KindDeadline  Kind = "deadline"  // no try could end before the context's deadline
	KindCancelled Kind = "cancelled" // the context was cancelled
	KindStopped   Kind = "stopped"   // Options.BeforeTry said no
)

// Refused by PayPal for a reason that is listed.
const (
	KindNotFound         Kind = "not_found"         // 404: PayPal does not know the id; says nothing about the money
	KindInvalidRequest   Kind = "invalid_request"   // 400, or arguments that were not sent: a bug or a configuration fault
	KindInvariant        Kind = "invariant"         // it would hit every bidder: our account, our amount, our use of the API
	KindDuplicateInvoice Kind = "duplicate_invoice" // something was charged with this invoice id before
	KindAlreadyCaptured  Kind = "already_captured"
	KindAlreadyVoided    Kind = "already_voided"
	KindExpired          Kind = "expired"
	KindNotNow           Kind = "not_now"  // not in this state or not this early; the hold or order is as it was
	KindDeclined         Kind = "declined" // the payer or the funding of this hold or order
)

// Outcome says what an error means for the money.
type Outcome string

// The outcomes.
const (
	OutcomeNotRun   Outcome = "not_run"  // nothing took effect: never sent, or not accepted at all
	OutcomeDefinite Outcome = "definite" // PayPal refused
	OutcomeUnknown  Outcome = "unknown"  // it may have taken effect
)

// outcomes gives each kind its outcome, as long as no earlier try of the same request may have arrived.
var outcomes = map[Kind]Outcome{
	KindAuthExpired:      OutcomeNotRun,
	KindAuthFailed:       OutcomeNotRun,
	KindAuthUnavailable:  OutcomeNotRun,
	KindRateLimited:      OutcomeNotRun,
	KindDeadline:         OutcomeNotRun,
	KindCancelled:        OutcomeNotRun,
	KindStopped:          OutcomeNotRun,
	KindNotFound:         OutcomeDefinite,
	KindInvalidRequest:   OutcomeDefinite,
	KindInvariant:        OutcomeDefinite,
	KindDuplicateInvoice: OutcomeDefinite,
	KindAlreadyCaptured:  OutcomeDefinite,
	KindAlreadyVoided:    OutcomeDefinite,
	KindExpired:          OutcomeDefinite,
	KindNotNow:           OutcomeDefinite,
	KindDeclined:         OutcomeDefinite,
	KindServerError:      OutcomeUnknown,
	KindNetwork:          OutcomeUnknown,
	KindUnreadable:       OutcomeUnknown,
	KindMismatch:         OutcomeUnknown,
	KindRejected:         OutcomeUnknown,
	KindForbidden:        OutcomeUnknown,
}

// advice says what to do next, for people.
var advice = map[Kind]string{
	KindAuthExpired:      "call again: the next call gets a fresh token",
	KindAuthFailed:       "check the client id and secret, and that they belong to this PayPal environment",
	KindAuthUnavailable:  "PayPal's token endpoint does not give a token; call again later",
	KindRateLimited:      "call again later, more slowly",
	KindServerError:      "read the state, then call again with the same request id",
	KindNetwork:          "read the state, then call again with the same request id",
	KindUnreadable:       "read the state before anything else",
	KindMismatch:         "PayPal answered for something else; compare the capture with what was asked",
	KindRejected:         "this proves nothing; read the state, then let a person look",
	KindForbidden:        "check that the account is the payee and the app has the scope for payments",
	KindDeadline:         "call again with more time",
	KindCancelled:        "the caller gave up",
	KindStopped:          "money calls are stopped; call again when they are allowed",
	KindNotFound:         "check the id, the PayPal environment and the account",
	KindInvalidRequest:   "the request itself is wrong; repeating it does not help",
	KindInvariant:        "the merchant account or the request is at fault; do not go on to another hold",
	KindDuplicateInvoice: "something was charged with this invoice id; read the state of every hold concerned",
	KindAlreadyCaptured:  "read the capture that exists",
	KindAlreadyVoided:    "nothing is left to do; read the captures before trusting it",
	KindExpired:          "read the state; it is over",
	KindNotNow:           "nothing was changed; read the state",
	KindDeclined:         "read the state and prove the hold closed before going on",
}

// Package paypalclient speaks PayPal's Payments v2 and Orders v2 over HTTP, for programs that must never
// take money twice and never take a refusal for granted.
//
// It covers what settling holds needs: reading, capturing, voiding and renewing authorizations, reading
// captures, reading and capturing orders, and the access token behind them.
//
// # Errors
//
// Every failure is an [*Error] (use [AsError]). Its Kind says what PayPal answered, its Outcome what that
// means for the money: [OutcomeNotRun], [OutcomeDefinite] or [OutcomeUnknown]. An error never carries a body,
// a secret or a raw network error, and all strings in it are bounded, so it can be logged and stored.
//
// # Tries
//
// One call is at most Options.Attempts tries, all with the same PayPal-Request-Id. Network errors, a connection
// that ends inside an answer among them, and the statuses 429, 500, 502, 503 and 504 are tried again; no try is
// started that could not end before the context's deadline. Once a try of a money call may have reached PayPal, nothing that happens later in that
// call turns its outcome into "not run".
//
// # Answers
//
// A 2xx is only a success when its body is complete and is about what was asked: same amount, currency,
// invoice and hold. Everything else is an error of outcome unknown.
package paypalclient

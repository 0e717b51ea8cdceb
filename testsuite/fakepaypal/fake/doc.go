// Package fake answers like PayPal's REST API, so that a settlement can be tried against everything PayPal may do.
//
// It serves the token endpoint, authorizations (get, capture, void, reauthorize), captures (get) and orders (get, capture),
// keeps the state machine behind them, remembers request ids, and does what a script of faults tells it to do.
// A ledger says afterwards whose money was really taken. It shares no code with gavel's own client: a money parser used
// on both sides would hide its own mistakes.
//
// Where PayPal's documentation is silent, the fake decides as follows:
//   - an authorization and its reauthorizations are one hold: capturing or voiding one of them closes all;
//   - a capture that is declined at once leaves its hold as it was, one that is declined later leaves it CAPTURED
//     (both can be scripted otherwise);
//   - capturing a PENDING hold is refused with TRANSACTION_REFUSED, voiding a DENIED one with PREVIOUSLY_VOIDED;
//   - a request id belongs to one endpoint, and a refusal is not remembered under it (an option);
//   - the 75 USD limit above a hold is applied to USD holds only, the 115 % limit to all.
package fake

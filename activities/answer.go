package activities

import (
	"slices"

	"gavel/paypalclient"
)

// AnswerKind is what PayPal's answer to a capture means for a lot.
type AnswerKind string

const (
	// AnswerNone: nothing was sent, because the truth did not call for it.
	AnswerNone AnswerKind = ""
	// AnswerCaptured: completed, with the amount and invoice asked for.
	AnswerCaptured AnswerKind = "captured"
	// AnswerPending: accepted, and pending at PayPal.
	AnswerPending AnswerKind = "pending"
	// AnswerDeclined: PayPal made a capture and declined it.
	AnswerDeclined AnswerKind = "declined"
	// AnswerRefused: a definite refusal that names this hold.
	AnswerRefused AnswerKind = "refused"
	// AnswerMismatch: a success for another amount, currency, invoice or hold.
	AnswerMismatch AnswerKind = "mismatch"
	// AnswerDuplicateInvoice: somebody was charged under this invoice before.
	AnswerDuplicateInvoice AnswerKind = "duplicate_invoice"
	// AnswerInvariant: a refusal that names us, and would meet every bidder.
	AnswerInvariant AnswerKind = "invariant"
	// AnswerRateLimited: turned away with 429; nothing was done.
	AnswerRateLimited AnswerKind = "rate_limited"
	// AnswerNoToken: no access token, or none that PayPal accepts; nothing was done.
	AnswerNoToken AnswerKind = "no_token"
	// AnswerOther: another refusal, which says nothing of this hold.
	AnswerOther AnswerKind = "other_refusal"
	// AnswerUnknown: nobody knows whether money was taken.
	AnswerUnknown AnswerKind = "unknown"
)

// Answer is PayPal's answer to a capture call.
type Answer struct {
	Kind    AnswerKind   `json:"kind"`
	Capture *SeenCapture `json:"capture,omitempty"`
	Problem *Problem     `json:"problem,omitempty"`
}

func answerOf(intent Intent, capture paypalclient.Capture, err error) Answer {
	if err != nil {
		return refusal(intent, err)
	}
	// The client took the answer for this very request, so it is the intent's own
	// whether it repeats the invoice or not.
	seen := see(intent, capture, capture.ID)
	if !seen.Ours {
		return Answer{Kind: AnswerMismatch, Capture: &seen}
	}
	switch capture.Status {
	case paypalclient.CaptureStatusCompleted:
		return Answer{Kind: AnswerCaptured, Capture: &seen}
	case paypalclient.CaptureStatusPending:
		return Answer{Kind: AnswerPending, Capture: &seen}
	case paypalclient.CaptureStatusDeclined, paypalclient.CaptureStatusFailed:
		return Answer{Kind: AnswerDeclined, Capture: &seen}
	default:
		// A replay of a capture that was refunded since: the truth says which.
		return Answer{Kind: AnswerUnknown, Capture: &seen}
	}
}

func refusal(intent Intent, err error) Answer {
	answer := Answer{Kind: AnswerUnknown, Problem: problemOf(err)}
	e, ok := paypalclient.AsError(err)
	if !ok {
		return answer
	}
	if kind, ok := refusalKinds[e.Kind]; ok && (e.Outcome != paypalclient.OutcomeUnknown || slices.Contains(kindsWhateverCameBefore, kind)) {
		answer.Kind = kind
	}
	if e.Capture != nil {
		seen := see(intent, *e.Capture, "")
		answer.Capture = &seen
	}
	return answer
}

// refusalKinds maps what the client reports to what it means for a lot. What
// is missing here is unknown.
var refusalKinds = map[paypalclient.Kind]AnswerKind{
	paypalclient.KindDeclined:         AnswerRefused,
	paypalclient.KindExpired:          AnswerRefused,
	paypalclient.KindAlreadyVoided:    AnswerRefused,
	paypalclient.KindAlreadyCaptured:  AnswerRefused,
	paypalclient.KindMismatch:         AnswerMismatch,
	paypalclient.KindDuplicateInvoice: AnswerDuplicateInvoice,
	paypalclient.KindInvariant:        AnswerInvariant,
	paypalclient.KindRateLimited:      AnswerRateLimited,
	paypalclient.KindAuthExpired:      AnswerNoToken,
	paypalclient.KindAuthFailed:       AnswerNoToken,
	paypalclient.KindAuthUnavailable:  AnswerNoToken,
	paypalclient.KindNotFound:         AnswerOther,
	paypalclient.KindForbidden:        AnswerOther,
	paypalclient.KindInvalidRequest:   AnswerOther,
	paypalclient.KindRejected:         AnswerOther,
	paypalclient.KindNotNow:           AnswerOther,
}

// kindsWhateverCameBefore keep their meaning even where an earlier try of the
// request, or the answer itself, left the outcome unknown: each of them is
// handled as carefully as an unknown one.
var kindsWhateverCameBefore = []AnswerKind{AnswerMismatch, AnswerDuplicateInvoice, AnswerOther}

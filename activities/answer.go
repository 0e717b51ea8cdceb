package activities

import (
	"errors"
	"slices"

	"gavel/paypalclient"
)

// AnswerKind is what the answer to a money call means for a lot.
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
	// AnswerAged: nothing was sent, because the hold is past its honor period and
	// should be renewed first.
	AnswerAged AnswerKind = "past_honor_period"
	// AnswerRenewed: PayPal renewed the hold, under a new id.
	AnswerRenewed AnswerKind = "renewed"
	// AnswerNotRenewed: PayPal refused to renew the hold, which says nothing
	// against capturing it as it is.
	AnswerNotRenewed AnswerKind = "not_renewed"
	// AnswerPaused: nothing was sent, because the kill switch is on.
	AnswerPaused AnswerKind = "paused"
	// AnswerSwitchUnreadable: nothing was sent, because the kill switch cannot be read.
	AnswerSwitchUnreadable AnswerKind = "switch_unreadable"
	// AnswerUnsent: nothing was sent, because there was no time left for it.
	AnswerUnsent AnswerKind = "unsent"
	// AnswerRateLimited: turned away with 429; nothing was done.
	AnswerRateLimited AnswerKind = "rate_limited"
	// AnswerNoToken: no access token, or none that PayPal accepts; nothing was done.
	AnswerNoToken AnswerKind = "no_token"
	// AnswerOther: another refusal, which says nothing of this hold.
	AnswerOther AnswerKind = "other_refusal"
	// AnswerUnknown: nobody knows whether money was taken.
	AnswerUnknown AnswerKind = "unknown"
)

// Reached tells whether a money call may have done something at PayPal, or was
// decided there.
func (k AnswerKind) Reached() bool {
	switch k {
	case AnswerNone, AnswerAged, AnswerPaused, AnswerSwitchUnreadable, AnswerUnsent, AnswerRateLimited, AnswerNoToken:
		return false
	default:
		return true
	}
}

// Answer is what became of a money call.
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
	seen := see(intent, intent.family(), capture, capture.ID)
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
	if kind := notSent(e); kind != AnswerNone {
		answer.Kind = kind
	} else if kind, ok := refusalKinds[e.Kind]; ok && (e.Outcome != paypalclient.OutcomeUnknown || slices.Contains(kindsWhateverCameBefore, kind)) {
		answer.Kind = kind
	}
	if e.Capture != nil {
		seen := see(intent, intent.family(), *e.Capture, "")
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
	paypalclient.KindNotFound:         AnswerOther,
	paypalclient.KindForbidden:        AnswerOther,
	paypalclient.KindInvalidRequest:   AnswerOther,
	paypalclient.KindRejected:         AnswerOther,
	paypalclient.KindNotNow:           AnswerOther,
}

// notSent says why a request certainly did nothing at PayPal, or AnswerNone
// where it may have.
func notSent(e *paypalclient.Error) AnswerKind {
	if e.Outcome == paypalclient.OutcomeUnknown {
		return AnswerNone
	}
	return turnedAway(e)
}

// turnedAway says why the last try of a request did nothing, whatever became of
// the tries before it, or AnswerNone where it may have.
func turnedAway(e *paypalclient.Error) AnswerKind {
	switch e.Kind {
	case paypalclient.KindStopped:
		if stopped, ok := errors.AsType[*SwitchError](e); ok && stopped.Standing == SwitchOn {
			return AnswerPaused
		}
		return AnswerSwitchUnreadable
	case paypalclient.KindRateLimited:
		return AnswerRateLimited
	case paypalclient.KindAuthExpired, paypalclient.KindAuthFailed, paypalclient.KindAuthUnavailable:
		return AnswerNoToken
	case paypalclient.KindDeadline, paypalclient.KindCancelled:
		return AnswerUnsent
	default:
		return AnswerNone
	}
}

// kindsWhateverCameBefore keep their meaning even where an earlier try of the
// request, or the answer itself, left the outcome unknown: each of them is
// handled as carefully as an unknown one.
var kindsWhateverCameBefore = []AnswerKind{AnswerMismatch, AnswerDuplicateInvoice, AnswerOther}

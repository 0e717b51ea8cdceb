package activities

import (
	"fmt"
	"time"

	"gavel/paypalclient"
)

// Standing is what PayPal shows about a hold, seen from one Intent.
type Standing string

const (
	// StandingOpen: the hold can be captured and nothing was captured on it.
	StandingOpen Standing = "open"
	// StandingCaptured: one completed capture, of the intent's amount and invoice.
	StandingCaptured Standing = "captured"
	// StandingPending: the intent's own capture is pending at PayPal.
	StandingPending Standing = "pending"
	// StandingHoldPending: the hold is under review at PayPal and cannot be captured yet.
	StandingHoldPending Standing = "hold_pending"
	// StandingDeclined: the intent's own capture was declined or failed, and the hold may still be open.
	StandingDeclined Standing = "declined"
	// StandingClosed: the hold can never be captured, and no money was taken on it.
	StandingClosed Standing = "closed"
	// StandingDifferent: money was taken, but not as intended: another amount
	// or invoice, several captures, or captures that do not add up.
	StandingDifferent Standing = "different"
	// StandingRefunded: the intent's own capture was given back, in part or whole.
	StandingRefunded Standing = "refunded"
	// StandingShort: the hold is for less than the intent, or in another currency.
	// What PayPal may allow above a hold is never used.
	StandingShort Standing = "short"
	// StandingCapturedUnseen: the hold says CAPTURED and no capture is listed.
	StandingCapturedUnseen Standing = "captured_unseen"
	// StandingUnclear: PayPal answered, and the answer proves neither that the
	// hold is open nor that it is closed.
	StandingUnclear Standing = "unclear"

	// StandingUnreadable: PayPal did not answer, or its answer could not be read.
	StandingUnreadable Standing = "unreadable"
	// StandingNotFound: PayPal does not know the hold or its order. That says
	// something of the id, the environment or the account, nothing of the money.
	StandingNotFound Standing = "not_found"
	// StandingRateLimited: PayPal turned the reading away with 429.
	StandingRateLimited Standing = "rate_limited"
	// StandingNoToken: no reading without an access token.
	StandingNoToken Standing = "no_token"
)

// Readable tells whether PayPal's answer was seen and understood.
func (s Standing) Readable() bool {
	switch s {
	case StandingUnreadable, StandingNotFound, StandingRateLimited, StandingNoToken, "":
		return false
	default:
		return true
	}
}

// untouched tells whether PayPal shows that no money was taken.
func (s Standing) untouched() bool {
	switch s {
	case StandingOpen, StandingHoldPending, StandingDeclined, StandingClosed, StandingShort:
		return true
	default:
		return false
	}
}

// Truth is one reading of PayPal about one hold.
type Truth struct {
	Standing Standing `json:"standing"`
	// HoldStatus is PayPal's own word for the hold; it is no proof by itself.
	HoldStatus string `json:"hold_status,omitempty"`
	// AuthorizedAt and ExpiresAt bound the hold's life; zero where nobody says.
	AuthorizedAt time.Time `json:"authorized_at,omitzero"`
	ExpiresAt    time.Time `json:"expires_at,omitzero"`
	// OrderID is the order that the hold belongs to, where PayPal names it.
	OrderID string `json:"order_id,omitempty"`
	// Captures are those that PayPal lists, at most maxCaptures of them.
	Captures []SeenCapture `json:"captures,omitempty"`
	// Problem says why a truth is not readable or not clear.
	Problem *Problem `json:"problem,omitempty"`
}

// OwnCapture is the capture of the intent that PayPal lists, or nil: the one
// that took money, where there is one.
func (t Truth) OwnCapture() *SeenCapture {
	var own *SeenCapture
	for i := range t.Captures {
		c := &t.Captures[i]
		if c.Ours && (own == nil || c.TookMoney() && !own.TookMoney()) {
			own = c
		}
	}
	return own
}

// SeenCapture is a capture as PayPal shows it.
type SeenCapture struct {
	ID     string             `json:"id"`
	Status string             `json:"status"`
	Reason string             `json:"reason,omitempty"`
	Amount paypalclient.Money `json:"amount"`
	// InvoiceID is PayPal's invoice_id of the capture.
	InvoiceID string `json:"invoice_id,omitempty"`
	// AuthorizationID is the hold that it was made on, where PayPal names it.
	AuthorizationID string `json:"authorization_id,omitempty"`
	OrderID         string `json:"order_id,omitempty"`
	// Ours: the capture has the amount and the invoice of the intent, and is on
	// no other hold than the intent's or its renewals.
	Ours bool `json:"ours,omitempty"`
}

// TookMoney: the bidder was charged, or still may be.
func (c SeenCapture) TookMoney() bool {
	switch paypalclient.CaptureStatus(c.Status) {
	case paypalclient.CaptureStatusCompleted, paypalclient.CaptureStatusPending,
		paypalclient.CaptureStatusPartiallyRefunded, paypalclient.CaptureStatusRefunded:
		return true
	default:
		return false
	}
}

// Problem is why PayPal's answer was not what was asked for: short words that
// may stand in a history and a log, never a body.
type Problem struct {
	// Operation is what was asked of PayPal ("get_authorization").
	Operation string `json:"operation,omitempty"`
	Kind      string `json:"kind"`
	Outcome   string `json:"outcome"`
	Status    int    `json:"status,omitempty"`
	Issue     string `json:"issue,omitempty"`
	DebugID   string `json:"debug_id,omitempty"`
	Tries     int    `json:"tries,omitempty"`
}

// String is the problem on one line, for people.
func (p Problem) String() string {
	text := p.Operation + ": " + p.Kind
	if p.Status != 0 {
		text += fmt.Sprintf(", HTTP %d", p.Status)
	}
	if p.Issue != "" {
		text += ", " + p.Issue
	}
	if p.DebugID != "" {
		text += ", PayPal-Debug-Id " + p.DebugID
	}
	return text
}

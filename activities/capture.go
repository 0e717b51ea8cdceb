package activities

import (
	"context"
	"time"

	"gavel/paypalclient"
)

// captureAPI is what capturing needs of PayPal.
type captureAPI interface {
	truthAPI
	CaptureAuthorization(ctx context.Context, req paypalclient.CaptureAuthorizationRequest) (paypalclient.Capture, error)
}

// Capturer has the Capture activity.
type Capturer struct {
	PayPal captureAPI
	Switch Switch
}

// CaptureInput is the intent to carry out.
type CaptureInput struct {
	Intent Intent `json:"intent"`
	// RenewBefore: an open hold that was authorized before this time is not
	// captured but answered with AnswerAged; zero captures however old.
	RenewBefore time.Time `json:"renew_before,omitzero"`
	// CaptureID is a capture that is already known; empty where none is.
	CaptureID string `json:"capture_id,omitempty"`
	// ClockFrom is since when the unknown clock runs; zero where none does.
	ClockFrom time.Time `json:"clock_from,omitzero"`
}

// CaptureResult is the truth before the call, and PayPal's answer to it.
// Answer.Kind is AnswerNone where the truth left nothing to call for.
type CaptureResult struct {
	Truth  Truth      `json:"truth"`
	Answer Answer     `json:"answer,omitzero"`
	Switch SwitchSeen `json:"switch,omitzero"`
}

// Capture reads the truth and sends the capture only to a hold that it shows
// open. Reading is its own first step, so that no path can call without it.
func (c *Capturer) Capture(ctx context.Context, in CaptureInput) (CaptureResult, error) {
	ctx, end := working(ctx)
	defer end()
	result := CaptureResult{Truth: readTruth(ctx, c.PayPal, in.Intent, in.CaptureID)}
	switch {
	case !callable(result.Truth.Standing):
	case aged(result.Truth, in.RenewBefore):
		result.Answer.Kind = AnswerAged
	default:
		result.Answer = c.send(ctx, in.Intent)
	}
	result.Switch = lookAtSwitch(ctx, c.Switch, in.ClockFrom)
	return result, nil
}

func (c *Capturer) send(ctx context.Context, intent Intent) Answer {
	capture, err := c.PayPal.CaptureAuthorization(ctx, paypalclient.CaptureAuthorizationRequest{
		AuthorizationID: intent.chargedHold(),
		RequestID:       intent.RequestID,
		InvoiceID:       intent.InvoiceID,
		Amount:          intent.Amount,
	})
	return answerOf(intent, capture, err)
}

// callable: an open hold, or one that says CAPTURED and lists no capture. On
// the latter PayPal can only replay our own capture or refuse.
func callable(s Standing) bool {
	return s == StandingOpen || s == StandingCapturedUnseen
}

// aged: an open hold that PayPal vouches for no longer. One of unknown age is
// captured as it is.
func aged(truth Truth, renewBefore time.Time) bool {
	return truth.Standing == StandingOpen && !truth.AuthorizedAt.IsZero() && truth.AuthorizedAt.Before(renewBefore)
}

package activities

import (
	"context"

	"gavel/paypalclient"
)

// captureAPI is what capturing needs of PayPal.
type captureAPI interface {
	truthAPI
	CaptureAuthorization(ctx context.Context, req paypalclient.CaptureAuthorizationRequest) (paypalclient.Capture, error)
}

// Capturer has the Capture activity.
type Capturer struct{ PayPal captureAPI }

// CaptureInput is the intent to carry out.
type CaptureInput struct {
	Intent Intent `json:"intent"`
}

// CaptureResult is the truth before the call, and PayPal's answer to it.
// Answer.Kind is AnswerNone where the truth left nothing to call for.
type CaptureResult struct {
	Truth  Truth  `json:"truth"`
	Answer Answer `json:"answer,omitzero"`
}

// Capture reads the truth and sends the capture only to a hold that it shows
// open. Reading is its own first step, so that no path can call without it.
func (c *Capturer) Capture(ctx context.Context, in CaptureInput) (CaptureResult, error) {
	stop := keepAlive(ctx, nil)
	defer stop()
	ctx, cancel := inTime(ctx)
	defer cancel()
	result := CaptureResult{Truth: readTruth(ctx, c.PayPal, in.Intent, "")}
	if !callable(result.Truth.Standing) {
		return result, nil
	}
	capture, err := c.PayPal.CaptureAuthorization(ctx, paypalclient.CaptureAuthorizationRequest{
		AuthorizationID: in.Intent.AuthorizationID,
		RequestID:       in.Intent.RequestID,
		InvoiceID:       in.Intent.InvoiceID,
		Amount:          in.Intent.Amount,
	})
	result.Answer = answerOf(in.Intent, capture, err)
	return result, nil
}

// callable: an open hold, or one that says CAPTURED and lists no capture. On
// the latter PayPal can only replay our own capture or refuse.
func callable(s Standing) bool {
	return s == StandingOpen || s == StandingCapturedUnseen
}

package paypalclient

import (
	"context"
	"encoding/json"
	"net/http"
)

// CaptureAuthorization takes the amount from a hold, as the hold's only and final capture. The capture that
// comes back without an error is for this amount, invoice and hold, but may be PENDING, DECLINED or FAILED.
func (c *Client) CaptureAuthorization(ctx context.Context, request CaptureAuthorizationRequest) (Capture, error) {
	if detail := request.fault(); detail != "" {
		return Capture{}, invalid(OpCaptureAuthorization, detail)
	}
	body, err := json.Marshal(struct {
		Amount       Money  `json:"amount"`
		InvoiceID    string `json:"invoice_id"`
		FinalCapture bool   `json:"final_capture"`
	}{request.Amount, request.InvoiceID, true})
	if err != nil {
		return Capture{}, invalid(OpCaptureAuthorization, "amount")
	}
	var read Capture
	err = c.core.send(ctx, &call{
		op: OpCaptureAuthorization, resource: request.AuthorizationID, method: http.MethodPost,
		path:      authorizationPath(request.AuthorizationID, "/capture"),
		requestID: request.RequestID, representation: true, body: body,
		accept: func(a answer) (failure *Error) {
			read, failure = acceptCapture(a, http.StatusOK, http.StatusCreated)
			if failure != nil {
				return failure
			}
			return request.compare(read)
		},
	})
	if err != nil {
		return Capture{}, err
	}
	return read, nil
}

func (r CaptureAuthorizationRequest) fault() string {
	switch {
	case !validID(r.AuthorizationID):
		return "authorization id"
	case !validRequestID(r.RequestID):
		return "request id"
	case !validInvoiceID(r.InvoiceID):
		return "invoice id"
	case !r.Amount.payable():
		return "amount"
	}
	return ""
}

// compare holds a capture against what was asked for. With a request id that is used again PayPal may answer
// for what was asked under it first.
func (r CaptureAuthorizationRequest) compare(read Capture) *Error {
	detail := ""
	switch {
	case read.Status == CaptureStatusUnknown:
		return newError(KindUnreadable, "a status that is not listed")
	case read.AuthorizationID != "" && read.AuthorizationID != r.AuthorizationID:
		detail = "hold"
	case read.Amount.Currency != r.Amount.Currency:
		detail = "currency"
	case read.Amount != r.Amount:
		detail = "amount"
	case read.InvoiceID != "" && read.InvoiceID != r.InvoiceID:
		detail = "invoice"
	default:
		return nil
	}
	failure := newError(KindMismatch, detail)
	failure.Capture = &read
	return failure
}

package paypalclient

import (
	"bytes"
	"context"
	"net/http"
)

// VoidAuthorization gives a hold back. nil is PayPal's word for it, not a proof: read the hold to be sure.
// A hold that was given back before is KindAlreadyVoided.
func (c *Client) VoidAuthorization(ctx context.Context, request VoidAuthorizationRequest) error {
	switch {
	case !validID(request.AuthorizationID):
		return invalid(OpVoidAuthorization, "authorization id")
	case !validRequestID(request.RequestID):
		return invalid(OpVoidAuthorization, "request id")
	}
	return c.core.send(ctx, &call{
		op: OpVoidAuthorization, resource: request.AuthorizationID, method: http.MethodPost,
		path:      authorizationPath(request.AuthorizationID, "/void"),
		requestID: request.RequestID,
		accept:    func(a answer) *Error { return acceptVoid(a, request.AuthorizationID) },
	})
}

// acceptVoid takes 204, and 200 with nothing or with this hold as VOIDED.
func acceptVoid(a answer, id string) *Error {
	body := bytes.TrimSpace(a.body)
	switch {
	case a.status != http.StatusOK && a.status != http.StatusNoContent:
		return newError(KindUnreadable, "a status that is not documented")
	case len(body) == 0:
		return nil
	case body[0] != '{':
		return newError(KindUnreadable, "not the JSON that PayPal documents")
	}
	var wire wirePayment
	if err := decodeJSON(body, &wire); err != nil {
		return newError(KindUnreadable, err.Error())
	}
	detail := ""
	switch {
	case wire.ID != "" && wire.ID != id:
		detail = "hold"
	case wire.Status != "" && authorizationStatus(wire.Status) != AuthorizationStatusVoided:
		detail = "status"
	default:
		return nil
	}
	failure := newError(KindMismatch, detail)
	if read, err := wire.authorization(); err == nil {
		failure.Authorization = &read
	}
	return failure
}

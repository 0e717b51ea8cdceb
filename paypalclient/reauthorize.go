package paypalclient

import (
	"context"
	"encoding/json"
	"net/http"
)

// ReauthorizeAuthorization renews a hold: the answer is a new hold with an id of its own, to be captured
// instead of the original. The original is what is voided later.
func (c *Client) ReauthorizeAuthorization(ctx context.Context, request ReauthorizeRequest) (Authorization, error) {
	if detail := request.fault(); detail != "" {
		return Authorization{}, invalid(OpReauthorizeAuthorization, detail)
	}
	body, err := json.Marshal(struct {
		Amount Money `json:"amount"`
	}{request.Amount})
	if err != nil {
		return Authorization{}, invalid(OpReauthorizeAuthorization, "amount")
	}
	var read Authorization
	err = c.core.send(ctx, &call{
		op: OpReauthorizeAuthorization, resource: request.AuthorizationID, method: http.MethodPost,
		path:      authorizationPath(request.AuthorizationID, "/reauthorize"),
		requestID: request.RequestID, representation: true, body: body,
		accept: func(a answer) (failure *Error) {
			read, failure = acceptAuthorization(a, http.StatusOK, http.StatusCreated)
			if failure != nil {
				return failure
			}
			return request.compare(read)
		},
	})
	if err != nil {
		return Authorization{}, err
	}
	return read, nil
}

func (r ReauthorizeRequest) fault() string {
	switch {
	case !validID(r.AuthorizationID):
		return "authorization id"
	case !validRequestID(r.RequestID):
		return "request id"
	case !r.Amount.payable():
		return "amount"
	}
	return ""
}

func (r ReauthorizeRequest) compare(read Authorization) *Error {
	detail := ""
	switch {
	case read.Status == AuthorizationStatusUnknown:
		return newError(KindUnreadable, "a status that is not listed")
	case read.Amount.Currency != r.Amount.Currency:
		detail = "currency"
	case read.Amount != r.Amount:
		detail = "amount"
	default:
		return nil
	}
	failure := newError(KindMismatch, detail)
	failure.Authorization = &read
	return failure
}

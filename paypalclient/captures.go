package paypalclient

import (
	"context"
	"net/http"
	"net/url"
)

// GetCapture reads a capture.
func (c *Client) GetCapture(ctx context.Context, id string) (Capture, error) {
	if !validID(id) {
		return Capture{}, invalid(OpGetCapture, "capture id")
	}
	var read Capture
	err := c.core.send(ctx, &call{
		op: OpGetCapture, resource: id, method: http.MethodGet, path: "/v2/payments/captures/" + url.PathEscape(id),
		accept: func(a answer) (failure *Error) {
			read, failure = acceptCapture(a, http.StatusOK)
			if failure == nil && read.ID != id {
				failure = newError(KindUnreadable, "another id")
			}
			return failure
		},
	})
	if err != nil {
		return Capture{}, err
	}
	return read, nil
}

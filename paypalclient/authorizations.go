package paypalclient

import (
	"context"
	"net/http"
	"net/url"
)

func authorizationPath(id, action string) string {
	return "/v2/payments/authorizations/" + url.PathEscape(id) + action
}

// GetAuthorization reads a hold. Its status alone does not tell whether money was taken; see GetOrder.
func (c *Client) GetAuthorization(ctx context.Context, id string) (Authorization, error) {
	if !validID(id) {
		return Authorization{}, invalid(OpGetAuthorization, "authorization id")
	}
	var read Authorization
	err := c.core.send(ctx, &call{
		op: OpGetAuthorization, resource: id, method: http.MethodGet, path: authorizationPath(id, ""),
		accept: func(a answer) (failure *Error) {
			read, failure = acceptAuthorization(a, http.StatusOK)
			if failure == nil && read.ID != id {
				failure = newError(KindUnreadable, "another id")
			}
			return failure
		},
	})
	if err != nil {
		return Authorization{}, err
	}
	return read, nil
}

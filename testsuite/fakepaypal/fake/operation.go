package fake

import (
	"net/http"
	"time"
)

// Operation names one endpoint in faults, counts and the request log.
type Operation string

const (
	OpToken                Operation = "token"
	OpGetAuthorization     Operation = "get_authorization"
	OpCaptureAuthorization Operation = "capture_authorization"
	OpVoidAuthorization    Operation = "void_authorization"
	OpReauthorize          Operation = "reauthorize_authorization"
	OpGetCapture           Operation = "get_capture"
	OpGetOrder             Operation = "get_order"
	OpCaptureOrder         Operation = "capture_order"
)

// endpoints are the patterns of everything but the token endpoint.
var endpoints = map[Operation]string{
	OpGetAuthorization:     "GET /v2/payments/authorizations/{id}",
	OpCaptureAuthorization: "POST /v2/payments/authorizations/{id}/capture",
	OpVoidAuthorization:    "POST /v2/payments/authorizations/{id}/void",
	OpReauthorize:          "POST /v2/payments/authorizations/{id}/reauthorize",
	OpGetCapture:           "GET /v2/payments/captures/{id}",
	OpGetOrder:             "GET /v2/checkout/orders/{id}",
	OpCaptureOrder:         "POST /v2/checkout/orders/{id}/capture",
}

func (op Operation) known() bool {
	_, ok := endpoints[op]
	return ok || op == OpToken
}

// takesRequestID reports whether the endpoint remembers PayPal-Request-Id. The description of the void endpoint
// leaves the header out, PayPal's own SDK sends it.
func (op Operation) takesRequestID() bool {
	switch op {
	case OpCaptureAuthorization, OpVoidAuthorization, OpReauthorize, OpCaptureOrder:
		return true
	}
	return false
}

// idsKept is how long the endpoint remembers a request id.
func (o Options) idsKept(op Operation) time.Duration {
	if op == OpCaptureOrder {
		return o.OrderIDsKept
	}
	return o.PaymentIDsKept
}

func wantsRepresentation(r *http.Request) bool {
	return r.Header.Get("Prefer") == "return=representation"
}

package paypalclient

import (
	"context"
	"net/http"
	"net/url"
)

func orderPath(id, action string) string {
	return "/v2/checkout/orders/" + url.PathEscape(id) + action
}

// GetOrder reads an order with all holds and captures that PayPal lists under it. An order that was not
// captured in its time becomes KindNotFound.
func (c *Client) GetOrder(ctx context.Context, id string) (Order, error) {
	if !validID(id) {
		return Order{}, invalid(OpGetOrder, "order id")
	}
	var read Order
	err := c.core.send(ctx, &call{
		op: OpGetOrder, resource: id, method: http.MethodGet, path: orderPath(id, ""),
		accept: func(a answer) (failure *Error) {
			read, failure = acceptOrder(a, http.StatusOK)
			switch {
			case failure != nil:
				return failure
			case read.ID != id:
				return newError(KindUnreadable, "another id")
			case read.Amount.IsZero():
				return newError(KindUnreadable, "no amount")
			}
			return nil
		},
	})
	if err != nil {
		return Order{}, err
	}
	return read, nil
}

// CaptureOrder takes the money of an approved order. The order that comes back without an error lists at
// least one capture, each of which may be PENDING, DECLINED or FAILED whatever the order's status says.
// PayPal keeps an order's request ids for 6 hours only (Orders v2 reference).
func (c *Client) CaptureOrder(ctx context.Context, request CaptureOrderRequest) (Order, error) {
	switch {
	case !validID(request.OrderID):
		return Order{}, invalid(OpCaptureOrder, "order id")
	case !validRequestID(request.RequestID):
		return Order{}, invalid(OpCaptureOrder, "request id")
	case !request.Amount.IsZero() && !request.Amount.payable():
		return Order{}, invalid(OpCaptureOrder, "amount")
	}
	var read Order
	err := c.core.send(ctx, &call{
		op: OpCaptureOrder, resource: request.OrderID, method: http.MethodPost,
		path:      orderPath(request.OrderID, "/capture"),
		requestID: request.RequestID, representation: true,
		accept: func(a answer) (failure *Error) {
			read, failure = acceptOrder(a, http.StatusOK, http.StatusCreated)
			if failure != nil {
				return failure
			}
			return request.compare(read)
		},
	})
	if err != nil {
		return Order{}, err
	}
	return read, nil
}

// compare holds a captured order against what was asked for.
func (r CaptureOrderRequest) compare(read Order) *Error {
	if read.Status == OrderStatusUnknown {
		return newError(KindUnreadable, "a status that is not listed")
	}
	sum, failure := taken(read.Captures)
	if failure != nil {
		return failure
	}
	detail := ""
	switch {
	case read.ID != r.OrderID:
		detail = "order"
	case r.Amount.IsZero() || sum.IsZero() || sum == r.Amount:
		return nil
	case sum.Currency != r.Amount.Currency:
		detail = "currency"
	default:
		detail = "amount"
	}
	failure = newError(KindMismatch, detail)
	failure.Capture = &read.Captures[0]
	return failure
}

// taken sums up the captures that were not declined; zero if all were.
func taken(captures []Capture) (sum Money, failure *Error) {
	if len(captures) == 0 {
		return Money{}, newError(KindUnreadable, "no capture")
	}
	for _, capture := range captures {
		switch capture.Status {
		case CaptureStatusUnknown:
			return Money{}, newError(KindUnreadable, "a status that is not listed")
		case CaptureStatusDeclined, CaptureStatusFailed:
			continue
		}
		if sum.IsZero() {
			sum = capture.Amount
			continue
		}
		var err error
		if sum, err = sum.Add(capture.Amount); err != nil {
			return Money{}, newError(KindUnreadable, "captures that do not add up")
		}
	}
	return sum, nil
}

package paypalclient

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestArgumentsThatAreNeverSent(t *testing.T) {
	ctx := context.Background()
	capture := func(change func(*CaptureAuthorizationRequest)) func(*Client) error {
		return func(c *Client) error {
			r := CaptureAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(1)}
			change(&r)
			_, err := c.CaptureAuthorization(ctx, r)
			return err
		}
	}
	type row struct {
		call   func(*Client) error
		detail string
	}
	rows := map[string]row{
		"capture without request id": {capture(func(r *CaptureAuthorizationRequest) { r.RequestID = "" }), "request id"},
		"a request id too long":      {capture(func(r *CaptureAuthorizationRequest) { r.RequestID = strings.Repeat("x", 109) }), "request id"},
		"a request id with a break":  {capture(func(r *CaptureAuthorizationRequest) { r.RequestID = "a\r\nb" }), "request id"},
		"capture without invoice":    {capture(func(r *CaptureAuthorizationRequest) { r.InvoiceID = "" }), "invoice id"},
		"an invoice id too long":     {capture(func(r *CaptureAuthorizationRequest) { r.InvoiceID = strings.Repeat("é", 128) }), "invoice id"},
		"an invoice id with control": {capture(func(r *CaptureAuthorizationRequest) { r.InvoiceID = "a\x00" }), "invoice id"},
		"capture of nothing":         {capture(func(r *CaptureAuthorizationRequest) { r.Amount = usd(0) }), "amount"},
		"capture of a negative":      {capture(func(r *CaptureAuthorizationRequest) { r.Amount = usd(-1) }), "amount"},
		"capture in no currency":     {capture(func(r *CaptureAuthorizationRequest) { r.Amount = Money{Minor: 1} }), "amount"},
		"capture of 16 digits":       {capture(func(r *CaptureAuthorizationRequest) { r.Amount = usd(1e17) }), "amount"},
		"void without request id": {func(c *Client) error {
			return c.VoidAuthorization(ctx, VoidAuthorizationRequest{AuthorizationID: holdID})
		}, "request id"},
		"renewal without request id": {func(c *Client) error {
			_, err := c.ReauthorizeAuthorization(ctx, ReauthorizeRequest{AuthorizationID: holdID, Amount: usd(1)})
			return err
		}, "request id"},
		"renewal without amount": {func(c *Client) error {
			_, err := c.ReauthorizeAuthorization(ctx, ReauthorizeRequest{AuthorizationID: holdID, RequestID: requestID})
			return err
		}, "amount"},
		"order capture without request id": {func(c *Client) error {
			_, err := c.CaptureOrder(ctx, CaptureOrderRequest{OrderID: orderID})
			return err
		}, "request id"},
		"order capture of a negative": {func(c *Client) error {
			_, err := c.CaptureOrder(ctx, CaptureOrderRequest{OrderID: orderID, RequestID: requestID, Amount: usd(-1)})
			return err
		}, "amount"},
	}
	for _, id := range []string{"", "../../v1/x", "a", "A B", "A%2F", "A/CAPTURE", "Ä", strings.Repeat("A", 37), "A\n"} {
		rows["hold "+id] = row{capture(func(r *CaptureAuthorizationRequest) { r.AuthorizationID = id }), "authorization id"}
		rows["void "+id] = row{func(c *Client) error {
			return c.VoidAuthorization(ctx, VoidAuthorizationRequest{AuthorizationID: id, RequestID: requestID})
		}, "authorization id"}
		rows["renew "+id] = row{func(c *Client) error {
			_, err := c.ReauthorizeAuthorization(ctx, ReauthorizeRequest{AuthorizationID: id, RequestID: requestID, Amount: usd(1)})
			return err
		}, "authorization id"}
		rows["get hold "+id] = row{func(c *Client) error { _, err := c.GetAuthorization(ctx, id); return err }, "authorization id"}
		rows["get capture "+id] = row{func(c *Client) error { _, err := c.GetCapture(ctx, id); return err }, "capture id"}
		rows["get order "+id] = row{func(c *Client) error { _, err := c.GetOrder(ctx, id); return err }, "order id"}
		rows["capture order "+id] = row{func(c *Client) error {
			_, err := c.CaptureOrder(ctx, CaptureOrderRequest{OrderID: id, RequestID: requestID})
			return err
		}, "order id"}
	}
	for name, r := range rows {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			e := requireError(t, r.call(b.Client), KindInvalidRequest, OutcomeNotRun)
			assert.Equal(t, r.detail, e.Detail)
			assert.NotEmpty(t, e.Operation)
			assert.Empty(t, b.paypal.requests)
			assert.Empty(t, b.paypal.tokenCalls)
		})
	}
}

package paypalclient

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	holdID    = "0VF52814937998046"
	renewedID = "8AA831015G517922L"
	orderID   = "5O190127TN364715T"
	captureID = "3C679366HH908993F"
	invoiceID = "gv1/spring-2026/17"
	requestID = "gv1-0123456789abcdef0123456789abcdef"
)

func usd(minor int64) Money { return Money{Currency: "USD", Minor: minor} }

// bench is a client on a scripted PayPal and a fake clock.
type bench struct {
	*Client
	t      *testing.T
	clock  *fakeClock
	paypal *script
	tries  []Try
}

// newBench makes one that answers with steps in turn. change, if any, alters the options first.
func newBench(t *testing.T, steps []step, change ...func(*Options)) *bench {
	t.Helper()
	clock := newFakeClock()
	b := &bench{t: t, clock: clock, paypal: &script{t: t, clock: clock, steps: steps}}
	options := Options{
		BaseURL: "https://api.test", ClientID: "client-id", ClientSecret: "client-secret",
		Transport: b.paypal, Clock: clock,
		Jitter: func(max time.Duration) time.Duration { return max },
		OnTry:  func(try Try) { b.tries = append(b.tries, try) },
	}
	for _, f := range change {
		f(&options)
	}
	client, err := New(options)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	b.Client = client
	return b
}

func (b *bench) capture(ctx context.Context) (Capture, error) {
	return b.CaptureAuthorization(ctx, CaptureAuthorizationRequest{
		AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(12000),
	})
}

// operation is one call of the client with arguments that fit the sample bodies.
type operation struct {
	op      Operation
	call    func(context.Context, *Client) error
	success step
}

var operations = []operation{
	{OpGetAuthorization, func(ctx context.Context, c *Client) error {
		_, err := c.GetAuthorization(ctx, holdID)
		return err
	}, reply(200, authorizationBody)},
	{OpCaptureAuthorization, func(ctx context.Context, c *Client) error {
		_, err := c.CaptureAuthorization(ctx, CaptureAuthorizationRequest{
			AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(12000),
		})
		return err
	}, reply(201, captureBody)},
	{OpVoidAuthorization, func(ctx context.Context, c *Client) error {
		return c.VoidAuthorization(ctx, VoidAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID})
	}, reply(204, "")},
	{OpReauthorizeAuthorization, func(ctx context.Context, c *Client) error {
		_, err := c.ReauthorizeAuthorization(ctx, ReauthorizeRequest{
			AuthorizationID: holdID, RequestID: requestID, Amount: usd(15000),
		})
		return err
	}, reply(201, renewedBody)},
	{OpGetCapture, func(ctx context.Context, c *Client) error {
		_, err := c.GetCapture(ctx, captureID)
		return err
	}, reply(200, captureBody)},
	{OpGetOrder, func(ctx context.Context, c *Client) error {
		_, err := c.GetOrder(ctx, orderID)
		return err
	}, reply(200, orderBody)},
	{OpCaptureOrder, func(ctx context.Context, c *Client) error {
		_, err := c.CaptureOrder(ctx, CaptureOrderRequest{OrderID: orderID, RequestID: requestID, Amount: usd(12000)})
		return err
	}, reply(201, capturedOrderBody)},
}

// requireError asserts the parts of an error that callers decide on.
func requireError(t *testing.T, err error, kind Kind, outcome Outcome) *Error {
	t.Helper()
	e, ok := AsError(err)
	require.True(t, ok, "not an *Error: %v", err)
	require.Equal(t, kind, e.Kind, "kind of %v", err)
	require.Equal(t, outcome, e.Outcome, "outcome of %v", err)
	return e
}

package activities

import (
	"context"
	"sync"

	"gavel/paypalclient"
)

// scriptedPayPal answers as a test says and counts what it was asked.
type scriptedPayPal struct {
	hold       paypalclient.Authorization
	holdErr    error
	order      paypalclient.Order
	orderErr   error
	capture    paypalclient.Capture
	captureErr error
	detail     map[string]paypalclient.Capture
	void       func(ctx context.Context, id string) error
	renewed    paypalclient.Authorization // what a renewal answers, and what it stands at
	renewErr   error

	mu    sync.Mutex
	calls []string
	sent  []paypalclient.CaptureAuthorizationRequest
}

func (p *scriptedPayPal) called(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, what)
}

func (p *scriptedPayPal) GetAuthorization(_ context.Context, id string) (paypalclient.Authorization, error) {
	p.called("get hold " + id)
	if id == p.renewed.ID {
		return p.renewed, nil
	}
	return p.hold, p.holdErr
}

func (p *scriptedPayPal) GetOrder(_ context.Context, id string) (paypalclient.Order, error) {
	p.called("get order " + id)
	return p.order, p.orderErr
}

func (p *scriptedPayPal) GetCapture(_ context.Context, id string) (paypalclient.Capture, error) {
	p.called("get capture " + id)
	if c, ok := p.detail[id]; ok {
		return c, nil
	}
	return paypalclient.Capture{}, &paypalclient.Error{Kind: paypalclient.KindNotFound, Outcome: paypalclient.OutcomeDefinite, Status: 404}
}

func (p *scriptedPayPal) CaptureAuthorization(_ context.Context, req paypalclient.CaptureAuthorizationRequest) (paypalclient.Capture, error) {
	p.called("capture " + req.AuthorizationID)
	p.mu.Lock()
	p.sent = append(p.sent, req)
	p.mu.Unlock()
	return p.capture, p.captureErr
}

func (p *scriptedPayPal) VoidAuthorization(ctx context.Context, req paypalclient.VoidAuthorizationRequest) error {
	p.called("void " + req.AuthorizationID)
	return p.void(ctx, req.AuthorizationID)
}

func (p *scriptedPayPal) ReauthorizeAuthorization(_ context.Context, req paypalclient.ReauthorizeRequest) (paypalclient.Authorization, error) {
	p.called("reauthorize " + req.AuthorizationID + " " + req.Amount.Value() + " " + req.RequestID)
	return p.renewed, p.renewErr
}

// openHold is a hold that can be captured, with its order.
func openHold() *scriptedPayPal {
	return &scriptedPayPal{
		hold:  paypalclient.Authorization{ID: "HOLD1", Status: paypalclient.AuthorizationStatusCreated, Amount: usd150, OrderID: "ORDER1"},
		order: paypalclient.Order{ID: "ORDER1", Status: paypalclient.OrderStatusCompleted},
	}
}

func failure(kind paypalclient.Kind, outcome paypalclient.Outcome) error {
	return &paypalclient.Error{Kind: kind, Outcome: outcome, Status: 422, Issues: []string{"ISSUE"}, DebugID: "debug1", Tries: 2}
}

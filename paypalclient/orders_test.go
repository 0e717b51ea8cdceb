package paypalclient

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnOrderAsRead(t *testing.T) {
	b := newBench(t, []step{reply(200, orderBody)})
	order, err := b.GetOrder(context.Background(), orderID)
	require.NoError(t, err)
	assert.Equal(t, Order{
		ID: orderID, Status: OrderStatusCompleted, Intent: "AUTHORIZE", Amount: usd(15000), InvoiceID: "hold-1",
		CreateTime: time.Date(2026, 11, 28, 9, 59, 0, 0, time.UTC),
		Authorizations: []Authorization{
			{ID: holdID, Status: AuthorizationStatusCaptured, Amount: usd(15000), OrderID: orderID},
		},
		Captures: []Capture{{
			ID: captureID, Status: CaptureStatusCompleted, Amount: usd(12000), FinalCapture: true,
			AuthorizationID: holdID, OrderID: orderID,
		}},
	}, order)
	assert.Equal(t, "/v2/checkout/orders/"+orderID, b.paypal.requests[0].Path)
}

func TestAnOrderOfSeveralUnits(t *testing.T) {
	unit := func(value, currency, capture string) string {
		return `{"invoice_id":"u","amount":{"currency_code":"` + currency + `","value":"` + value + `"},
			"payments":{"captures":[{"id":"` + capture + `","status":"PENDING","amount":{"currency_code":"` + currency + `","value":"` + value + `"}}]}}`
	}
	order := func(units string) step {
		return reply(200, `{"id":"`+orderID+`","status":"COMPLETED","intent":"CAPTURE","purchase_units":[`+units+`]}`)
	}
	b := newBench(t, []step{
		order(unit("1.00", "USD", "C1") + "," + unit("2.50", "USD", "C2")),
		order(unit("1.00", "USD", "C1") + "," + unit("2.50", "EUR", "C2")),
	})
	read, err := b.GetOrder(context.Background(), orderID)
	require.NoError(t, err)
	assert.Equal(t, usd(350), read.Amount)
	assert.Empty(t, read.InvoiceID, "which of them would it be")
	assert.Len(t, read.Captures, 2)

	_, err = b.GetOrder(context.Background(), orderID)
	requireError(t, err, KindUnreadable, OutcomeUnknown)
}

// One payment that cannot be read could be the capture that matters.
func TestAnOrderIsReadWholeOrNotAtAll(t *testing.T) {
	bodies := map[string]string{
		"no id":                      with(orderBody, `"id": "5O190127TN364715T", `, ``),
		"no status":                  with(orderBody, `"status": "COMPLETED", "create_time"`, `"create_time"`),
		"no purchase units":          `{"id":"` + orderID + `","status":"APPROVED","intent":"CAPTURE"}`,
		"no amount":                  with(orderBody, `"amount": {"currency_code": "USD", "value": "150.00"},`+"\n\t\t\t\"payments\"", `"payments"`),
		"a hold without its status":  with(orderBody, `"status": "CAPTURED",`, ``),
		"a capture without an id":    with(orderBody, `"id": "3C679366HH908993F", `, ``),
		"a capture without amount":   with(orderBody, `"amount": {"currency_code": "USD", "value": "120.00"},`, ``),
		"a capture of another order": with(orderBody, `authorizations/0VF52814937998046`, `orders/1AAAAAAAAAAAAAAAA`),
		"captures as an object":      with(orderBody, `"captures": [{`, `"captures": {}, "x": [{`),
		"a control character":        with(orderBody, `hold-1`, `hold\u0000`),
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(200, body)})
			_, err := b.GetOrder(context.Background(), orderID)
			requireError(t, err, KindUnreadable, OutcomeUnknown)
		})
	}
}

func TestACapturedOrder(t *testing.T) {
	for _, status := range []int{200, 201} {
		b := newBench(t, []step{reply(status, capturedOrderBody)})
		order, err := b.CaptureOrder(context.Background(),
			CaptureOrderRequest{OrderID: orderID, RequestID: "safetynet-1", Amount: usd(12000)})
		require.NoError(t, err)
		assert.Equal(t, captureID, order.Captures[0].ID)
		request := b.paypal.requests[0]
		assert.Equal(t, "/v2/checkout/orders/"+orderID+"/capture", request.Path)
		assert.Equal(t, "safetynet-1", request.Header.Get("PayPal-Request-Id"))
		assert.Equal(t, "return=representation", request.Header.Get("Prefer"))
		assert.Equal(t, "application/json", request.Header.Get("Content-Type"))
		assert.Empty(t, request.Body)
	}
}

func TestACapturedOrderIsComparedWithWhatWasAsked(t *testing.T) {
	asked := CaptureOrderRequest{OrderID: orderID, RequestID: requestID, Amount: usd(12000)}
	earlierDecline := with(capturedOrderBody, `"captures": [`,
		`"captures": [{"id": "C1", "status": "DECLINED", "amount": {"currency_code": "USD", "value": "120.00"}},`)
	cases := map[string]struct {
		request CaptureOrderRequest
		body    string
		kind    Kind // empty: taken
	}{
		"as asked":                       {asked, capturedOrderBody, ""},
		"declined":                       {asked, with(capturedOrderBody, `"3C679366HH908993F", "status": "COMPLETED"`, `"3C679366HH908993F", "status": "DECLINED"`), ""},
		"a declined one before it":       {asked, earlierDecline, ""},
		"no amount to compare with":      {CaptureOrderRequest{OrderID: orderID, RequestID: requestID}, capturedOrderBody, ""},
		"another amount":                 {asked, with(capturedOrderBody, "120.00", "119.00"), KindMismatch},
		"another currency":               {asked, with(capturedOrderBody, "USD", "EUR"), KindMismatch},
		"another order":                  {asked, with(capturedOrderBody, orderID, "1AAAAAAAAAAAAAAAA"), KindMismatch},
		"no captures":                    {asked, `{"id":"` + orderID + `","status":"COMPLETED","purchase_units":[{}]}`, KindUnreadable},
		"a capture status not listed":    {asked, with(capturedOrderBody, `F", "status": "COMPLETED"`, `F", "status": "DONE"`), KindUnreadable},
		"an order status not listed":     {asked, with(capturedOrderBody, `"CAPTURE", "status": "COMPLETED"`, `"CAPTURE", "status": "DONE"`), KindUnreadable},
		"the minimal answer":             {asked, `{"id":"` + orderID + `","status":"COMPLETED","links":[]}`, KindUnreadable},
		"captures that do not add up":    {asked, with(earlierDecline, "DECLINED", "COMPLETED", `"USD", "value": "120.00"}},`, `"EUR", "value": "120.00"}},`), KindUnreadable},
		"taken twice":                    {asked, with(earlierDecline, "DECLINED", "COMPLETED"), KindMismatch},
		"captures of different statuses": {asked, with(earlierDecline, "DECLINED", "FAILED"), ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(201, c.body)})
			_, err := b.CaptureOrder(context.Background(), c.request)
			if c.kind == "" {
				require.NoError(t, err)
				return
			}
			e := requireError(t, err, c.kind, OutcomeUnknown)
			assert.Equal(t, c.kind == KindMismatch, e.Capture != nil)
		})
	}
}

package paypalclient

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// with replaces parts of a body; pairs of what and by what.
func with(body string, pairs ...string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if !strings.Contains(body, pairs[i]) {
			panic("the body does not contain " + pairs[i])
		}
		body = strings.ReplaceAll(body, pairs[i], pairs[i+1])
	}
	return body
}

func TestACaptureAsAsked(t *testing.T) {
	for _, status := range []int{200, 201} {
		b := newBench(t, []step{reply(status, captureBody)})
		capture, err := b.capture(context.Background())
		require.NoError(t, err)
		assert.Equal(t, Capture{
			ID: captureID, Status: CaptureStatusCompleted, Amount: usd(12000), InvoiceID: invoiceID,
			AuthorizationID: holdID, OrderID: orderID, FinalCapture: true,
			CreateTime: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC),
		}, capture)
		request := b.paypal.requests[0]
		assert.Equal(t, "POST", request.Method)
		assert.Equal(t, "/v2/payments/authorizations/"+holdID+"/capture", request.Path)
		assert.Equal(t, "return=representation", request.Header.Get("Prefer"))
		assert.Equal(t, "application/json", request.Header.Get("Content-Type"))
		assert.JSONEq(t, `{"amount":{"currency_code":"USD","value":"120.00"},"invoice_id":"gv1/spring-2026/17","final_capture":true}`, request.Body)
	}
}

func TestACaptureIsComparedWithWhatWasAsked(t *testing.T) {
	same := map[string]string{
		"the amount in other digits": with(captureBody, `"120.00"`, `"120"`),
		"the amount with a zero":     with(captureBody, `"120.00"`, `"0120.0"`),
		"no invoice":                 with(captureBody, `"invoice_id": "gv1/spring-2026/17",`, ``),
		"no hold":                    with(captureBody, `, "authorization_id": "0VF52814937998046"`, ``, `"rel": "up"`, `"rel": "x"`),
		"a link without rel":         with(captureBody, `"rel": "up", `, ``),
		"pending":                    with(captureBody, "COMPLETED", "PENDING"),
		"declined":                   with(captureBody, "COMPLETED", "DECLINED"),
		"failed":                     with(captureBody, "COMPLETED", "FAILED"),
	}
	for name, body := range same {
		t.Run(name, func(t *testing.T) {
			_, err := newBench(t, []step{reply(201, body)}).capture(context.Background())
			require.NoError(t, err)
		})
	}
	other := map[string]struct{ detail, body string }{
		"more":               {"amount", with(captureBody, `"120.00"`, `"120.01"`)},
		"less":               {"amount", with(captureBody, `"120.00"`, `"12.00"`)},
		"another currency":   {"currency", with(captureBody, `"USD"`, `"EUR"`)},
		"another invoice":    {"invoice", with(captureBody, `spring-2026/17`, `spring-2026/18`)},
		"another hold":       {"hold", with(captureBody, holdID, renewedID)},
		"another hold, link": {"hold", with(captureBody, `, "authorization_id": "0VF52814937998046"`, ``, holdID, renewedID)},
		"another, declined":  {"amount", with(captureBody, `"120.00"`, `"1.00"`, "COMPLETED", "DECLINED")},
	}
	for name, c := range other {
		t.Run(name, func(t *testing.T) {
			_, err := newBench(t, []step{reply(201, c.body)}).capture(context.Background())
			e := requireError(t, err, KindMismatch, OutcomeUnknown)
			assert.Equal(t, c.detail, e.Detail)
			assert.Equal(t, 201, e.Status)
			require.NotNil(t, e.Capture)
			assert.Equal(t, captureID, e.Capture.ID)
		})
	}
}

func TestWhatMakesACaptureUnreadable(t *testing.T) {
	bodies := map[string]string{
		"no id":                   with(captureBody, `"id": "3C679366HH908993F", `, ``),
		"an empty id":             with(captureBody, captureID, ``),
		"an id with a path":       with(captureBody, captureID, `../../x`),
		"a number as id":          with(captureBody, `"3C679366HH908993F"`, `3`),
		"no status":               with(captureBody, `"status": "COMPLETED",`, ``),
		"no amount":               with(captureBody, `"amount": {"currency_code": "USD", "value": "120.00"},`, ``),
		"null for the amount":     with(captureBody, `{"currency_code": "USD", "value": "120.00"}`, `null`),
		"a number as amount":      with(captureBody, `"120.00"`, `120.00`),
		"no currency":             with(captureBody, `"currency_code": "USD", `, ``),
		"an unknown currency":     with(captureBody, `"USD"`, `"XTS"`),
		"a negative amount":       with(captureBody, `"120.00"`, `"-120.00"`),
		"a third decimal":         with(captureBody, `"120.00"`, `"120.001"`),
		"a status PayPal has not": with(captureBody, `COMPLETED`, `COMPLETE`),
		"a status in lower case":  with(captureBody, `COMPLETED`, `completed`),
		"holds that differ":       with(captureBody, `"authorization_id": "0VF52814937998046"`, `"authorization_id": "8AA831015G517922L"`),
		"an impossible hold":      with(captureBody, `"authorization_id": "0VF52814937998046"`, `"authorization_id": "a b"`),
		"a control character":     with(captureBody, `spring-2026/17`, `spring\u0007`),
		"an endless invoice":      with(captureBody, `spring-2026/17`, strings.Repeat("x", 300)),
		"text behind it":          captureBody + `{}`,
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			_, err := newBench(t, []step{reply(201, body)}).capture(context.Background())
			e := requireError(t, err, KindUnreadable, OutcomeUnknown)
			assert.Equal(t, 201, e.Status)
			assert.NotEmpty(t, e.Detail)
		})
	}
}

func TestGettersTakeOnlyWhatTheyAskedFor(t *testing.T) {
	other := "1AAAAAAAAAAAAAAAA"
	cases := map[Operation]string{
		OpGetAuthorization: with(authorizationBody, holdID, other),
		OpGetCapture:       with(captureBody, captureID, other),
		OpGetOrder:         with(orderBody, orderID, other),
	}
	for _, o := range operations {
		if body, ok := cases[o.op]; ok {
			b := newBench(t, []step{reply(200, body)})
			requireError(t, o.call(context.Background(), b.Client), KindUnreadable, OutcomeUnknown)
		}
	}
}

func TestStatusesThatAreNotListedAreReadAsUnknown(t *testing.T) {
	for _, status := range []string{"EXPIRED", "PARTIALLY_CREATED", "UNKNOWN", "created", "COMPLETED2"} {
		b := newBench(t, []step{
			reply(200, with(authorizationBody, "CREATED", status)),
			reply(200, with(captureBody, "COMPLETED", status)),
			reply(200, with(orderBody, "COMPLETED", status)),
		})
		hold, err := b.GetAuthorization(context.Background(), holdID)
		require.NoError(t, err)
		assert.Equal(t, AuthorizationStatusUnknown, hold.Status)
		capture, err := b.GetCapture(context.Background(), captureID)
		require.NoError(t, err)
		assert.Equal(t, CaptureStatusUnknown, capture.Status)
		order, err := b.GetOrder(context.Background(), orderID)
		require.NoError(t, err)
		assert.Equal(t, OrderStatusUnknown, order.Status)
		assert.Equal(t, CaptureStatusUnknown, order.Captures[0].Status)
	}
}

func TestEveryListedStatusIsReadAsItself(t *testing.T) {
	for _, s := range strings.Fields("CREATED CAPTURED DENIED PARTIALLY_CAPTURED VOIDED PENDING") {
		assert.EqualValues(t, s, authorizationStatus(s))
	}
	for _, s := range strings.Fields("COMPLETED DECLINED PARTIALLY_REFUNDED PENDING REFUNDED FAILED") {
		assert.EqualValues(t, s, captureStatus(s))
	}
	for _, s := range strings.Fields("CREATED SAVED APPROVED VOIDED COMPLETED PAYER_ACTION_REQUIRED") {
		assert.EqualValues(t, s, orderStatus(s))
	}
}

func TestAHoldAsRead(t *testing.T) {
	b := newBench(t, []step{reply(200, with(authorizationBody, `"status": "CREATED",`,
		`"status": "PENDING", "status_details": {"reason": "PENDING_REVIEW"},`))})
	hold, err := b.GetAuthorization(context.Background(), holdID)
	require.NoError(t, err)
	assert.Equal(t, Authorization{
		ID: holdID, Status: AuthorizationStatusPending, Reason: "PENDING_REVIEW", Amount: usd(15000),
		InvoiceID: "hold-1", OrderID: orderID,
		CreateTime:     time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC),
		ExpirationTime: time.Date(2026, 12, 27, 10, 0, 0, 0, time.UTC),
	}, hold)
	request := b.paypal.requests[0]
	assert.Equal(t, "GET", request.Method)
	assert.Equal(t, "/v2/payments/authorizations/"+holdID, request.Path)
	assert.Empty(t, request.Body)
}

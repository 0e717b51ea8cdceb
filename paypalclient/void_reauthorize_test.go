package paypalclient

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatCountsAsVoided(t *testing.T) {
	voided := with(authorizationBody, "CREATED", "VOIDED")
	answers := map[string]step{
		"204":                       reply(204, ""),
		"200 without a body":        reply(200, " \n"),
		"200 with this hold voided": reply(200, voided),
		"200 with the id only":      reply(200, `{"id":"`+holdID+`"}`),
		"200 with the status only":  reply(200, `{"status":"VOIDED"}`),
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{answer})
			require.NoError(t, b.VoidAuthorization(context.Background(),
				VoidAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID}))
			request := b.paypal.requests[0]
			assert.Equal(t, "/v2/payments/authorizations/"+holdID+"/void", request.Path)
			assert.Empty(t, request.Body)
		})
	}
}

func TestWhatDoesNotCountAsVoided(t *testing.T) {
	cases := map[string]struct {
		body string
		kind Kind
	}{
		"another hold":           {with(authorizationBody, "CREATED", "VOIDED", holdID, renewedID), KindMismatch},
		"still open":             {authorizationBody, KindMismatch},
		"captured":               {with(authorizationBody, "CREATED", "CAPTURED"), KindMismatch},
		"a status not listed":    {with(authorizationBody, "CREATED", "EXPIRED"), KindMismatch},
		"null":                   {"null", KindUnreadable},
		"a body that ends early": {`{"id":"` + holdID, KindUnreadable},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(200, c.body)})
			err := b.VoidAuthorization(context.Background(),
				VoidAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID})
			e := requireError(t, err, c.kind, OutcomeUnknown)
			assert.Equal(t, c.kind == KindMismatch, e.Authorization != nil)
		})
	}
}

func TestARenewalIsANewHoldForTheAmountAsked(t *testing.T) {
	renew := ReauthorizeRequest{AuthorizationID: holdID, RequestID: requestID, Amount: usd(15000)}
	for _, status := range []int{200, 201} {
		b := newBench(t, []step{reply(status, renewedBody)})
		renewed, err := b.ReauthorizeAuthorization(context.Background(), renew)
		require.NoError(t, err)
		assert.Equal(t, renewedID, renewed.ID)
		assert.Empty(t, renewed.OrderID, "its link up leads to the first hold, not to an order")
		request := b.paypal.requests[0]
		assert.Equal(t, "/v2/payments/authorizations/"+holdID+"/reauthorize", request.Path)
		assert.JSONEq(t, `{"amount":{"currency_code":"USD","value":"150.00"}}`, request.Body)
		assert.Equal(t, "return=representation", request.Header.Get("Prefer"))
	}
	for detail, body := range map[string]string{
		"amount":   with(renewedBody, "150.00", "151.00"),
		"currency": with(renewedBody, "USD", "CAD"),
	} {
		b := newBench(t, []step{reply(201, body)})
		_, err := b.ReauthorizeAuthorization(context.Background(), renew)
		e := requireError(t, err, KindMismatch, OutcomeUnknown)
		assert.Equal(t, detail, e.Detail)
		require.NotNil(t, e.Authorization)
		assert.Equal(t, renewedID, e.Authorization.ID, "a hold that was made must not be lost")
	}
	for name, body := range map[string]string{
		"the minimal answer":  `{"id":"8AA831015G517922L","status":"CREATED","links":[]}`,
		"a status not listed": with(renewedBody, "CREATED", "RENEWED"),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(201, body)})
			_, err := b.ReauthorizeAuthorization(context.Background(), renew)
			requireError(t, err, KindUnreadable, OutcomeUnknown)
		})
	}
}

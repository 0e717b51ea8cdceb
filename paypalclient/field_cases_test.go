package paypalclient

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What went wrong for others who use PayPal's API, as tests. The sources are their issue threads.

// umbraco/Umbraco.Commerce.Issues#395: an answer without a body, and the buyer was charged three times.
func TestAnEmptyAnswerToACaptureIsNeitherPaidNorRefused(t *testing.T) {
	_, err := newBench(t, []step{reply(201, "")}).capture(context.Background())
	requireError(t, err, KindUnreadable, OutcomeUnknown)
}

// paypal/PayPal-Ruby-SDK#181, paypal/PayPal-PHP-SDK#606.
func TestADeterministic500IsUnknownAfterALimitedNumberOfTries(t *testing.T) {
	internal := reply(500, `{"name":"INTERNAL_SERVICE_ERROR","debug_id":"d500","message":"m"}`)
	b := newBench(t, lastStep(internal))
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindServerError, OutcomeUnknown)
	assert.Equal(t, 4, e.Tries)
	assert.Equal(t, "d500", e.DebugID)
	for _, request := range b.paypal.requests {
		assert.Equal(t, requestID, request.Header.Get("PayPal-Request-Id"))
	}
}

// nopSolutions/nopCommerce#6306.
func TestASecondVoidIsTold(t *testing.T) {
	b := newBench(t, []step{reply(204, ""), issue(422, "PREVIOUSLY_VOIDED")})
	void := VoidAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID}
	require.NoError(t, b.VoidAuthorization(context.Background(), void))
	requireError(t, b.VoidAuthorization(context.Background(), void), KindAlreadyVoided, OutcomeDefinite)
}

// paypal/PayPal-PHP-SDK#1130, #98.
func TestAVoidOfACapturedHoldIsNeverASuccess(t *testing.T) {
	b := newBench(t, []step{issue(422, "PREVIOUSLY_CAPTURED")})
	err := b.VoidAuthorization(context.Background(), VoidAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID})
	requireError(t, err, KindAlreadyCaptured, OutcomeDefinite)
}

// plutov/paypal, client.go: every 2xx was decoded as JSON, every error as well, and there was no time limit.
func TestVoidSuccessDoesNotLookLikeAnErrorAndAnErrorPageDoesNotHideItsStatus(t *testing.T) {
	b := newBench(t, []step{reply(204, "")})
	require.NoError(t, b.VoidAuthorization(context.Background(),
		VoidAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID}))

	b = newBench(t, lastStep(reply(502, "<html><h1>502 Bad Gateway</h1></html>", "Content-Type", "text/html")))
	_, err := b.capture(context.Background())
	assert.Equal(t, 502, requireError(t, err, KindServerError, OutcomeUnknown).Status)
}

// juspay/hyperswitch-prism#1102.
func TestReauthorizingTooEarlyKeepsItsCode(t *testing.T) {
	b := newBench(t, []step{issue(422, "REAUTHORIZATION_TOO_SOON")})
	_, err := b.ReauthorizeAuthorization(context.Background(),
		ReauthorizeRequest{AuthorizationID: holdID, RequestID: requestID, Amount: usd(15000)})
	assert.Equal(t, []string{"REAUTHORIZATION_TOO_SOON"}, requireError(t, err, KindNotNow, OutcomeDefinite).Issues)
}

// calcom/cal.diy#29983.
func TestYenAreNotDividedByAHundred(t *testing.T) {
	price, err := ParseMoney("JPY", "10000")
	require.NoError(t, err)
	assert.EqualValues(t, 10000, price.Minor)
	text, err := json.Marshal(price)
	require.NoError(t, err)
	assert.JSONEq(t, `{"currency_code":"JPY","value":"10000"}`, string(text))
	_, err = ParseMoney("JPY", "10.50")
	assert.Error(t, err)
}

// paypal/PayPal-PHP-SDK#973, nopSolutions/nopCommerce#6310.
func TestForintAndTaiwanDollarsHaveNoDecimalsWhateverISOSays(t *testing.T) {
	for _, currency := range []string{"HUF", "TWD"} {
		assert.Equal(t, "100", Money{currency, 100}.Value())
		_, err := ParseMoney(currency, "100.00")
		assert.Error(t, err)
	}
}

// paypal/PayPal-Java-SDK#369.
func TestARequestIDReusedForAnotherCallIsOurFault(t *testing.T) {
	b := newBench(t, []step{reply(400, `{"name":"DUPLICATE_REQUEST_ID","message":"m","debug_id":"d"}`)})
	_, err := b.capture(context.Background())
	requireError(t, err, KindInvariant, OutcomeDefinite)
}

// With a request id that is used again PayPal answers for the first request, whatever the second one asked.
func TestARequestIDReusedForAnotherAmountIsNoticed(t *testing.T) {
	b := newBench(t, []step{reply(200, captureBody)})
	_, err := b.CaptureAuthorization(context.Background(), CaptureAuthorizationRequest{
		AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(9900),
	})
	assert.Equal(t, usd(12000), requireError(t, err, KindMismatch, OutcomeUnknown).Capture.Amount)
}

// productdevbook/kasapay#114, plutov/paypal#142.
func TestThereIsNoMoneyCallWithoutAKey(t *testing.T) {
	for _, o := range operations {
		if o.op.MovesMoney() {
			b := newBench(t, []step{o.success})
			require.NoError(t, o.call(context.Background(), b.Client))
			assert.NotEmpty(t, b.paypal.requests[0].Header.Get("PayPal-Request-Id"), o.op)
		}
	}
	b := newBench(t, nil)
	_, err := b.CaptureAuthorization(context.Background(), CaptureAuthorizationRequest{
		AuthorizationID: holdID, InvoiceID: invoiceID, Amount: usd(12000),
	})
	requireError(t, err, KindInvalidRequest, OutcomeNotRun)
}

// nopSolutions/nopCommerce#7036.
func TestASalePeakAsksForOneToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		paypal := &script{t: t, clock: newFakeClock(), steps: make([]step, 200)}
		for i := range paypal.steps {
			paypal.steps[i] = reply(200, captureBody)
		}
		client, err := New(Options{BaseURL: SandboxURL, ClientID: "id", ClientSecret: "s", Transport: paypal})
		require.NoError(t, err)
		defer client.Close()
		var callers sync.WaitGroup
		for range 200 {
			callers.Go(func() {
				_, err := client.GetCapture(t.Context(), captureID)
				assert.NoError(t, err)
			})
		}
		callers.Wait()
		assert.Len(t, paypal.tokenCalls, 1)
	})
}

// go-pay/gopay#365, shopware/SwagPayPal#154.
func TestATokenIsRefreshedInTimeAndWhenPayPalForgotIt(t *testing.T) {
	forgotten := reply(401, `{"error":"invalid_token","error_description":"Access Token not found in cache"}`)
	get := reply(200, captureBody)
	b := newBench(t, []step{get, get, forgotten, get})
	b.paypal.tokenSteps = []step{tokenReply("first", 32400), tokenReply("second", 32400), tokenReply("third", 32400)}
	for _, wait := range []time.Duration{0, 9 * time.Hour, time.Hour} {
		b.clock.Advance(wait)
		_, err := b.GetCapture(context.Background(), captureID)
		require.NoError(t, err)
	}
	var used []string
	for _, request := range b.paypal.requests {
		used = append(used, strings.TrimPrefix(bearer(request), "Bearer "))
	}
	assert.Equal(t, []string{"first", "second", "second", "third"}, used)
}

package paypalclient

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func tokenReply(token string, expiresIn any) step {
	return reply(200, fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":%v}`, token, expiresIn))
}

func bearer(r seenRequest) string { return r.Header.Get("Authorization") }

func TestATokenIsAskedForOnceAndKept(t *testing.T) {
	b := newBench(t, []step{reply(200, captureBody), reply(200, captureBody)})
	for range 2 {
		_, err := b.GetCapture(context.Background(), captureID)
		require.NoError(t, err)
	}
	require.Len(t, b.paypal.tokenCalls, 1)
	call := b.paypal.tokenCalls[0]
	assert.Equal(t, "POST", call.Method)
	assert.Equal(t, "grant_type=client_credentials", call.Body)
	assert.Equal(t, "Basic Y2xpZW50LWlkOmNsaWVudC1zZWNyZXQ=", bearer(call))
	assert.Equal(t, "Bearer A21-token", bearer(b.paypal.requests[0]))
}

func TestATokenIsRenewedShortlyBeforeItsEnd(t *testing.T) {
	cases := map[string]struct {
		expiresIn any
		kept      time.Duration // the last moment it is used
		renewed   time.Duration // the first moment another is asked for
	}{
		"nine hours: a minute before":       {32400, 32340*time.Second - 1, 32340 * time.Second},
		"100 s: a tenth before":             {100, 90*time.Second - 1, 90 * time.Second},
		"1 s":                               {1, 900*time.Millisecond - 1, 900 * time.Millisecond},
		"as a string":                       {`"100"`, 90*time.Second - 1, 90 * time.Second},
		"an absurd lifetime: after one day": {99999999, 24*time.Hour - time.Minute - 1, 24*time.Hour - time.Minute},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			get := reply(200, captureBody)
			b := newBench(t, []step{get, get, get})
			b.paypal.tokenSteps = []step{tokenReply("one", c.expiresIn), tokenReply("two", c.expiresIn)}
			for _, at := range []time.Duration{0, c.kept, c.renewed} {
				b.clock.Advance(testStart.Add(at).Sub(b.clock.Now()))
				_, err := b.GetCapture(context.Background(), captureID)
				require.NoError(t, err)
			}
			assert.Equal(t, "Bearer one", bearer(b.paypal.requests[1]))
			assert.Equal(t, "Bearer two", bearer(b.paypal.requests[2]))
		})
	}
}

func TestTheLifetimeCountsFromTheRequestForTheToken(t *testing.T) {
	get := reply(200, captureBody)
	b := newBench(t, []step{get, get})
	b.paypal.tokenSteps = []step{slow(5*time.Second, tokenReply("one", 100)), tokenReply("two", 100)}
	_, err := b.GetCapture(context.Background(), captureID)
	require.NoError(t, err)
	b.clock.Advance(85 * time.Second)
	_, err = b.GetCapture(context.Background(), captureID)
	require.NoError(t, err)
	assert.Equal(t, "Bearer two", bearer(b.paypal.requests[1]))
}

func TestA401InEitherShapeIsAnsweredWithOneFreshToken(t *testing.T) {
	shapes := map[string]step{
		"PayPal's envelope": reply(401, `{"name":"AUTHENTICATION_FAILURE","message":"m","debug_id":"d","details":[]}`),
		"OAuth's":           reply(401, `{"error":"invalid_token","error_description":"Access Token not found in cache"}`),
		"no body":           reply(401, ""),
	}
	for name, unauthorized := range shapes {
		for _, o := range operations {
			t.Run(name+"/"+string(o.op), func(t *testing.T) {
				b := newBench(t, []step{unauthorized, o.success})
				b.paypal.tokenSteps = []step{tokenReply("dead", 32400), tokenReply("alive", 32400)}
				require.NoError(t, o.call(context.Background(), b.Client))
				require.Len(t, b.paypal.requests, 2)
				assert.Equal(t, "Bearer dead", bearer(b.paypal.requests[0]))
				assert.Equal(t, "Bearer alive", bearer(b.paypal.requests[1]))
				assert.Empty(t, b.clock.Slept(), "no wait in between")
			})
		}
	}
}

func TestASecond401IsFinalEvenIfPayPalGaveTheSameTokenAgain(t *testing.T) {
	b := newBench(t, []step{
		reply(401, `{"error":"invalid_token"}`), reply(401, `{"error":"invalid_token"}`, "PayPal-Debug-Id", "d2"),
	})
	b.paypal.tokenSteps = []step{tokenReply("dead", 9), tokenReply("dead", 9)}
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindAuthFailed, OutcomeNotRun)
	assert.Equal(t, 2, e.Tries)
	assert.Equal(t, "invalid_token", e.Name)
	assert.Equal(t, "d2", e.DebugID)
	assert.Len(t, b.paypal.tokenCalls, 2)
}

func TestA401OnTheLastTryLeavesAFreshTokenToTheNextCall(t *testing.T) {
	b := newBench(t, []step{reply(401, ""), reply(201, captureBody)}, func(o *Options) { o.Attempts = 1 })
	b.paypal.tokenSteps = []step{tokenReply("dead", 32400), tokenReply("alive", 32400)}
	_, err := b.capture(context.Background())
	requireError(t, err, KindAuthExpired, OutcomeNotRun)
	_, err = b.capture(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "Bearer alive", bearer(b.paypal.requests[1]))
}

func TestThe401CountsAsATry(t *testing.T) {
	b := newBench(t, []step{reply(401, ""), reply(503, ""), reply(503, ""), reply(503, "")})
	_, err := b.capture(context.Background())
	assert.Equal(t, 4, requireError(t, err, KindServerError, OutcomeUnknown).Tries)
}

func TestATokenEndpointThatRecoversIsAskedAgain(t *testing.T) {
	failures := map[string]step{
		"500": reply(500, ""), "503 as HTML": reply(503, "<html>"), "429": reply(429, `{"name":"RATE_LIMIT_REACHED"}`),
		"lost": lost, "refused": refused, "hung": hang, "302": reply(302, "", "Location", "https://elsewhere.test/x"),
		"302 to nowhere": reply(302, "", "Location", "::%"), "cut off": cutOff(200, `{"access_token":"x`),
		"HTML": reply(200, "<html>"), "no token": reply(200, `{"token_type":"Bearer","expires_in":9}`),
		"no lifetime": reply(200, `{"access_token":"x","token_type":"Bearer"}`), "lifetime over": tokenReply("x", 0),
		"lifetime below zero": tokenReply("x", -5), "another type": reply(200, `{"access_token":"x","token_type":"MAC","expires_in":9}`),
		"a token with a line break": tokenReply("a\nb", 9), "a token too long": tokenReply(string(make([]byte, maxTokenLength+1)), 9),
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(201, captureBody)})
			b.paypal.tokenSteps = []step{failure, failure, failure, tokenReply("late", 32400)}
			_, err := b.capture(context.Background())
			require.NoError(t, err)
			assert.Equal(t, "Bearer late", bearer(b.paypal.requests[0]))
			assert.Equal(t, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}, b.clock.Slept())
		})
		t.Run(name+", for ever", func(t *testing.T) {
			b := newBench(t, nil)
			b.paypal.tokenSteps = lastStep(failure)
			_, err := b.capture(context.Background())
			e := requireError(t, err, KindAuthUnavailable, OutcomeNotRun)
			assert.Zero(t, e.Tries)
			assert.Len(t, b.paypal.tokenCalls, 4)
		})
	}
}

func TestRefusedCredentialsAreNotTriedAgain(t *testing.T) {
	bodies := map[string]step{
		"401": reply(401, `{"error":"invalid_client","error_description":"Client Authentication failed"}`, "PayPal-Debug-Id", "d"),
		"400": reply(400, `{"error":"invalid_client"}`, "PayPal-Debug-Id", "d"),
		"200": reply(200, `{"error":"invalid_client"}`, "PayPal-Debug-Id", "d"),
	}
	for name, refusal := range bodies {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.paypal.tokenSteps = []step{refusal}
			_, err := b.capture(context.Background())
			e := requireError(t, err, KindAuthFailed, OutcomeNotRun)
			assert.Equal(t, "invalid_client", e.Name)
			assert.Equal(t, "d", e.DebugID)
			assert.Len(t, b.paypal.tokenCalls, 1)
		})
	}
}

func TestALongRetryAfterOfTheTokenEndpointEndsTheTries(t *testing.T) {
	b := newBench(t, nil)
	b.paypal.tokenSteps = []step{reply(429, "", "Retry-After", "120")}
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindAuthUnavailable, OutcomeNotRun)
	assert.Equal(t, 2*time.Minute, e.RetryAfter)
	assert.Equal(t, 429, e.Status)
}

func TestAfterAFailureTheNextCallAsksForATokenAgain(t *testing.T) {
	b := newBench(t, []step{reply(201, captureBody)})
	b.paypal.tokenSteps = []step{reply(401, `{"error":"invalid_client"}`)}
	_, err := b.capture(context.Background())
	require.Error(t, err)
	_, err = b.capture(context.Background())
	require.NoError(t, err)
}

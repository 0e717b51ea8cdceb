package paypalclient

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryOperationSucceedsOnItsFirstTry(t *testing.T) {
	for _, o := range operations {
		t.Run(string(o.op), func(t *testing.T) {
			b := newBench(t, []step{o.success})
			require.NoError(t, o.call(context.Background(), b.Client))
			assert.Empty(t, b.clock.Slept())
		})
	}
}

func TestTransientFailuresAreTriedAgain(t *testing.T) {
	failures := map[string]step{
		"429": reply(429, `{"name":"RATE_LIMIT_REACHED"}`), "500": reply(500, ""), "502": reply(502, "<html>"),
		"503": reply(503, ""), "504": reply(504, ""), "connection lost": lost, "connection refused": refused,
		"no answer in time": hang, "answer cut off": cutOff(200, `{"id":"3C6`),
	}
	for name, failure := range failures {
		for _, o := range operations {
			t.Run(name+"/"+string(o.op), func(t *testing.T) {
				b := newBench(t, []step{failure, failure, o.success})
				require.NoError(t, o.call(context.Background(), b.Client))
				assert.Len(t, b.paypal.requests, 3)
			})
		}
	}
}

func TestOtherAnswersAreNotTriedAgain(t *testing.T) {
	for _, status := range []int{301, 302, 307, 400, 403, 404, 405, 408, 409, 415, 422, 425, 501, 505, 520} {
		for _, o := range operations {
			t.Run(fmt.Sprintf("%d/%s", status, o.op), func(t *testing.T) {
				b := newBench(t, []step{reply(status, "", "Location", "https://elsewhere.test/")})
				require.Error(t, o.call(context.Background(), b.Client))
				assert.Len(t, b.paypal.requests, 1)
			})
		}
	}
}

func TestAtMostFourTriesWithADoublingCeilingForTheWait(t *testing.T) {
	b := newBench(t, []step{reply(503, ""), lost, hang, reply(502, "")})
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindServerError, OutcomeUnknown)
	assert.Equal(t, 4, e.Tries)
	assert.Equal(t, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}, b.clock.Slept())
}

func TestTheWaitNeverPassesItsMaximum(t *testing.T) {
	failing := make([]step, 8)
	for i := range failing {
		failing[i] = reply(503, "")
	}
	b := newBench(t, failing, func(o *Options) { o.Attempts = 8 })
	_, err := b.capture(context.Background())
	require.Error(t, err)
	assert.Equal(t, []time.Duration{
		250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
		4 * time.Second, 4 * time.Second, 4 * time.Second,
	}, b.clock.Slept())
}

func TestTheWaitIsWhatTheJitterSays(t *testing.T) {
	b := newBench(t, []step{reply(503, ""), reply(201, captureBody)}, func(o *Options) {
		o.Jitter = func(max time.Duration) time.Duration { return max / 5 }
	})
	_, err := b.capture(context.Background())
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{50 * time.Millisecond}, b.clock.Slept())
}

func TestTheDefaultJitterStaysWithinItsCeiling(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 1000 {
		d := uniform(4)
		require.GreaterOrEqual(t, d, time.Duration(0))
		require.LessOrEqual(t, d, time.Duration(4))
		seen[d] = true
	}
	assert.Len(t, seen, 5, "both ends are reached")
}

func TestEachTryIsTheSameRequest(t *testing.T) {
	for _, o := range operations {
		t.Run(string(o.op), func(t *testing.T) {
			b := newBench(t, []step{lost, reply(500, ""), reply(429, ""), o.success})
			require.NoError(t, o.call(context.Background(), b.Client))
			require.Len(t, b.paypal.requests, 4)
			first := b.paypal.requests[0]
			for _, next := range b.paypal.requests[1:] {
				next.At = first.At
				assert.Equal(t, first, next)
			}
			if o.op.MovesMoney() {
				assert.Equal(t, requestID, first.Header.Get("PayPal-Request-Id"))
			} else {
				assert.Empty(t, first.Header.Get("PayPal-Request-Id"))
			}
		})
	}
}

func TestEachTryHasItsOwnTimeLimit(t *testing.T) {
	b := newBench(t, []step{hang, hang, hang, hang})
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindNetwork, OutcomeUnknown)
	assert.Equal(t, 4, e.Tries)
	for _, try := range b.tries[1:] {
		assert.Equal(t, 10*time.Second, try.Duration)
	}
}

func TestEveryTryIsReportedOnce(t *testing.T) {
	b := newBench(t, []step{
		reply(503, "", "Paypal-Debug-Id", "f1"), lost, reply(201, captureBody, "PAYPAL-DEBUG-ID", "f3"),
	})
	_, err := b.capture(context.Background())
	require.NoError(t, err)
	for i := range b.tries {
		b.tries[i].Duration = 0
	}
	captured := Try{Operation: OpCaptureAuthorization, Resource: holdID, RequestID: requestID}
	first, second, third := captured, captured, captured
	first.Number, first.Status, first.DebugID, first.Kind = 1, 503, "f1", KindServerError
	second.Number, second.Kind = 2, KindNetwork
	third.Number, third.Status, third.DebugID = 3, 201, "f3"
	assert.Equal(t, []Try{{Operation: OpToken, Number: 1, Status: 200}, first, second, third}, b.tries)
}

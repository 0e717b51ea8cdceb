package paypalclient

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheSystemClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var clock systemClock
		started := clock.Now()
		require.NoError(t, clock.Sleep(t.Context(), 3*time.Second))
		assert.Equal(t, 3*time.Second, clock.Now().Sub(started))
		require.NoError(t, clock.Sleep(t.Context(), -1))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.ErrorIs(t, clock.Sleep(ctx, time.Hour), context.DeadlineExceeded)
		assert.ErrorIs(t, clock.Sleep(ctx, 0), context.DeadlineExceeded)
		assert.Equal(t, 4*time.Second, clock.Now().Sub(started))

		var fired atomic.Int32
		clock.AfterFunc(time.Second, func() { fired.Add(1) })
		clock.AfterFunc(time.Second, func() { fired.Add(10) })()
		time.Sleep(2 * time.Second)
		assert.EqualValues(t, 1, fired.Load())
	})
}

// The whole client on the system's clock: the waits, the limit of a try and the deadline in real terms.
func TestAWholeCallOnTheSystemClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		paypal := &script{t: t, clock: newFakeClock(), steps: []step{reply(503, "", "Retry-After", "3"), cancelled(func() {}), reply(201, captureBody)}}
		client, err := New(Options{
			BaseURL: SandboxURL, ClientID: "id", ClientSecret: "s", Transport: paypal,
			Jitter: func(max time.Duration) time.Duration { return max },
		})
		require.NoError(t, err)
		defer client.Close()
		started := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err = client.CaptureAuthorization(ctx, CaptureAuthorizationRequest{
			AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(12000),
		})
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second+10*time.Second+500*time.Millisecond, time.Since(started))
	})
}

package paypalclient

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheRateCountsEveryTry(t *testing.T) {
	// 5 a second leaves no burst beyond one; the wait of 250 ms is longer than the 200 ms between two turns.
	b := newBench(t, []step{reply(503, ""), reply(201, captureBody), reply(201, captureBody), reply(201, captureBody)},
		func(o *Options) { o.RequestsPerSecond = 5 })
	for range 3 {
		_, err := b.capture(context.Background())
		require.NoError(t, err)
	}
	var at []time.Duration
	for _, r := range b.paypal.requests {
		at = append(at, r.At.Sub(testStart))
	}
	assert.Equal(t, []time.Duration{0, 250 * time.Millisecond, 450 * time.Millisecond, 650 * time.Millisecond}, at)
}

func TestAFifthOfASecondMayGoOutAtOnce(t *testing.T) {
	clock := newFakeClock()
	l := newLimiter(25, clock)
	for range 5 {
		require.NoError(t, l.wait(context.Background(), time.Time{}))
	}
	assert.Empty(t, clock.Slept())
	require.NoError(t, l.wait(context.Background(), time.Time{}))
	assert.Equal(t, []time.Duration{40 * time.Millisecond}, clock.Slept())
}

func TestNoRateMeansNoWait(t *testing.T) {
	clock := newFakeClock()
	l := newLimiter(0, clock)
	for range 1000 {
		require.NoError(t, l.wait(WithBackgroundPriority(context.Background()), time.Time{}))
	}
	assert.Empty(t, clock.Slept())
}

func TestATurnThatWouldComeTooLateIsGivenBackAtOnce(t *testing.T) {
	clock := newFakeClock()
	l := newLimiter(1, clock)
	require.NoError(t, l.wait(context.Background(), time.Time{}))
	for range 3 {
		assert.ErrorIs(t, l.wait(context.Background(), testStart.Add(900*time.Millisecond)), errNoTime)
	}
	assert.Empty(t, clock.Slept())
	require.NoError(t, l.wait(context.Background(), time.Time{}))
	assert.Equal(t, []time.Duration{time.Second}, clock.Slept(), "the turns that were given back cost nothing")
}

func TestACallWithoutTimeForItsTurnSendsNothing(t *testing.T) {
	b := newBench(t, []step{reply(201, captureBody)}, func(o *Options) { o.RequestsPerSecond = 0.1 })
	_, err := b.capture(context.Background())
	require.NoError(t, err)
	_, err = b.capture(within(t, 15*time.Second))
	requireError(t, err, KindDeadline, OutcomeNotRun)
}

func TestACallWaitsBehindOneBackgroundCallAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1, systemClock{})
		require.NoError(t, l.wait(t.Context(), time.Time{})) // the bucket is empty now
		started := time.Now()
		background := make(chan time.Duration, 50)
		for range 50 {
			go func() {
				assert.NoError(t, l.wait(WithBackgroundPriority(t.Context()), time.Time{}))
				background <- time.Since(started)
			}()
		}
		synctest.Wait() // all fifty wait

		require.NoError(t, l.wait(t.Context(), time.Time{}))
		assert.Equal(t, 2*time.Second, time.Since(started), "the turn after the one background call in the queue")

		var last time.Duration
		for range 50 {
			last = <-background
		}
		assert.Equal(t, 51*time.Second, last, "none of them is lost")
	})
}

func TestBackgroundCallsLeaveWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(0.01, systemClock{})
		require.NoError(t, l.wait(t.Context(), time.Time{}))
		ctx, cancel := context.WithCancel(WithBackgroundPriority(t.Context()))
		ended := make(chan error, 2)
		for range 2 { // one in the queue, one before it
			go func() { ended <- l.wait(ctx, time.Time{}) }()
		}
		synctest.Wait()
		cancel()
		for range 2 {
			assert.ErrorIs(t, <-ended, context.Canceled)
		}
		started := time.Now()
		require.NoError(t, l.wait(t.Context(), time.Time{}))
		assert.Equal(t, 100*time.Second, time.Since(started), "the turn that was not used is free again")
	})
}

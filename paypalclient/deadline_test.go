package paypalclient

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// within gives a context with that much time on the fake clock.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithDeadline(context.Background(), testStart.Add(d))
	t.Cleanup(cancel)
	return ctx
}

func TestNothingIsSentWhenTheFirstTryCouldNotEndInTime(t *testing.T) {
	for _, o := range operations {
		t.Run(string(o.op), func(t *testing.T) {
			b := newBench(t, nil)
			err := o.call(within(t, 10*time.Second-time.Nanosecond), b.Client)
			e := requireError(t, err, KindDeadline, OutcomeNotRun)
			assert.ErrorIs(t, e, context.DeadlineExceeded)
			assert.Zero(t, e.Tries)
			assert.Empty(t, b.paypal.requests)
			assert.Empty(t, b.paypal.tokenCalls, "not even a token is asked for")
		})
	}
}

func TestATryThatJustFitsIsSent(t *testing.T) {
	b := newBench(t, []step{reply(201, captureBody)})
	_, err := b.capture(within(t, 10*time.Second))
	require.NoError(t, err)
}

func TestNoFurtherTryThatCouldNotEndInTime(t *testing.T) {
	// 20.249 s leave room for one try of 10 s and the wait of 250 ms, but not for another 10 s.
	b := newBench(t, []step{hang})
	_, err := b.capture(within(t, 20*time.Second+249*time.Millisecond))
	e := requireError(t, err, KindNetwork, OutcomeUnknown)
	assert.Equal(t, 1, e.Tries)
	assert.Empty(t, b.clock.Slept(), "a wait that leads nowhere is not waited")

	b = newBench(t, []step{hang, reply(201, captureBody)})
	_, err = b.capture(within(t, 20*time.Second+250*time.Millisecond))
	require.NoError(t, err)
}

func TestNothingIsSentWhenTheHookTookTheTimeAway(t *testing.T) {
	var b *bench
	b = newBench(t, nil, func(o *Options) {
		o.BeforeTry = func(context.Context, Operation) error {
			b.clock.Advance(6 * time.Second)
			return nil
		}
	})
	_, err := b.capture(within(t, 15*time.Second))
	requireError(t, err, KindDeadline, OutcomeNotRun)
	assert.Empty(t, b.paypal.requests)
}

func TestNothingIsSentWhenTheTokenCameTooLate(t *testing.T) {
	b := newBench(t, nil)
	b.paypal.tokenSteps = []step{slow(6*time.Second, reply(200, tokenBody("late")))}
	_, err := b.capture(within(t, 15*time.Second))
	e, ok := AsError(err)
	require.True(t, ok)
	// Whether the token or the end of the wait for it is seen first, nothing was sent.
	assert.Contains(t, []Kind{KindDeadline, KindAuthUnavailable}, e.Kind)
	assert.Equal(t, OutcomeNotRun, e.Outcome)
	assert.Empty(t, b.paypal.requests)
}

func TestACancelledContextSendsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range operations {
		t.Run(string(o.op), func(t *testing.T) {
			b := newBench(t, nil)
			e := requireError(t, o.call(ctx, b.Client), KindCancelled, OutcomeNotRun)
			assert.ErrorIs(t, e, context.Canceled)
		})
	}
}

func TestCancellationDuringATry(t *testing.T) {
	cases := map[string]struct {
		try     func(context.CancelFunc) step
		outcome Outcome
	}{
		"the request was on its way": {cancelled, OutcomeUnknown},
		"no connection was there":    {func(c context.CancelFunc) step { return during(c, refused) }, OutcomeNotRun},
		"PayPal said 429":            {func(c context.CancelFunc) step { return during(c, reply(429, "")) }, OutcomeNotRun},
		"PayPal said 503":            {func(c context.CancelFunc) step { return during(c, reply(503, "")) }, OutcomeUnknown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			b := newBench(t, []step{c.try(cancel)})
			_, err := b.capture(ctx)
			e := requireError(t, err, KindCancelled, c.outcome)
			assert.ErrorIs(t, e, context.Canceled)
			assert.Equal(t, 1, e.Tries)
		})
	}
}

func TestCancellationLeavesNoDoubtAboutARead(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := newBench(t, []step{cancelled(cancel)})
	_, err := b.GetAuthorization(ctx, holdID)
	requireError(t, err, KindCancelled, OutcomeNotRun)
}

func TestAnAnswerThatCameBeforeTheCancellationCounts(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := newBench(t, []step{during(cancel, reply(201, captureBody))})
	capture, err := b.capture(ctx)
	require.NoError(t, err)
	assert.Equal(t, captureID, capture.ID)

	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	b = newBench(t, []step{during(cancel, issue(422, "AUTHORIZATION_VOIDED"))})
	_, err = b.capture(ctx)
	requireError(t, err, KindAlreadyVoided, OutcomeDefinite)
}

func TestCancellationDuringAWaitSendsNothingMore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := newBench(t, []step{reply(503, "")}, func(o *Options) {
		o.Jitter = func(max time.Duration) time.Duration { cancel(); return max }
	})
	_, err := b.capture(ctx)
	e := requireError(t, err, KindCancelled, OutcomeUnknown)
	assert.Equal(t, 1, e.Tries)
}

// errSwitch stands for the kill switch.
var errSwitch = errors.New("kill switch is on")

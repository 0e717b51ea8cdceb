package paypalclient

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stopBefore refuses the try of this number and those after it.
func stopBefore(number int, asked *[]Operation) func(*Options) {
	return func(o *Options) {
		o.BeforeTry = func(_ context.Context, op Operation) error {
			*asked = append(*asked, op)
			if len(*asked) >= number {
				return errSwitch
			}
			return nil
		}
	}
}

func TestMoneyCallsAreStoppedBeforeTheFirstTry(t *testing.T) {
	for _, o := range operations {
		if !o.op.MovesMoney() {
			continue
		}
		t.Run(string(o.op), func(t *testing.T) {
			var asked []Operation
			b := newBench(t, nil, stopBefore(1, &asked))
			e := requireError(t, o.call(context.Background(), b.Client), KindStopped, OutcomeNotRun)
			assert.ErrorIs(t, e, errSwitch)
			assert.Zero(t, e.Tries)
			assert.Empty(t, b.paypal.requests)
			assert.Equal(t, []Operation{o.op}, asked)
		})
	}
}

func TestReadsAreNeverStopped(t *testing.T) {
	for _, o := range operations {
		if o.op.MovesMoney() {
			continue
		}
		t.Run(string(o.op), func(t *testing.T) {
			var asked []Operation
			b := newBench(t, []step{o.success}, stopBefore(1, &asked))
			require.NoError(t, o.call(context.Background(), b.Client))
			assert.Empty(t, asked)
		})
	}
}

func TestTheHookIsAskedBeforeEveryTry(t *testing.T) {
	var asked []Operation
	b := newBench(t, []step{reply(503, ""), lost, reply(201, captureBody)}, stopBefore(99, &asked))
	_, err := b.capture(context.Background())
	require.NoError(t, err)
	assert.Len(t, asked, 3)
}

func TestTheHookIsAskedAgainForTheTryWithAFreshToken(t *testing.T) {
	var asked []Operation
	b := newBench(t, []step{reply(401, "")}, stopBefore(2, &asked))
	_, err := b.capture(context.Background())
	requireError(t, err, KindStopped, OutcomeNotRun)
	assert.Len(t, b.paypal.requests, 1)
}

func TestBeingStoppedLaterLeavesTheDoubtOfEarlierTries(t *testing.T) {
	cases := map[string]struct {
		earlier step
		outcome Outcome
	}{
		"after a lost answer":         {lost, OutcomeUnknown},
		"after 503":                   {reply(503, ""), OutcomeUnknown},
		"after a refused connection":  {refused, OutcomeNotRun},
		"after 429":                   {reply(429, ""), OutcomeNotRun},
		"after a body that was cut":   {cutOff(201, `{"id"`), OutcomeUnknown},
		"after no answer in its time": {hang, OutcomeUnknown},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var asked []Operation
			b := newBench(t, []step{c.earlier}, stopBefore(2, &asked))
			_, err := b.capture(context.Background())
			e := requireError(t, err, KindStopped, c.outcome)
			assert.Equal(t, c.outcome == OutcomeUnknown, e.MayHaveArrived)
		})
	}
}

func TestAHookThatEndsWithTheContextIsACancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := newBench(t, nil, func(o *Options) {
		o.BeforeTry = func(ctx context.Context, _ Operation) error { cancel(); return ctx.Err() }
	})
	_, err := b.capture(ctx)
	requireError(t, err, KindCancelled, OutcomeNotRun)
}

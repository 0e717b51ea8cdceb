package activities

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"gavel/paypalclient"
)

func holdsToRelease(n int) []HoldToRelease {
	holds := make([]HoldToRelease, n)
	for i := range holds {
		holds[i] = HoldToRelease{AuthorizationID: fmt.Sprintf("HOLD%d", i), RequestID: fmt.Sprintf("gv1-%d", i)}
	}
	return holds
}

func release(t *testing.T, paypal *scriptedPayPal, in ReleaseInput) ReleaseResult {
	t.Helper()
	result := run[ReleaseInput, ReleaseResult](t, paypal, ReleaseHoldsName, in)
	assert.Positive(t, result.Took)
	result.Took = 0
	return result
}

func TestReleaseOutcome(t *testing.T) {
	const notRun, definite, unknown = paypalclient.OutcomeNotRun, paypalclient.OutcomeDefinite, paypalclient.OutcomeUnknown
	for name, c := range map[string]struct {
		err  error
		want ReleaseOutcome
	}{
		"voided":         {nil, ReleaseDone},
		"voided before":  {failure(paypalclient.KindAlreadyVoided, definite), ReleaseDone},
		"captured":       {failure(paypalclient.KindAlreadyCaptured, definite), ReleaseCaptured},
		"rate limited":   {failure(paypalclient.KindRateLimited, notRun), ReleaseStalled},
		"no token":       {failure(paypalclient.KindAuthUnavailable, notRun), ReleaseStalled},
		"token refused":  {failure(paypalclient.KindAuthFailed, definite), ReleaseStalled},
		"stopped":        {failure(paypalclient.KindStopped, notRun), ReleaseStalled},
		"stopped later":  {failure(paypalclient.KindStopped, unknown), ReleaseStalled},
		"limited later":  {failure(paypalclient.KindRateLimited, unknown), ReleaseStalled},
		"not found":      {failure(paypalclient.KindNotFound, definite), ReleaseFailed},
		"forbidden":      {failure(paypalclient.KindForbidden, unknown), ReleaseFailed},
		"a renewed hold": {failure(paypalclient.KindInvariant, definite), ReleaseFailed},
		"server error":   {failure(paypalclient.KindServerError, unknown), ReleaseFailed},
		"network":        {failure(paypalclient.KindNetwork, unknown), ReleaseFailed},
	} {
		t.Run(name, func(t *testing.T) {
			paypal := &scriptedPayPal{void: func(context.Context, string) error { return c.err }}
			result := release(t, paypal, ReleaseInput{Holds: holdsToRelease(1), Parallel: 3})
			if c.want == ReleaseDone {
				assert.Equal(t, ReleaseResult{Released: 1}, result)
				return
			}
			require.Len(t, result.Others, 1)
			assert.Equal(t, c.want, result.Others[0].Outcome)
			assert.Equal(t, "HOLD0", result.Others[0].AuthorizationID)
			assert.NotNil(t, result.Others[0].Problem)
		})
	}
}

// The third void lets all of its kind go on: were fewer than three allowed at a
// time, it would never come; were more, the fourth would be seen.
func TestHoldsAreReleasedThreeAtATime(t *testing.T) {
	var running, most atomic.Int32
	var gate sync.WaitGroup
	gate.Add(3)
	var first atomic.Int32
	paypal := &scriptedPayPal{void: func(context.Context, string) error {
		now := running.Add(1)
		defer running.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		if first.Add(1) <= 3 {
			gate.Done()
			gate.Wait()
		}
		return nil
	}}
	result := release(t, paypal, ReleaseInput{Holds: holdsToRelease(60), Parallel: 3})
	assert.Equal(t, 60, result.Released)
	assert.EqualValues(t, 3, most.Load())
	assert.Len(t, paypal.calls, 60, "each hold once")
}

func TestOneFailureDoesNotStopTheOthers(t *testing.T) {
	paypal := &scriptedPayPal{void: func(_ context.Context, id string) error {
		if id == "HOLD4" {
			return failure(paypalclient.KindForbidden, paypalclient.OutcomeUnknown)
		}
		return nil
	}}
	result := release(t, paypal, ReleaseInput{Holds: holdsToRelease(10), Parallel: 3})
	assert.Equal(t, 9, result.Released)
	require.Len(t, result.Others, 1)
	assert.Equal(t, "HOLD4", result.Others[0].AuthorizationID)
}

func TestPayPalIsNotHammeredOnceItTurnsUsAway(t *testing.T) {
	paypal := &scriptedPayPal{void: func(_ context.Context, id string) error {
		if id == "HOLD2" {
			return failure(paypalclient.KindRateLimited, paypalclient.OutcomeNotRun)
		}
		return nil
	}}
	result := release(t, paypal, ReleaseInput{Holds: holdsToRelease(100), Parallel: 1})
	assert.Equal(t, 2, result.Released)
	require.Len(t, result.Others, 98)
	for _, other := range result.Others {
		assert.Equal(t, AnswerRateLimited, other.TurnedAway())
	}
	assert.Equal(t, []string{"void HOLD0", "void HOLD1", "void HOLD2"}, paypal.calls)
}

func TestARetryGoesOnWhereTheProcessDied(t *testing.T) {
	paypal := &scriptedPayPal{void: func(context.Context, string) error { return nil }}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	Register(env, Dependencies{PayPal: paypal, Switch: fixedSwitch{}})
	env.SetHeartbeatDetails(releaseProgress{Released: []int{0, 2, 99}})
	value, err := env.ExecuteActivity(ReleaseHoldsName, ReleaseInput{Holds: holdsToRelease(4), Parallel: 1})
	require.NoError(t, err)
	var result ReleaseResult
	require.NoError(t, value.Get(&result))
	assert.Equal(t, 4, result.Released)
	assert.Empty(t, result.Others)
	assert.Equal(t, []string{"void HOLD1", "void HOLD3"}, paypal.calls)
}

func TestProgressNamesWhatIsReleased(t *testing.T) {
	batch := &releaseBatch{holds: holdsToRelease(3), done: make([]NotReleased, 3)}
	batch.record(2, nil)
	batch.record(0, failure(paypalclient.KindNetwork, paypalclient.OutcomeUnknown))
	assert.Equal(t, releaseProgress{Released: []int{2}}, batch.progress())
}

// What a batch has done by the time its context ends is in its heartbeat; the
// next attempt goes on from there rather than take the rest for failed.
func TestABatchThatIsCutOffIsNotAResult(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	paypal := &scriptedPayPal{void: func(context.Context, string) error { cancel(); return nil }}
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.SetWorkerOptions(worker.Options{BackgroundActivityContext: ctx})
	Register(env, Dependencies{PayPal: paypal, Switch: fixedSwitch{}})
	_, err := env.ExecuteActivity(ReleaseHoldsName, ReleaseInput{Holds: holdsToRelease(4), Parallel: 1})
	assert.Error(t, err)
}

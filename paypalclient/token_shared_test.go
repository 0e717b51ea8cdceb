package paypalclient

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slowMint gives a token after a second and counts how often it was asked.
func slowMint(asked *atomic.Int32) func(context.Context) (minted, *Error) {
	return func(ctx context.Context) (minted, *Error) {
		asked.Add(1)
		if (systemClock{}).Sleep(ctx, time.Second) != nil {
			return minted{}, newError(KindAuthUnavailable, "")
		}
		return minted{value: conceal("token"), lifetime: time.Hour}, nil
	}
}

func TestOneRequestForATokenServesEveryoneWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		source := newTokenSource(t.Context(), systemClock{}, slowMint(&asked))
		var callers sync.WaitGroup
		for range 100 {
			callers.Go(func() {
				got, failure := source.get(t.Context(), time.Time{})
				assert.Nil(t, failure)
				assert.Equal(t, 1, got.generation)
			})
		}
		callers.Wait()
		assert.EqualValues(t, 1, asked.Load())
	})
}

func TestAHundredCallersWithTheSameDeadTokenGetOneFreshOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		source := newTokenSource(t.Context(), systemClock{}, slowMint(&asked))
		dead, failure := source.get(t.Context(), time.Time{})
		require.Nil(t, failure)
		var callers sync.WaitGroup
		for i := range 100 {
			callers.Go(func() {
				time.Sleep(time.Duration(i) * 50 * time.Millisecond) // some come while it is renewed, some after
				source.drop(dead.generation)
				got, failure := source.get(t.Context(), time.Time{})
				assert.Nil(t, failure)
				assert.Equal(t, 2, got.generation)
			})
		}
		callers.Wait()
		assert.EqualValues(t, 2, asked.Load())
	})
}

func TestAWaiterLeavesWithItsContextAndTheOthersStillGetTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		source := newTokenSource(t.Context(), systemClock{}, slowMint(&asked))
		impatient, cancel := context.WithCancel(t.Context())
		failures := make(chan *Error, 1)
		go func() {
			_, failure := source.get(impatient, time.Time{})
			failures <- failure
		}()
		synctest.Wait()
		cancel() // it was the one who started the request
		failure := <-failures
		require.NotNil(t, failure)
		assert.Equal(t, KindCancelled, failure.Kind)
		assert.True(t, errors.Is(failure, context.Canceled))

		got, failure := source.get(t.Context(), time.Time{})
		require.Nil(t, failure)
		assert.Equal(t, 1, got.generation)
		assert.EqualValues(t, 1, asked.Load())
	})
}

func TestAWaiterLeavesWhenATokenWouldComeTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		source := newTokenSource(t.Context(), systemClock{}, slowMint(&asked))
		started := time.Now()
		_, failure := source.get(t.Context(), started.Add(300*time.Millisecond))
		require.NotNil(t, failure)
		assert.Equal(t, KindAuthUnavailable, failure.Kind)
		assert.Equal(t, 300*time.Millisecond, time.Since(started))

		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, failure = source.get(ctx, time.Time{})
		require.NotNil(t, failure)
		assert.Equal(t, KindAuthUnavailable, failure.Kind)
		time.Sleep(time.Second) // the request goes on to its end
	})
}

func TestAFailureIsSharedButNotItsDetails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newTokenSource(t.Context(), systemClock{}, func(context.Context) (minted, *Error) {
			time.Sleep(time.Second)
			return minted{}, newError(KindAuthUnavailable, "down")
		})
		got := make(chan *Error, 2)
		for range 2 {
			go func() {
				_, failure := source.get(t.Context(), time.Time{})
				got <- failure
			}()
		}
		first, second := <-got, <-got
		assert.Equal(t, first, second)
		assert.NotSame(t, first, second)
	})
}

func TestCloseEndsARunningRequestForAToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		lifetime, end := context.WithCancel(t.Context())
		source := newTokenSource(lifetime, systemClock{}, slowMint(&asked))
		failures := make(chan *Error, 1)
		go func() {
			_, failure := source.get(t.Context(), time.Time{})
			failures <- failure
		}()
		synctest.Wait()
		end()
		assert.Equal(t, KindAuthUnavailable, (<-failures).Kind)
	})
}

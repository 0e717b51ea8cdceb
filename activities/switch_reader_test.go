package activities

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

	"gavel/paypalclient"
)

var (
	switchedOn  = SwitchState{Stops: []Stop{{From: time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC), By: "ana", Reason: "why"}}}
	switchedOff = SwitchState{}
)

// memoOf answers each question after a while, on the clock of a synctest bubble.
type memoOf struct {
	takes   time.Duration
	late    int64 // so many of the first answers come just too late
	state   SwitchState
	err     error
	deaf    bool // does not hear that its context has ended
	asks    atomic.Int64
	running atomic.Int64
	atOnce  atomic.Int64 // the most that ran at the same time
}

func (m *memoOf) ask(ctx context.Context) (SwitchState, error) {
	takes := m.takes
	if m.asks.Add(1) <= m.late {
		takes = readingLasts + time.Millisecond
	}
	m.atOnce.Store(max(m.atOnce.Load(), m.running.Add(1)))
	defer m.running.Add(-1)
	if m.deaf {
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-time.After(takes):
		return m.state, m.err
	case <-ctx.Done():
		return SwitchState{}, ctx.Err()
	}
}

// inBubble runs a test on a clock that stands still while anything works.
func inBubble(t *testing.T, memo *memoOf, test func(t *testing.T, r *SwitchReader)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, &SwitchReader{ask: memo.ask}) })
}

func requireUnreadable(t *testing.T, err error) *SwitchError {
	t.Helper()
	e, ok := errors.AsType[*SwitchError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, SwitchUnreadable, e.Standing)
	return e
}

func TestAnAnswerIsUsedForOneSecondFromTheMomentItWasAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		takes, later time.Duration // later: after the answer has come
		asks         int64
	}{
		"at once":                     {0, 0, 1},
		"a second later":              {0, time.Second, 1},
		"just after that":             {0, time.Second + time.Nanosecond, 2},
		"its own time counts":         {300 * time.Millisecond, 700 * time.Millisecond, 1},
		"its own time counts, beyond": {300 * time.Millisecond, 700*time.Millisecond + time.Nanosecond, 2},
	} {
		t.Run(name, func(t *testing.T) {
			memo := &memoOf{takes: c.takes, state: switchedOn}
			inBubble(t, memo, func(t *testing.T, r *SwitchReader) {
				_, err := r.Read(t.Context())
				require.NoError(t, err)
				time.Sleep(c.later)
				state, err := r.Read(t.Context())
				require.NoError(t, err)
				assert.Equal(t, switchedOn, state)
				assert.Equal(t, c.asks, memo.asks.Load())
			})
		})
	}
}

func TestOneQuestionServesEveryoneWhoWaits(t *testing.T) {
	memo := &memoOf{takes: 500 * time.Millisecond, state: switchedOn}
	inBubble(t, memo, func(t *testing.T, r *SwitchReader) {
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				state, err := r.Read(t.Context())
				assert.NoError(t, err)
				assert.NotNil(t, state.Current())
			})
		}
		all.Wait()
		assert.EqualValues(t, 1, memo.atOnce.Load())
		assert.InDelta(t, 10, memo.asks.Load(), 2, "about one a second")
	})
}

func TestAnAnswerThatComesTooLateIsAskedForAgain(t *testing.T) {
	for name, deaf := range map[string]bool{"cut off": false, "answered all the same": true} {
		t.Run(name, func(t *testing.T) {
			memo := &memoOf{late: maxAsks + 2, state: switchedOff, deaf: deaf}
			inBubble(t, memo, func(t *testing.T, r *SwitchReader) {
				_, err := r.Read(t.Context())
				requireUnreadable(t, err)
				assert.EqualValues(t, maxAsks, memo.asks.Load())

				state, err := r.Read(t.Context())
				require.NoError(t, err)
				assert.Equal(t, switchedOff, state)
			})
		})
	}
}

func TestASwitchThatMovesIsAskedAgain(t *testing.T) {
	memo := &memoOf{err: errSwitchMoves}
	inBubble(t, memo, func(t *testing.T, r *SwitchReader) {
		_, err := r.Read(t.Context())
		assert.ErrorIs(t, requireUnreadable(t, err), errSwitchMoves)
		assert.EqualValues(t, maxAsks, memo.asks.Load())
	})
}

func TestAFailureIsNotKept(t *testing.T) {
	memo := &memoOf{err: errors.New("not found")}
	inBubble(t, memo, func(t *testing.T, r *SwitchReader) {
		_, err := r.Read(t.Context())
		assert.ErrorIs(t, requireUnreadable(t, err), memo.err)
		assert.EqualValues(t, 1, memo.asks.Load(), "asking again would not help")
		memo.err = nil
		_, err = r.Read(t.Context())
		assert.NoError(t, err)
	})
}

func TestACallersEndIsItsOwn(t *testing.T) {
	memo := &memoOf{takes: 500 * time.Millisecond, state: switchedOn}
	inBubble(t, memo, func(t *testing.T, r *SwitchReader) {
		began := time.Now()
		var other sync.WaitGroup
		other.Go(func() {
			time.Sleep(50 * time.Millisecond)
			_, err := r.Read(t.Context())
			assert.NoError(t, err, "the question goes on for the others")
		})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := r.Read(ctx)
		assert.ErrorIs(t, requireUnreadable(t, err), context.DeadlineExceeded)
		assert.Equal(t, 100*time.Millisecond, time.Since(began))
		other.Wait()
		assert.EqualValues(t, 1, memo.asks.Load())
	})
}

func TestOnlyASwitchThatIsOffLetsATryPass(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		memo *memoOf
		want *SwitchError
	}{
		"off":        {&memoOf{state: switchedOff}, nil},
		"off again":  {&memoOf{state: SwitchState{Stops: []Stop{{From: time.Unix(1, 0), To: time.Unix(2, 0)}}}}, nil},
		"on":         {&memoOf{state: switchedOn}, &SwitchError{Standing: SwitchOn}},
		"unreadable": {&memoOf{err: down}, &SwitchError{Standing: SwitchUnreadable, Cause: down}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, c.memo, func(t *testing.T, r *SwitchReader) {
				err := r.BeforeTry(t.Context(), paypalclient.OpVoidAuthorization)
				if c.want == nil {
					assert.NoError(t, err)
					return
				}
				assert.Equal(t, c.want, err)
			})
		})
	}
}

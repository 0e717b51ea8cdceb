package paypalclient

import (
	"context"
	"errors"
	"sync"
	"time"
)

// maxMargin is how long before its end a token is no longer used; a short-lived one keeps a tenth of its
// lifetime.
const maxMargin = time.Minute

// token is an access token with its place in the sequence of those this process got. PayPal may hand out the
// same string again, so tokens are told apart by generation.
type token struct {
	generation int // from 1
	value      secret
	freshUntil time.Time
}

// minted is what the token endpoint gave.
type minted struct {
	value    secret
	lifetime time.Duration
}

// tokenSource keeps one token for all calls. One request for a token runs at a time; whoever needs one waits
// for it, each no longer than its own context lets it.
type tokenSource struct {
	lifetime context.Context
	clock    Clock
	mint     func(context.Context) (minted, *Error)

	mu      sync.Mutex
	current token
	running *refresh
}

// refresh is one run of mint. Its fields are read after done is closed.
type refresh struct {
	done    chan struct{}
	token   token
	failure *Error
}

// newTokenSource makes a source whose requests for tokens run as long as lifetime does.
func newTokenSource(lifetime context.Context, clock Clock, mint func(context.Context) (minted, *Error)) *tokenSource {
	return &tokenSource{lifetime: lifetime, clock: clock, mint: mint}
}

// get returns a token that PayPal should take. It gives up when ctx ends, or at latest (zero: never), when a
// token would come too late to be used.
func (s *tokenSource) get(ctx context.Context, latest time.Time) (token, *Error) {
	s.mu.Lock()
	if s.clock.Now().Before(s.current.freshUntil) {
		defer s.mu.Unlock()
		return s.current, nil
	}
	if s.running == nil {
		s.running = &refresh{done: make(chan struct{})}
		go s.run(s.running)
	}
	running := s.running
	s.mu.Unlock()
	return s.await(ctx, running, latest)
}

func (s *tokenSource) await(ctx context.Context, running *refresh, latest time.Time) (token, *Error) {
	tooLate := make(chan struct{})
	if !latest.IsZero() {
		stop := s.clock.AfterFunc(latest.Sub(s.clock.Now()), func() { close(tooLate) })
		defer stop()
	}
	select {
	case <-running.done:
	case <-tooLate:
		return token{}, newError(KindAuthUnavailable, "no token before the deadline")
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return token{}, newError(KindAuthUnavailable, "no token before the deadline")
		}
		failure := newError(KindCancelled, "")
		failure.cause = context.Canceled
		return token{}, failure
	}
	if running.failure != nil {
		failure := *running.failure // each call completes its own
		return token{}, &failure
	}
	return running.token, nil
}

// run mints one token for everyone who waits.
func (s *tokenSource) run(r *refresh) {
	asked := s.clock.Now() // the lifetime counts from here at the latest
	got, failure := s.mint(s.lifetime)
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(r.done)
	s.running = nil
	if failure != nil {
		r.failure = failure
		return
	}
	margin := min(maxMargin, got.lifetime/10)
	s.current = token{
		generation: s.current.generation + 1,
		value:      got.value,
		freshUntil: asked.Add(got.lifetime - margin),
	}
	r.token = s.current
}

// drop forgets a token that PayPal did not take, unless a newer one is there already: of many calls that were
// refused with one token, the first alone causes a new one.
func (s *tokenSource) drop(generation int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.generation == generation {
		s.current.freshUntil = time.Time{}
	}
}

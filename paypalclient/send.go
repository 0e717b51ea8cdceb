package paypalclient

import (
	"context"
	"errors"
	"time"
)

// sending is one call on its way through its tries.
type sending struct {
	*core
	call    *call
	tries   int
	last    *Error // of the last try
	again   bool   // whether the last try's failure is one to try again
	refused bool   // PayPal answered 401, so that the next try has a fresh token
	doubt   bool   // a try may have arrived and been carried out
}

// send makes the tries of a call until one is answered as asked, or none is left. Its error is an *Error.
func (c *core) send(ctx context.Context, call *call) error {
	s := &sending{core: c, call: call}
	for {
		token, failure := s.ready(ctx)
		if failure != nil {
			return s.fail(failure)
		}
		if s.try(ctx, token) {
			return nil
		}
		if failure := s.pause(ctx, token); failure != nil {
			return s.fail(failure)
		}
	}
}

// ready gets everything a try needs. The hook comes last, so that its word is fresh when the try is sent.
func (s *sending) ready(ctx context.Context) (token, *Error) {
	if failure := s.mayStart(ctx); failure != nil {
		return token{}, failure
	}
	token, failure := s.tokens.get(ctx, s.latestStart(ctx))
	if failure != nil {
		return token, failure
	}
	if err := s.limiter.wait(ctx, s.latestStart(ctx)); err != nil {
		return token, s.outOfTime(ctx)
	}
	if failure := s.mayStart(ctx); failure != nil {
		return token, failure
	}
	if s.options.BeforeTry == nil || !s.call.op.MovesMoney() {
		return token, nil
	}
	if err := s.options.BeforeTry(ctx, s.call.op); err != nil {
		if ctx.Err() != nil {
			return token, s.outOfTime(ctx)
		}
		failure := newError(KindStopped, "")
		failure.cause = err
		return token, failure
	}
	return token, s.mayStart(ctx)
}

// latestStart is when a try must have started to end before the context's deadline; zero: any time.
func (s *sending) latestStart(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return deadline.Add(-s.options.AttemptTimeout)
}

// mayStart refuses a try that could not end before the context does.
func (s *sending) mayStart(ctx context.Context) *Error {
	latest := s.latestStart(ctx)
	if ctx.Err() != nil || !latest.IsZero() && s.clock.Now().After(latest) {
		return s.outOfTime(ctx)
	}
	return nil
}

// outOfTime is the end of a call that has no time for another try. What PayPal answered last says more than
// the deadline does.
func (s *sending) outOfTime(ctx context.Context) *Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		failure := newError(KindCancelled, "")
		failure.cause = context.Canceled
		return failure
	}
	if s.last != nil {
		return s.last
	}
	failure := newError(KindDeadline, "")
	failure.cause = context.DeadlineExceeded
	return failure
}

// try sends the request once and reports whether it was answered as asked.
func (s *sending) try(ctx context.Context, token token) bool {
	s.tries++
	started := s.clock.Now()
	a := s.exchange(ctx, s.call, token.value)
	s.last, s.again = s.judge(a)
	if s.last != nil && s.last.Outcome == OutcomeUnknown && !a.unsent {
		s.doubt = true
	}
	s.report(a, s.clock.Now().Sub(started))
	return s.last == nil
}

// pause waits until the next try is due. It returns the call's failure if there will be none.
func (s *sending) pause(ctx context.Context, token token) *Error {
	if ctx.Err() != nil {
		return s.cutShort(ctx)
	}
	if s.last.Kind == KindAuthExpired {
		s.refused = true
		s.tokens.drop(token.generation)
	}
	if !s.again || s.tries >= s.options.Attempts || s.last.RetryAfter > s.options.RetryAfterMax {
		return s.last
	}
	if s.last.Kind == KindAuthExpired {
		return nil
	}
	wait := max(s.options.backoff(s.tries-1), s.last.RetryAfter)
	if latest := s.latestStart(ctx); !latest.IsZero() && s.clock.Now().Add(wait).After(latest) {
		return s.last
	}
	if s.clock.Sleep(ctx, wait) != nil {
		return s.outOfTime(ctx)
	}
	return nil
}

// cutShort is the failure of a call whose context ended during a try.
func (s *sending) cutShort(ctx context.Context) *Error {
	if !s.again {
		return s.last // PayPal's word came in time all the same
	}
	return s.outOfTime(ctx)
}

// fail completes the call's failure. Once a try may have arrived, what only says that a later one did not run
// says nothing about the call.
func (s *sending) fail(failure *Error) *Error {
	failure.Operation, failure.Tries = s.call.op, s.tries
	if !s.doubt || !s.call.op.MovesMoney() {
		return failure
	}
	failure.MayHaveArrived = true
	if failure.Outcome == OutcomeNotRun || failure.Kind == KindNotNow {
		failure.Outcome = OutcomeUnknown
	}
	return failure
}

package paypalclient

import (
	"context"
	"errors"
	"math"
	"time"

	"golang.org/x/time/rate"
)

type backgroundKey struct{}

// WithBackgroundPriority marks calls that may wait for others, such as releases: of all of them only one at a
// time stands in the queue for the rate, so that a call without the mark waits behind one of them at most.
func WithBackgroundPriority(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// errNoTime says that a turn would come too late for a try to end before the deadline.
var errNoTime = errors.New("no turn before the deadline")

// limiter keeps the rate of tries, driven by the client's clock.
type limiter struct {
	clock      Clock
	bucket     *rate.Limiter // nil: no limit
	background chan struct{} // holds a value while a background call is in the queue
}

func newLimiter(perSecond float64, clock Clock) *limiter {
	l := &limiter{clock: clock, background: make(chan struct{}, 1)}
	if perSecond > 0 {
		// A fifth of a second's worth at once lets a lot's reads go out together.
		burst := max(1, int(math.Ceil(perSecond/5)))
		l.bucket = rate.NewLimiter(rate.Limit(perSecond), burst)
	}
	return l
}

// wait returns when the call's turn has come. It fails with the context, or at once if the turn would come
// after latest (zero: no limit); a turn that is not used is given back.
func (l *limiter) wait(ctx context.Context, latest time.Time) error {
	if l.bucket == nil {
		return nil
	}
	if marked, _ := ctx.Value(backgroundKey{}).(bool); marked {
		select {
		case l.background <- struct{}{}:
			defer func() { <-l.background }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	now := l.clock.Now()
	turn := l.bucket.ReserveN(now, 1)
	delay := turn.DelayFrom(now)
	if !latest.IsZero() && now.Add(delay).After(latest) {
		turn.CancelAt(now)
		return errNoTime
	}
	if err := l.clock.Sleep(ctx, delay); err != nil {
		turn.CancelAt(l.clock.Now())
		return err
	}
	return nil
}

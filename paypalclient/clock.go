package paypalclient

import (
	"context"
	"time"
)

// Clock is the client's time: waits between tries, time limits of tries, token lifetimes, the rate. The
// deadlines of contexts are compared with Now.
type Clock interface {
	Now() time.Time
	// Sleep returns nil after d, or the context's error if that ends first.
	Sleep(ctx context.Context, d time.Duration) error
	// AfterFunc calls f in its own goroutine after d, unless stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func())
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (systemClock) AfterFunc(d time.Duration, f func()) func() {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}

package paypalclient

import (
	"context"
	"sync"
	"time"
)

// testStart lies ahead of the machine's time, so that a context with a deadline on the fake clock never ends
// by itself while a test runs.
var testStart = time.Date(2190, 6, 1, 12, 0, 0, 0, time.UTC)

// fakeClock moves only when somebody sleeps on it or a test moves it.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	timers map[int]fakeTimer
	next   int
	slept  []time.Duration
}

type fakeTimer struct {
	due  time.Time
	fire func()
}

func newFakeClock() *fakeClock { return &fakeClock{now: testStart, timers: map[int]fakeTimer{}} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d > 0 {
		c.mu.Lock()
		c.slept = append(c.slept, d)
		c.mu.Unlock()
		c.Advance(d)
	}
	return ctx.Err()
}

func (c *fakeClock) AfterFunc(d time.Duration, f func()) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.next
	c.next++
	c.timers[id] = fakeTimer{due: c.now.Add(d), fire: f}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.timers, id)
	}
}

// Advance moves the clock and fires what has become due.
func (c *fakeClock) Advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	for id, timer := range c.timers {
		if !timer.due.After(c.now) {
			due = append(due, timer.fire)
			delete(c.timers, id)
		}
	}
	c.mu.Unlock()
	for _, fire := range due {
		fire()
	}
}

// Slept lists the sleeps so far.
func (c *fakeClock) Slept() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.slept...)
}

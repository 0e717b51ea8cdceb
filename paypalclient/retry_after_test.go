package paypalclient

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRetryAfterIsWaitedFor(t *testing.T) {
	in12 := testStart.Add(12 * time.Second)
	cases := map[string]struct {
		status int
		value  string
		wait   time.Duration
	}{
		"seconds":                         {429, "7", 7 * time.Second},
		"the longest that is honoured":    {429, "30", 30 * time.Second},
		"an HTTP date":                    {429, in12.Format(http.TimeFormat), 12 * time.Second},
		"an old-style HTTP date":          {429, in12.Format(time.ANSIC), 12 * time.Second},
		"on 503, too":                     {503, "3", 3 * time.Second},
		"a date in the past: backoff":     {429, "Wed, 21 Oct 2015 07:28:00 GMT", 250 * time.Millisecond},
		"zero: backoff":                   {429, "0", 250 * time.Millisecond},
		"negative is not read: backoff":   {429, "-5", 250 * time.Millisecond},
		"a fraction is not read: backoff": {429, "1.5", 250 * time.Millisecond},
		"words are not read: backoff":     {429, "soon", 250 * time.Millisecond},
		"absent: backoff":                 {429, "", 250 * time.Millisecond},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(c.status, "", "Retry-After", c.value), reply(201, captureBody)})
			_, err := b.capture(context.Background())
			require.NoError(t, err)
			assert.Equal(t, []time.Duration{c.wait}, b.clock.Slept())
		})
	}
}

func TestALongerRetryAfterEndsTheTriesAtOnce(t *testing.T) {
	cases := map[string]struct {
		value string
		asked time.Duration
	}{
		"seconds":            {"31", 31 * time.Second},
		"a date":             {testStart.Add(time.Hour).Format(http.TimeFormat), time.Hour},
		"an absurd number":   {"99999999999999999999999999", maxRetryAfter},
		"more than a day":    {"200000", maxRetryAfter},
		"a date far ahead":   {"Fri, 01 Jan 2900 00:00:00 GMT", maxRetryAfter},
		"seconds, long text": {"00000000000000000000000000000000031", 31 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{reply(429, "", "Retry-After", c.value)})
			_, err := b.capture(context.Background())
			e := requireError(t, err, KindRateLimited, OutcomeNotRun)
			assert.Equal(t, c.asked, e.RetryAfter)
			assert.Equal(t, 1, e.Tries)
			assert.Empty(t, b.clock.Slept())
		})
	}
}

func TestRetryAfterBeyondTheDeadlineEndsTheTriesAtOnce(t *testing.T) {
	b := newBench(t, []step{reply(429, "", "Retry-After", "20")})
	ctx, cancel := context.WithDeadline(context.Background(), testStart.Add(25*time.Second))
	defer cancel()
	_, err := b.capture(ctx)
	e := requireError(t, err, KindRateLimited, OutcomeNotRun)
	assert.Equal(t, 20*time.Second, e.RetryAfter)
	assert.Empty(t, b.clock.Slept())
}

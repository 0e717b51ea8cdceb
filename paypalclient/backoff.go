package paypalclient

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// backoff is the wait after the failure number n, from 0: full jitter below a ceiling that doubles.
func (o Options) backoff(n int) time.Duration {
	ceiling := o.BackoffMax
	if n < 32 && o.BackoffMin<<n > 0 {
		ceiling = min(ceiling, o.BackoffMin<<n)
	}
	return o.Jitter(ceiling)
}

func uniform(max time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(max) + 1))
}

// maxRetryAfter keeps absurd values within a Duration.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads a Retry-After header, seconds or an HTTP date (RFC 9110, section 10.2.3). What cannot be
// read counts as absent.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if value == "" {
		return 0
	}
	if allDigits(value) {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}

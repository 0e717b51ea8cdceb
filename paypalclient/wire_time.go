package paypalclient

import (
	"strings"
	"time"
)

// readTime reads a time as PayPal may write it: lower-case letters and a leap second are allowed (Payments v2
// reference, date_time). What cannot be read is zero, like what is missing: no decision about money hangs on
// a time alone.
func readTime(s string) time.Time {
	if len(s) > 64 {
		return time.Time{}
	}
	s = strings.ToUpper(s)
	leap := len(s) > 19 && s[16:19] == ":60"
	if leap {
		s = s[:16] + ":59" + s[19:]
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	if leap {
		t = t.Add(time.Second)
	}
	return t.UTC()
}

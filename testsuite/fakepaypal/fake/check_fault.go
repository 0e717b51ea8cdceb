package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// check refuses a fault that could never do what it says.
func (f *Fault) check() error {
	switch {
	case f.Operation != "" && !f.Operation.known():
		return fmt.Errorf("fault: operation %q does not exist", f.Operation)
	case f.When != "" && f.When != Before && f.When != After:
		return fmt.Errorf("fault: when is %q, not before or after", f.When)
	case f.Times < -1:
		return fmt.Errorf("fault: times is %d; -1 is for ever", f.Times)
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		return fmt.Errorf("fault: status %d is not an HTTP answer", f.Status)
	case f.Drop && f.Status != 0:
		return fmt.Errorf("fault: drop and status exclude each other")
	case f.Status == 0 && (len(f.Issues) > 0 || f.RetryAfter != ""):
		return fmt.Errorf("fault: issues and retry_after need a status")
	case f.Capture != nil && f.When != After && f.replaces():
		return fmt.Errorf("fault: no capture is made when the answer is replaced before the effect; say when: after")
	}
	switch f.Shape {
	case "", ShapeHTML, ShapeEmpty, ShapeTruncated, ShapeCut, ShapeMinimal, ShapeOAuth:
		return nil
	}
	return fmt.Errorf("fault: shape %q does not exist", f.Shape)
}

// answer is what the client gets instead of PayPal's own answer.
func (f *Fault) answer(c *call) *answer {
	if f.Drop {
		return resetAtOnce
	}
	a := refuse(f.Status, f.Issues...).answer(c)
	if f.Status < http.StatusBadRequest {
		a.body = map[string]any{}
	}
	a.retryAfter = f.RetryAfter
	return f.spoil(a)
}

// UnmarshalJSON reads "delay" as a duration like "250ms" and refuses fields that do not exist.
func (f *Fault) UnmarshalJSON(text []byte) error {
	type plain Fault
	read := struct {
		*plain
		Delay string `json:"delay"`
	}{plain: (*plain)(f)}
	if err := strictJSON(text, &read); err != nil {
		return err
	}
	return parseDuration("delay", read.Delay, &f.Delay)
}

// UnmarshalJSON reads "after" as a duration like "10m" and refuses fields that do not exist.
func (o *Outcome) UnmarshalJSON(text []byte) error {
	type plain Outcome
	read := struct {
		*plain
		After string `json:"after"`
	}{plain: (*plain)(o)}
	if err := strictJSON(text, &read); err != nil {
		return err
	}
	return parseDuration("after", read.After, &o.After)
}

func parseDuration(field, text string, into *time.Duration) error {
	if text == "" {
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%s: %q is not a duration like 250ms", field, text)
	}
	*into = d
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (f Fault) MarshalJSON() ([]byte, error) {
	type plain Fault
	return json.Marshal(struct {
		plain
		Delay string `json:"delay,omitempty"`
	}{plain(f), durationText(f.Delay)})
}

// MarshalJSON writes what UnmarshalJSON reads.
func (o Outcome) MarshalJSON() ([]byte, error) {
	type plain Outcome
	return json.Marshal(struct {
		plain
		After string `json:"after,omitempty"`
	}{plain(o), durationText(o.After)})
}

func durationText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

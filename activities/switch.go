package activities

import (
	"context"
	"time"
)

// KillSwitchID is the workflow whose memo says whether money calls may be sent.
const KillSwitchID = "kill-switch"

// MemoSwitch is the memo field of that workflow that holds its SwitchState.
const MemoSwitch = "gavel-switch"

// Switch is the kill switch as a worker sees it. Read returns a *SwitchError
// where nobody can say how it stands.
type Switch interface {
	Read(ctx context.Context) (SwitchState, error)
}

// SwitchState is how the kill switch stands and has stood.
type SwitchState struct {
	// Stops are the times in which no money call was sent, oldest first. The last
	// one is still running where its To is zero. Only the newest are kept.
	Stops []Stop `json:"stops,omitempty"`
}

// Stop is one time in which the kill switch was on, on the clock of the
// Temporal server.
type Stop struct {
	From       time.Time `json:"from"`
	To         time.Time `json:"to,omitzero"`
	By         string    `json:"by"`
	Reason     string    `json:"reason"`
	ReleasedBy string    `json:"released_by,omitempty"`
}

// Current is the stop that is running, or nil where money calls may be sent.
func (s SwitchState) Current() *Stop {
	if n := len(s.Stops); n > 0 && s.Stops[n-1].To.IsZero() {
		return &s.Stops[n-1]
	}
	return nil
}

// SwitchStanding is how a reading of the kill switch came out.
type SwitchStanding string

const (
	// SwitchOff: money calls may be sent.
	SwitchOff SwitchStanding = ""
	// SwitchOn: no money call is sent.
	SwitchOn SwitchStanding = "on"
	// SwitchUnreadable: nobody can say, so no money call is sent.
	SwitchUnreadable SwitchStanding = "unreadable"
	// SwitchUnseen: the activity that should have looked did not end.
	SwitchUnseen SwitchStanding = "unseen"
)

// SwitchError says why a money call was not sent.
type SwitchError struct {
	Standing SwitchStanding
	Cause    error // of SwitchUnreadable
}

func (e *SwitchError) Error() string {
	if e.Standing == SwitchOn {
		return "the kill switch is on: release it (starter switch release) when money calls may be sent again"
	}
	return "the kill switch cannot be read, so no money call is sent: check that workflow " + KillSwitchID + " runs in this namespace"
}

// Unwrap returns why the switch could not be read.
func (e *SwitchError) Unwrap() error { return e.Cause }

// SwitchSeen is a reading of the kill switch as a settlement needs it: how
// long money calls have been stopped since a clock was started.
type SwitchSeen struct {
	Standing SwitchStanding `json:"standing,omitempty"`
	// Held is how long the stops that are over took since the clock was started.
	Held Duration `json:"held,omitempty"`
	// HeldFrom is since when the stop that is running has held the clock; zero
	// where none is.
	HeldFrom time.Time `json:"held_from,omitzero"`
}

// lookAtSwitch reads the switch for a clock that runs since then; zero where
// none runs.
func lookAtSwitch(ctx context.Context, from Switch, since time.Time) SwitchSeen {
	state, err := from.Read(ctx)
	if err != nil {
		return SwitchSeen{Standing: SwitchUnreadable}
	}
	return state.Seen(since)
}

// Seen is the state from the view of a clock that runs since then.
func (s SwitchState) Seen(since time.Time) SwitchSeen {
	var seen SwitchSeen
	if since.IsZero() {
		if s.Current() != nil {
			seen.Standing = SwitchOn
		}
		return seen
	}
	for _, stop := range s.Stops {
		from := stop.From
		if from.Before(since) {
			from = since
		}
		switch {
		case stop.To.IsZero():
			seen.Standing, seen.HeldFrom = SwitchOn, from
		case stop.To.After(from):
			seen.Held += Duration(stop.To.Sub(from))
		}
	}
	return seen
}

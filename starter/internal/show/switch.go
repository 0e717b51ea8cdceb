package show

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"gavel/activities"
)

// switchLine is the kill switch as one line of JSON.
type switchLine struct {
	State   string            `json:"state"` // "on", "off" or "unreadable"
	By      string            `json:"by,omitempty"`
	Reason  string            `json:"reason,omitempty"`
	Since   time.Time         `json:"since,omitzero"`
	Problem string            `json:"problem,omitempty"` // why it is unreadable
	Stops   []activities.Stop `json:"stops"`             // oldest first; the running one has no "to"
}

// SwitchJSON prints how the kill switch stands as one line; problem is nil where
// it could be read.
func SwitchJSON(w io.Writer, state activities.SwitchState, problem error) error {
	line := switchLine{State: "off", Stops: append([]activities.Stop{}, state.Stops...)}
	if stop := state.Current(); stop != nil {
		line.State, line.By, line.Reason, line.Since = "on", stop.By, stop.Reason, stop.From
	}
	if problem != nil {
		line.State, line.Problem = "unreadable", problem.Error()
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Switch prints how the kill switch stands.
func Switch(w io.Writer, state activities.SwitchState) error {
	line := "The kill switch is OFF: money calls may be sent."
	if stop := state.Current(); stop != nil {
		line = fmt.Sprintf("The kill switch is ON since %s, by %s: %s. No money call is sent.", clock(stop.From), clean(stop.By), clean(stop.Reason))
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// Stops prints when money calls were stopped, the newest first.
func Stops(w io.Writer, state activities.SwitchState) error {
	if len(state.Stops) == 0 {
		return nil
	}
	t := newTable("From", "To", "By", "Reason", "Released by")
	for _, stop := range slices.Backward(state.Stops) {
		to := ""
		if !stop.To.IsZero() {
			to = clock(stop.To)
		}
		t.AppendRow(table.Row{clock(stop.From), to, clean(stop.By), clean(stop.Reason), clean(stop.ReleasedBy)})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

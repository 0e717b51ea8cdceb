package activities

import (
	"context"
	"time"
)

// TruthReader has the activities that read PayPal and send no money call.
type TruthReader struct {
	PayPal truthAPI
	Switch Switch
}

// ReadTruthInput names the hold to look at. CaptureID is a capture that is
// already known, pending most likely; empty where none is.
type ReadTruthInput struct {
	Intent    Intent `json:"intent"`
	CaptureID string `json:"capture_id,omitempty"`
	// ClockFrom is since when the unknown clock runs; zero where none does.
	ClockFrom time.Time `json:"clock_from,omitzero"`
}

// ReadTruthResult is the truth about one hold, and how the kill switch stands
// where a clock runs.
type ReadTruthResult struct {
	Truth  Truth      `json:"truth"`
	Switch SwitchSeen `json:"switch,omitzero"`
}

// ReadTruth says how PayPal shows a hold.
func (t *TruthReader) ReadTruth(ctx context.Context, in ReadTruthInput) (ReadTruthResult, error) {
	ctx, end := working(ctx)
	defer end()
	truth := readTruth(ctx, t.PayPal, in.Intent, in.CaptureID)
	return ReadTruthResult{Truth: truth, Switch: lookAtSwitch(ctx, t.Switch, in.ClockFrom)}, nil
}

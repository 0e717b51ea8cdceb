package activities

import "context"

// TruthReader has the ReadTruth activity.
type TruthReader struct{ PayPal truthAPI }

// ReadTruthInput names the hold to look at. CaptureID is a capture that is
// already known, pending most likely; empty where none is.
type ReadTruthInput struct {
	Intent    Intent `json:"intent"`
	CaptureID string `json:"capture_id,omitempty"`
}

// ReadTruth says how PayPal shows a hold. It sends no money call.
func (t *TruthReader) ReadTruth(ctx context.Context, in ReadTruthInput) (Truth, error) {
	stop := keepAlive(ctx, nil)
	defer stop()
	ctx, cancel := inTime(ctx)
	defer cancel()
	return readTruth(ctx, t.PayPal, in.Intent, in.CaptureID), nil
}

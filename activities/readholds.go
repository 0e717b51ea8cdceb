package activities

import (
	"context"
	"sync"

	"gavel/paypalclient"
)

// ReadHoldsInput names holds to look at, Parallel of them at a time (at least one).
type ReadHoldsInput struct {
	Intents  []Intent `json:"intents"`
	Parallel int      `json:"parallel"`
}

// ReadHoldsResult tells on which of the holds money was taken, or may have been.
type ReadHoldsResult struct {
	// Untouched is how many PayPal shows with no money taken.
	Untouched int `json:"untouched"`
	// Closed are those of them that can never be captured, by authorization id.
	Closed []string   `json:"closed,omitempty"`
	Others []SeenHold `json:"others,omitempty"`
}

// SeenHold is a hold on which money was taken, or of which PayPal cannot say.
type SeenHold struct {
	BidderID        string   `json:"bidder_id,omitempty"`
	AuthorizationID string   `json:"authorization_id"`
	Standing        Standing `json:"standing"`
	// Captures are those that took money, at most maxCaptures of them.
	Captures []SeenCapture `json:"captures,omitempty"`
	Problem  *Problem      `json:"problem,omitempty"`
}

// ReadHolds reads the truth about many holds, for a person who has to decide.
func (t *TruthReader) ReadHolds(ctx context.Context, in ReadHoldsInput) (ReadHoldsResult, error) {
	calls, end := working(paypalclient.WithBackgroundPriority(ctx))
	defer end()
	truths := make([]Truth, len(in.Intents))
	places := make(chan int)
	var readers sync.WaitGroup
	for range max(1, in.Parallel) {
		readers.Go(func() {
			for i := range places {
				truths[i] = readTruth(calls, t.PayPal, in.Intents[i], "")
			}
		})
	}
	for i := range truths {
		places <- i
	}
	close(places)
	readers.Wait()
	var result ReadHoldsResult
	for i, truth := range truths {
		if truth.Standing.untouched() {
			result.Untouched++
			if truth.Standing == StandingClosed {
				result.Closed = append(result.Closed, in.Intents[i].AuthorizationID)
			}
			continue
		}
		result.Others = append(result.Others, seenHold(in.Intents[i], truth))
	}
	return result, ctx.Err()
}

func seenHold(intent Intent, truth Truth) SeenHold {
	seen := SeenHold{BidderID: intent.BidderID, AuthorizationID: intent.AuthorizationID, Standing: truth.Standing, Problem: truth.Problem}
	for _, c := range truth.Captures {
		if c.TookMoney() {
			seen.Captures = append(seen.Captures, c)
		}
	}
	return seen
}

// ReadCaptureInput names a capture to look at.
type ReadCaptureInput struct {
	CaptureID string `json:"capture_id"`
}

// ReadCaptureResult is the capture, or why PayPal does not show it.
type ReadCaptureResult struct {
	Capture *SeenCapture `json:"capture,omitempty"`
	Problem *Problem     `json:"problem,omitempty"`
}

// ReadCapture says how PayPal shows one capture.
func (t *TruthReader) ReadCapture(ctx context.Context, in ReadCaptureInput) (ReadCaptureResult, error) {
	ctx, end := working(ctx)
	defer end()
	capture, err := t.PayPal.GetCapture(ctx, in.CaptureID)
	if err != nil {
		return ReadCaptureResult{Problem: problemOf(err)}, nil
	}
	seen := seeAny(capture)
	return ReadCaptureResult{Capture: &seen}, nil
}

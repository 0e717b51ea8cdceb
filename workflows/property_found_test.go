package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// Scenarios that once broke a property, as they were printed.
func TestWhatOnceBrokeAPromiseNoLongerDoes(t *testing.T) {
	for name, c := range map[string]struct {
		scenario
		state workflows.State
	}{
		"called off after a restart, with a capture that failed on the hold of a bid not in turn any more": {
			state: workflows.StateCancelled,
			scenario: scenario{
				Bids:     []bidder{{Price: 12200, Status: "VOIDED"}, {Price: 3050}},
				Fallback: workflows.FallbackAsk,
				PassMax:  time.Hour, Attempts: 2,
				Faults:  []fault{{Op: fake.OpCaptureAuthorization, Bidder: anyHold, What: "failed capture", Times: 1}},
				Events:  []event{{At: 6*time.Hour + 500*time.Millisecond, Do: "terminate"}, {At: 13*time.Hour + 500*time.Millisecond, Do: "cancel"}},
				Person:  []decision{{After: 46*time.Minute + 500*time.Millisecond, Action: workflows.ActionNextBidder}},
				ClearAt: 14 * time.Hour,
			},
		},
		"called off after a restart, with a runner-up who was charged": {
			state: workflows.StateFailedNeedsReview,
			scenario: scenario{
				Bids:     []bidder{{Price: 12200, Status: "VOIDED"}, {Price: 3050}},
				Fallback: workflows.FallbackAsk,
				PassMax:  time.Minute, Attempts: 2,
				Faults:  []fault{{Op: fake.OpCaptureAuthorization, Bidder: anyHold, What: "another amount", Times: 1}},
				Events:  []event{{At: 15500 * time.Millisecond, Do: "terminate"}, {At: 51500 * time.Millisecond, Do: "cancel"}},
				Person:  []decision{{After: 500 * time.Millisecond, Action: workflows.ActionNextBidder}},
				ClearAt: 2 * time.Minute,
			},
		},
		"a hold that PayPal goes on reviewing while a person retries": {
			state: workflows.StateFailedNeedsReview,
			scenario: scenario{
				Bids:     []bidder{{Price: 3050, Age: 695 * time.Hour, Status: "PENDING"}, {Price: 9150, Status: "PENDING"}},
				Fallback: workflows.FallbackAsk,
				PassMax:  time.Minute, Attempts: 2,
				Person: []decision{
					{After: 12 * time.Minute, Action: workflows.ActionRetry}, {After: 68 * time.Minute, Action: workflows.ActionRetry},
					{After: 51 * time.Minute, Action: workflows.ActionRetry},
				},
				ClearAt: 21 * time.Minute,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.scenario)
			w.live()
			assert.Empty(t, w.check(), w.report())
			assert.Equal(t, c.state, w.final.State)
		})
	}
}

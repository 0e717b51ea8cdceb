package workflows_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// What really went wrong for people who do this job, each case under its number
// and title, lived through by a whole settlement. The cases about single requests
// are in paypalclient/field_cases_test.go: 20 (the answer of a void is no JSON),
// and the halves of 1, 3, 4, 19, 22, 30, 35 to 38, 42 and 43 that the client can
// get wrong by itself. Part E is about webhooks and orders, part F about Temporal:
// they are tested where those are.

// caseOf is a case: a lot, and what goes wrong with it.
type caseOf struct {
	*testing.T
	*world
}

// newCase plays a scenario that nobody makes end, unless it says so itself.
func newCase(t *testing.T, s scenario) *caseOf {
	if s.ClearAt == 0 {
		s.ClearAt = patience
	}
	s.Attempts = max(2, s.Attempts)
	if s.Bids == nil {
		s.Bids = []bidder{{Price: 12000, Above: 3000}, {Price: 11000, Above: 4000}}
	}
	return &caseOf{t, newWorld(t, s)}
}

// live lives through the case and holds it against the rules about money.
func (c *caseOf) live() workflows.Outcome {
	c.T.Helper()
	c.world.live()
	require.NoError(c.T, c.failure)
	c.checkCharges(c.books())
	c.checkIntents()
	c.checkClocks()
	if len(c.broken) > 0 || c.T.Failed() {
		c.T.Error(c.report())
	}
	return c.final
}

// ends expects the end of the settlement, and who has won.
func (c *caseOf) ends(state workflows.State, winner string) workflows.Outcome {
	c.T.Helper()
	out := c.live()
	require.True(c.T, c.ended, "still %s (%s)", out.State, out.Reason)
	assert.Equal(c.T, state, out.State)
	if winner == "" {
		assert.Nil(c.T, out.Winner)
		assert.Empty(c.T, c.books().ours(), "nobody is charged")
	} else if assert.NotNil(c.T, out.Winner) {
		assert.Equal(c.T, winner, out.Winner.BidderID)
	}
	return out
}

// waits expects the settlement to wait for a person, and the runner-up untouched.
func (c *caseOf) waits(reason workflows.Reason) workflows.Outcome {
	c.T.Helper()
	out := c.live()
	require.False(c.T, c.ended, "it ended %s", out.State)
	assert.Equal(c.T, workflows.StateFailedNeedsReview, out.State)
	assert.Equal(c.T, reason, out.Reason)
	assert.Contains(c.T, c.told(), reason, "somebody was told")
	assert.Zero(c.T, c.asked(fake.OpCaptureAuthorization, 1), "never the next bidder on a maybe")
	return out
}

// asked is how often a bidder's hold was called.
func (c *caseOf) asked(op fake.Operation, rank int) int {
	n := 0
	for _, s := range c.wire.calls() {
		if s.Op == op && s.Bidder == rank {
			n++
		}
	}
	return n
}

// firstAsked is when a bidder's hold was called first.
func (c *caseOf) firstAsked(op fake.Operation, rank int) time.Duration {
	for _, s := range c.wire.calls() {
		if s.Op == op && s.Bidder == rank {
			return s.at
		}
	}
	c.T.Errorf("%s on the hold of bidder-%d was never called", op, rank)
	return 0
}

// told are the reasons of all alerts.
func (c *caseOf) told() []workflows.Reason {
	var reasons []workflows.Reason
	for _, a := range c.alerts {
		reasons = append(reasons, workflows.Reason(a.Reason))
	}
	return reasons
}

// seenAt notes how the settlement stands at a time.
func (c *caseOf) seenAt(at time.Duration) *workflows.Outcome {
	seen := &workflows.Outcome{}
	c.at(dawn.Add(at), "look", func() { *seen = c.state() })
	return seen
}

func (c *caseOf) holdStatus(id string) string {
	hold, ok := c.paypal.Ledger().Hold(id)
	require.True(c.T, ok, id)
	return hold.Status
}

// outcomeOf is what became of a bidder's hold.
func outcomeOf(out workflows.Outcome, id string) workflows.HoldOutcome {
	at := slices.IndexFunc(out.Holds, func(h workflows.HoldStanding) bool { return h.AuthorizationID == id })
	return out.Holds[at].Outcome
}

// on is a fault of one bidder's calls.
func on(op fake.Operation, bidder int, what string, times int) fault {
	return fault{Op: op, Bidder: bidder, What: what, Times: times}
}

// refuse is a fault that answers with an issue.
func refuse(op fake.Operation, bidder int, issue string, times int) fault {
	return fault{Op: op, Bidder: bidder, What: "decline", Issue: issue, Times: times}
}

// when is an event that happens when a call arrives.
func when(op fake.Operation, bidder, nth int, do string) event {
	return event{On: call{op, bidder, nth}, Do: do, Bidder: bidder}
}

const (
	opCapture = fake.OpCaptureAuthorization
	opVoid    = fake.OpVoidAuthorization
	opRenew   = fake.OpReauthorize
	opRead    = fake.OpGetAuthorization
)

var first, second = fmt.Sprintf("bidder-%d", 0), fmt.Sprintf("bidder-%d", 1)

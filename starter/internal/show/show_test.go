package show_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/activities"
	"gavel/paypalclient"
	"gavel/starter/internal/settling"
	"gavel/starter/internal/show"
	"gavel/workflows"
)

func standing(lot string, outcome workflows.Outcome) settling.Standing {
	outcome.WorkflowID = "settlement/spring/" + lot
	if outcome.Holds == nil {
		outcome.Holds = []workflows.HoldStanding{}
	}
	return settling.Standing{Settlement: settling.Settlement{WorkflowID: outcome.WorkflowID}, Outcome: outcome}
}

func paid(lot, bidder, currency string, minor int64) settling.Standing {
	return standing(lot, workflows.Outcome{
		State:  workflows.StateSettled,
		Winner: &workflows.Winner{BidderID: bidder, CaptureID: "C" + lot, Amount: paypalclient.Money{Currency: currency, Minor: minor}},
	})
}

func waiting(lot string) settling.Standing {
	end := time.Date(2031, 5, 6, 7, 8, 9, 0, time.Local)
	return standing(lot, workflows.Outcome{
		State: workflows.StateUnknown, Reason: workflows.ReasonUnknownOutcome,
		Waiting: &workflows.Waiting{BidderID: "ana", NextPassAt: end.Add(-time.Minute), ClockEndsAt: end},
	})
}

func terminated(lot string) settling.Standing {
	s := standing(lot, workflows.Outcome{State: workflows.StateCapturing, Reason: workflows.ReasonRateLimited})
	s.Closed = "terminated"
	return s
}

func TestSummaryCountsEndsAndAddsUpEachCurrency(t *testing.T) {
	review := standing("5", workflows.Outcome{State: workflows.StateFailedNeedsReview})
	assert.Equal(t, "7 lots: 3 settled, 1 unsold, 1 failed needs review, 1 terminated, 1 unknown; taken 500 JPY and 3.50 USD",
		show.Summary([]settling.Standing{
			paid("1", "ana", "USD", 100), paid("2", "ben", "USD", 250), paid("3", "cleo", "JPY", 500),
			standing("4", workflows.Outcome{State: workflows.StateUnsold}), review, terminated("6"), waiting("7"),
		}))
	assert.Equal(t, "1 lot: 1 terminated", show.Summary([]settling.Standing{terminated("1")}))
}

func TestJSONOfASettlementClosedFromOutsideSaysSo(t *testing.T) {
	var out strings.Builder
	require.NoError(t, show.JSON(&out, terminated("1")))
	assert.Equal(t, `{"workflow_id":"settlement/spring/1","state":"CAPTURING","holds":[],"reason":"terminated"}`+"\n", out.String())
}

func TestTableShowsHoldCountsAndAdoptedCaptures(t *testing.T) {
	adopted := paid("1", "ana", "USD", 100)
	adopted.Outcome.Winner.Adopted = true
	adopted.Outcome.HoldCounts = map[workflows.HoldOutcome]int{workflows.HoldReleased: 4999, workflows.HoldCaptured: 1}
	var out strings.Builder
	require.NoError(t, show.Table(&out, []settling.Standing{adopted}))
	assert.Contains(t, out.String(), "C1 (adopted)")
	assert.Contains(t, out.String(), "1 captured, 4999 released")
}

func TestLineSaysWhatIsWaitedForAndUntilWhen(t *testing.T) {
	failed := terminated("1")
	failed.Closed, failed.Problem = "failed", "the lot is not valid"
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.Local)
	inReview := paid("1", "ana", "USD", 100)
	inReview.Outcome.State, inReview.Outcome.Reason = workflows.StateFailedNeedsReview, workflows.ReasonLoserCaptured
	inReview.Outcome.Review = &workflows.Review{Since: at}
	for want, s := range map[string]settling.Standing{
		"SETTLED: ana paid 1.00 USD": paid("1", "ana", "USD", 100),
		"UNKNOWN (unknown_outcome): ana, next look 2031-05-06 07:07, clock ends 2031-05-06 07:08": waiting("1"),
		"FAILED_NEEDS_REVIEW (invariant): waits for a person; PayPal's last answer: get_order: not_found, HTTP 404": standing("1", workflows.Outcome{
			State: workflows.StateFailedNeedsReview, Reason: workflows.ReasonInvariant,
			Waiting: &workflows.Waiting{Problem: &activities.Problem{Operation: "get_order", Kind: "not_found", Status: 404}},
		}),
		"FAILED_NEEDS_REVIEW (invariant): waits for a person": standing("1", workflows.Outcome{State: workflows.StateFailedNeedsReview, Reason: workflows.ReasonInvariant}),
		"CAPTURING (failed): the lot is not valid":            failed,
		"PAUSED (kill_switch): ana, next look 2031-05-06 07:08, clock held with 1m30s left, since 2031-05-06 06:08": standing("1", workflows.Outcome{
			State: workflows.StatePaused, Reason: workflows.ReasonKillSwitch,
			Waiting: &workflows.Waiting{BidderID: "ana", NextPassAt: at, ClockLeft: workflows.Duration(90 * time.Second), Since: at.Add(-time.Hour)},
		}),
		"FAILED_NEEDS_REVIEW (loser_captured): ana paid 1.00 USD: waits for a person since 2031-05-06 07:08": inReview,
		"FAILED_NEEDS_REVIEW (bid_failed): closed as it stood by ben: refunded by hand": standing("1", workflows.Outcome{
			State: workflows.StateFailedNeedsReview, Reason: workflows.ReasonBidFailed,
			Closed: &workflows.DecisionRecord{Decision: workflows.Decision{By: "ben", Reason: "refunded by hand"}},
		}),
		"RELEASING": standing("1", workflows.Outcome{State: workflows.StateReleasing}),
	} {
		assert.Equal(t, want, show.Line(s))
	}
}

func TestWhatOthersWroteDoesNotSteerTheTerminal(t *testing.T) {
	s := paid("1", "a\x1b[2Jb\u202e", "USD", 100)
	var out strings.Builder
	require.NoError(t, show.Table(&out, []settling.Standing{s}))
	require.NoError(t, show.Status(&out, []settling.Standing{s}))
	assert.NotContains(t, out.String()+show.Line(s), "\x1b")
	assert.NotContains(t, out.String()+show.Line(s), "\u202e")
}

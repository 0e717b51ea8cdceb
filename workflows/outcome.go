package workflows

import (
	"time"

	"gavel/activities"
	"gavel/paypalclient"
)

// State is where a settlement stands.
type State string

const (
	StateCapturing       State = "CAPTURING"
	StatePaused          State = "PAUSED"            // the kill switch is on: nothing is sent
	StateStalled         State = "STALLED"           // turned away before anything was done: no clock runs
	StateUnknown         State = "UNKNOWN"           // an outcome is in doubt, and its clock runs
	StatePendingAtPayPal State = "PENDING_AT_PAYPAL" // PayPal has not decided yet
	StateCaptured        State = "CAPTURED"
	StateReleasing       State = "RELEASING"

	StateSettled           State = "SETTLED"
	StateUnsold            State = "UNSOLD" // every bid definitely failed, every hold is released
	StateCancelled         State = "CANCELLED"
	StateFailedNeedsReview State = "FAILED_NEEDS_REVIEW" // open, and waits for a person

	// StateReleased is how an OrphanVoid ends.
	StateReleased State = "RELEASED"
)

// Ended tells whether a settlement in this state is over.
func (s State) Ended() bool {
	return s == StateSettled || s == StateUnsold || s == StateCancelled
}

// Reason is why a settlement waits or was stopped: a stable code for programs.
type Reason string

const (
	ReasonKillSwitch          Reason = "kill_switch"
	ReasonSwitchUnreadable    Reason = "switch_unreadable"
	ReasonRateLimited         Reason = "rate_limited"
	ReasonAuthUnavailable     Reason = "auth_unavailable"
	ReasonNotSent             Reason = "not_sent" // no time was left for the request
	ReasonTruthUnreadable     Reason = "truth_unreadable"
	ReasonUnknownOutcome      Reason = "unknown_outcome"
	ReasonOtherRefusal        Reason = "other_refusal"
	ReasonHoldNotReleased     Reason = "hold_not_released"
	ReasonCapturePending      Reason = "capture_pending"
	ReasonHoldPending         Reason = "hold_pending"
	ReasonUnknownClockExpired Reason = "unknown_clock_expired"
	ReasonPendingExpired      Reason = "pending_expired"
	ReasonInvariant           Reason = "invariant"
	ReasonDifferentCapture    Reason = "different_capture"
	ReasonCaptureRefunded     Reason = "capture_refunded"
	ReasonHoldTooSmall        Reason = "hold_too_small"
	ReasonDuplicateInvoice    Reason = "duplicate_invoice"
	ReasonLoserCaptured       Reason = "loser_captured"
	ReasonBidFailed           Reason = "bid_failed"
)

// HoldOutcome is what became of one hold.
type HoldOutcome string

const (
	HoldOpen     HoldOutcome = "OPEN" // not touched yet
	HoldCaptured HoldOutcome = "CAPTURED"
	HoldReleased HoldOutcome = "RELEASED"
	HoldGone     HoldOutcome = "GONE"     // voided, lapsed or denied before we came
	HoldOrphaned HoldOutcome = "ORPHANED" // its release goes on in a workflow of its own
)

// Outcome is what the state query answers at any time, and what a settlement
// returns at its end.
type Outcome struct {
	WorkflowID string  `json:"workflow_id"`
	State      State   `json:"state"`
	Winner     *Winner `json:"winner,omitempty"`
	// Holds lists every hold, or above maxHoldsShown bids those that matter:
	// the winner's, those not released yet, and those that went wrong.
	Holds []HoldStanding `json:"holds"`
	// HoldCounts counts all holds where Holds does not list them all.
	HoldCounts map[HoldOutcome]int `json:"hold_counts,omitempty"`
	Reason     Reason              `json:"reason"`
	// Waiting is there while the settlement waits.
	Waiting *Waiting `json:"waiting,omitempty"`
	// CancelAsked: the lot was called off. Nothing is captured any more; what may
	// have been captured before is looked into first.
	CancelAsked bool `json:"cancel_asked,omitempty"`
	// Review is there while a person has to decide.
	Review *Review `json:"review,omitempty"`
	// Decisions are the newest ones that were sent, refused ones included.
	Decisions []DecisionRecord `json:"decisions,omitempty"`
	// Closed is the decision by which the settlement ended as it stood.
	Closed *DecisionRecord `json:"closed,omitempty"`
}

// Winner is who paid.
type Winner struct {
	BidderID  string             `json:"bidder_id"`
	CaptureID string             `json:"capture_id"`
	Amount    paypalclient.Money `json:"amount"`
	// Adopted: the capture was found at PayPal rather than answered to us.
	Adopted bool `json:"adopted"`
}

// HoldStanding is one hold and what became of it. BidderID is empty for a hold
// of the lot's release list.
type HoldStanding struct {
	BidderID        string      `json:"bidder_id,omitempty"`
	AuthorizationID string      `json:"authorization_id"`
	Outcome         HoldOutcome `json:"outcome"`
}

// Waiting says which bidder a settlement waits for and until when.
type Waiting struct {
	BidderID string `json:"bidder_id,omitempty"`
	// NextPassAt is when it looks again; zero while it waits for a person.
	NextPassAt time.Time `json:"next_pass_at,omitzero"`
	// Since is when it came into this state.
	Since time.Time `json:"since,omitzero"`
	// ClockEndsAt is when the unknown or pending clock runs out; zero where none runs.
	ClockEndsAt time.Time `json:"clock_ends_at,omitzero"`
	// ClockLeft is what is left of the unknown clock while the kill switch holds it.
	ClockLeft Duration `json:"clock_left,omitempty"`
	// Problem is the last answer of PayPal's that was not what was asked for.
	Problem *activities.Problem `json:"problem,omitempty"`
}

// maxHoldsShown keeps what a settlement returns and shows well below what
// Temporal carries in one payload.
const maxHoldsShown = 500

// showHolds lists all of a lot's holds, or of a large lot those that matter
// and the counts of all.
func showHolds(all []HoldStanding) ([]HoldStanding, map[HoldOutcome]int) {
	if len(all) <= maxHoldsShown {
		return append([]HoldStanding{}, all...), nil
	}
	counts := map[HoldOutcome]int{}
	var wrong, open []HoldStanding // or the winner's
	for _, h := range all {
		counts[h.Outcome]++
		switch h.Outcome {
		case HoldCaptured, HoldOrphaned:
			wrong = append(wrong, h)
		case HoldOpen:
			open = append(open, h)
		}
	}
	shown := append([]HoldStanding{}, append(wrong, open...)...)
	return shown[:min(len(shown), maxHoldsShown)], counts
}

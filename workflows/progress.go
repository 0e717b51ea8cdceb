package workflows

import "gavel/activities"

// Progress is everything that a settlement knows beside its input. It is what
// one run hands to the next when it continues as new.
type Progress struct {
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
	// Rank is the place of the bid in turn.
	Rank int `json:"rank"`
	// Turn is what is known of the bid in turn.
	Turn Turn `json:"turn,omitzero"`

	Winner *Winner `json:"winner,omitempty"`
	// Paid is the place of the winner's hold, where there is a winner.
	Paid int `json:"paid,omitempty"`
	// CancelAsked: somebody has cancelled the workflow, in this run or an
	// earlier one. CalledOff: the lot ends by it.
	CancelAsked bool `json:"cancel_asked,omitempty"`
	CalledOff   bool `json:"called_off,omitempty"`
	// Holds is what became of each hold: the bids' in rank order, then those of
	// the release list.
	Holds []HoldOutcome `json:"holds"`
	// Releasing is the release phase's own progress.
	Releasing releasing `json:"releasing,omitzero"`

	// Alarm is for how long the settlement has been in its state.
	Alarm alarm `json:"alarm,omitzero"`
	// Review is set while a person has to decide.
	Review *Review `json:"review,omitempty"`
	// Decisions are the newest ones that anybody has sent, oldest first.
	Decisions []DecisionRecord `json:"decisions,omitempty"`
	// TakenUp are the decisions with an id that were taken up, which count once.
	TakenUp []takenUp `json:"taken_up,omitempty"`
	// Closed is the decision by which the settlement ends as it stands.
	Closed *DecisionRecord `json:"closed,omitempty"`
}

// Turn is what is known of the bid in turn.
type Turn struct {
	// Stage is what the next pass does, Passes how many waits there were in a row.
	Stage  stage  `json:"stage"`
	Passes int    `json:"passes,omitempty"`
	Clocks clocks `json:"clocks,omitzero"`
	// Renewal is the hold that PayPal renewed the bid's own as, if it was asked.
	Renewal renewal `json:"renewal,omitzero"`
	// OrderID is the order of the bid's hold, once PayPal has named it.
	OrderID string `json:"order_id,omitempty"`
	// CaptureID is the capture that is known at PayPal. Answered: it was answered
	// to us, rather than found there.
	CaptureID string `json:"capture_id,omitempty"`
	Answered  bool   `json:"answered,omitempty"`
	// Duplicate: PayPal has said that the lot's invoice was captured before, so
	// that somebody may have been charged. Only a person passes this bid over.
	Duplicate bool `json:"duplicate,omitempty"`
	// Taken are the captures that PayPal showed last on the hold.
	Taken []activities.SeenCapture `json:"taken,omitempty"`
	// Problem is PayPal's last answer that was not what was asked for.
	Problem *activities.Problem `json:"problem,omitempty"`
	// Expiry is when the hold ends, once PayPal has said so.
	Expiry expiry `json:"expiry,omitzero"`
}

// renewal is what has become of renewing the hold of the bid in turn.
type renewal struct {
	ID string `json:"id,omitempty"`
	// Over: it is not asked for (any more), because it was, or because a capture
	// of the original was sent.
	Over bool `json:"over,omitempty"`
}

func newProgress(holds int) Progress {
	p := Progress{State: StateCapturing, Turn: Turn{Stage: stageCapture}, Holds: make([]HoldOutcome, holds)}
	for i := range p.Holds {
		p.Holds[i] = HoldOpen
	}
	return p
}

package workflows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
	"gavel/paypalclient"
)

// carryOut does what a person decided, after a look at what PayPal shows. It
// returns why it cannot be done, in which case the settlement stays in review.
func (s *settlement) carryOut(d Decision) (refused string, err error) {
	switch d.Action {
	case ActionRetry:
		return "", s.retry()
	case ActionAdopt:
		return s.adopt(d.CaptureID)
	case ActionNextBidder:
		return s.passOverBy()
	case ActionReleaseAll:
		return s.releaseAll()
	default:
		return "", s.close(d)
	}
}

// passOverBy passes the bid in turn over. Where the lot was cancelled meanwhile
// it ends by that.
func (s *settlement) passOverBy() (refused string, err error) {
	if refused, err = s.proveReleased(); refused != "" || err != nil {
		return refused, err
	}
	s.Review = nil
	if s.cancelled() {
		s.CalledOff = true
		s.enter(StateReleasing, "")
	} else {
		s.nextTurn(s.Rank + 1)
	}
	return "", nil
}

// retry starts the phase afresh that the review came up in. What it does first
// is to read the truth.
func (s *settlement) retry() error {
	s.Review = nil
	if s.Winner != nil || s.CalledOff || s.Rank >= len(s.lot.Bids) {
		for _, place := range s.capturedLosers() {
			s.Holds[place] = HoldOpen
		}
		s.Releasing.Tried, s.Releasing.Passes = 0, 0
		s.enter(StateReleasing, "")
		return nil
	}
	if s.Turn.Stage == stageRenew {
		s.Turn.Renewal.Over = true // renewing is best effort: the original may still be captured
	}
	s.Turn.Stage, s.Turn.Passes, s.Turn.Clocks, s.Turn.Problem = stageCapture, 0, clocks{}, nil
	s.enter(StateCapturing, "")
	return nil
}

// adopt takes a capture as the lot's, where PayPal shows it completed on one of
// the lot's holds.
func (s *settlement) adopt(captureID string) (refused string, err error) {
	found, err := s.readCapture(captureID)
	if err != nil {
		return "", err
	}
	switch {
	case found.Capture == nil:
		return fmt.Sprintf("PayPal does not show capture %s: %s", captureID, found.Problem), nil
	case paypalclient.CaptureStatus(found.Capture.Status) != paypalclient.CaptureStatusCompleted:
		return fmt.Sprintf("PayPal shows capture %s as %s, not as completed", captureID, found.Capture.Status), nil
	}
	place, ok := s.holdOf(*found.Capture)
	if !ok {
		return fmt.Sprintf("capture %s is on none of the lot's holds: PayPal shows it on hold %s of order %s",
			captureID, found.Capture.AuthorizationID, found.Capture.OrderID), nil
	}
	winner := Winner{CaptureID: found.Capture.ID, Amount: found.Capture.Amount, Adopted: true}
	if place < len(s.lot.Bids) {
		winner.BidderID = s.lot.Bids[place].BidderID
	}
	s.Review = nil
	s.paidBy(winner, place)
	return "", nil
}

// holdOf is the place of the hold that a capture was made on: its own, the one
// whose renewal it was made on, or the only one of its order.
func (s *settlement) holdOf(c activities.SeenCapture) (place int, found bool) {
	holds := s.lot.holds()
	exact := func(h Hold) bool { return h.AuthorizationID == c.AuthorizationID }
	if place := slices.IndexFunc(holds, exact); place >= 0 {
		return place, true
	}
	if c.AuthorizationID != "" && c.AuthorizationID == s.Turn.Renewal.ID {
		return s.Rank, true
	}
	var ofOrder []int
	for i, hold := range holds {
		order := hold.OrderID
		if i == s.Rank {
			order = cmp.Or(s.Turn.OrderID, order)
		}
		if order != "" && order == c.OrderID {
			ofOrder = append(ofOrder, i)
		}
	}
	if len(ofOrder) != 1 {
		return 0, false
	}
	return ofOrder[0], true
}

// proveReleased voids the hold of the bid in turn and proves it closed, unless
// PayPal shows money taken on it.
func (s *settlement) proveReleased() (refused string, err error) {
	truth, _, err := s.readTruth()
	if err != nil {
		return "", err
	}
	hold := s.bid().Hold.AuthorizationID
	switch truth.Standing {
	case activities.StandingCaptured, activities.StandingPending, activities.StandingDifferent, activities.StandingRefunded:
		return fmt.Sprintf("PayPal shows a capture on hold %s (%s)", hold, truth.Standing), nil
	case activities.StandingClosed:
		if s.Holds[s.Rank] == HoldOpen {
			s.Holds[s.Rank] = HoldGone
		}
		return "", nil
	}
	if !truth.Standing.Readable() {
		return fmt.Sprintf("hold %s cannot be proved released: %s", hold, s.why(observation{truth: truth.Standing})), nil
	}
	seen, err := s.fence()
	if err != nil {
		return "", err
	}
	if seen.truth != activities.StandingClosed {
		return fmt.Sprintf("hold %s cannot be proved released: %s", hold, s.why(seen)), nil
	}
	if s.Holds[s.Rank] == HoldOpen {
		s.Holds[s.Rank] = HoldReleased
	}
	return "", nil
}

// unsentWords are for people; what is not among them is said as it is.
var unsentWords = map[activities.AnswerKind]string{
	activities.AnswerPaused:           "the kill switch is on",
	activities.AnswerSwitchUnreadable: "the kill switch cannot be read",
	activities.AnswerRateLimited:      "PayPal's rate limit is reached",
	activities.AnswerNoToken:          "PayPal gives no access token",
}

// why says in a few words what a fence brought back instead of a proof.
func (s *settlement) why(seen observation) string {
	words := []string{"PayPal shows it " + string(seen.truth)}
	if seen.answer != activities.AnswerNone {
		words = append(words, "the void was not sent: "+cmp.Or(unsentWords[seen.answer], string(seen.answer)))
	}
	if s.Turn.Problem != nil {
		words = append(words, s.Turn.Problem.String())
	}
	return strings.Join(words, ", ")
}

// releaseAll gives every hold back, unless PayPal shows money taken on one of
// them. The hold of the bid in turn, which may be in doubt, is proved released.
func (s *settlement) releaseAll() (refused string, err error) {
	taken, err := s.readHolds(s.otherIntents(-1))
	switch {
	case err != nil:
		return "", err
	case len(taken) > 0:
		return "PayPal shows money taken, or cannot say, on " + takenOn(taken), nil
	}
	refused, err = s.proveReleased()
	if refused == "" && err == nil {
		s.Review = nil
		s.nextTurn(len(s.lot.Bids))
	}
	return refused, err
}

// close ends the settlement as it stands. Whose money is still held is for
// whoever closed it to know.
func (s *settlement) close(d Decision) error {
	open := s.stillHeld()
	message := fmt.Sprintf("closed as it stands by %s: %s; no hold is open", d.By, d.Reason)
	if len(open) > 0 {
		message = fmt.Sprintf("closed as it stands by %s: %s; %d holds stay open: %s", d.By, d.Reason, len(open), some(open))
	}
	if err := s.alert(activities.AlertError, message); err != nil {
		return err
	}
	s.Review = nil
	s.Closed = &DecisionRecord{Decision: d.bounded(), At: workflow.Now(s.ctx)}
	return nil
}

// stillHeld are the holds that nobody has given back.
func (s *settlement) stillHeld() []string {
	var open []string
	for place, hold := range s.lot.holds() {
		if s.Holds[place] == HoldOpen {
			open = append(open, hold.AuthorizationID)
		}
	}
	return open
}

// some of these words, as many as a line can carry.
func some(words []string) string {
	const most = 100
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
}

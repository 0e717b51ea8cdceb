package workflows

import (
	"slices"
	"time"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// releaseBatch is how many holds one activity releases. At PayPal's usual
// speed a batch takes about a minute, and a lot of 5,000 bids twenty batches.
const releaseBatch = 250

// releasing is how far the release phase is.
type releasing struct {
	// Passes is how many waits it has had in a row.
	Passes int `json:"passes,omitempty"`
	// Tried is how long holds have been tried that are not released yet. Time
	// in which PayPal turned everything away does not count.
	Tried Duration `json:"tried,omitempty"`
	// Captured: PayPal says that money was taken on a hold that was to be released.
	Captured bool `json:"captured,omitempty"`
}

// release gives back every hold that is still open. Holds that cannot be given
// back in time go on in workflows of their own, so that the lot can end.
func (s *settlement) release() error {
	s.Problem = nil
	s.enter(StateReleasing, "")
	for {
		left, err := s.releaseOpenHolds()
		if err != nil {
			return err
		}
		if len(left) == 0 {
			break
		}
		if s.triedLongEnough() {
			if err := s.orphan(); err != nil {
				return err
			}
			break
		}
		if err := s.waitForRelease(left); err != nil {
			return err
		}
	}
	if s.Releasing.Captured {
		return s.review(ReasonLoserCaptured)
	}
	return nil
}

// releaseOpenHolds makes one pass over the open holds, a batch an activity, and
// returns those that it tried and that are left. Only the time of a batch that
// leaves holds behind, and was not turned away, counts as tried.
func (s *settlement) releaseOpenHolds() ([]activities.NotReleased, error) {
	var left []activities.NotReleased
	for batch := range slices.Chunk(s.openPlaces(), releaseBatch) {
		began := workflow.Now(s.ctx)
		others, err := s.releaseBatch(batch)
		if err != nil {
			return nil, err
		}
		left = append(left, others...)
		if len(others) > 0 && turnedAway(others) == "" {
			s.Releasing.Tried += Duration(workflow.Now(s.ctx).Sub(began))
			if s.triedLongEnough() {
				break
			}
		}
	}
	return left, nil
}

func (s *settlement) triedLongEnough() bool { return s.Releasing.Tried >= s.policy.ReleaseBounded }

// releaseBatch releases the holds at these places and returns those that are
// still to be released.
func (s *settlement) releaseBatch(places []int) ([]activities.NotReleased, error) {
	all := s.allHolds()
	holds := make([]activities.HoldToRelease, len(places))
	for i, place := range places {
		holds[i] = s.holdToRelease(all[place])
	}
	result, err := s.releaseHolds(holds)
	if err != nil {
		return nil, err
	}
	others := map[string]activities.NotReleased{}
	for _, other := range result.Others {
		others[other.AuthorizationID] = other
	}
	var left []activities.NotReleased
	for i, place := range places {
		other, found := others[holds[i].AuthorizationID]
		switch {
		case !found:
			s.Holds[place] = HoldReleased
		case other.Outcome == activities.ReleaseCaptured:
			s.Holds[place] = HoldCaptured
			s.Releasing.Captured = true
		default:
			left = append(left, other)
		}
	}
	return left, nil
}

// waitForRelease waits for the next pass. The pause counts as tried, too, unless
// PayPal turned every hold away.
func (s *settlement) waitForRelease(left []activities.NotReleased) error {
	wait := pause(s.policy, s.Releasing.Passes, stageFence)
	s.Releasing.Passes++
	if reason := turnedAway(left); reason != "" {
		s.enter(StateStalled, reason)
	} else {
		s.enter(StateReleasing, ReasonHoldNotReleased)
		s.Releasing.Tried += Duration(wait)
	}
	s.Problem = left[0].Problem
	summary := summarize("%d holds left to release (%s): next pass", len(left), s.Reason)
	if err := s.waitUntil(workflow.Now(s.ctx).Add(wait), time.Time{}, summary); err != nil {
		return err
	}
	s.enter(StateReleasing, "")
	return nil
}

// turnedAway is why, where every hold that is left was turned away.
func turnedAway(left []activities.NotReleased) Reason {
	reason := Reason("")
	for _, other := range left {
		switch other.TurnedAway() {
		case activities.AnswerNoToken:
			reason = ReasonAuthUnavailable
		case activities.AnswerRateLimited:
			reason = ReasonRateLimited
		default:
			return ""
		}
	}
	return reason
}

// openPlaces are the places of the holds that nobody has touched yet.
func (s *settlement) openPlaces() []int {
	var places []int
	for place, outcome := range s.Holds {
		if outcome == HoldOpen {
			places = append(places, place)
		}
	}
	return places
}

// allHolds are the lot's holds in the order of Progress.Holds.
func (s *settlement) allHolds() []Hold {
	all := make([]Hold, 0, len(s.Holds))
	for _, b := range s.lot.Bids {
		all = append(all, b.Hold)
	}
	return append(all, s.lot.Release...)
}

func (s *settlement) holdToRelease(h Hold) activities.HoldToRelease {
	return activities.HoldToRelease{
		AuthorizationID: h.AuthorizationID,
		RequestID:       requestID(operationVoid, s.lot.AuctionID, s.lot.LotID, h.AuthorizationID, ""),
	}
}

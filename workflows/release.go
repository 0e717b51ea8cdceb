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
	// Begun: the phase was entered, in this run or an earlier one.
	Begun bool `json:"begun,omitempty"`
	// Passes is how many waits it has had in a row.
	Passes int `json:"passes,omitempty"`
	// Tried is how long holds have been tried that PayPal did not give back.
	// Time in which it turned everything away does not count.
	Tried Duration `json:"tried,omitempty"`
	// Orphans are the places of the holds whose own workflows are still to be started.
	Orphans []int `json:"orphans,omitempty"`
}

// leftOver is a hold that a pass could not release.
type leftOver struct {
	place int
	activities.NotReleased
}

func (l leftOver) failed() bool { return l.Outcome == activities.ReleaseFailed }

// release gives back every hold that is still open. Those that PayPal does not
// give back in time go on in workflows of their own, so that the lot can end.
func (s *settlement) release() error {
	if !s.Releasing.Begun {
		s.Releasing.Begun, s.Turn.Problem = true, nil
		s.enter(StateReleasing, "")
	}
	for {
		if err := s.startOrphans(); err != nil {
			return err
		}
		left, err := s.releaseOpenHolds()
		if err != nil {
			return err
		}
		if s.Releasing.Tried >= s.policy.ReleaseBounded {
			left = s.orphan(left)
		}
		switch {
		case len(left) > 0:
			if err := s.waitForRelease(left); err != nil {
				return err
			}
		case len(s.Releasing.Orphans) == 0:
			return s.lookAtCaptured()
		}
	}
}

// lookAtCaptured ends the phase, unless money was taken on a hold that was to be
// released. That PayPal calls a hold captured is no proof: where every capture
// on it was declined or failed, nobody was charged.
func (s *settlement) lookAtCaptured() error {
	var charged []activities.SeenHold
	places := s.capturedLosers()
	for batch := range slices.Chunk(places, releaseBatch) {
		intents := make([]activities.Intent, len(batch))
		for i, place := range batch {
			intents[i] = s.intentAt(place)
		}
		seen, err := readHolds(s.ctx, activities.ReadHoldsInput{Intents: intents, Parallel: s.policy.ReleaseParallel})
		if err != nil {
			return err
		}
		for i, place := range batch {
			if slices.Contains(seen.Closed, intents[i].AuthorizationID) {
				s.Holds[place] = HoldGone
			}
		}
		charged = append(charged, seen.Others...)
	}
	if len(s.capturedLosers()) > 0 {
		return s.needsPersonForLosers(charged[:min(len(charged), maxKnownHolds)], len(places))
	}
	s.released = true
	return nil
}

// capturedLosers are the places of the holds that PayPal would not void because
// they are captured.
func (s *settlement) capturedLosers() []int {
	var places []int
	for place, outcome := range s.Holds {
		if outcome == HoldCaptured && (s.Winner == nil || place != s.Paid) {
			places = append(places, place)
		}
	}
	return places
}

// releaseOpenHolds makes one pass over the open holds, a batch an activity, and
// returns those that it could not release. Once PayPal turns a void away the
// pass ends: what is left of it has its turn in the next.
func (s *settlement) releaseOpenHolds() ([]leftOver, error) {
	var left []leftOver
	for batch := range slices.Chunk(s.openPlaces(), releaseBatch) {
		others, took, err := s.releaseBatch(batch)
		if err != nil {
			return nil, err
		}
		left = append(left, others...)
		if state, _ := releaseWait(others); len(others) > 0 && state == StateReleasing {
			s.Releasing.Tried += took
		}
		if slices.ContainsFunc(others, func(l leftOver) bool { return l.Outcome == activities.ReleaseStalled }) {
			break
		}
	}
	return left, nil
}

// releaseBatch releases the holds at these places and returns those that are
// still to be released, and how long PayPal was asked.
func (s *settlement) releaseBatch(places []int) ([]leftOver, Duration, error) {
	all := s.lot.holds()
	holds := make([]activities.HoldToRelease, len(places))
	for i, place := range places {
		holds[i] = s.holdToRelease(all[place])
	}
	result, err := s.releaseHolds(holds, false)
	if err != nil {
		return nil, 0, err
	}
	others := map[string]activities.NotReleased{}
	for _, other := range result.Others {
		others[other.AuthorizationID] = other
	}
	var left []leftOver
	for i, place := range places {
		other, found := others[holds[i].AuthorizationID]
		switch {
		case !found:
			s.Holds[place] = HoldReleased
		case other.Outcome == activities.ReleaseCaptured:
			s.Holds[place] = HoldCaptured
		default:
			left = append(left, leftOver{place, other})
		}
	}
	return left, result.Took, nil
}

// waitForRelease waits for the next pass. The pause counts as tried where holds
// were refused, not where anything was turned away.
func (s *settlement) waitForRelease(left []leftOver) error {
	wait := pause(s.policy, s.Releasing.Passes, StateReleasing)
	s.Releasing.Passes++
	state, reason := releaseWait(left)
	s.enter(state, reason)
	if state == StateReleasing {
		s.Releasing.Tried += Duration(wait)
	}
	s.Turn.Problem = left[0].Problem
	summary := summarize("%d holds left to release (%s): next pass", len(s.openPlaces()), s.Reason)
	return s.waitUntil(workflow.Now(s.ctx).Add(wait), time.Time{}, summary)
}

// releaseWait is the state of a wait for the next pass: why something was turned
// away, if anything was.
func releaseWait(left []leftOver) (State, Reason) {
	waits := map[activities.AnswerKind]step{
		activities.AnswerPaused:           paused(ReasonKillSwitch),
		activities.AnswerSwitchUnreadable: paused(ReasonSwitchUnreadable),
		activities.AnswerNoToken:          stall(ReasonAuthUnavailable),
		activities.AnswerRateLimited:      stall(ReasonRateLimited),
		activities.AnswerUnsent:           stall(ReasonNotSent),
	}
	for _, other := range left {
		if wait, turnedAway := waits[other.TurnedAway()]; turnedAway {
			return wait.state, wait.reason
		}
	}
	return StateReleasing, ReasonHoldNotReleased
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

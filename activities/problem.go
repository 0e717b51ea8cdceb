package activities

import "gavel/paypalclient"

// problemOf keeps of an error what may stand in a history.
func problemOf(err error) *Problem {
	e, ok := paypalclient.AsError(err)
	if !ok {
		return &Problem{Kind: "internal", Outcome: string(paypalclient.OutcomeUnknown)}
	}
	p := &Problem{
		Operation: string(e.Operation),
		Kind:      string(e.Kind),
		Outcome:   string(e.Outcome),
		Status:    e.Status,
		DebugID:   e.DebugID,
		Tries:     e.Tries,
	}
	if len(e.Issues) > 0 {
		p.Issue = e.Issues[0]
	}
	return p
}

// standingOf says what a failed reading leaves a hold's standing at.
func standingOf(err error) Standing {
	e, ok := paypalclient.AsError(err)
	if !ok {
		return StandingUnreadable
	}
	switch e.Kind {
	case paypalclient.KindNotFound:
		return StandingNotFound
	case paypalclient.KindRateLimited:
		return StandingRateLimited
	case paypalclient.KindAuthExpired, paypalclient.KindAuthFailed, paypalclient.KindAuthUnavailable:
		return StandingNoToken
	default:
		return StandingUnreadable
	}
}

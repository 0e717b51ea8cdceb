package activities

import (
	"slices"

	"gavel/paypalclient"
)

// reading is what PayPal showed, before it is judged.
type reading struct {
	hold paypalclient.Authorization
	// charged is the hold that would be captured: the renewal, where the intent
	// names one.
	charged  paypalclient.Authorization
	renewals []paypalclient.Authorization
	captures []SeenCapture
	// listed: the hold's own order was read, so captures are all that there are.
	listed bool
}

// family are the ids of the hold and its renewals: money taken on one of them
// is taken from the same bidder.
func (r reading) family() []string {
	ids := []string{r.hold.ID}
	for _, renewal := range r.renewals {
		ids = append(ids, renewal.ID)
	}
	return ids
}

// over tells whether neither the hold nor a renewal of it can be captured.
func (r reading) over() bool {
	return !slices.ContainsFunc(append(slices.Clone(r.renewals), r.hold), func(a paypalclient.Authorization) bool {
		switch a.Status {
		case paypalclient.AuthorizationStatusDenied, paypalclient.AuthorizationStatusVoided, paypalclient.AuthorizationStatusCaptured:
			return false
		default:
			return true
		}
	})
}

// judge says how a hold stands for an intent. A hold's own status is never
// proof by itself: VOIDED can hide a partial capture and CAPTURED a short or a
// declined one, so the listed captures are looked at first.
func judge(intent Intent, r reading) Standing {
	var taken []SeenCapture
	declined := false
	for _, c := range r.captures {
		switch status := paypalclient.CaptureStatus(c.Status); {
		case c.TookMoney():
			taken = append(taken, c)
		case status == paypalclient.CaptureStatusDeclined, status == paypalclient.CaptureStatusFailed:
			declined = declined || c.Ours
		default:
			return StandingUnclear
		}
	}
	switch {
	case len(taken) > 1:
		return StandingDifferent
	case len(taken) == 1:
		return judgeTaken(taken[0])
	default:
		return judgeUntaken(intent, r, declined)
	}
}

// judgeTaken judges the one capture that took money.
func judgeTaken(c SeenCapture) Standing {
	if !c.Ours {
		return StandingDifferent
	}
	switch paypalclient.CaptureStatus(c.Status) {
	case paypalclient.CaptureStatusCompleted:
		return StandingCaptured
	case paypalclient.CaptureStatusPending:
		return StandingPending
	default:
		return StandingRefunded
	}
}

// judgeUntaken judges a hold on which no listed capture took money.
func judgeUntaken(intent Intent, r reading, declined bool) Standing {
	switch r.charged.Status {
	case paypalclient.AuthorizationStatusDenied, paypalclient.AuthorizationStatusVoided:
		if !r.listed || !r.over() {
			return StandingUnclear
		}
		return StandingClosed
	case paypalclient.AuthorizationStatusCaptured:
		switch listed := slices.ContainsFunc(r.captures, func(c SeenCapture) bool { return c.on(r.family()) }); {
		case !r.listed || !listed:
			return StandingCapturedUnseen
		case !r.over():
			return StandingUnclear
		default:
			return StandingClosed
		}
	case paypalclient.AuthorizationStatusPending:
		return StandingHoldPending
	case paypalclient.AuthorizationStatusCreated:
		switch {
		case declined:
			return StandingDeclined
		case r.charged.Amount.Currency != intent.Amount.Currency, r.charged.Amount.Minor < intent.Amount.Minor:
			return StandingShort
		default:
			return StandingOpen
		}
	default:
		return StandingUnclear
	}
}

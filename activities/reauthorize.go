package activities

import (
	"context"
	"time"

	"gavel/paypalclient"
)

// reauthorizeAPI is what renewing a hold needs of PayPal.
type reauthorizeAPI interface {
	truthAPI
	ReauthorizeAuthorization(ctx context.Context, req paypalclient.ReauthorizeRequest) (paypalclient.Authorization, error)
}

// Reauthorizer has the Reauthorize activity.
type Reauthorizer struct {
	PayPal reauthorizeAPI
	Switch Switch
}

// ReauthorizeInput is a hold to renew. The intent's RequestID is that of the
// renewal, its amount what the renewal shall hold.
type ReauthorizeInput struct {
	Intent Intent `json:"intent"`
	// CaptureID is a capture that is already known; empty where none is.
	CaptureID string `json:"capture_id,omitempty"`
	// ClockFrom is since when the unknown clock runs; zero where none does.
	ClockFrom time.Time `json:"clock_from,omitzero"`
}

// ReauthorizeResult is the truth before the call, and what became of it.
type ReauthorizeResult struct {
	Truth  Truth  `json:"truth"`
	Answer Answer `json:"answer,omitzero"`
	// RenewedID is the new hold, where Answer.Kind is AnswerRenewed.
	RenewedID string     `json:"renewed_id,omitempty"`
	Switch    SwitchSeen `json:"switch,omitzero"`
}

// Reauthorize reads the truth and renews a hold that it shows open. The renewal
// has an id and an honor period of its own, and ends when the original does
// (PayPal, "authorization and honor period").
func (r *Reauthorizer) Reauthorize(ctx context.Context, in ReauthorizeInput) (ReauthorizeResult, error) {
	ctx, end := working(ctx)
	defer end()
	result := ReauthorizeResult{Truth: readTruth(ctx, r.PayPal, in.Intent, in.CaptureID)}
	if result.Truth.Standing == StandingOpen {
		renewed, err := r.PayPal.ReauthorizeAuthorization(ctx, paypalclient.ReauthorizeRequest{
			AuthorizationID: in.Intent.AuthorizationID,
			RequestID:       in.Intent.RequestID,
			Amount:          in.Intent.Amount,
		})
		result.Answer, result.RenewedID = renewalAnswer(renewed, err)
	}
	result.Switch = lookAtSwitch(ctx, r.Switch, in.ClockFrom)
	return result, nil
}

// renewalAnswer: a definite refusal is about the renewal alone. Whether the hold
// still stands is what the truth before the capture shows.
func renewalAnswer(renewed paypalclient.Authorization, err error) (Answer, string) {
	if err == nil {
		return Answer{Kind: AnswerRenewed}, renewed.ID
	}
	answer := Answer{Kind: AnswerUnknown, Problem: problemOf(err)}
	e, ok := paypalclient.AsError(err)
	switch {
	case !ok:
	case notSent(e) != AnswerNone:
		answer.Kind = notSent(e)
	case e.Outcome == paypalclient.OutcomeDefinite:
		answer.Kind = AnswerNotRenewed
	}
	return answer, ""
}

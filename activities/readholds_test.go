package activities

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/paypalclient"
)

func TestReadHoldsTellsWhereMoneyWasTaken(t *testing.T) {
	paypal := openHold()
	paypal.renewed = paypalclient.Authorization{ID: "HOLD2", Status: paypalclient.AuthorizationStatusVoided, Amount: usd40, OrderID: "ORDER1"}
	paypal.order.Captures = []paypalclient.Capture{
		captureOf(usd120, paypalclient.CaptureStatusDeclined), captureOf(usd120, paypalclient.CaptureStatusCompleted),
	}
	others := testIntent
	others.AuthorizationID, others.BidderID = "HOLD2", "ben"
	result := run[ReadHoldsInput, ReadHoldsResult](t, paypal, ReadHoldsName, ReadHoldsInput{Intents: []Intent{testIntent, others}, Parallel: 3})

	assert.Zero(t, result.Untouched)
	require.Len(t, result.Others, 2)
	assert.Equal(t, StandingCaptured, result.Others[0].Standing)
	assert.Equal(t, "ana", result.Others[0].BidderID)
	require.Len(t, result.Others[0].Captures, 1, "only what took money")
	assert.Equal(t, "CAP1", result.Others[0].Captures[0].ID)
	assert.Equal(t, StandingDifferent, result.Others[1].Standing, "money on another hold of the order is a person's matter")
	assert.Empty(t, paypal.sent)
}

func TestReadHoldsCountsWhatIsUntouched(t *testing.T) {
	for status, untouched := range map[paypalclient.AuthorizationStatus]bool{
		paypalclient.AuthorizationStatusCreated:           true,
		paypalclient.AuthorizationStatusPending:           true,
		paypalclient.AuthorizationStatusVoided:            true,
		paypalclient.AuthorizationStatusDenied:            true,
		paypalclient.AuthorizationStatusCaptured:          false,
		paypalclient.AuthorizationStatusPartiallyCaptured: false,
		paypalclient.AuthorizationStatusUnknown:           false,
	} {
		paypal := openHold()
		paypal.hold.Status = status
		result := run[ReadHoldsInput, ReadHoldsResult](t, paypal, ReadHoldsName, ReadHoldsInput{Intents: []Intent{testIntent}})
		assert.Equal(t, untouched, result.Untouched == 1, status)
		assert.Equal(t, untouched, len(result.Others) == 0, status)
		over := status == paypalclient.AuthorizationStatusVoided || status == paypalclient.AuthorizationStatusDenied
		assert.Equal(t, over, slices.Equal(result.Closed, []string{testIntent.AuthorizationID}), status)
	}
	paypal := openHold()
	paypal.holdErr = failure(paypalclient.KindNotFound, paypalclient.OutcomeDefinite)
	result := run[ReadHoldsInput, ReadHoldsResult](t, paypal, ReadHoldsName, ReadHoldsInput{Intents: []Intent{testIntent}})
	assert.Equal(t, StandingNotFound, result.Others[0].Standing)
	assert.NotNil(t, result.Others[0].Problem)
}

func TestReadCapture(t *testing.T) {
	paypal := openHold()
	own := captureOf(usd120, paypalclient.CaptureStatusCompleted)
	own.OrderID = "ORDER1"
	paypal.detail = map[string]paypalclient.Capture{"CAP1": own}
	found := run[ReadCaptureInput, ReadCaptureResult](t, paypal, ReadCaptureName, ReadCaptureInput{CaptureID: "CAP1"})
	assert.Equal(t, &SeenCapture{
		ID: "CAP1", Status: "COMPLETED", Amount: usd120, InvoiceID: testIntent.InvoiceID, AuthorizationID: "HOLD1", OrderID: "ORDER1",
	}, found.Capture)

	missing := run[ReadCaptureInput, ReadCaptureResult](t, paypal, ReadCaptureName, ReadCaptureInput{CaptureID: "CAP2"})
	assert.Nil(t, missing.Capture)
	assert.Equal(t, "not_found", missing.Problem.Kind)
}

type raised []Alert

func (r *raised) Raise(_ context.Context, alert Alert) error {
	*r = append(*r, alert)
	return nil
}

func TestAlertTellsOperators(t *testing.T) {
	var told raised
	alert := Alert{Level: AlertCritical, WorkflowID: "settlement/spring/17", Reason: "loser_captured", Message: "look"}
	require.NoError(t, (&Alerter{Alerts: &told}).Alert(context.Background(), alert))
	assert.Equal(t, raised{alert}, told)
}

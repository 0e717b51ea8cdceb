package activities

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"gavel/paypalclient"
)

func readTruthOf(t *testing.T, paypal PayPal, intent Intent, captureID string) Truth {
	t.Helper()
	return run[ReadTruthInput, ReadTruthResult](t, paypal, ReadTruthName, ReadTruthInput{Intent: intent, CaptureID: captureID}).Truth
}

// "Proved closed" opens the way to the next bidder, so only what PayPal itself
// ties to the hold is proof.
func TestWhatProvesNothing(t *testing.T) {
	declined := captureOf(usd120, paypalclient.CaptureStatusDeclined)
	siblings := declined
	siblings.AuthorizationID = "HOLD2"
	for name, change := range map[string]func(*scriptedPayPal, *Intent){
		"another order's declined capture": func(p *scriptedPayPal, _ *Intent) {
			p.hold.Status, p.hold.OrderID = paypalclient.AuthorizationStatusCaptured, ""
			p.order.Authorizations = []paypalclient.Authorization{{ID: "HOLD2"}}
			p.order.Captures = []paypalclient.Capture{siblings}
		},
		"a declined capture of another hold of the order": func(p *scriptedPayPal, _ *Intent) {
			p.hold.Status = paypalclient.AuthorizationStatusCaptured
			p.order.Captures = []paypalclient.Capture{siblings}
		},
		"our declined capture, and no order that would list another": func(p *scriptedPayPal, intent *Intent) {
			p.hold.Status, p.hold.OrderID = paypalclient.AuthorizationStatusCaptured, ""
			p.detail = map[string]paypalclient.Capture{"CAP1": declined}
			intent.OrderID = ""
		},
		"voided, and nothing ties the order to the hold": func(p *scriptedPayPal, _ *Intent) {
			p.hold.Status, p.hold.OrderID = paypalclient.AuthorizationStatusVoided, ""
		},
		"denied, and no order": func(p *scriptedPayPal, intent *Intent) {
			p.hold.Status, p.hold.OrderID = paypalclient.AuthorizationStatusDenied, ""
			intent.OrderID = ""
		},
	} {
		t.Run(name, func(t *testing.T) {
			paypal, intent := openHold(), testIntent
			change(paypal, &intent)
			captureID := ""
			if paypal.detail != nil {
				captureID = "CAP1"
			}
			assert.NotEqual(t, StandingClosed, readTruthOf(t, paypal, intent, captureID).Standing)
		})
	}
}

func TestAnotherHoldsCaptureIsNotAdopted(t *testing.T) {
	paypal := openHold()
	foreign := captureOf(usd120, paypalclient.CaptureStatusCompleted)
	foreign.AuthorizationID = "HOLD2"
	paypal.order.Captures = []paypalclient.Capture{foreign}
	assert.Equal(t, StandingDifferent, readTruthOf(t, paypal, testIntent, "").Standing)
}

// lateHold answers the hold only after the order was read, and takes money on
// it in between.
type lateHold struct {
	*scriptedPayPal
	orderRead chan struct{}
	status    paypalclient.AuthorizationStatus
}

func (l *lateHold) GetOrder(ctx context.Context, id string) (paypalclient.Order, error) {
	order, err := l.scriptedPayPal.GetOrder(ctx, id)
	select {
	case <-l.orderRead:
	default:
		close(l.orderRead)
	}
	return order, err
}

func (l *lateHold) GetAuthorization(ctx context.Context, id string) (paypalclient.Authorization, error) {
	<-l.orderRead
	hold, err := l.scriptedPayPal.GetAuthorization(ctx, id)
	hold.Status = l.status
	l.order.Captures = append(l.order.Captures, captureOf(usd120, paypalclient.CaptureStatusCompleted))
	return hold, err
}

func TestMoneyTakenBetweenTheTwoReadingsIsSeen(t *testing.T) {
	for _, status := range []paypalclient.AuthorizationStatus{paypalclient.AuthorizationStatusVoided, paypalclient.AuthorizationStatusCaptured} {
		t.Run(string(status), func(t *testing.T) {
			paypal := openHold()
			declined := captureOf(usd120, paypalclient.CaptureStatusDeclined)
			declined.ID = "CAP0"
			paypal.order.Captures = []paypalclient.Capture{declined}
			late := &lateHold{scriptedPayPal: paypal, orderRead: make(chan struct{}), status: status}
			truth := readTruthOf(t, late, testIntent, "")
			assert.Equal(t, StandingCaptured, truth.Standing)
			assert.Equal(t, "CAP1", truth.OwnCapture().ID)
		})
	}
}

func TestAnAuthorizationOfUnknownAgeMayBeARenewal(t *testing.T) {
	paypal := openHold()
	paypal.hold.Status, paypal.hold.CreateTime = paypalclient.AuthorizationStatusVoided, authorized
	paypal.order.Authorizations = []paypalclient.Authorization{paypal.hold, {ID: "RENEWED", Status: paypalclient.AuthorizationStatusCreated}}
	assert.Equal(t, StandingUnclear, readTruthOf(t, paypal, testIntent, "").Standing)
}

func TestAnAnswerThatDoesNotRepeatTheInvoiceIsOurs(t *testing.T) {
	bare := captureOf(usd120, paypalclient.CaptureStatusPending)
	bare.InvoiceID = ""
	answer := answerOf(testIntent, bare, nil)
	assert.Equal(t, AnswerPending, answer.Kind)
	assert.True(t, answer.Capture.Ours)

	paypal := openHold()
	paypal.hold.Status = paypalclient.AuthorizationStatusCaptured
	paypal.order.Captures = []paypalclient.Capture{bare}
	paypal.detail = map[string]paypalclient.Capture{"CAP1": bare}
	assert.Equal(t, StandingPending, readTruthOf(t, paypal, testIntent, "CAP1").Standing, "and stays ours when it is looked at again")
	assert.Equal(t, StandingDifferent, readTruthOf(t, paypal, testIntent, "").Standing, "where it is not known, it is not")
}

func TestAVoidThatWasNeverSentIsUntried(t *testing.T) {
	for _, kind := range []paypalclient.Kind{paypalclient.KindDeadline, paypalclient.KindCancelled} {
		assert.Equal(t, ReleaseUntried, releaseOf(failure(kind, paypalclient.OutcomeNotRun)).Outcome, kind)
		assert.Equal(t, ReleaseFailed, releaseOf(failure(kind, paypalclient.OutcomeUnknown)).Outcome, kind)
	}
}

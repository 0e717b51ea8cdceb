package activities

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"gavel/paypalclient"
)

// run executes an activity as a worker would, through Temporal's test environment.
func run[In, Out any](t *testing.T, paypal PayPal, name string, in In) Out {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	Register(env, Dependencies{PayPal: paypal, Switch: fixedSwitch{}})
	value, err := env.ExecuteActivity(name, in)
	require.NoError(t, err)
	var out Out
	require.NoError(t, value.Get(&out))
	return out
}

func capture(t *testing.T, paypal *scriptedPayPal, intent Intent) CaptureResult {
	t.Helper()
	return run[CaptureInput, CaptureResult](t, paypal, CaptureName, CaptureInput{Intent: intent})
}

func TestCaptureReadsTheTruthFirst(t *testing.T) {
	paypal := openHold()
	paypal.capture = captureOf(usd120, paypalclient.CaptureStatusCompleted)
	result := capture(t, paypal, testIntent)

	assert.Equal(t, StandingOpen, result.Truth.Standing)
	assert.Equal(t, AnswerCaptured, result.Answer.Kind)
	assert.ElementsMatch(t, []string{"get hold HOLD1", "get order ORDER1", "capture HOLD1"}, paypal.calls)
	assert.Equal(t, "capture HOLD1", paypal.calls[2])
	assert.Equal(t, []paypalclient.CaptureAuthorizationRequest{{
		AuthorizationID: "HOLD1", RequestID: testIntent.RequestID, InvoiceID: testIntent.InvoiceID, Amount: usd120,
	}}, paypal.sent)
}

func TestCaptureFindsTheOrderByTheHold(t *testing.T) {
	paypal := openHold()
	paypal.capture = captureOf(usd120, paypalclient.CaptureStatusCompleted)
	intent := testIntent
	intent.OrderID = ""
	assert.Equal(t, AnswerCaptured, capture(t, paypal, intent).Answer.Kind)
	assert.Equal(t, []string{"get hold HOLD1", "get order ORDER1", "capture HOLD1"}, paypal.calls)
}

func TestCaptureIsSentOnlyToAnOpenHold(t *testing.T) {
	own := captureOf(usd120, paypalclient.CaptureStatusCompleted)
	for name, c := range map[string]struct {
		change func(*scriptedPayPal)
		want   Standing
		sent   bool
	}{
		"open":               {func(*scriptedPayPal) {}, StandingOpen, true},
		"captured as wanted": {func(p *scriptedPayPal) { p.order.Captures = []paypalclient.Capture{own} }, StandingCaptured, false},
		"captured, unseen":   {func(p *scriptedPayPal) { p.hold.Status = paypalclient.AuthorizationStatusCaptured }, StandingCapturedUnseen, true},
		"own capture declined": {func(p *scriptedPayPal) {
			p.order.Captures = []paypalclient.Capture{captureOf(usd120, paypalclient.CaptureStatusDeclined)}
		}, StandingDeclined, false},
		"voided":          {func(p *scriptedPayPal) { p.hold.Status = paypalclient.AuthorizationStatusVoided }, StandingClosed, false},
		"under review":    {func(p *scriptedPayPal) { p.hold.Status = paypalclient.AuthorizationStatusPending }, StandingHoldPending, false},
		"too small":       {func(p *scriptedPayPal) { p.hold.Amount = usd40 }, StandingShort, false},
		"hold not found":  {func(p *scriptedPayPal) { p.holdErr = failure(paypalclient.KindNotFound, paypalclient.OutcomeDefinite) }, StandingNotFound, false},
		"order not found": {func(p *scriptedPayPal) { p.orderErr = failure(paypalclient.KindNotFound, paypalclient.OutcomeDefinite) }, StandingNotFound, false},
		"order unreadable": {func(p *scriptedPayPal) {
			p.orderErr = failure(paypalclient.KindUnreadable, paypalclient.OutcomeUnknown)
		}, StandingUnreadable, false},
		"server error": {func(p *scriptedPayPal) {
			p.holdErr = failure(paypalclient.KindServerError, paypalclient.OutcomeUnknown)
		}, StandingUnreadable, false},
		"rate limited": {func(p *scriptedPayPal) { p.holdErr = failure(paypalclient.KindRateLimited, paypalclient.OutcomeNotRun) }, StandingRateLimited, false},
		"no token": {func(p *scriptedPayPal) {
			p.orderErr = failure(paypalclient.KindAuthUnavailable, paypalclient.OutcomeNotRun)
		}, StandingNoToken, false},
		"token refused": {func(p *scriptedPayPal) {
			p.holdErr = failure(paypalclient.KindAuthFailed, paypalclient.OutcomeDefinite)
		}, StandingNoToken, false},
		"an untyped error": {func(p *scriptedPayPal) { p.holdErr = errors.New("bug") }, StandingUnreadable, false},
	} {
		t.Run(name, func(t *testing.T) {
			paypal := openHold()
			paypal.capture = own
			c.change(paypal)
			result := capture(t, paypal, testIntent)
			assert.Equal(t, c.want, result.Truth.Standing)
			assert.Equal(t, c.sent, slices.Contains(paypal.calls, "capture HOLD1"))
			assert.Equal(t, c.sent, result.Answer.Kind != AnswerNone)
			assert.Equal(t, !c.want.Readable(), result.Truth.Problem != nil, "what is not readable says why")
		})
	}
}

func TestCaptureListedWithoutItsInvoiceIsReadByItself(t *testing.T) {
	paypal := openHold()
	own := captureOf(usd120, paypalclient.CaptureStatusCompleted)
	bare := own
	bare.InvoiceID = ""
	paypal.order.Captures = []paypalclient.Capture{bare}
	paypal.detail = map[string]paypalclient.Capture{"CAP1": own}
	assert.Equal(t, StandingCaptured, capture(t, paypal, testIntent).Truth.Standing)

	paypal.detail["CAP1"] = bare
	assert.Equal(t, StandingDifferent, capture(t, paypal, testIntent).Truth.Standing, "no invoice: not provably this lot's")

	paypal.detail = nil
	assert.Equal(t, StandingNotFound, capture(t, paypal, testIntent).Truth.Standing)
}

func TestReadTruthLooksAtTheKnownCapture(t *testing.T) {
	paypal := openHold()
	paypal.hold.Status = paypalclient.AuthorizationStatusCaptured
	paypal.detail = map[string]paypalclient.Capture{"CAP1": captureOf(usd120, paypalclient.CaptureStatusPending)}
	truth := readTruthOf(t, paypal, testIntent, "CAP1")
	assert.Equal(t, StandingPending, truth.Standing)
	assert.Equal(t, "CAP1", truth.OwnCapture().ID)
	assert.NotContains(t, paypal.calls, "capture HOLD1")

	paypal.order.Captures = []paypalclient.Capture{captureOf(usd120, paypalclient.CaptureStatusCompleted)}
	truth = readTruthOf(t, paypal, testIntent, "CAP1")
	assert.Equal(t, StandingCaptured, truth.Standing, "a capture that the order lists too is one capture")
}

func TestATruthIsBoundedAndKeepsTheCaptureThatTookMoney(t *testing.T) {
	paypal := openHold()
	for range 40 {
		declined := captureOf(usd120, paypalclient.CaptureStatusDeclined)
		declined.ID = "DECLINED"
		paypal.order.Captures = append(paypal.order.Captures, declined)
	}
	paypal.order.Captures = append(paypal.order.Captures, captureOf(usd120, paypalclient.CaptureStatusCompleted))
	truth := capture(t, paypal, testIntent).Truth
	assert.Equal(t, StandingCaptured, truth.Standing)
	assert.Len(t, truth.Captures, maxCaptures)
	assert.Equal(t, "CAP1", truth.OwnCapture().ID)
}

// Another order's captures prove nothing about a hold.
func TestTheOrderMustBeTheHoldsOwn(t *testing.T) {
	voided := func() *scriptedPayPal {
		paypal := openHold()
		paypal.hold.Status = paypalclient.AuthorizationStatusVoided
		return paypal
	}
	read := func(paypal *scriptedPayPal) Truth {
		return readTruthOf(t, paypal, testIntent, "")
	}
	t.Run("PayPal names another order for the hold: that one is read", func(t *testing.T) {
		paypal := voided()
		paypal.hold.OrderID, paypal.order.ID = "ORDER2", "ORDER2"
		assert.Equal(t, StandingClosed, read(paypal).Standing)
		assert.Contains(t, paypal.calls, "get order ORDER2")
	})
	t.Run("the order lists other holds", func(t *testing.T) {
		paypal := voided()
		paypal.hold.OrderID = ""
		paypal.order.Authorizations = []paypalclient.Authorization{{ID: "HOLD2"}}
		assert.Equal(t, StandingUnclear, read(paypal).Standing)
	})
	t.Run("the order lists the hold", func(t *testing.T) {
		paypal := voided()
		paypal.hold.OrderID = ""
		paypal.hold.CreateTime = time.Now() // HOLD2 is older, so no renewal of it
		paypal.order.Authorizations = []paypalclient.Authorization{{ID: "HOLD2", CreateTime: time.Now().Add(-time.Hour)}, {ID: "HOLD1"}}
		assert.Equal(t, StandingClosed, read(paypal).Standing)
	})
}

// The client starts no call that it could not end before this deadline.
func TestCallsEndBeforeTheActivityDoes(t *testing.T) {
	deadline := time.Now().Add(time.Hour)
	outer, stop := context.WithDeadline(context.Background(), deadline)
	defer stop()
	inner, cancel := inTime(outer)
	defer cancel()
	got, ok := inner.Deadline()
	assert.True(t, ok)
	assert.Equal(t, reportMargin, deadline.Sub(got))
}

func TestAnswerOfASuccess(t *testing.T) {
	for status, want := range map[paypalclient.CaptureStatus]AnswerKind{
		paypalclient.CaptureStatusCompleted:         AnswerCaptured,
		paypalclient.CaptureStatusPending:           AnswerPending,
		paypalclient.CaptureStatusDeclined:          AnswerDeclined,
		paypalclient.CaptureStatusFailed:            AnswerDeclined,
		paypalclient.CaptureStatusRefunded:          AnswerUnknown,
		paypalclient.CaptureStatusPartiallyRefunded: AnswerUnknown,
		paypalclient.CaptureStatusUnknown:           AnswerUnknown,
	} {
		t.Run(string(status), func(t *testing.T) {
			answer := answerOf(testIntent, captureOf(usd120, status), nil)
			assert.Equal(t, want, answer.Kind)
			assert.True(t, answer.Capture.Ours)
		})
	}
}

// The answer table: what each failure of the client means for a lot, by whether
// its outcome is known.
func TestAnswerOfAFailure(t *testing.T) {
	const notRun, definite, unknown = paypalclient.OutcomeNotRun, paypalclient.OutcomeDefinite, paypalclient.OutcomeUnknown
	for _, c := range []struct {
		kind    paypalclient.Kind
		outcome paypalclient.Outcome
		want    AnswerKind
	}{
		{paypalclient.KindAuthExpired, notRun, AnswerNoToken},
		{paypalclient.KindAuthFailed, definite, AnswerNoToken},
		{paypalclient.KindAuthUnavailable, notRun, AnswerNoToken},
		{paypalclient.KindRateLimited, notRun, AnswerRateLimited},
		{paypalclient.KindNotFound, definite, AnswerOther},
		{paypalclient.KindInvalidRequest, definite, AnswerOther},
		{paypalclient.KindForbidden, unknown, AnswerOther},
		{paypalclient.KindRejected, unknown, AnswerOther},
		{paypalclient.KindNotNow, definite, AnswerOther},
		{paypalclient.KindDeclined, definite, AnswerRefused},
		{paypalclient.KindExpired, definite, AnswerRefused},
		{paypalclient.KindAlreadyVoided, definite, AnswerRefused},
		{paypalclient.KindAlreadyCaptured, definite, AnswerRefused},
		{paypalclient.KindInvariant, definite, AnswerInvariant},
		{paypalclient.KindDuplicateInvoice, definite, AnswerDuplicateInvoice},
		{paypalclient.KindServerError, unknown, AnswerUnknown},
		{paypalclient.KindNetwork, unknown, AnswerUnknown},
		{paypalclient.KindUnreadable, unknown, AnswerUnknown},
		{paypalclient.KindMismatch, unknown, AnswerMismatch},
		{paypalclient.KindDeadline, notRun, AnswerUnsent},
		{paypalclient.KindCancelled, notRun, AnswerUnsent},
		{paypalclient.KindStopped, notRun, AnswerSwitchUnreadable}, // nobody says that the switch is on
		{paypalclient.KindCancelled, unknown, AnswerUnknown},
		{paypalclient.KindStopped, unknown, AnswerUnknown},
		// An earlier try of the same request may have arrived.
		{paypalclient.KindRateLimited, unknown, AnswerUnknown},
		{paypalclient.KindAuthFailed, unknown, AnswerUnknown},
		{paypalclient.KindAuthUnavailable, unknown, AnswerUnknown},
		{paypalclient.KindDeadline, unknown, AnswerUnknown},
		{paypalclient.KindDuplicateInvoice, unknown, AnswerDuplicateInvoice},
		{"a kind of a later version", definite, AnswerUnknown},
	} {
		t.Run(string(c.kind)+" "+string(c.outcome), func(t *testing.T) {
			answer := answerOf(testIntent, paypalclient.Capture{}, failure(c.kind, c.outcome))
			assert.Equal(t, c.want, answer.Kind)
			assert.Equal(t, &Problem{Kind: string(c.kind), Outcome: string(c.outcome), Status: 422, Issue: "ISSUE", DebugID: "debug1", Tries: 2}, answer.Problem)
		})
	}
	assert.Equal(t, AnswerUnknown, answerOf(testIntent, paypalclient.Capture{}, errors.New("bug")).Kind)
}

func TestACaptureThatIsKnownIsLookedAtBeforeAnotherIsSent(t *testing.T) {
	paypal := openHold()
	paypal.hold.OrderID = ""
	paypal.detail = map[string]paypalclient.Capture{"CAP1": captureOf(usd120, paypalclient.CaptureStatusPending)}
	intent := testIntent
	intent.OrderID = ""
	result := run[CaptureInput, CaptureResult](t, paypal, CaptureName, CaptureInput{Intent: intent, CaptureID: "CAP1"})
	assert.Equal(t, StandingPending, result.Truth.Standing)
	assert.Empty(t, paypal.sent)
}

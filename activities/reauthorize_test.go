package activities

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/paypalclient"
)

var (
	authorized = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	renewedAt  = authorized.Add(4 * 24 * time.Hour)
)

// agedHold is an open hold from authorized on, which PayPal renews as RENEWED.
func agedHold() *scriptedPayPal {
	paypal := openHold()
	paypal.hold.CreateTime = authorized
	paypal.renewed = paypalclient.Authorization{
		ID: "RENEWED", Status: paypalclient.AuthorizationStatusCreated, Amount: usd120, OrderID: "ORDER1", CreateTime: renewedAt,
	}
	return paypal
}

// renewedIntent charges the renewal.
func renewedIntent() Intent {
	intent := testIntent
	intent.RenewedID = "RENEWED"
	return intent
}

func reauthorize(t *testing.T, paypal *scriptedPayPal) ReauthorizeResult {
	t.Helper()
	return run[ReauthorizeInput, ReauthorizeResult](t, paypal, ReauthorizeName, ReauthorizeInput{Intent: testIntent})
}

func TestAHoldPastItsHonorPeriodIsNotCapturedBeforeItIsRenewed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*scriptedPayPal, *CaptureInput)
		want   AnswerKind
	}{
		"older":                {func(*scriptedPayPal, *CaptureInput) {}, AnswerAged},
		"to the second":        {func(_ *scriptedPayPal, in *CaptureInput) { in.RenewBefore = authorized }, AnswerCaptured},
		"renewals are off":     {func(_ *scriptedPayPal, in *CaptureInput) { in.RenewBefore = time.Time{} }, AnswerCaptured},
		"its age is not known": {func(p *scriptedPayPal, _ *CaptureInput) { p.hold.CreateTime = time.Time{} }, AnswerCaptured},
		"its age is known from the lot": {func(p *scriptedPayPal, in *CaptureInput) {
			p.hold.CreateTime = time.Time{}
			in.Intent.AuthorizedAt = authorized
		}, AnswerAged},
		"captured and nothing is listed": {func(p *scriptedPayPal, _ *CaptureInput) { p.hold.Status = paypalclient.AuthorizationStatusCaptured }, AnswerCaptured},
	} {
		t.Run(name, func(t *testing.T) {
			paypal := agedHold()
			paypal.capture = captureOf(usd120, paypalclient.CaptureStatusCompleted)
			in := CaptureInput{Intent: testIntent, RenewBefore: authorized.Add(time.Hour)}
			c.change(paypal, &in)
			result := run[CaptureInput, CaptureResult](t, paypal, CaptureName, in)
			assert.Equal(t, c.want, result.Answer.Kind)
			if c.want == AnswerAged {
				assert.Empty(t, paypal.sent)
				assert.Equal(t, authorized, result.Truth.AuthorizedAt)
			}
		})
	}
}

func TestReauthorizeRenewsAnOpenHold(t *testing.T) {
	paypal := agedHold()
	result := reauthorize(t, paypal)
	assert.Equal(t, AnswerRenewed, result.Answer.Kind)
	assert.Equal(t, "RENEWED", result.RenewedID)
	assert.Equal(t, "reauthorize HOLD1 120.00 gv1-0123", paypal.calls[len(paypal.calls)-1])
}

func TestReauthorizeLeavesAloneWhatIsNotOpen(t *testing.T) {
	paypal := agedHold()
	paypal.order.Captures = []paypalclient.Capture{captureOf(usd120, paypalclient.CaptureStatusCompleted)}
	result := reauthorize(t, paypal)
	assert.Equal(t, StandingCaptured, result.Truth.Standing)
	assert.Equal(t, AnswerNone, result.Answer.Kind)
	assert.Len(t, paypal.calls, 2)
}

func TestAnswerOfARenewalThatFailed(t *testing.T) {
	const notRun, definite, unknown = paypalclient.OutcomeNotRun, paypalclient.OutcomeDefinite, paypalclient.OutcomeUnknown
	for _, c := range []struct {
		kind    paypalclient.Kind
		outcome paypalclient.Outcome
		want    AnswerKind
	}{
		{paypalclient.KindNotNow, definite, AnswerNotRenewed},
		{paypalclient.KindDeclined, definite, AnswerNotRenewed},
		{paypalclient.KindInvariant, definite, AnswerNotRenewed},
		{paypalclient.KindAlreadyCaptured, definite, AnswerNotRenewed},
		{paypalclient.KindNotFound, definite, AnswerNotRenewed},
		{paypalclient.KindNotNow, unknown, AnswerUnknown}, // an earlier try may have renewed it
		{paypalclient.KindServerError, unknown, AnswerUnknown},
		{paypalclient.KindForbidden, unknown, AnswerUnknown},
		{paypalclient.KindMismatch, unknown, AnswerUnknown},
		{paypalclient.KindRateLimited, notRun, AnswerRateLimited},
		{paypalclient.KindRateLimited, unknown, AnswerUnknown},
		{paypalclient.KindAuthFailed, definite, AnswerNoToken},
		{paypalclient.KindStopped, notRun, AnswerSwitchUnreadable},
		{paypalclient.KindDeadline, notRun, AnswerUnsent},
	} {
		t.Run(string(c.kind)+" "+string(c.outcome), func(t *testing.T) {
			answer, renewed := renewalAnswer(paypalclient.Authorization{}, failure(c.kind, c.outcome))
			assert.Equal(t, c.want, answer.Kind)
			assert.Empty(t, renewed)
			assert.NotNil(t, answer.Problem)
		})
	}
}

func TestTheRenewalIsWhatIsCaptured(t *testing.T) {
	paypal := agedHold()
	paypal.capture = captureOf(usd120, paypalclient.CaptureStatusCompleted)
	paypal.capture.AuthorizationID = "RENEWED"
	result := capture(t, paypal, renewedIntent())
	assert.Equal(t, StandingOpen, result.Truth.Standing)
	assert.Equal(t, AnswerCaptured, result.Answer.Kind)
	assert.Equal(t, "RENEWED", paypal.sent[0].AuthorizationID)
	assert.True(t, result.Answer.Capture.Ours)
}

// The truth about a hold is the truth about its renewals too.
func TestTheTruthAboutARenewedHold(t *testing.T) {
	const created, voided, captured = paypalclient.AuthorizationStatusCreated, paypalclient.AuthorizationStatusVoided, paypalclient.AuthorizationStatusCaptured
	onRenewal := captureOf(usd120, paypalclient.CaptureStatusCompleted)
	onRenewal.AuthorizationID = "RENEWED"
	declined := onRenewal
	declined.Status = paypalclient.CaptureStatusDeclined
	for name, c := range map[string]struct {
		hold, renewal paypalclient.AuthorizationStatus
		captures      []paypalclient.Capture
		unnamed       bool // the intent does not know of the renewal, PayPal lists it
		small         bool
		want          Standing
	}{
		"both open": {hold: created, renewal: created, want: StandingOpen},
		"the original lapsed, its renewal is open":     {hold: voided, renewal: created, want: StandingOpen},
		"the renewal is under review":                  {hold: created, renewal: paypalclient.AuthorizationStatusPending, want: StandingHoldPending},
		"the renewal is for less than the price":       {hold: created, renewal: created, small: true, want: StandingShort},
		"both voided":                                  {hold: voided, renewal: voided, want: StandingClosed},
		"the renewal is voided, the original is open":  {hold: created, renewal: voided, want: StandingUnclear},
		"captured on the renewal":                      {hold: captured, renewal: captured, captures: []paypalclient.Capture{onRenewal}, want: StandingCaptured},
		"the capture on the renewal was declined":      {hold: captured, renewal: captured, captures: []paypalclient.Capture{declined}, want: StandingClosed},
		"declined, and the original is open":           {hold: created, renewal: captured, captures: []paypalclient.Capture{declined}, want: StandingUnclear},
		"found by the order: captured on the renewal":  {hold: captured, renewal: captured, captures: []paypalclient.Capture{onRenewal}, unnamed: true, want: StandingCaptured},
		"found by the order: voided, renewal open":     {hold: voided, renewal: created, unnamed: true, want: StandingUnclear},
		"found by the order: both voided":              {hold: voided, renewal: voided, unnamed: true, want: StandingClosed},
		"found by the order: the original can be used": {hold: created, renewal: created, unnamed: true, want: StandingOpen},
	} {
		t.Run(name, func(t *testing.T) {
			paypal := agedHold()
			paypal.hold.Status, paypal.renewed.Status = c.hold, c.renewal
			if c.small {
				paypal.renewed.Amount = usd40
			}
			paypal.order.Authorizations = []paypalclient.Authorization{paypal.hold, paypal.renewed}
			paypal.order.Captures = c.captures
			intent := renewedIntent()
			if c.unnamed {
				intent = testIntent
			}
			assert.Equal(t, c.want, readTruthOf(t, paypal, intent, "").Standing)
		})
	}
}

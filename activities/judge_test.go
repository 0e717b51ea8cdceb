package activities

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"gavel/paypalclient"
)

var (
	usd120 = paypalclient.Money{Currency: "USD", Minor: 12000}
	usd150 = paypalclient.Money{Currency: "USD", Minor: 15000}
	usd40  = paypalclient.Money{Currency: "USD", Minor: 4000}
)

var testIntent = Intent{
	BidderID:        "ana",
	AuthorizationID: "HOLD1",
	OrderID:         "ORDER1",
	Amount:          usd120,
	InvoiceID:       "gv1/spring/17",
	RequestID:       "gv1-0123",
}

func captureOf(amount paypalclient.Money, status paypalclient.CaptureStatus) paypalclient.Capture {
	return paypalclient.Capture{ID: "CAP1", Status: status, Amount: amount, InvoiceID: testIntent.InvoiceID, AuthorizationID: "HOLD1"}
}

func TestJudge(t *testing.T) {
	ours := func(status paypalclient.CaptureStatus) paypalclient.Capture { return captureOf(usd120, status) }
	another := ours(paypalclient.CaptureStatusCompleted)
	another.InvoiceID = "gv1/spring/18"
	anothersDecline := another
	anothersDecline.Status = paypalclient.CaptureStatusDeclined
	const noOrder = true

	for name, c := range map[string]struct {
		hold     paypalclient.AuthorizationStatus
		captures []paypalclient.Capture
		unlisted bool
		amount   paypalclient.Money
		want     Standing
	}{
		"created, nothing captured":                    {hold: paypalclient.AuthorizationStatusCreated, want: StandingOpen},
		"created, no order known":                      {hold: paypalclient.AuthorizationStatusCreated, unlisted: noOrder, want: StandingOpen},
		"created, for less than the price":             {hold: paypalclient.AuthorizationStatusCreated, amount: usd40, want: StandingShort},
		"created, in another currency":                 {hold: paypalclient.AuthorizationStatusCreated, amount: paypalclient.Money{Currency: "EUR", Minor: 99900}, want: StandingShort},
		"under review at PayPal":                       {hold: paypalclient.AuthorizationStatusPending, want: StandingHoldPending},
		"denied":                                       {hold: paypalclient.AuthorizationStatusDenied, want: StandingClosed},
		"voided, nothing captured":                     {hold: paypalclient.AuthorizationStatusVoided, want: StandingClosed},
		"voided, no order to prove it by":              {hold: paypalclient.AuthorizationStatusVoided, unlisted: noOrder, want: StandingUnclear},
		"voided after a partial capture":               {hold: paypalclient.AuthorizationStatusVoided, captures: []paypalclient.Capture{captureOf(usd40, paypalclient.CaptureStatusCompleted)}, want: StandingDifferent},
		"voided, own capture completed":                {hold: paypalclient.AuthorizationStatusVoided, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusCompleted)}, want: StandingCaptured},
		"captured as intended":                         {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusCompleted)}, want: StandingCaptured},
		"still created, captured as intended":          {hold: paypalclient.AuthorizationStatusCreated, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusCompleted)}, want: StandingCaptured},
		"captured short":                               {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{captureOf(usd40, paypalclient.CaptureStatusCompleted)}, want: StandingDifferent},
		"captured above the price":                     {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{captureOf(usd150, paypalclient.CaptureStatusCompleted)}, want: StandingDifferent},
		"captured for another lot":                     {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{another}, want: StandingDifferent},
		"captured twice":                               {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusCompleted), captureOf(usd40, paypalclient.CaptureStatusCompleted)}, want: StandingDifferent},
		"captured, one declined before":                {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusDeclined), ours(paypalclient.CaptureStatusCompleted)}, want: StandingCaptured},
		"captured, and no capture listed":              {hold: paypalclient.AuthorizationStatusCaptured, want: StandingCapturedUnseen},
		"captured, every capture declined":             {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusDeclined)}, want: StandingClosed},
		"own capture pending":                          {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusPending)}, want: StandingPending},
		"another amount pending":                       {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{captureOf(usd40, paypalclient.CaptureStatusPending)}, want: StandingDifferent},
		"own capture refunded":                         {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusRefunded)}, want: StandingRefunded},
		"own capture refunded in part":                 {hold: paypalclient.AuthorizationStatusCaptured, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusPartiallyRefunded)}, want: StandingRefunded},
		"own capture failed, hold still open":          {hold: paypalclient.AuthorizationStatusCreated, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusFailed)}, want: StandingDeclined},
		"somebody else's capture failed, hold open":    {hold: paypalclient.AuthorizationStatusCreated, captures: []paypalclient.Capture{anothersDecline}, want: StandingOpen},
		"partially captured, and no capture listed":    {hold: paypalclient.AuthorizationStatusPartiallyCaptured, want: StandingUnclear},
		"partially captured":                           {hold: paypalclient.AuthorizationStatusPartiallyCaptured, captures: []paypalclient.Capture{captureOf(usd40, paypalclient.CaptureStatusCompleted)}, want: StandingDifferent},
		"a hold status that we do not know":            {hold: paypalclient.AuthorizationStatusUnknown, want: StandingUnclear},
		"a capture status that we do not know":         {hold: paypalclient.AuthorizationStatusCreated, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusUnknown)}, want: StandingUnclear},
		"a hold without a status":                      {want: StandingUnclear},
		"denied, and yet money was taken as intended":  {hold: paypalclient.AuthorizationStatusDenied, captures: []paypalclient.Capture{ours(paypalclient.CaptureStatusCompleted)}, want: StandingCaptured},
		"under review, and yet another capture exists": {hold: paypalclient.AuthorizationStatusPending, captures: []paypalclient.Capture{another}, want: StandingDifferent},
	} {
		t.Run(name, func(t *testing.T) {
			amount := c.amount
			if amount == (paypalclient.Money{}) {
				amount = usd150
			}
			hold := paypalclient.Authorization{ID: "HOLD1", Status: c.hold, Amount: amount}
			r := reading{hold: hold, charged: hold, listed: !c.unlisted}
			for _, capture := range c.captures {
				r.captures = append(r.captures, see(testIntent, testIntent.family(), capture, ""))
			}
			assert.Equal(t, c.want, judge(testIntent, r))
		})
	}
}

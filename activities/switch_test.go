package activities

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/paypalclient"
	"gavel/testsuite/fakepaypal/fake"
)

// fixedSwitch always reads the same.
type fixedSwitch struct {
	state SwitchState
	err   error
}

func (f fixedSwitch) Read(context.Context) (SwitchState, error) { return f.state, f.err }

func TestHowLongAClockWasHeld(t *testing.T) {
	began := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }
	stop := func(from, to int) Stop { return Stop{From: at(from), To: at(to)} }
	running := func(from int) Stop { return Stop{From: at(from)} }
	for name, c := range map[string]struct {
		stops []Stop
		want  SwitchSeen
	}{
		"never":                     {nil, SwitchSeen{}},
		"before the clock":          {[]Stop{stop(-30, -20)}, SwitchSeen{}},
		"within":                    {[]Stop{stop(2, 5)}, SwitchSeen{Held: Duration(3 * time.Minute)}},
		"from before":               {[]Stop{stop(-2, 5)}, SwitchSeen{Held: Duration(5 * time.Minute)}},
		"several times":             {[]Stop{stop(-9, -8), stop(1, 2), stop(4, 8)}, SwitchSeen{Held: Duration(5 * time.Minute)}},
		"now":                       {[]Stop{running(3)}, SwitchSeen{Standing: SwitchOn, HeldFrom: at(3)}},
		"now, since before":         {[]Stop{running(-3)}, SwitchSeen{Standing: SwitchOn, HeldFrom: at(0)}},
		"now, and once before that": {[]Stop{stop(1, 2), running(3)}, SwitchSeen{Standing: SwitchOn, Held: Duration(time.Minute), HeldFrom: at(3)}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, lookAtSwitch(context.Background(), fixedSwitch{state: SwitchState{Stops: c.stops}}, began))
			assert.Equal(t, c.want.Standing == SwitchOn, SwitchState{Stops: c.stops}.Current() != nil)
		})
	}
	t.Run("unreadable", func(t *testing.T) {
		seen := lookAtSwitch(context.Background(), fixedSwitch{err: errors.New("gone")}, began)
		assert.Equal(t, SwitchSeen{Standing: SwitchUnreadable}, seen)
	})
	t.Run("without a clock nothing is counted", func(t *testing.T) {
		seen := lookAtSwitch(context.Background(), fixedSwitch{state: SwitchState{Stops: []Stop{stop(1, 2), running(3)}}}, time.Time{})
		assert.Equal(t, SwitchSeen{Standing: SwitchOn}, seen)
	})
}

// A request that the switch stopped: whether it did nothing depends on what
// became of its earlier tries.
func TestACaptureThatTheSwitchStopped(t *testing.T) {
	for name, c := range map[string]struct {
		standing SwitchStanding
		stopAt   int // the try that is stopped
		want     AnswerKind
	}{
		"before its first try":                   {SwitchOn, 1, AnswerPaused},
		"before its first try, unreadable":       {SwitchUnreadable, 1, AnswerSwitchUnreadable},
		"after one that may have arrived":        {SwitchOn, 2, AnswerUnknown},
		"after one that arrived, and unreadable": {SwitchUnreadable, 2, AnswerUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			server := fake.Start(t)
			server.AddHold(fake.Hold{AuthorizationID: "HOLD1", OrderID: "ORDER1", Currency: "USD", Amount: "150.00"})
			server.Script(fake.Break(fake.OpCaptureAuthorization, "HOLD1", fake.Before, 503))
			tries := 0
			paypal, err := paypalclient.New(paypalclient.Options{
				BaseURL: server.URL(), ClientID: "demo", ClientSecret: "demo", BackoffMin: 1, BackoffMax: 1,
				BeforeTry: func(context.Context, paypalclient.Operation) error {
					if tries++; tries == c.stopAt {
						return &SwitchError{Standing: c.standing}
					}
					return nil
				},
			})
			require.NoError(t, err)
			result := run[CaptureInput, CaptureResult](t, paypal, CaptureName, CaptureInput{Intent: testIntent})
			assert.Equal(t, c.want, result.Answer.Kind)
			assert.Equal(t, c.stopAt-1, server.Count(fake.OpCaptureAuthorization))
		})
	}
}

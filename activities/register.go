package activities

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
)

// PayPal is all that the activities need of PayPal; *paypalclient.Client is one.
type PayPal interface {
	captureAPI
	reauthorizeAPI
	voidAPI
}

// Dependencies are what the activities of one worker share.
type Dependencies struct {
	PayPal PayPal
	Switch Switch
	Alerts Alerts
}

// Register gives a worker every activity, under its fixed name.
func Register(registry worker.ActivityRegistry, with Dependencies) {
	register := func(name string, fn any) {
		registry.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: name})
	}
	RegisterReleases(registry, with)
	reader := &TruthReader{PayPal: with.PayPal, Switch: with.Switch}
	register(CaptureName, (&Capturer{PayPal: with.PayPal, Switch: with.Switch}).Capture)
	register(ReauthorizeName, (&Reauthorizer{PayPal: with.PayPal, Switch: with.Switch}).Reauthorize)
	register(ReadTruthName, reader.ReadTruth)
	register(ReadHoldsName, reader.ReadHolds)
	register(ReadCaptureName, reader.ReadCapture)
	register(AlertName, (&Alerter{Alerts: with.Alerts}).Alert)
}

// RegisterReleases gives a worker the releases alone.
func RegisterReleases(registry worker.ActivityRegistry, with Dependencies) {
	releaser := &Releaser{PayPal: with.PayPal}
	registry.RegisterActivityWithOptions(releaser.ReleaseHolds, activity.RegisterOptions{Name: ReleaseHoldsName})
}

package activities

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
)

// PayPal is all that the activities need of PayPal; *paypalclient.Client is one.
type PayPal interface {
	captureAPI
	voidAPI
}

// Dependencies are what the activities of one worker share.
type Dependencies struct {
	PayPal PayPal
	Switch Switch
}

// Register gives a worker every activity, under its fixed name.
func Register(registry worker.ActivityRegistry, with Dependencies) {
	register := func(name string, fn any) {
		registry.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: name})
	}
	register(CaptureName, (&Capturer{PayPal: with.PayPal}).Capture)
	register(ReadTruthName, (&TruthReader{PayPal: with.PayPal}).ReadTruth)
	register(ReleaseHoldsName, (&Releaser{PayPal: with.PayPal}).ReleaseHolds)
}

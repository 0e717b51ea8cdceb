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

// Register gives a worker every activity, under its fixed name.
func Register(registry worker.ActivityRegistry, paypal PayPal) {
	register := func(name string, fn any) {
		registry.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: name})
	}
	register(CaptureName, (&Capturer{PayPal: paypal}).Capture)
	register(ReadTruthName, (&TruthReader{PayPal: paypal}).ReadTruth)
	register(ReleaseHoldsName, (&Releaser{PayPal: paypal}).ReleaseHolds)
}

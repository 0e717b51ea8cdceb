package activities

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"gavel/paypalclient"
)

// maxCaptures bounds the captures that a Truth lists. PayPal allows ten
// captures a hold unless an account is set otherwise; every one is judged,
// whether it is listed or not.
const maxCaptures = 10

// truthAPI is what reading the truth needs of PayPal.
type truthAPI interface {
	GetAuthorization(ctx context.Context, id string) (paypalclient.Authorization, error)
	GetOrder(ctx context.Context, id string) (paypalclient.Order, error)
	GetCapture(ctx context.Context, id string) (paypalclient.Capture, error)
}

// readTruth reads the hold, its renewal, its order's captures, and the named
// capture where one is known. It never fails: what could not be read is a
// standing too.
func readTruth(ctx context.Context, paypal truthAPI, intent Intent, captureID string) Truth {
	raw, err := readHolds(ctx, paypal, intent)
	if err != nil {
		return Truth{Standing: standingOf(err), Problem: problemOf(err)}
	}
	truth := judged(ctx, paypal, intent, raw, captureID)
	if truth.Standing == StandingClosed && raw.order.ID == intent.OrderID {
		// The order was read at the same time as the hold: what was captured on
		// the hold in between is not in it. What a closed hold has, it keeps.
		again, err := paypal.GetOrder(ctx, raw.order.ID)
		if err != nil {
			return Truth{Standing: standingOf(err), Problem: problemOf(err)}
		}
		raw.order = &again
		truth = judged(ctx, paypal, intent, raw, captureID)
	}
	return truth
}

// rawHolds is what PayPal answered about a hold.
type rawHolds struct {
	hold    paypalclient.Authorization
	renewed *paypalclient.Authorization // where the intent names a renewal
	order   *paypalclient.Order         // where somebody names one
}

// readHolds reads everything at the same time that is known beforehand. Where
// PayPal names another order for the hold, that one counts.
func readHolds(ctx context.Context, paypal truthAPI, intent Intent) (rawHolds, error) {
	var raw rawHolds
	readOrder := func(id string) error {
		order, err := paypal.GetOrder(ctx, id)
		raw.order = &order
		return err
	}
	var group errgroup.Group
	if intent.OrderID != "" {
		group.Go(func() error { return readOrder(intent.OrderID) })
	}
	if intent.RenewedID != "" {
		group.Go(func() error {
			renewed, err := paypal.GetAuthorization(ctx, intent.RenewedID)
			raw.renewed = &renewed
			return err
		})
	}
	var err error
	raw.hold, err = paypal.GetAuthorization(ctx, intent.AuthorizationID)
	othersErr := group.Wait()
	switch {
	case err != nil:
		return raw, err
	case raw.hold.OrderID != "" && raw.hold.OrderID != intent.OrderID:
		return raw, readOrder(raw.hold.OrderID)
	default:
		return raw, othersErr
	}
}

func judged(ctx context.Context, paypal truthAPI, intent Intent, raw rawHolds, captureID string) Truth {
	truth := Truth{HoldStatus: string(raw.hold.Status), AuthorizedAt: raw.hold.CreateTime, ExpiresAt: raw.hold.ExpirationTime}
	if truth.AuthorizedAt.IsZero() {
		truth.AuthorizedAt = intent.AuthorizedAt
	}
	r := reading{hold: raw.hold, charged: raw.hold, renewals: raw.renewals()}
	if raw.renewed != nil {
		r.charged = *raw.renewed
	}
	var captures []paypalclient.Capture
	if raw.order != nil {
		truth.OrderID, captures, r.listed = raw.order.ID, raw.order.Captures, raw.ordered()
	}
	var err error
	looker := captureLooker{paypal: paypal, intent: intent, family: r.family(), known: captureID}
	if r.captures, err = looker.all(ctx, captures); err != nil {
		truth.Standing, truth.Problem = standingOf(err), problemOf(err)
		return truth
	}
	truth.Standing = judge(intent, r)
	// Those that took money are never cut off.
	slices.SortStableFunc(r.captures, func(a, b SeenCapture) int { return cmp.Compare(takenFirst(a), takenFirst(b)) })
	truth.Captures = r.captures[:min(len(r.captures), maxCaptures)]
	return truth
}

func takenFirst(c SeenCapture) int {
	if c.TookMoney() {
		return 0
	}
	return 1
}

// ordered tells whether PayPal itself ties the order to the hold. The captures
// of an order that may be another's prove nothing about this hold.
func (raw rawHolds) ordered() bool {
	if raw.hold.OrderID != "" {
		return raw.hold.OrderID == raw.order.ID
	}
	return slices.ContainsFunc(raw.order.Authorizations, func(a paypalclient.Authorization) bool { return a.ID == raw.hold.ID }) ||
		slices.ContainsFunc(raw.order.Captures, func(c paypalclient.Capture) bool { return c.AuthorizationID == raw.hold.ID })
}

// renewals are the holds that may be renewals of this one: PayPal does not name
// a renewal's parent, and lists both under the order, so that every later
// authorization of the hold's own order counts as one.
func (raw rawHolds) renewals() []paypalclient.Authorization {
	var found []paypalclient.Authorization
	if raw.renewed != nil {
		found = append(found, *raw.renewed)
	}
	if raw.order == nil || !raw.ordered() {
		return found
	}
	for _, a := range raw.order.Authorizations {
		later := a.CreateTime.IsZero() || !a.CreateTime.Before(raw.hold.CreateTime)
		if a.ID != raw.hold.ID && later {
			found = append(found, a)
		}
	}
	return found
}

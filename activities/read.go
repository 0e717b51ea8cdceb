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

// readTruth reads the hold, its order's captures, and the named capture where
// one is known. It never fails: what could not be read is a standing too.
func readTruth(ctx context.Context, paypal truthAPI, intent Intent, captureID string) Truth {
	hold, order, err := readHoldAndOrder(ctx, paypal, intent)
	if err != nil {
		return Truth{Standing: standingOf(err), Problem: problemOf(err)}
	}
	truth := judged(ctx, paypal, intent, hold, order, captureID)
	if truth.Standing == StandingClosed && order.ID == intent.OrderID {
		// The order was read at the same time as the hold: what was captured on
		// the hold in between is not in it. What a closed hold has, it keeps.
		again, err := paypal.GetOrder(ctx, order.ID)
		if err != nil {
			return Truth{Standing: standingOf(err), Problem: problemOf(err)}
		}
		truth = judged(ctx, paypal, intent, hold, &again, captureID)
	}
	return truth
}

func judged(ctx context.Context, paypal truthAPI, intent Intent, hold paypalclient.Authorization, order *paypalclient.Order, captureID string) Truth {
	truth := Truth{HoldStatus: string(hold.Status)}
	r := reading{hold: hold}
	var captures []paypalclient.Capture
	if order != nil {
		truth.OrderID, captures, r.listed = order.ID, order.Captures, ordered(hold, *order)
	}
	var err error
	if r.captures, err = seeCaptures(ctx, paypal, intent, captures, captureID); err != nil {
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
	if c.tookMoney() {
		return 0
	}
	return 1
}

// ordered tells whether PayPal itself ties an order to the hold. The captures
// of an order that may be another's prove nothing about this hold.
func ordered(hold paypalclient.Authorization, order paypalclient.Order) bool {
	if hold.OrderID != "" {
		return hold.OrderID == order.ID
	}
	return slices.ContainsFunc(order.Authorizations, func(a paypalclient.Authorization) bool { return a.ID == hold.ID }) ||
		slices.ContainsFunc(order.Captures, func(c paypalclient.Capture) bool { return c.AuthorizationID == hold.ID })
}

// readHoldAndOrder reads both at the same time where the order is known
// beforehand. Where PayPal names another order for the hold, that one counts.
// order is nil where nobody names one.
func readHoldAndOrder(ctx context.Context, paypal truthAPI, intent Intent) (hold paypalclient.Authorization, order *paypalclient.Order, err error) {
	readOrder := func(id string) error {
		o, err := paypal.GetOrder(ctx, id)
		order = &o
		return err
	}
	var group errgroup.Group
	if intent.OrderID != "" {
		group.Go(func() error { return readOrder(intent.OrderID) })
	}
	hold, err = paypal.GetAuthorization(ctx, intent.AuthorizationID)
	orderErr := group.Wait()
	switch {
	case err != nil:
		return hold, order, err
	case hold.OrderID != "" && hold.OrderID != intent.OrderID:
		return hold, order, readOrder(hold.OrderID)
	default:
		return hold, order, orderErr
	}
}

// seeCaptures turns what the order lists into SeenCaptures. A listed capture
// without its amount or invoice is read by itself, and so is captureID, which is
// known to be the intent's own, where the order does not list it.
func seeCaptures(ctx context.Context, paypal truthAPI, intent Intent, listed []paypalclient.Capture, captureID string) ([]SeenCapture, error) {
	seen := make([]SeenCapture, 0, len(listed)+1)
	known := false
	for _, c := range listed {
		if c.InvoiceID == "" || c.Amount == (paypalclient.Money{}) {
			var err error
			if c, err = paypal.GetCapture(ctx, c.ID); err != nil {
				return nil, err
			}
		}
		known = known || c.ID == captureID
		seen = append(seen, see(intent, c, captureID))
	}
	if captureID != "" && !known {
		c, err := paypal.GetCapture(ctx, captureID)
		if err != nil {
			return nil, err
		}
		seen = append(seen, see(intent, c, captureID))
	}
	return seen, nil
}

// see looks at a capture from the intent. Only the capture that is known to be
// the intent's own needs no invoice to show it.
func see(intent Intent, c paypalclient.Capture, ownID string) SeenCapture {
	seen := SeenCapture{
		ID:              c.ID,
		Status:          string(c.Status),
		Reason:          c.Reason,
		Amount:          c.Amount,
		InvoiceID:       c.InvoiceID,
		AuthorizationID: c.AuthorizationID,
	}
	invoiced := c.InvoiceID == intent.InvoiceID || c.InvoiceID == "" && c.ID == ownID
	seen.Ours = c.Amount == intent.Amount && invoiced && seen.on(intent.AuthorizationID)
	return seen
}

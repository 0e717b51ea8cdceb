package workflows

import (
	"cmp"
	"time"

	"gavel/activities"
)

// Policy is what steers a settlement beside the lot itself. It is copied from
// the configuration when the settlement starts, so that a changed
// configuration never changes one that runs. A zero field means its default.
type Policy struct {
	// InvoicePrefix begins the lot's invoice id. Default gv1.
	InvoicePrefix string `json:"invoice_prefix,omitempty"`
	// UnknownClock is how long an unknown outcome is waited out. Default 10 min.
	UnknownClock Duration `json:"unknown_clock,omitempty"`
	// PendingClock is how long a capture or hold may be pending at PayPal. Default 72 h.
	PendingClock Duration `json:"pending_clock,omitempty"`
	// AlertClock is how long a stall, an unknown or a pending may last before an
	// operator is told. Default 10 min.
	AlertClock Duration `json:"alert_clock,omitempty"`
	// HoldExpiryAlert is how close to its end a hold that is waited for may come
	// before an operator is told. Default 24 h.
	HoldExpiryAlert Duration `json:"hold_expiry_alert,omitempty"`
	// HonorPeriod is the age from which a hold is renewed before it is captured.
	// Default 72 h (PayPal, "authorization and honor period").
	HonorPeriod Duration `json:"honor_period,omitempty"`
	// NoRenewals captures every hold as it is, however old.
	NoRenewals bool `json:"no_renewals,omitempty"`
	// PassMin and PassMax bound the pause between two passes. Default 5 s and 60 s.
	PassMin Duration `json:"pass_min,omitempty"`
	PassMax Duration `json:"pass_max,omitempty"`
	// PendingPollMax is the widest pause while PayPal is pending. Default 1 h.
	PendingPollMax Duration `json:"pending_poll_max,omitempty"`
	// ReleaseParallel is how many holds are released at a time. Default 3.
	ReleaseParallel int `json:"release_parallel,omitempty"`
	// ReleaseBounded is how long a settlement itself tries to release a hold. Default 10 min.
	ReleaseBounded Duration `json:"release_bounded,omitempty"`
	// OrphanClock is how long a release goes on in a workflow of its own. Default 29 days.
	OrphanClock Duration `json:"orphan_clock,omitempty"`
	// RequestBudget is the longest that one request to PayPal can take, all its
	// tries and pauses together. Default 4 × 10 s + 3 × 30 s.
	RequestBudget Duration `json:"request_budget,omitempty"`
}

func (p Policy) withDefaults() Policy {
	return Policy{
		InvoicePrefix:   cmp.Or(p.InvoicePrefix, "gv1"),
		UnknownClock:    cmp.Or(p.UnknownClock, Duration(10*time.Minute)),
		PendingClock:    cmp.Or(p.PendingClock, Duration(72*time.Hour)),
		AlertClock:      cmp.Or(p.AlertClock, Duration(10*time.Minute)),
		HoldExpiryAlert: cmp.Or(p.HoldExpiryAlert, Duration(24*time.Hour)),
		HonorPeriod:     cmp.Or(p.HonorPeriod, Duration(72*time.Hour)),
		NoRenewals:      p.NoRenewals,
		PassMin:         cmp.Or(p.PassMin, Duration(5*time.Second)),
		PassMax:         cmp.Or(p.PassMax, Duration(time.Minute)),
		PendingPollMax:  cmp.Or(p.PendingPollMax, Duration(time.Hour)),
		ReleaseParallel: cmp.Or(p.ReleaseParallel, 3),
		ReleaseBounded:  cmp.Or(p.ReleaseBounded, Duration(10*time.Minute)),
		OrphanClock:     cmp.Or(p.OrphanClock, Duration(29*24*time.Hour)),
		RequestBudget:   cmp.Or(p.RequestBudget, Duration(130*time.Second)),
	}
}

// Duration is a time.Duration that reads as "10m0s" in a history.
type Duration = activities.Duration

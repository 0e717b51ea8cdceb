package service

import (
	"time"

	"gavel/config"
	"gavel/workflows"
)

// PolicyOf is what a settlement takes along of the configuration when it starts.
func PolicyOf(cfg config.Config) workflows.Policy {
	return workflows.Policy{
		InvoicePrefix:   cfg.PayPal.InvoicePrefix,
		UnknownClock:    workflows.Duration(cfg.Clocks.Unknown),
		PendingClock:    workflows.Duration(cfg.Clocks.Pending),
		AlertClock:      workflows.Duration(cfg.Clocks.Alert),
		HoldExpiryAlert: workflows.Duration(cfg.Clocks.HoldExpiryAlert),
		HonorPeriod:     workflows.Duration(cfg.Honor.Period),
		NoRenewals:      !cfg.Honor.Reauthorize,
		PassMin:         workflows.Duration(cfg.Clocks.PassMin),
		PassMax:         workflows.Duration(cfg.Clocks.PassMax),
		PendingPollMax:  workflows.Duration(cfg.Clocks.PendingPollMax),
		ReleaseParallel: cfg.Release.Parallel,
		ReleaseBounded:  workflows.Duration(cfg.Release.Bounded),
		OrphanClock:     workflows.Duration(cfg.Clocks.Orphan),
		RequestBudget:   workflows.Duration(requestBudget(cfg.PayPal)),
	}
}

// requestBudget is the longest that one request can take: every try runs into
// its timeout, and every pause is the longest.
func requestBudget(p config.PayPal) time.Duration {
	tries := time.Duration(p.Attempts)
	return tries*p.AttemptTimeout + (tries-1)*max(p.BackoffMax, p.RetryAfterMax)
}

package service_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config"
	"gavel/worker/service"
	"gavel/workflows"
)

func TestPolicyOfTheDefaultsIsTheContracts(t *testing.T) {
	cfg, err := config.Load("")
	require.NoError(t, err)
	assert.Equal(t, workflows.Policy{
		InvoicePrefix:   "gv1",
		UnknownClock:    workflows.Duration(10 * time.Minute),
		PendingClock:    workflows.Duration(72 * time.Hour),
		AlertClock:      workflows.Duration(10 * time.Minute),
		HoldExpiryAlert: workflows.Duration(24 * time.Hour),
		HonorPeriod:     workflows.Duration(72 * time.Hour),
		PassMin:         workflows.Duration(5 * time.Second),
		PassMax:         workflows.Duration(time.Minute),
		PendingPollMax:  workflows.Duration(time.Hour),
		ReleaseParallel: 3,
		ReleaseBounded:  workflows.Duration(10 * time.Minute),
		OrphanClock:     workflows.Duration(696 * time.Hour),
		RequestBudget:   workflows.Duration(4*10*time.Second + 3*30*time.Second),
	}, service.PolicyOf(cfg))
}

func TestPolicyLeavesNothingToDefaults(t *testing.T) {
	cfg, err := config.Load("")
	require.NoError(t, err)
	policy := reflect.ValueOf(service.PolicyOf(cfg))
	for i := range policy.NumField() {
		if policy.Field(i).Kind() == reflect.Bool {
			continue // both values of a switch are said
		}
		assert.False(t, policy.Field(i).IsZero(), policy.Type().Field(i).Name)
	}
}

func TestPolicyTakesAlongWhetherHoldsAreRenewed(t *testing.T) {
	assert.False(t, service.PolicyOf(config.Config{Honor: config.Honor{Reauthorize: true}}).NoRenewals)
	assert.True(t, service.PolicyOf(config.Config{Honor: config.Honor{Reauthorize: false}}).NoRenewals)
}

func TestRequestBudgetCountsTheLongestPauses(t *testing.T) {
	budget := func(p config.PayPal) time.Duration {
		return time.Duration(service.PolicyOf(config.Config{PayPal: p}).RequestBudget)
	}
	one := config.PayPal{Attempts: 1, AttemptTimeout: 10 * time.Second, BackoffMax: time.Hour, RetryAfterMax: time.Hour}
	assert.Equal(t, 10*time.Second, budget(one), "one try has no pause")
	assert.Equal(t, 3*time.Second+2*5*time.Second, budget(config.PayPal{
		Attempts: 3, AttemptTimeout: time.Second, BackoffMax: 5 * time.Second, RetryAfterMax: time.Second,
	}))
}

package main

import (
	"context"
	"time"

	"go.temporal.io/sdk/client"

	"gavel/config"
)

// dialTimeout is how long Temporal may take to answer at all.
const dialTimeout = 5 * time.Second

// load reads the configuration and refuses what would have no effect.
func (a *app) load() (config.Config, error) {
	cfg, err := config.Load(a.configFile)
	if err != nil {
		return cfg, err
	}
	for _, unsupported := range cfg.Unsupported() {
		return cfg, unsupported
	}
	return cfg, nil
}

// connect checks the configuration, and connects to Temporal.
func (a *app) connect(ctx context.Context) (client.Client, error) {
	if _, err := a.load(); err != nil {
		return nil, err
	}
	return dial(ctx)
}

// dial connects to the Temporal that the environment names.
func dial(ctx context.Context) (client.Client, error) {
	temporal, _, err := dialNamed(ctx)
	return temporal, err
}

// dialNamed connects, and returns the namespace too. The SDK stays silent: what
// matters comes back as an error.
func dialNamed(ctx context.Context) (temporal client.Client, namespace string, err error) {
	options, err := config.TemporalOptions(nil)
	if err != nil {
		return nil, "", err
	}
	temporal, err = config.Dial(ctx, options, dialTimeout)
	return temporal, options.Namespace, err
}

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

// dial connects to the Temporal that the environment names. The SDK stays
// silent: what matters comes back as an error.
func dial(ctx context.Context) (client.Client, error) {
	options, err := config.TemporalOptions(nil)
	if err != nil {
		return nil, err
	}
	return config.Dial(ctx, options, dialTimeout)
}

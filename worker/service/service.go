// Package service is the worker as a part: what the worker program runs, and
// what the demo runs in its own process.
package service

import (
	"context"
	"fmt"
	"os"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.uber.org/zap"

	"gavel/activities"
	"gavel/config"
	"gavel/workflows"
)

const (
	// stopTimeout lets calls to PayPal that are under way come to their end.
	stopTimeout = 30 * time.Second
	// setUpTimeout bounds what happens at Temporal before the worker polls.
	setUpTimeout = 30 * time.Second
	// stickyTimeout is how soon a settlement goes on elsewhere when the worker
	// that had it in memory died. Temporal counts in whole seconds.
	stickyTimeout = 2 * time.Second
	// heartbeatEvery leaves time for a second heartbeat when one is lost: the
	// SDK would wait for 80 % of the activities' timeout of five seconds.
	heartbeatEvery = 2 * time.Second
	// maxActivities: a capture makes three requests, and all share one token
	// bucket; more of them would only wait for their turn.
	maxActivities = 60
	// maxReleases is how many batches of releases share what captures leave of the
	// token bucket: with more of them, each would take longer than it may.
	maxReleases = 10
	// maxWorkflowTasks bounds what replays at the same time after a restart.
	maxWorkflowTasks = 100
	// cachedWorkflows keeps a large auction in memory, and no more.
	cachedWorkflows = 2000
)

// Service is a worker that is ready to run.
type Service struct {
	client client.Client
	// killSwitch is a worker of its own, on a queue of its own.
	killSwitch worker.Worker
	// releases is one as well: it has its own few slots.
	releases worker.Worker
	worker   worker.Worker
	logger   *zap.Logger
	fatal    chan error
}

// New builds a worker on a connected client of the namespace. It registers the
// search attributes that the namespace lacks. The client stays the caller's.
//
// Errors: *config.SearchAttributesError; *paypalclient.OptionError.
func New(ctx context.Context, cfg config.Config, c client.Client, namespace string, logger *zap.Logger) (*Service, error) {
	killSwitch := activities.NewSwitchReader(c)
	paypal, err := payPal(cfg.PayPal, killSwitch.BeforeTry, logger.Named("paypal"))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, setUpTimeout)
	defer cancel()
	if err := config.EnsureSearchAttributes(ctx, c, namespace, workflows.SearchAttributeTypes()); err != nil {
		return nil, err
	}
	worker.SetStickyWorkflowCacheSize(cachedWorkflows)
	s := &Service{client: c, logger: logger, fatal: make(chan error, 1)}
	s.killSwitch = worker.New(c, workflows.SwitchTaskQueue, s.options())
	workflows.RegisterKillSwitch(s.killSwitch)
	shared := activities.Dependencies{PayPal: paypal, Switch: killSwitch, Alerts: logAlerts{logger.Named("alert")}}
	releasing := s.options()
	releasing.MaxConcurrentActivityExecutionSize, releasing.DisableWorkflowWorker = maxReleases, true
	s.releases = worker.New(c, workflows.ReleaseTaskQueue, releasing)
	activities.RegisterReleases(s.releases, shared)
	s.worker = worker.New(c, workflows.TaskQueue, s.options())
	workflows.Register(s.worker)
	activities.Register(s.worker, shared)
	return s, nil
}

func (s *Service) options() worker.Options {
	return worker.Options{
		Identity:                               identity(),
		WorkerStopTimeout:                      stopTimeout,
		StickyScheduleToStartTimeout:           stickyTimeout,
		MaxHeartbeatThrottleInterval:           heartbeatEvery,
		MaxConcurrentActivityExecutionSize:     maxActivities,
		MaxConcurrentWorkflowTaskExecutionSize: maxWorkflowTasks,
		DisableRegistrationAliasing:            true,
		OnFatalError: func(err error) {
			select {
			case s.fatal <- err:
			default: // the first one ends the service
			}
		},
	}
}

// Run works until the context ends, and then stops in order: nothing new is
// taken on, and calls under way have half a minute to end. It returns nil after
// that, and an error where the worker cannot start or cannot go on. No
// settlement is worked on before the kill switch has answered.
func (s *Service) Run(ctx context.Context) error {
	if err := s.killSwitch.Start(); err != nil {
		return fmt.Errorf("the kill switch's worker cannot start: %w", err)
	}
	defer s.killSwitch.Stop()
	if err := s.openSwitch(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	for _, w := range []worker.Worker{s.releases, s.worker} {
		if err := w.Start(); err != nil {
			return fmt.Errorf("the worker cannot start: %w", err)
		}
		defer w.Stop()
	}
	s.logger.Info("worker started", zap.String("task_queue", workflows.TaskQueue), zap.String("identity", identity()))
	select {
	case <-ctx.Done():
		s.logger.Info("worker stops; calls under way come to their end", zap.Duration("at_most", stopTimeout))
		return nil
	case err := <-s.fatal:
		return fmt.Errorf("the worker cannot go on: %w", err)
	}
}

func identity() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return fmt.Sprintf("gavel-worker %d@%s", os.Getpid(), host)
}

package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.temporal.io/sdk/client"
	"go.uber.org/zap"

	"gavel/config"
	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/worker/service"
	"gavel/workflows"
)

// The account that the fake PayPal plays.
const (
	clientID     = "demo"
	clientSecret = "demo"
)

// Pauses between two passes: short, so that nobody waits for the demo.
const (
	passMin = 500 * time.Millisecond
	passMax = 2 * time.Second
)

const dialTimeout = 30 * time.Second

// Stage is everything that the demo runs on.
type Stage struct {
	Temporal *devserver.Server
	PayPal   *fake.Server
	Client   client.Client
	Config   config.Config
	// Dir holds the database and the logs.
	Dir string
	// WorkerEnded receives how the worker ended, once.
	WorkerEnded <-chan error

	say      func(string)
	cleanups []func() error
}

// Start starts the stage, on free ports of the loopback interface, and says
// what it starts. Whatever of cfg belongs to the stage is replaced. On an error
// nothing is left running; otherwise the caller calls Close.
func Start(ctx context.Context, cfg config.Config, say func(string)) (stage *Stage, err error) {
	s := &Stage{Config: cfg, say: say}
	defer func() {
		if err != nil {
			s.Close(false)
		}
	}()
	if s.Dir, err = os.MkdirTemp("", "gavel-demo-"); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{s.startTemporal, s.startPayPal, s.startWorker} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Stage) startTemporal(ctx context.Context) error {
	s.say("Temporal: looking for its CLI.")
	log, err := s.file("temporal.log")
	if err != nil {
		return err
	}
	s.Temporal, err = devserver.Start(ctx, devserver.Options{
		Say: s.say, UI: true, DBFile: filepath.Join(s.Dir, "temporal.db"), Log: log, SearchAttributes: workflows.SearchAttributeTypes(),
	})
	if err != nil {
		return err
	}
	s.cleanups = append(s.cleanups, s.Temporal.Stop)
	s.say(fmt.Sprintf("Temporal: dev server at %s, Web UI at %s", s.Temporal.Address(), s.Temporal.UIURL()))
	return nil
}

func (s *Stage) startPayPal(context.Context) (err error) {
	if s.PayPal, err = fake.New(fake.Options{ClientID: clientID, ClientSecret: clientSecret}); err != nil {
		return err
	}
	s.cleanups = append(s.cleanups, s.PayPal.Close)
	if err := s.PayPal.Listen("127.0.0.1:0"); err != nil {
		return err
	}
	s.say("PayPal: a fake one at " + s.PayPal.URL())
	return seed(s.PayPal)
}

func (s *Stage) startWorker(ctx context.Context) error {
	log, err := s.file("worker.log")
	if err != nil {
		return err
	}
	logger, err := config.NewLogger(s.Config.Log, log, false)
	if err != nil {
		return err
	}
	s.configure()
	options := client.Options{
		HostPort: s.Temporal.Address(), Namespace: s.Temporal.Namespace(), Logger: config.NewTemporalLogger(logger.Named("temporal")),
	}
	if s.Client, err = config.Dial(ctx, options, dialTimeout); err != nil {
		return err
	}
	s.cleanups = append(s.cleanups, func() error { s.Client.Close(); return nil })
	worker, err := service.New(ctx, s.Config, s.Client, options.Namespace, logger)
	if err != nil {
		return err
	}
	s.run(worker, logger)
	s.say("Worker: in this process, its log in " + filepath.Join(s.Dir, "worker.log"))
	return nil
}

// run runs the worker until Close stops it.
func (s *Stage) run(worker *service.Service, logger *zap.Logger) {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended <- worker.Run(ctx)
		_ = logger.Sync()
	}()
	s.WorkerEnded = ended
	s.cleanups = append(s.cleanups, func() error { stop(); <-done; return nil })
}

// configure replaces what belongs to the stage: the demo never talks to a real PayPal.
func (s *Stage) configure() {
	s.Config.PayPal.BaseURL = s.PayPal.URL()
	s.Config.PayPal.ClientID, s.Config.PayPal.ClientSecret = clientID, clientSecret
	s.Config.Clocks.PassMin, s.Config.Clocks.PassMax = passMin, passMax
}

// file is a file in the stage's directory, closed with the stage.
func (s *Stage) file(name string) (*os.File, error) {
	file, err := os.Create(filepath.Join(s.Dir, name))
	if err == nil {
		s.cleanups = append(s.cleanups, file.Close)
	}
	return file, err
}

// Close stops everything in the reverse order of its start. keepFiles leaves
// the database and the logs for a look.
func (s *Stage) Close(keepFiles bool) {
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		if err := s.cleanups[i](); err != nil {
			s.say("Stopping: " + err.Error())
		}
	}
	s.cleanups = nil
	if keepFiles {
		s.say("Logs and database are left in " + s.Dir)
		return
	}
	if s.Dir != "" {
		_ = os.RemoveAll(s.Dir)
	}
}

// WhileItWorks is a context that ends with ctx, or with its cause where the
// worker or Temporal ends before.
func (s *Stage) WhileItWorks(ctx context.Context) (context.Context, context.CancelFunc) {
	working, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-working.Done():
		case err := <-s.WorkerEnded:
			cancel(fmt.Errorf("the worker ended: %w", err))
		case <-s.Temporal.Exited():
			cancel(fmt.Errorf("the Temporal dev server ended; its log is %s", filepath.Join(s.Dir, "temporal.log")))
		}
	}()
	return working, func() { cancel(nil) }
}

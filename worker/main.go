// Command worker settles what the starter starts: it runs the workflows and
// their calls to PayPal until it is told to stop.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"golang.org/x/term"

	"gavel/config"
	"gavel/config/input"
	"gavel/worker/service"
)

// dialTimeout is long, because a worker and its Temporal often start together.
const dialTimeout = time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	os.Exit(exitCode(ctx, command().ExecuteContext(ctx)))
}

// exitCode is 0 after a signal, 2 for a mistake of ours to tell, 1 otherwise.
func exitCode(ctx context.Context, err error) int {
	if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	if _, mistaken := errors.AsType[*input.Error](err); mistaken {
		return 2
	}
	return 1
}

func command() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:           "worker",
		Short:         "Runs settlements until SIGINT or SIGTERM, then lets the calls under way end",
		Args:          func(cmd *cobra.Command, args []string) error { return misused(cobra.NoArgs(cmd, args)) },
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return work(cmd.Context(), file) },
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misused(err) })
	cmd.Flags().StringVar(&file, "config", "", "configuration `FILE` (YAML); the environment's GAVEL_* goes before it")
	return cmd
}

func misused(err error) error {
	if err == nil {
		return nil
	}
	return &input.Error{Rule: err.Error() + "; see worker --help"}
}

func work(ctx context.Context, file string) error {
	cfg, err := load(file)
	if err != nil {
		return err
	}
	logger, err := config.NewLogger(cfg.Log, os.Stderr, term.IsTerminal(int(os.Stderr.Fd())))
	if err != nil {
		return err
	}
	defer func() { _ = logger.Sync() }()
	options, err := config.TemporalOptions(logger.Named("temporal"))
	if err != nil {
		return err
	}
	temporal, err := config.Dial(ctx, options, dialTimeout)
	if err != nil {
		return err
	}
	defer temporal.Close()
	logger.Info("connected", zap.String("temporal", options.HostPort), zap.String("namespace", options.Namespace), zap.String("paypal", cfg.PayPal.BaseURL))
	s, err := service.New(ctx, cfg, temporal, options.Namespace, logger)
	if err != nil {
		return err
	}
	return s.Run(ctx)
}

// load reads the configuration and refuses what would have no effect.
func load(file string) (config.Config, error) {
	cfg, err := config.Load(file)
	if err != nil {
		return cfg, err
	}
	for _, unsupported := range cfg.Unsupported() {
		return cfg, unsupported
	}
	return cfg, cfg.RequirePayPal()
}

package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"gavel/starter/internal/demo"
	"gavel/starter/internal/lotfile"
	"gavel/starter/internal/settling"
	"gavel/worker/service"
)

func (a *app) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Settle a sample auction on this machine, with nothing set up",
		Long: "Starts a Temporal dev server with its Web UI, a fake PayPal and a worker, settles a sample auction on them,\n" +
			"and prints the outcome and what PayPal's books say.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave everything running until Ctrl-C")
	return cmd
}

func (a *app) demo(ctx context.Context, keep bool) (err error) {
	entries, err := demo.Sample()
	if err != nil {
		return err
	}
	cfg, err := a.load()
	if err != nil {
		return err
	}
	stage, err := demo.Start(ctx, cfg, func(line string) { a.say("%s", line) })
	if err != nil {
		return err
	}
	defer func() {
		a.say("Stopping the worker, the fake PayPal and Temporal.")
		stage.Close(err != nil && ctx.Err() == nil)
	}()
	working, stop := stage.WhileItWorks(ctx)
	defer stop()
	err = a.perform(working, stage, entries)
	if keep && err == nil {
		a.say("\n%s", stage.HowToGoOn())
		<-working.Done()
	}
	if broke := context.Cause(working); broke != nil && ctx.Err() == nil {
		return broke
	}
	return err
}

// perform settles the sample and shows what came of it.
func (a *app) perform(ctx context.Context, stage *demo.Stage, entries []lotfile.Entry) error {
	a.say("\nThe sample auction, with pauses of %s instead of seconds:", stage.Config.Clocks.PassMin)
	for _, line := range demo.Story {
		a.say("  %s", line)
	}
	a.say("")
	standings, settled := a.settleLots(ctx, stage.Client, service.PolicyOf(stage.Config), entries, following{alone: true})
	if standings == nil || ctx.Err() != nil {
		return settled
	}
	if err := a.books(stage, standings); err != nil {
		return err
	}
	a.say("\nWeb UI: %s/namespaces/%s/workflows (up while this command runs: demo --keep)", stage.Temporal.UIURL(), stage.Temporal.Namespace())
	return settled
}

// books prints PayPal's ledger, and fails where it differs from the outcomes.
func (a *app) books(stage *demo.Stage, standings []settling.Standing) error {
	var w io.Writer = a.stdout
	if a.json {
		w = a.stderr
	}
	_, _ = fmt.Fprintln(w, "\nPayPal's ledger:")
	ledger := stage.PayPal.Ledger()
	if err := demo.PrintLedger(w, ledger); err != nil {
		return err
	}
	violations := demo.Audit(ledger, standings, stage.Config.PayPal.InvoicePrefix)
	for _, violation := range violations {
		a.say("VIOLATION: %s", violation)
	}
	if len(violations) > 0 {
		return fmt.Errorf("the ledger is not in order; see %s", filepath.Join(stage.Dir, "worker.log"))
	}
	_, err := fmt.Fprintln(w, "Checked: one capture a lot, each the winner's, nothing else was taken.")
	return err
}

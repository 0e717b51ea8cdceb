package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/worker/service"
)

func (a *app) settleCommand() *cobra.Command {
	var how following
	cmd := &cobra.Command{
		Use:   "settle FILE...",
		Short: "Settle every lot in the files (- reads stdin), and follow them to their ends",
		Long: "Starts one settlement for each lot and follows each until it has ended or needs a person.\n" +
			"Running it again for the same lots attaches to the settlements that exist; there is never a second one.\n" +
			"A file holds one lot, {\"lots\": [...]}, or one lot a line.",
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("settle needs a FILE of lots, or - for stdin")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error { return a.settle(cmd.Context(), files, how) },
	}
	cmd.Flags().BoolVar(&how.noWait, "no-wait", false, "return when every settlement was started")
	cmd.Flags().DurationVar(&how.timeout, "timeout", 0, "give up waiting after this long, with exit code 4; the settlements go on")
	return cmd
}

// following says how long settlements are followed.
type following struct {
	noWait  bool
	timeout time.Duration // 0: until all are over
	alone   bool          // what works on the settlements ends with the command
	again   string        // how to go on with them; "": the same command
	reviews bool          // who follows says what a review means
}

func (how following) howToGoOn() string { return cmp.Or(how.again, "run the same command again") }

// settle reads everything before Temporal is asked for anything.
func (a *app) settle(ctx context.Context, files []string, how following) error {
	if how.timeout < 0 {
		return &input.Error{Source: "--timeout", Rule: "must not be below 0"}
	}
	entries, err := lotfile.ReadAll(files, a.stdin)
	if err != nil {
		return err
	}
	cfg, err := a.load()
	if err != nil {
		return err
	}
	temporal, err := dial(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	_, err = a.settleLots(ctx, temporal, service.PolicyOf(cfg), entries, how)
	return err
}

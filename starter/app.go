package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gavel/config/input"
	"gavel/starter/internal/show"
)

// Exit codes of every command.
const (
	exitDone    = 0
	exitFailed  = 1 // the tool itself failed
	exitInput   = 2 // the input or the configuration is wrong; nothing was started
	exitReview  = 3 // at least one lot needs a person
	exitGivenUp = 4 // waiting was given up, and the settlements go on
)

// app is one run of the program.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	json       bool
	configFile string
	// entered: the command line was understood, and a command runs.
	entered bool
}

// exitError ends the program with a code; what there is to say was said.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code
	}
	if !a.entered {
		a.say("%v; see starter --help", err)
		return exitInput
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		a.say("Interrupted.")
		return exitFailed
	}
	a.say("%v", err)
	if _, mistaken := errors.AsType[*input.Error](err); mistaken {
		return exitInput
	}
	return exitFailed
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "starter",
		Short: "Settles the lots of auctions: charges the winner's PayPal hold, gives the others back",
		Long: "Settles the lots of auctions on Temporal: charges the winner's PayPal hold and gives the others back.\n\n" +
			"Exit codes: 0 done; 1 the tool failed; 2 the input or the configuration is wrong and nothing was started;\n" +
			"3 at least one lot needs a person; 4 waiting was given up and the settlements go on.",
		Args:             cobra.NoArgs,
		SilenceUsage:     true,
		SilenceErrors:    true,
		PersistentPreRun: func(*cobra.Command, []string) { a.entered = true },
		RunE:             func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object a line on stdout, and nothing else there")
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "configuration `FILE` (YAML); the environment's GAVEL_* goes before it")
	root.AddCommand(a.settleCommand(), a.cancelCommand(), a.statusCommand(), a.reviewCommand(), a.switchCommand(), a.demoCommand())
	return root
}

// say prints a line for people.
func (a *app) say(format string, args ...any) {
	_, _ = fmt.Fprintf(a.stderr, format+"\n", args...)
}

// terminal is the one that progress is drawn on, if there is one and the JSON
// lines do not come out there.
func (a *app) terminal() show.Terminal {
	if !isTerminal(a.stderr) || a.json && isTerminal(a.stdout) {
		return show.Terminal{}
	}
	width, height, err := term.GetSize(int(a.stderr.(*os.File).Fd()))
	if err != nil || width <= 0 {
		return show.Terminal{Width: 80, Height: 24}
	}
	return show.Terminal{Width: width, Height: height}
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gavel/activities"
	"gavel/config/input"
	"gavel/starter/internal/killswitch"
	"gavel/starter/internal/show"
	"gavel/workflows"
)

func (a *app) switchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "switch",
		Short: "Stop every money call to PayPal, or let them be sent again: the kill switch",
		Long: "The kill switch. While it is on, no worker sends a call that moves money or gives a hold back; PayPal is still read.\n\n" +
			"With --json each command prints {\"state\": \"on\", \"off\" or \"unreadable\", \"by\", \"reason\", \"since\", \"problem\", \"stops\"};\n" +
			"stops are {\"from\", \"to\", \"by\", \"reason\", \"released_by\"}, oldest first, the running one without \"to\".",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.switchEngageCommand(), a.switchReleaseCommand(), a.switchStatusCommand())
	return cmd
}

func (a *app) switchEngageCommand() *cobra.Command {
	var request workflows.SwitchRequest
	cmd := &cobra.Command{
		Use:   "engage --by NAME --reason TEXT",
		Short: "Stop every money call; returns when that holds for every worker",
		Long: "Stops every money call. Once it has returned with 0, no worker sends a new one; one that was on the wire may still\n" +
			"take effect. Where no worker answers in ten seconds the request is recorded, and the command ends with 1.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagMistake(request.ValidateEngage()); err != nil {
				return err
			}
			return a.flip(cmd.Context(), workflows.EngageSwitch, request)
		},
	}
	cmd.Flags().StringVar(&request.By, "by", "", "who stops them (`NAME`)")
	cmd.Flags().StringVar(&request.Reason, "reason", "", "why (`TEXT`)")
	return cmd
}

func (a *app) switchReleaseCommand() *cobra.Command {
	var request workflows.SwitchRequest
	cmd := &cobra.Command{
		Use:   "release --by NAME",
		Short: "Let money calls be sent again",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flagMistake(request.ValidateRelease()); err != nil {
				return err
			}
			return a.flip(cmd.Context(), workflows.ReleaseSwitch, request)
		},
	}
	cmd.Flags().StringVar(&request.By, "by", "", "who lets them be sent (`NAME`)")
	return cmd
}

func (a *app) switchStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show how the kill switch stands, as a worker reads it; needs no worker",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.switchStatus(cmd.Context()) },
	}
}

// flagMistake names the flag where the request's own rules name the field.
func flagMistake(err error) error {
	if mistake, ok := errors.AsType[*input.Error](err); ok {
		return &input.Error{Path: "--" + strings.ReplaceAll(mistake.Path, "_", "-"), Rule: mistake.Rule}
	}
	return err
}

// flip engages or releases the switch, and fails where it then stands otherwise.
func (a *app) flip(ctx context.Context, name string, request workflows.SwitchRequest) error {
	temporal, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	state, err := killswitch.Ask(ctx, temporal, name, request)
	if err != nil {
		return err
	}
	if err := a.showSwitch(state); err != nil {
		return err
	}
	stop := state.Current()
	switch {
	case name == workflows.EngageSwitch && stop == nil:
		return fmt.Errorf("the kill switch is off again: %s released it meanwhile", state.Stops[len(state.Stops)-1].ReleasedBy)
	case name == workflows.ReleaseSwitch && stop != nil:
		return fmt.Errorf("the kill switch stays on: %s engaged it at the same moment; run the command again if it is to be released", stop.By)
	}
	return nil
}

func (a *app) showSwitch(state activities.SwitchState) error {
	if a.json {
		return show.SwitchJSON(a.stdout, state, nil)
	}
	return show.Switch(a.stdout, state)
}

func (a *app) switchStatus(ctx context.Context) error {
	temporal, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	state, err := activities.NewSwitchReader(temporal).Read(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return a.unreadable(err)
	}
	if err := a.showSwitch(state); err != nil || a.json {
		return err
	}
	return show.Stops(a.stdout, state)
}

// unreadable says why, and what workers do meanwhile.
func (a *app) unreadable(err error) error {
	cause := errors.Unwrap(err)
	if a.json {
		if err := show.SwitchJSON(a.stdout, activities.SwitchState{}, cause); err != nil {
			return err
		}
	}
	return fmt.Errorf("the kill switch is UNREADABLE, so workers of this namespace send no money call: %w; "+
		"a worker creates it when it starts (go run ./worker); if workers run, check TEMPORAL_NAMESPACE, or restart one", cause)
}

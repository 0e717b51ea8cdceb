package main

import (
	"context"

	"github.com/spf13/cobra"

	"gavel/starter/internal/settling"
	"gavel/starter/internal/show"
)

func (a *app) reviewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Show what waits for a person, or decide it",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.reviewListCommand(), a.reviewDecideCommand())
	return cmd
}

func (a *app) reviewListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List what waits for a person, oldest first, with why and what fits",
		Long: "Lists every settlement that waits for a person, the one that has waited longest first.\n" +
			"With --json each line is the outcome as status prints it; review holds since when, and the actions that fit.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.reviewList(cmd.Context()) },
	}
}

func (a *app) reviewList(ctx context.Context) error {
	temporal, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	reviews, err := settling.Reviews(ctx, temporal)
	if err != nil {
		return err
	}
	for _, r := range reviews {
		if !r.Answered {
			a.say("No worker answers for all of them; there, what the search attributes say is shown, and since when the run was started (start one: go run ./worker).")
			break
		}
	}
	if !a.json {
		return show.Reviews(a.stdout, reviews)
	}
	for _, r := range reviews {
		if err := show.JSON(a.stdout, r.Standing); err != nil {
			return err
		}
	}
	return nil
}

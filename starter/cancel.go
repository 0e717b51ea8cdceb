package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/starter/internal/settling"
	"gavel/workflows"
)

// calling is who calls a lot off, and why.
type calling struct{ by, reason string }

func (a *app) cancelCommand() *cobra.Command {
	var who calling
	how := following{again: "run settle with the lot's file again", reviews: true}
	cmd := &cobra.Command{
		Use:   "cancel AUCTION LOT --by NAME --reason TEXT",
		Short: "Call a lot off: release its holds, unless the money was taken, and follow it to its end",
		Long: "Calls a lot off. Before the capture every hold is released, and the lot ends CANCELLED. A capture that PayPal shows\n" +
			"stands: what is left to release is released, and the lot ends SETTLED. What is in doubt is resolved first.\n" +
			"A lot in review needs its decision first (review decide), unless it is there for bid_failed.\n" +
			"Exit code 1 where there is nothing to call off, otherwise as settle.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.cancel(cmd.Context(), args[0], args[1], who, how)
		},
	}
	cmd.Flags().StringVar(&who.by, "by", "", "who calls it off (`NAME`); stands in the history")
	cmd.Flags().StringVar(&who.reason, "reason", "", "why (`TEXT`); stands in the history")
	cmd.Flags().BoolVar(&how.noWait, "no-wait", false, "return when it was asked for")
	cmd.Flags().DurationVar(&how.timeout, "timeout", 0, "give up waiting after this long, with exit code 4; the settlement goes on")
	return cmd
}

func (a *app) cancel(ctx context.Context, auction, lot string, who calling, how following) error {
	if err := checkCancel(auction, lot, who, how); err != nil {
		return err
	}
	if _, err := a.load(); err != nil {
		return err
	}
	temporal, namespace, err := dialNamed(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	settlement := settling.Settlement{
		Entry:      lotfile.Entry{Lot: workflows.Lot{AuctionID: auction, LotID: lot}},
		WorkflowID: workflows.SettlementID(auction, lot),
		Attached:   true,
	}
	// Temporal takes a request to cancel what has ended, in silence.
	if found, err := look(ctx, temporal, settlement.WorkflowID); err != nil || found.Ended() {
		return notRunning(found, err, "there is nothing to call off")
	}
	if err := settling.CallOff(ctx, temporal, namespace, settlement.WorkflowID, who.by, who.reason); err != nil {
		return fmt.Errorf("asking %s to call the lot off: %w", settlement.WorkflowID, err)
	}
	a.say("Asked %s to call the lot off.", settlement.WorkflowID)
	return a.followCalledOff(ctx, temporal, settlement, how)
}

func checkCancel(auction, lot string, who calling, how following) error {
	if err := checkIDs(auction, lot); err != nil {
		return err
	}
	if lot == "" {
		return &input.Error{Path: "LOT", Rule: "must be the lot's id"}
	}
	words := workflows.Decision{Action: workflows.ActionRetry, By: who.by, Reason: who.reason} // the rules of a decision
	if err := flagMistake(words.Validate()); err != nil {
		return err
	}
	if how.timeout < 0 {
		return &input.Error{Source: "--timeout", Rule: "must not be below 0"}
	}
	return nil
}

// followCalledOff follows the settlement and says what calling it off came to.
func (a *app) followCalledOff(ctx context.Context, temporal client.Client, settlement settling.Settlement, how following) error {
	standings, err := a.followAll(ctx, &settling.Settler{Client: temporal}, []settling.Settlement{settlement}, how)
	outcome := standings[0].Outcome
	switch {
	case standings[0].Closed != "":
	case outcome.State == workflows.StateSettled:
		a.say("The lot was NOT called off: the money had been taken, so %s keeps it and everyone else's hold was given back.", outcome.Winner.BidderID)
	case outcome.State == workflows.StateUnsold:
		a.say("There was nothing left to call off: every bid had failed, and every hold was given back.")
	case standings[0].Ended():
	case outcome.State == workflows.StateFailedNeedsReview && outcome.Reason == workflows.ReasonBidFailed:
		a.say("No worker has taken the request in yet; when one does, the lot is called off (go run ./worker).")
		if !how.noWait {
			return &exitError{exitGivenUp}
		}
	case outcome.State == workflows.StateFailedNeedsReview:
		a.say("A lot in review (%s) is not called off by this: decide it with starter review decide %s. After a retry or next-bidder nothing is captured any more.",
			outcome.Reason, settlement.WorkflowID)
	}
	return err
}

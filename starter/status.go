package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"gavel/config/input"
	"gavel/starter/internal/settling"
	"gavel/starter/internal/show"
	"gavel/workflows"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status AUCTION [LOT]",
		Short: "Show where the settlements of an auction, or of one lot, stand",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			lot := ""
			if len(args) == 2 {
				lot = args[1]
			}
			return a.status(cmd.Context(), args[0], lot)
		},
	}
}

func (a *app) status(ctx context.Context, auction, lot string) error {
	if err := checkIDs(auction, lot); err != nil {
		return err
	}
	temporal, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	standings, answered, err := a.standings(ctx, temporal, auction, lot)
	if err != nil {
		return err
	}
	if !answered {
		a.say("No worker answers where the settlements stand; what the search attributes say is shown, without winners and holds (start one: go run ./worker).")
	}
	if !a.json {
		return show.Status(a.stdout, standings)
	}
	for _, s := range standings {
		if err := show.JSON(a.stdout, s); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) standings(ctx context.Context, temporal client.Client, auction, lot string) ([]settling.Standing, bool, error) {
	var ids []string
	if lot != "" {
		ids = []string{workflows.SettlementID(auction, lot)}
	} else {
		rows, err := settling.List(ctx, temporal, auction)
		if err != nil {
			return nil, false, fmt.Errorf("listing the settlements of auction %s: %w", auction, err)
		}
		for _, row := range rows {
			ids = append(ids, row.WorkflowID)
		}
	}
	standings, answered, err := settling.LookAll(ctx, temporal, ids)
	if err != nil {
		return nil, false, err
	}
	if len(standings) == 0 {
		return nil, false, fmt.Errorf("no settlement of %s is known to Temporal: start it with settle FILE, or check the spelling and TEMPORAL_NAMESPACE", named(auction, lot))
	}
	return standings, answered, nil
}

func named(auction, lot string) string {
	if lot == "" {
		return "auction " + auction
	}
	return fmt.Sprintf("lot %s of auction %s", lot, auction)
}

// checkIDs applies the rules of a lot file to ids of the command line.
func checkIDs(auction, lot string) error {
	probe := workflows.Lot{AuctionID: auction, LotID: lot}
	if lot == "" {
		probe.LotID = "1"
	}
	mistake, ok := errors.AsType[*input.Error](probe.Validate())
	if ok && (mistake.Path == "auction_id" || mistake.Path == "lot_id") {
		return mistake
	}
	return nil
}

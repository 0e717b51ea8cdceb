package settling

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/workflows"
)

// describe returns the current run of a workflow, or nil where Temporal knows
// none. Unlike visibility it is never behind, and it is no billable action.
func describe(ctx context.Context, c client.Client, workflowID string) (*client.WorkflowExecutionDescription, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := c.DescribeWorkflow(ctx, workflowID, "")
	if _, unknown := errors.AsType[*serviceerror.NotFound](err); unknown {
		return nil, nil
	}
	return found, err
}

// lookUp describes the settlement of every lot and refuses the first that is
// known with another input, as *input.Error.
func (s *Settler) lookUp(ctx context.Context, entries []lotfile.Entry) ([]*client.WorkflowExecutionDescription, error) {
	known := make([]*client.WorkflowExecutionDescription, len(entries))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, entry := range entries {
		group.Go(func() (err error) {
			known[i], err = describe(groupCtx, s.Client, settlementID(entry.Lot))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("looking up the lots at Temporal: %w", err)
	}
	for i, entry := range entries {
		if known[i] == nil {
			continue
		}
		if err := sameInput(entry, known[i]); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// sameInput compares the lot with the one that its settlement was started with.
func sameInput(entry lotfile.Entry, known *client.WorkflowExecutionDescription) error {
	var hash string
	if err := known.GetMemoValue(workflows.MemoLotHash, &hash); err == nil && hash == workflows.LotHash(entry.Lot) {
		return nil
	}
	return &input.Error{Source: entry.Source, Path: entry.Path, Rule: fmt.Sprintf(
		"lot %s of auction %s was started with another input, as workflow %s: what is known cannot be changed; give the lot as it was, or leave it out",
		entry.Lot.LotID, entry.Lot.AuctionID, known.WorkflowExecution.ID)}
}

func settlementID(lot workflows.Lot) string {
	return workflows.SettlementID(lot.AuctionID, lot.LotID)
}

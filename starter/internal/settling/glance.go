package settling

import (
	"context"
	"slices"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"
)

// Glance returns where the settlements stand now. One that was just started
// stands at its beginning; one that is over is told to Watch.
func (s *Settler) Glance(ctx context.Context, settlements []Settlement) ([]Standing, error) {
	standings := make([]Standing, len(settlements))
	looker := Looker{Client: s.Client}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, settlement := range settlements {
		standings[i] = Standing{Settlement: settlement, Outcome: begun(settlement)}
		if !settlement.Attached {
			continue
		}
		group.Go(func() (err error) {
			standings[i], _, err = looker.Look(groupCtx, standings[i])
			return err
		})
	}
	err := group.Wait()
	for _, standing := range standings {
		if standing.Over() {
			s.Watch.Moved(standing)
		}
	}
	return standings, err
}

// LookAll looks at settlements by their workflow ids and leaves out what
// Temporal does not know. answered is false where a worker had to answer for
// one of them and none did.
func LookAll(ctx context.Context, c client.Client, workflowIDs []string) (standings []Standing, answered bool, err error) {
	looker := Looker{Client: c}
	standings = make([]Standing, len(workflowIDs))
	answers := make([]bool, len(workflowIDs))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, id := range workflowIDs {
		group.Go(func() (err error) {
			before := Standing{Settlement: Settlement{WorkflowID: id}}
			standings[i], answers[i], err = looker.Look(groupCtx, before)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	standings = slices.DeleteFunc(standings, func(s Standing) bool { return s.Closed == closedUnknown })
	return standings, !slices.Contains(answers, false), nil
}

package settling

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"gavel/workflows"
)

// reviewedTypes are the workflow types whose reviews a person can decide.
var reviewedTypes = []string{workflows.SettlementType, "Checkout"}

// Review is a workflow that waits for a person.
type Review struct {
	Standing
	// Since is when the review began or, where no worker answers, the run.
	Since time.Time
	// Answered: a worker has said so.
	Answered bool
}

// Reviews returns what waits for a person, the oldest first. Visibility, which
// may be behind, names it; what has left its review since is left out.
func Reviews(ctx context.Context, c client.Client) ([]Review, error) {
	rows, err := list(ctx, c, fmt.Sprintf("WorkflowType IN ('%s') AND ExecutionStatus = 'Running' AND GavelState = '%s'",
		strings.Join(reviewedTypes, "', '"), workflows.StateFailedNeedsReview))
	if err != nil {
		return nil, fmt.Errorf("listing the reviews: %w", err)
	}
	looker := Looker{Client: c}
	reviews := make([]Review, len(rows))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, row := range rows {
		group.Go(func() (err error) {
			one := Review{Since: time.Unix(0, row.startedAt)}
			one.Standing, one.Answered, err = looker.Look(groupCtx, Standing{Settlement: Settlement{WorkflowID: row.WorkflowID}})
			if review := one.Outcome.Review; review != nil {
				one.Since = review.Since
			}
			reviews[i] = one
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("looking at the reviews: %w", err)
	}
	reviews = slices.DeleteFunc(reviews, func(r Review) bool { return r.Ended() || r.Outcome.State != workflows.StateFailedNeedsReview })
	slices.SortFunc(reviews, func(a, b Review) int {
		return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.WorkflowID, b.WorkflowID))
	})
	return reviews, nil
}

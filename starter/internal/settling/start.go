package settling

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"golang.org/x/sync/errgroup"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/workflows"
)

// A worker registers the search attributes at boot, and Temporal's frontends
// take a while to notice.
const (
	mappingPatience = 15 * time.Second
	mappingPause    = 500 * time.Millisecond
)

// StartError says that not every lot could be started. Those that were go on;
// the one that was interrupted may be among them.
type StartError struct {
	Started, Lots int
	Cause         error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("at least %d of %d lots were started and go on, then: %v; run the same command again to start the others and follow all",
		e.Started, e.Lots, e.Cause)
}

// Unwrap returns what went wrong.
func (e *StartError) Unwrap() error { return e.Cause }

// Begin starts a settlement for every lot, or attaches to the one that exists,
// running or ended; there is never a second one. Nothing is started where a lot
// is known with another input. The result stands in the order of the entries.
//
// Errors: *input.Error for another input, *StartError once something may have
// been started, otherwise Temporal's.
func (s *Settler) Begin(ctx context.Context, entries []lotfile.Entry) ([]Settlement, error) {
	known, err := s.lookUp(ctx, entries)
	if err != nil {
		return nil, err
	}
	all := make([]Settlement, len(entries))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, entry := range entries {
		group.Go(func() (err error) {
			if groupCtx.Err() != nil {
				return groupCtx.Err()
			}
			if known[i] != nil && !startsAgain(known[i].Status) {
				all[i] = attached(entry, known[i])
				return nil
			}
			all[i], err = s.startOrAttach(groupCtx, entry)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, failedStart(all, err)
	}
	return all, nil
}

func failedStart(all []Settlement, cause error) error {
	started := 0
	for _, settlement := range all {
		if settlement.RunID != "" && !settlement.Attached {
			started++
		}
	}
	_, refused := errors.AsType[*input.Error](cause)
	if started == 0 && (refused || noMapping(cause)) {
		return cause
	}
	return &StartError{Started: started, Lots: len(all), Cause: cause}
}

// startsAgain tells whether a run that was closed this way may be followed by
// another: it left no outcome, and the truth at PayPal decides.
func startsAgain(status enumspb.WorkflowExecutionStatus) bool {
	switch status {
	case enumspb.WORKFLOW_EXECUTION_STATUS_FAILED, enumspb.WORKFLOW_EXECUTION_STATUS_CANCELED,
		enumspb.WORKFLOW_EXECUTION_STATUS_TERMINATED, enumspb.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:
		return true
	default:
		return false
	}
}

func attached(entry lotfile.Entry, known *client.WorkflowExecutionDescription) Settlement {
	return Settlement{Entry: entry, WorkflowID: known.WorkflowExecution.ID, RunID: known.WorkflowExecution.RunID, Attached: true}
}

// startOrAttach attaches where another starter was quicker.
func (s *Settler) startOrAttach(ctx context.Context, entry lotfile.Entry) (Settlement, error) {
	run, err := s.start(ctx, entry.Lot)
	if err == nil {
		return Settlement{Entry: entry, WorkflowID: run.GetID(), RunID: run.GetRunID()}, nil
	}
	if !temporal.IsWorkflowExecutionAlreadyStartedError(err) {
		return Settlement{}, fmt.Errorf("starting lot %s of auction %s: %w", entry.Lot.LotID, entry.Lot.AuctionID, err)
	}
	known, err := describe(ctx, s.Client, settlementID(entry.Lot))
	switch {
	case err != nil:
		return Settlement{}, err
	case known == nil:
		return Settlement{}, fmt.Errorf("workflow %s exists already and cannot be found", settlementID(entry.Lot))
	}
	return attached(entry, known), sameInput(entry, known)
}

func (s *Settler) start(ctx context.Context, lot workflows.Lot) (client.WorkflowRun, error) {
	patience := time.Now().Add(mappingPatience)
	for {
		callCtx, cancel := context.WithTimeout(ctx, callTimeout)
		run, err := s.Client.ExecuteWorkflow(callCtx, startOptions(lot), workflows.SettlementType,
			workflows.SettlementInput{Lot: lot, Policy: s.Policy})
		cancel()
		if err == nil || !noMapping(err) {
			return run, err
		}
		if time.Now().After(patience) {
			return nil, fmt.Errorf("the namespace lacks the search attributes, which a worker registers at its start (go run ./worker): %w", err)
		}
		if !sleep(ctx, mappingPause) {
			return nil, ctx.Err()
		}
	}
}

// startOptions: no timeouts, since a settlement that Temporal ends leaves holds
// behind. Only what was closed without an outcome may be started again.
func startOptions(lot workflows.Lot) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:                                       settlementID(lot),
		TaskQueue:                                workflows.TaskQueue,
		WorkflowIDConflictPolicy:                 enumspb.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowIDReusePolicy:                    enumspb.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		TypedSearchAttributes:                    workflows.SearchAttributes(lot.AuctionID, lot.LotID, workflows.StateCapturing, ""),
		Memo:                                     map[string]any{workflows.MemoLotHash: workflows.LotHash(lot)},
		StaticSummary:                            summary(lot),
	}
}

// noMapping knows the words of Temporal's SQL and Elasticsearch stores.
func noMapping(err error) bool {
	invalid, ok := errors.AsType[*serviceerror.InvalidArgument](err)
	return ok && (strings.Contains(invalid.Error(), "no mapping defined for search attribute") ||
		strings.Contains(invalid.Error(), "is not defined"))
}

// maxSummary is what the Web UI shows of a summary (Temporal documentation,
// user metadata).
const maxSummary = 200

func summary(lot workflows.Lot) string {
	best := lot.Bids[0]
	text := fmt.Sprintf("auction %s lot %s: %d bids, best %s %s by %s",
		lot.AuctionID, lot.LotID, len(lot.Bids), best.Price, lot.Currency, best.BidderID)
	if len(text) > maxSummary {
		text = strings.ToValidUTF8(text[:maxSummary-len("…")], "") + "…"
	}
	return text
}

// sleep returns false where the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

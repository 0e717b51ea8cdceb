package settling

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"gavel/workflows"
)

// Row is what visibility says of one run; it may be behind.
type Row struct {
	WorkflowID, RunID string
	Running           bool
	State             workflows.State
	Reason            workflows.Reason
	startedAt         int64
}

// namedLots is up to how many lots a query names one by one.
const namedLots = 50

// query asks for the settlements of these lots, few by their ids, many by their
// auctions. Ids hold no quotes: the lots were validated.
func query(lots []workflows.Lot) string {
	values := map[string]bool{}
	field := "WorkflowId"
	if len(lots) > namedLots {
		field = "GavelAuction"
	}
	for _, lot := range lots {
		if len(lots) > namedLots {
			values[lot.AuctionID] = true
		} else {
			values[settlementID(lot)] = true
		}
	}
	return fmt.Sprintf("WorkflowType = '%s' AND %s IN ('%s')",
		workflows.SettlementType, field, strings.Join(slices.Sorted(maps.Keys(values)), "', '"))
}

// List returns the runs of all settlements of an auction that visibility knows,
// one for each lot, the latest.
func List(ctx context.Context, c client.Client, auctionID string) ([]Row, error) {
	rows, err := list(ctx, c, fmt.Sprintf("WorkflowType = '%s' AND GavelAuction = '%s'", workflows.SettlementType, auctionID))
	if err != nil {
		return nil, err
	}
	latest := map[string]Row{}
	for _, row := range rows {
		if have, ok := latest[row.WorkflowID]; !ok || row.startedAt > have.startedAt {
			latest[row.WorkflowID] = row
		}
	}
	return slices.SortedFunc(maps.Values(latest), func(a, b Row) int { return strings.Compare(a.WorkflowID, b.WorkflowID) }), nil
}

// list reads all pages of a visibility query.
func list(ctx context.Context, c client.Client, query string) ([]Row, error) {
	var rows []Row
	var page []byte
	for {
		answer, err := listPage(ctx, c, query, page)
		if err != nil {
			return nil, err
		}
		for _, execution := range answer.GetExecutions() {
			fields := execution.GetSearchAttributes().GetIndexedFields()
			rows = append(rows, Row{
				WorkflowID: execution.GetExecution().GetWorkflowId(),
				RunID:      execution.GetExecution().GetRunId(),
				Running:    execution.GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING,
				State:      workflows.State(keyword(fields[stateAttribute])),
				Reason:     workflows.Reason(keyword(fields[reasonAttribute])),
				startedAt:  execution.GetStartTime().AsTime().UnixNano(),
			})
		}
		if page = answer.GetNextPageToken(); len(page) == 0 {
			return rows, nil
		}
	}
}

func listPage(ctx context.Context, c client.Client, query string, page []byte) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: query, PageSize: 1000, NextPageToken: page})
	if err != nil && strings.Contains(err.Error(), "is not a valid search attribute") {
		err = fmt.Errorf("the namespace lacks the search attributes, which a worker registers at its start (go run ./worker): %w", err)
	}
	return answer, err
}

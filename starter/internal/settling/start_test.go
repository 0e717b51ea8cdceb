package settling_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"gavel/config"
	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/starter/internal/settling"
	"gavel/testsuite/devserver"
	"gavel/workflows"
)

func entry(auction, lotID, bidder string) lotfile.Entry {
	return lotfile.Entry{Source: "lots.json", Path: "lots[0]", Lot: workflows.Lot{
		AuctionID: auction, LotID: lotID, Currency: "USD",
		Bids: []workflows.Bid{{BidderID: bidder, Price: "10.00", Hold: workflows.Hold{AuthorizationID: "A1", Amount: "10.00"}}},
	}}
}

func sharedClient(t *testing.T) client.Client {
	server := devserver.Shared(t)
	return server.NewClient(t, server.NewNamespace(t))
}

func TestBeginGivesTemporalWhatAnOperatorLooksFor(t *testing.T) {
	c := sharedClient(t)
	e := entry("spring", "17", "ana")
	settler := &settling.Settler{Client: c, Policy: workflows.Policy{InvoicePrefix: "shop"}}

	begun, err := settler.Begin(t.Context(), []lotfile.Entry{e})

	require.NoError(t, err)
	assert.Equal(t, "settlement/spring/17", begun[0].WorkflowID)
	assert.False(t, begun[0].Attached)
	run, err := c.DescribeWorkflow(t.Context(), begun[0].WorkflowID, begun[0].RunID)
	require.NoError(t, err)
	summary, err := run.GetStaticSummary()
	require.NoError(t, err)
	assert.Equal(t, "auction spring lot 17: 1 bids, best 10.00 USD by ana", summary)
	var hash string
	require.NoError(t, run.GetMemoValue(workflows.MemoLotHash, &hash))
	assert.Equal(t, workflows.LotHash(e.Lot), hash)
	state, _ := run.TypedSearchAttributes.GetKeyword(temporal.NewSearchAttributeKeyKeyword("GavelState"))
	assert.Equal(t, "CAPTURING", state)
	execution := run.RawResponse.GetExecutionConfig()
	assert.Zero(t, execution.GetWorkflowExecutionTimeout().AsDuration())
	assert.Zero(t, execution.GetWorkflowRunTimeout().AsDuration())

	history := c.GetWorkflowHistory(t.Context(), begun[0].WorkflowID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	first, err := history.Next()
	require.NoError(t, err)
	given := string(first.GetWorkflowExecutionStartedEventAttributes().GetInput().GetPayloads()[0].GetData())
	assert.Contains(t, given, `"invoice_prefix":"shop"`)
}

func TestASummaryStaysWithinWhatTheWebUIShows(t *testing.T) {
	c := sharedClient(t)
	e := entry(strings.Repeat("a", 100), strings.Repeat("l", 100), strings.Repeat("ä", 127))

	begun, err := (&settling.Settler{Client: c}).Begin(t.Context(), []lotfile.Entry{e})

	require.NoError(t, err)
	run, err := c.DescribeWorkflow(t.Context(), begun[0].WorkflowID, "")
	require.NoError(t, err)
	summary, err := run.GetStaticSummary()
	require.NoError(t, err)
	assert.LessOrEqual(t, len(summary), 200)
	assert.True(t, strings.HasSuffix(summary, "…"))
}

func TestBeginAfterARunOfAnyKind(t *testing.T) {
	c := sharedClient(t)
	settler := &settling.Settler{Client: c}
	for name, tc := range map[string]struct {
		end      func(ctx context.Context, id string) error
		attaches bool
	}{
		"attaches while it runs": {func(context.Context, string) error { return nil }, true},
		"starts after a terminate": {func(ctx context.Context, id string) error {
			return c.TerminateWorkflow(ctx, id, "", "test")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry("spring", strings.ReplaceAll(name, " ", "-"), "ana")
			first, err := settler.Begin(t.Context(), []lotfile.Entry{e})
			require.NoError(t, err)
			require.NoError(t, tc.end(t.Context(), first[0].WorkflowID))

			second, err := settler.Begin(t.Context(), []lotfile.Entry{e})

			require.NoError(t, err)
			assert.Equal(t, tc.attaches, second[0].Attached)
			assert.Equal(t, tc.attaches, second[0].RunID == first[0].RunID)

			e.Lot.Bids[0].Price = "9.00"
			_, err = settler.Begin(t.Context(), []lotfile.Entry{e})
			var mistake *input.Error
			require.ErrorAs(t, err, &mistake, "another input is refused however the run stands")
			assert.Equal(t, "lots[0]", mistake.Path)
		})
	}
}

func TestBeginAttachesToNothingThatIsNotThisProgramsOwn(t *testing.T) {
	c := sharedClient(t)
	e := entry("spring", "1", "ana")
	_, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "settlement/spring/1", TaskQueue: "other"}, "SomethingElse")
	require.NoError(t, err)

	_, err = (&settling.Settler{Client: c}).Begin(t.Context(), []lotfile.Entry{e})

	var mistake *input.Error
	require.ErrorAs(t, err, &mistake)
}

func TestBeginWaitsForTheSearchAttributesOfAWorkerThatStarts(t *testing.T) {
	server := devserver.ForTest(t, devserver.Options{})
	c := server.NewClient(t, "")
	began := make(chan error, 1)
	go func() {
		_, err := (&settling.Settler{Client: c}).Begin(t.Context(), []lotfile.Entry{entry("spring", "1", "ana")})
		began <- err
	}()
	require.Eventually(t, func() bool { return refusedStarts(t, server) > 0 }, time.Minute, 50*time.Millisecond)

	require.NoError(t, config.EnsureSearchAttributes(t.Context(), c, server.Namespace(), workflows.SearchAttributeTypes()))

	assert.NoError(t, <-began)
}

// refusedStarts asks the server's own metrics.
func refusedStarts(t *testing.T, server *devserver.Server) int {
	answer, err := http.Get(server.MetricsURL())
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return len(regexp.MustCompile(`(?m)^service_error_with_type\{.*InvalidArgument.*operation="StartWorkflowExecution"`).FindAll(text, -1))
}

func TestBeginSaysHowManyWereStarted(t *testing.T) {
	c := sharedClient(t)
	entries := make([]lotfile.Entry, 40)
	for i := range entries {
		entries[i] = entry("spring", fmt.Sprint(i), "ana")
	}
	// A lot that Temporal cannot take, behind those that it can.
	entries[39].Lot.Bids[0].BidderID = strings.Repeat("x", 3<<20)

	_, err := (&settling.Settler{Client: c}).Begin(t.Context(), entries)

	var failed *settling.StartError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, 40, failed.Lots)
	assert.GreaterOrEqual(t, failed.Started, 39-15)
	assert.Contains(t, err.Error(), "run the same command again")
}

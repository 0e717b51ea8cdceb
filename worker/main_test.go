package main_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// binary is the real program, built once for all tests.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "worker-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "worker")
	if output, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, output)
		return 1
	}
	// Without search attributes: the worker has to register them.
	return devserver.Main(m, devserver.Options{})
}

// worker is a running worker process.
type worker struct {
	t   *testing.T
	cmd *exec.Cmd
	log *bytes.Buffer // to be read after wait
}

func start(t *testing.T, env ...string) *worker {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	w := &worker{t: t, cmd: exec.CommandContext(ctx, binary), log: &bytes.Buffer{}}
	w.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, env...)
	w.cmd.Stdout, w.cmd.Stderr = w.log, w.log
	require.NoError(t, w.cmd.Start())
	t.Cleanup(func() {
		cancel()
		_ = w.cmd.Wait() // ended already where the test waited for it
	})
	return w
}

func (w *worker) wait() int {
	_ = w.cmd.Wait() // the exit code says it
	return w.cmd.ProcessState.ExitCode()
}

func account(server *devserver.Server, namespace string, paypal *fake.Server) []string {
	return []string{
		"TEMPORAL_ADDRESS=" + server.Address(), "TEMPORAL_NAMESPACE=" + namespace,
		"GAVEL_PAYPAL_BASE_URL=" + paypal.URL(), "GAVEL_PAYPAL_CLIENT_ID=demo", "GAVEL_PAYPAL_CLIENT_SECRET=demo",
	}
}

var lot = workflows.Lot{
	AuctionID: "spring", LotID: "1", Currency: "USD",
	Bids: []workflows.Bid{
		{BidderID: "ana", Price: "12.00", Hold: workflows.Hold{AuthorizationID: "A1", Amount: "15.00"}},
		{BidderID: "ben", Price: "11.00", Hold: workflows.Hold{AuthorizationID: "A2", Amount: "15.00"}},
	},
}

func seed(paypal *fake.Server) {
	for _, bid := range lot.Bids {
		// With its order, which is what lists captures.
		paypal.AddHold(fake.Hold{AuthorizationID: bid.Hold.AuthorizationID, OrderID: "O" + bid.Hold.AuthorizationID, Currency: lot.Currency, Amount: bid.Hold.Amount})
	}
}

func settle(t *testing.T, c client.Client) client.WorkflowRun {
	t.Helper()
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: workflows.SettlementID(lot.AuctionID, lot.LotID), TaskQueue: workflows.TaskQueue,
	}, workflows.SettlementType, workflows.SettlementInput{Lot: lot})
	require.NoError(t, err)
	return run
}

func TestAWorkerSettlesALotAndStopsAtASignal(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(signal.String(), func(t *testing.T) {
			server, paypal := devserver.Shared(t), fake.Start(t)
			namespace := server.NewNamespace(t)
			seed(paypal)
			w := start(t, account(server, namespace, paypal)...)
			run := settle(t, server.NewClient(t, namespace))

			var outcome workflows.Outcome
			require.NoError(t, run.Get(t.Context(), &outcome))
			assert.Equal(t, workflows.StateSettled, outcome.State)
			assert.Equal(t, "ana", outcome.Winner.BidderID)
			assert.Len(t, paypal.Ledger().Captures, 1)

			require.NoError(t, w.cmd.Process.Signal(signal))
			assert.Equal(t, 0, w.wait(), w.log)
			assert.NotContains(t, w.log.String(), "Bearer")
		})
	}
}

func TestASignalLetsTheCallUnderWayEnd(t *testing.T) {
	server, paypal := devserver.Shared(t), fake.Start(t)
	namespace := server.NewNamespace(t)
	seed(paypal)
	gate := fake.NewGate()
	paypal.Script(fake.Stop(fake.OpCaptureAuthorization, "A1", fake.After, gate))
	first := start(t, account(server, namespace, paypal)...)
	run := settle(t, server.NewClient(t, namespace))
	<-gate.Arrived()

	require.NoError(t, first.cmd.Process.Signal(syscall.SIGTERM))
	gate.Release()
	require.Equal(t, 0, first.wait(), first.log)

	start(t, account(server, namespace, paypal)...)
	var outcome workflows.Outcome
	require.NoError(t, run.Get(t.Context(), &outcome))
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.False(t, outcome.Winner.Adopted, "the first worker still reported the answer")
	assert.Equal(t, 1, paypal.Count(fake.OpCaptureAuthorization))
}

func TestAWorkerThatIsKilledIsReplacedWithoutASecondCharge(t *testing.T) {
	server, paypal := devserver.Shared(t), fake.Start(t)
	namespace := server.NewNamespace(t)
	seed(paypal)
	gate := fake.NewGate()
	paypal.Script(fake.Stop(fake.OpCaptureAuthorization, "A1", fake.After, gate))
	first := start(t, account(server, namespace, paypal)...)
	run := settle(t, server.NewClient(t, namespace))
	<-gate.Arrived()
	require.NoError(t, first.cmd.Process.Kill())
	first.wait()
	gate.Release()

	start(t, account(server, namespace, paypal)...)
	var outcome workflows.Outcome
	require.NoError(t, run.Get(t.Context(), &outcome))
	assert.Equal(t, workflows.StateSettled, outcome.State)
	assert.True(t, outcome.Winner.Adopted)
	assert.Len(t, paypal.Ledger().Captures, 1)
	assert.Equal(t, 1, paypal.Count(fake.OpCaptureAuthorization))
}

func TestAMistakeInTheConfigurationEndsWithTwoAndOneLine(t *testing.T) {
	credentials := []string{"GAVEL_PAYPAL_CLIENT_ID=demo", "GAVEL_PAYPAL_CLIENT_SECRET=demo"}
	for name, tc := range map[string]struct {
		env  []string
		want string
	}{
		"no client id":            {nil, "paypal.client_id: is missing: set it in the configuration file, or GAVEL_PAYPAL_CLIENT_ID"},
		"no secret":               {credentials[:1], "paypal.client_secret: is missing"},
		"http to a real host":     {append(credentials, "GAVEL_PAYPAL_BASE_URL=http://example.com"), "paypal.base_url: "},
		"what has no effect yet":  {append(credentials, "GAVEL_WEBHOOK_LISTEN=127.0.0.1:9000"), "webhook.listen: is not supported by this version"},
		"an address without port": {append(credentials, "TEMPORAL_ADDRESS=localhost"), "TEMPORAL_ADDRESS: must be host and port"},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, tc.env...)
			assert.Equal(t, 2, w.wait())
			assert.Contains(t, w.log.String(), tc.want)
			assert.Equal(t, 1, strings.Count(w.log.String(), "\n"), w.log)
		})
	}
}

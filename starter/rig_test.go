package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.uber.org/zap"

	"gavel/config"
	"gavel/testsuite/devserver"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/worker/service"
	"gavel/workflows"
)

// rig is a namespace of the shared dev server and a PayPal, for one test.
type rig struct {
	t        *testing.T
	server   *devserver.Server
	PayPal   *fake.Server
	Temporal client.Client
	env      []string
}

func newRig(t *testing.T) *rig {
	server := devserver.Shared(t)
	return newRigOn(t, server, server.NewNamespace(t))
}

func newRigOn(t *testing.T, server *devserver.Server, namespace string) *rig {
	paypal := fake.Start(t)
	t.Cleanup(func() { assert.Empty(t, paypal.Ledger().Check(), "at the end of every test") })
	return &rig{
		t: t, server: server, PayPal: paypal, Temporal: server.NewClient(t, namespace),
		env: append(bareEnv(),
			"TEMPORAL_ADDRESS="+server.Address(), "TEMPORAL_NAMESPACE="+namespace,
			"GAVEL_CLOCKS_PASS_MIN=100ms", "GAVEL_CLOCKS_PASS_MAX=500ms", "GAVEL_CLOCKS_UNKNOWN=1s"),
	}
}

// bareEnv is what a program needs of this process's environment and no more.
func bareEnv() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", devserver.EnvCLI} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// work runs a worker in this process until the test's end, or until the
// returned function is called.
func (r *rig) work() (stop func()) {
	cfg, err := config.Load("")
	require.NoError(r.t, err)
	cfg.PayPal.BaseURL, cfg.PayPal.ClientID, cfg.PayPal.ClientSecret = r.PayPal.URL(), "demo", "demo"
	cfg.PayPal.Attempts, cfg.PayPal.BackoffMin, cfg.PayPal.BackoffMax = 2, time.Millisecond, 10*time.Millisecond
	cfg.PayPal.RequestsPerSecond = 1000
	ctx, cancel := context.WithCancel(context.Background())
	namespace := strings.TrimPrefix(r.env[envIndex(r.env, "TEMPORAL_NAMESPACE=")], "TEMPORAL_NAMESPACE=")
	worker, err := service.New(ctx, cfg, r.Temporal, namespace, zap.NewNop())
	require.NoError(r.t, err)
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		assert.NoError(r.t, <-ended)
	})
	r.t.Cleanup(stop)
	return stop
}

func envIndex(env []string, prefix string) int {
	for i, pair := range env {
		if strings.HasPrefix(pair, prefix) {
			return i
		}
	}
	panic("no " + prefix)
}

// seed gives the lots' bidders their holds and returns a file of the lots.
func (r *rig) seed(lots ...workflows.Lot) string {
	file := r.file(lots...)
	content, err := os.Open(file)
	require.NoError(r.t, err)
	defer func() { _ = content.Close() }()
	_, err = r.PayPal.AddLots(content)
	require.NoError(r.t, err)
	return file
}

// file writes the lots, one a line.
func (r *rig) file(lots ...workflows.Lot) string {
	var lines bytes.Buffer
	for _, lot := range lots {
		require.NoError(r.t, json.NewEncoder(&lines).Encode(lot))
	}
	path := filepath.Join(r.t.TempDir(), "lots.jsonl")
	require.NoError(r.t, os.WriteFile(path, lines.Bytes(), 0o600))
	return path
}

// result is one finished run of the program.
type result struct {
	Code           int
	Stdout, Stderr string
}

// outcomes decodes stdout: one outcome a line and nothing else.
func (r result) outcomes(t *testing.T) map[string]workflows.Outcome {
	t.Helper()
	found := map[string]workflows.Outcome{}
	for line := range strings.Lines(r.Stdout) {
		var outcome workflows.Outcome
		in := json.NewDecoder(strings.NewReader(line))
		in.DisallowUnknownFields()
		require.NoError(t, in.Decode(&outcome), "line %q", line)
		require.NotContains(t, found, outcome.WorkflowID, "a lot is printed once")
		found[outcome.WorkflowID] = outcome
	}
	return found
}

// run runs the program to its end.
func (r *rig) run(args ...string) result {
	r.t.Helper()
	return r.start(args...).wait()
}

// process is a run of the program that may not have ended.
type process struct {
	t              *testing.T
	cmd            *exec.Cmd
	stdout, stderr *output
}

func (r *rig) start(args ...string) *process {
	r.t.Helper()
	return startProcess(r.t, r.env, nil, args...)
}

func startProcess(t *testing.T, env []string, stdin []byte, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	p := &process{t: t, cmd: exec.CommandContext(ctx, binary, args...), stdout: &output{}, stderr: &output{}}
	p.cmd.Env, p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = env, bytes.NewReader(stdin), p.stdout, p.stderr
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		cancel()
		_ = p.cmd.Wait() // ended already where the test waited for it
	})
	return p
}

func (p *process) wait() result {
	p.t.Helper()
	_ = p.cmd.Wait() // the exit code says it
	return result{Code: p.cmd.ProcessState.ExitCode(), Stdout: p.stdout.String(), Stderr: p.stderr.String()}
}

// says waits until the program has said so on stderr.
func (p *process) says(text string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool { return strings.Contains(p.stderr.String(), text) }, time.Minute, 10*time.Millisecond, text)
}

// output can be read while a process still writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// lot is a lot of this many bids, with holds that no other lot has. Bidder b1
// is the best and pays bids·10 dollars, the next one 10 less.
func lot(id string, bids int) workflows.Lot {
	l := workflows.Lot{AuctionID: "spring", LotID: id, Currency: "USD"}
	for n := 1; n <= bids; n++ {
		l.Bids = append(l.Bids, workflows.Bid{
			BidderID: fmt.Sprintf("b%d", n),
			Price:    fmt.Sprintf("%d.00", (bids-n+1)*10),
			Hold:     workflows.Hold{AuthorizationID: holdID(id, n), Amount: fmt.Sprintf("%d.00", bids*10)},
		})
	}
	return l
}

func holdID(lotID string, n int) string {
	return strings.ToUpper(strings.ReplaceAll(lotID, "-", "")) + fmt.Sprintf("B%d", n)
}

func id(lotID string) string { return workflows.SettlementID("spring", lotID) }

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

// TestMain lets the test binary be the program itself, so that a real process can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("FAKEPAYPAL_TEST_AS_PROGRAM") == "1" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
	says []string
}

func launch(t *testing.T, args ...string) *process {
	p := &process{t: t, cmd: exec.Command(os.Args[0], args...)}
	p.cmd.Env = append(os.Environ(), "FAKEPAYPAL_TEST_AS_PROGRAM=1", "FAKEPAYPAL_CLIENT_SECRET=secret")
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(p.kill)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		p.says = append(p.says, lines.Text())
		if base, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			p.base = base
			return p
		}
	}
	t.Fatalf("the program ended without listening; it said %q", p.says)
	return nil
}

// kill is kill -9, and does nothing to a process that has ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

func (p *process) send(method, path, body string, set map[string]string) (int, map[string]any, error) {
	req, err := http.NewRequest(method, p.base+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	for name, value := range set {
		req.Header.Set(name, value)
	}
	if path == "/v1/oauth2/token" {
		req.SetBasicAuth("demo", "secret")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	var answer map[string]any
	err = json.NewDecoder(res.Body).Decode(&answer)
	return res.StatusCode, answer, err
}

func (p *process) login() string {
	status, answer, err := p.send("POST", "/v1/oauth2/token", "grant_type=client_credentials",
		map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
	require.NoError(p.t, err)
	require.Equal(p.t, 200, status)
	return answer["access_token"].(string)
}

func (p *process) capture(token, id string) (int, map[string]any, error) {
	return p.send("POST", "/v2/payments/authorizations/"+id+"/capture", `{"invoice_id":"`+id+`","final_capture":true}`,
		map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json", "PayPal-Request-Id": "capture-" + id})
}

func (p *process) ledger() fake.Ledger {
	res, err := http.Get(p.base + "/_fake/ledger")
	require.NoError(p.t, err)
	defer res.Body.Close()
	var ledger fake.Ledger
	require.NoError(p.t, json.NewDecoder(res.Body).Decode(&ledger))
	return ledger
}

// captureAll captures every hold from many sides at once and returns what was answered; enough is called when half
// the answers are there.
func (p *process) captureAll(token string, ids []string, enough func()) map[string]string {
	answered := map[string]string{}
	var mu sync.Mutex
	var crowd sync.WaitGroup
	var count atomic.Int32
	for _, id := range ids {
		crowd.Go(func() {
			status, answer, err := p.capture(token, id)
			if err != nil || status >= 300 {
				return
			}
			mu.Lock()
			answered[id] = answer["id"].(string)
			mu.Unlock()
			if int(count.Add(1)) == len(ids)/2 {
				enough()
			}
		})
	}
	crowd.Wait()
	return answered
}

func TestKilledInTheMiddleItForgetsNothingThatItAnswered(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	p := launch(t, "--listen", "127.0.0.1:0", "--state", state)
	var holds, ids []string
	for i := range 200 {
		ids = append(ids, fmt.Sprintf("HOLD%d", i))
		holds = append(holds, fmt.Sprintf(`{"authorization_id":"HOLD%d","order_id":"ORDER%d","currency":"USD","amount":"10.00"}`, i, i))
	}
	_, err := http.Post(p.base+"/_fake/holds", "application/json", strings.NewReader("["+strings.Join(holds, ",")+"]"))
	require.NoError(t, err)
	token := p.login()

	answered := p.captureAll(token, ids, p.kill)
	require.GreaterOrEqual(t, len(answered), len(ids)/2)

	p = launch(t, "--listen", "127.0.0.1:0", "--state", state)
	assert.Equal(t, token, p.login(), "the token is still the same")
	ledger := p.ledger()
	assert.Len(t, ledger.Holds, len(ids))
	for id, captureID := range answered {
		require.Len(t, ledger.CapturesOf(id), 1, id)
		assert.Equal(t, captureID, ledger.CapturesOf(id)[0].CaptureID)
	}
	for _, id := range ids { // whoever heard nothing asks again under the same request id
		known := len(ledger.CapturesOf(id)) == 1
		status, answer, err := p.capture(token, id)
		require.NoError(t, err)
		assert.Equal(t, map[bool]int{true: 200, false: 201}[known], status, "a replay of what is known, id %s", id)
		if known {
			assert.Equal(t, ledger.CapturesOf(id)[0].CaptureID, answer["id"])
		}
	}
	assert.Len(t, p.ledger().Captures, len(ids))
	assert.Empty(t, p.ledger().Check())
}

func TestTheProgramSaysThatItIsNotPayPal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lots.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"lot_id":"1","currency":"USD","bids":[{"hold":{"authorization_id":"A1","amount":"1.00"}}]}`), 0o600))
	p := launch(t, "--listen", "127.0.0.1:0", "--lots", file)
	assert.Contains(t, strings.Join(p.says, "\n"), "not PayPal")
	assert.Contains(t, p.says[0], "1 holds from "+file)
	assert.Len(t, p.ledger().Holds, 1)
}

func TestAskedToStopItEndsWellAndKeepsItsState(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	p := launch(t, "--listen", "127.0.0.1:0", "--state", state)
	res, err := http.Post(p.base+"/_fake/holds", "application/json", strings.NewReader(`{"authorization_id":"A1","currency":"USD","amount":"1.00"}`))
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	require.NoError(t, res.Body.Close())
	require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
	require.NoError(t, p.cmd.Wait(), "exit 0")
	assert.Len(t, launch(t, "--listen", "127.0.0.1:0", "--state", state).ledger().Holds, 1)
}

func TestArgumentsThatAreRefused(t *testing.T) {
	cases := map[string]struct {
		args []string
		says string
	}{
		"every interface":        {[]string{"--listen", "0.0.0.0:0"}, "--any-interface"},
		"no host":                {[]string{"--listen", ":0"}, "--any-interface"},
		"another machine's name": {[]string{"--listen", "paypal.example:80"}, "--any-interface"},
		"a port alone":           {[]string{"--listen", "8099"}, "--any-interface"},
		"a stray argument":       {[]string{"lots.json"}, "--lots"},
		"an unknown rule":        {[]string{"--duplicate-invoices", "maybe"}, "refuse-any"},
		"a lot file that is not": {[]string{"--listen", "127.0.0.1:0", "--lots", "nowhere.json"}, "nowhere.json"},
		"a state without folder": {[]string{"--state", "no/such/folder/state"}, "state"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := run(context.Background(), c.args, func(string) string { return "" }, io.Discard)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

func TestEveryInterfaceMustBeAskedFor(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out bytes.Buffer
	err := run(ctx, []string{"--listen", "0.0.0.0:0", "--any-interface"}, func(string) string { return "" }, &out)
	require.NoError(t, err)
	assert.Contains(t, out.String(), "listening on")
}

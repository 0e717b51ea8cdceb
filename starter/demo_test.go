package main_test

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/workflows"
)

func TestDemoSettlesAnAuctionOnAMachineWhereNothingIsSetUp(t *testing.T) {
	got := startProcess(t, bareEnv(), nil, "demo", "--json").wait()

	require.Equal(t, 0, got.Code, got.Stderr)
	outcomes := got.outcomes(t)
	assert.Len(t, outcomes, 6)
	adopted := 0
	for _, outcome := range outcomes {
		assert.Equal(t, workflows.StateSettled, outcome.State, outcome.WorkflowID)
		if outcome.Winner.Adopted {
			adopted++
		}
	}
	assert.Equal(t, 1, adopted)
	assert.Equal(t, "hana", outcomes["settlement/spring-2026/4-watercolour"].Winner.BidderID, "the runner-up")
	assert.Contains(t, got.Stderr, "Web UI: http://127.0.0.1:")
	assert.Equal(t, 6, strings.Count(got.Stderr, "│ COMPLETED │"))
	assert.Contains(t, got.Stderr, "Checked: one capture a lot")
}

func TestDemoKeepsRunningUntilInterruptedAndLeavesNothing(t *testing.T) {
	cmd := exec.Command(binary, "demo", "--keep")
	cmd.Env = bareEnv()
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var said strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "Web UI: ") && strings.Contains(said.String(), "until Ctrl-C") {
			break
		}
	}
	temporal := find(t, said.String(), `TEMPORAL_ADDRESS=(\S+)`)
	paypal := find(t, said.String(), `--data-binary @FILE http://(\S+)/_fake/lots`)
	env := append(bareEnv(), "TEMPORAL_ADDRESS="+temporal)
	status := startProcess(t, env, nil, "status", "--json", "spring-2026").wait()
	require.Equal(t, 0, status.Code, status.Stderr)
	assert.Len(t, status.outcomes(t), 6)

	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_, err = io.Copy(io.Discard, stderr)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())

	for _, address := range []string{temporal, paypal} {
		_, err := net.Dial("tcp", address)
		assert.Error(t, err, address)
	}
	assert.NoDirExists(t, find(t, said.String(), `its log in (\S+)/worker\.log`))
}

func find(t *testing.T, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, found, "%s in:\n%s", pattern, text)
	return found[1]
}

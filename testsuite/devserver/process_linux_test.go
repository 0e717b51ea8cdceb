package devserver

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheServerDiesWithTheProcessThatStartedIt(t *testing.T) {
	cli, err := Find(t.Context(), nil)
	require.NoError(t, err)
	t.Setenv(EnvCLI, cli)
	t.Setenv(envHelper, "orphan")
	parent := helper(t)
	pid, err := strconv.Atoi(parent.until(""))
	require.NoError(t, err)
	require.True(t, exists(pid))

	require.NoError(t, parent.cmd.Process.Kill())
	_ = parent.cmd.Wait()
	require.Eventually(t, func() bool { return !exists(pid) }, time.Minute, 10*time.Millisecond)
}

// exists is false for a zombie too: whoever inherits it may be slow to collect it.
func exists(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

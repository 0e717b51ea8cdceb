//go:build unix

package devserver

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program that looks like a Temporal CLI as far as check looks.
var fakeCLI = "#!/bin/sh\necho 'flags: " + strings.Join(neededFlags, " ") + "'\n"

func script(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

// alone leaves nothing to find but what the test puts there: returned are the
// only directory on PATH apart from the system's tools, and the cache.
func alone(t *testing.T) (bin, cache string) {
	t.Helper()
	bin, cache = t.TempDir(), filepath.Join(t.TempDir(), "gavel")
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv(EnvCLI, "")
	for _, tool := range []string{"go", "temporal"} {
		if path, err := exec.LookPath(tool); err == nil {
			t.Setenv("PATH", bin)
			t.Logf("%s is in a system directory: scripts use absolute paths only", path)
		}
	}
	return bin, cache
}

// fakeGo writes a "go" that notes its call and its environment and installs a
// fake CLI; before lines run first.
func fakeGo(t *testing.T, bin, before string) (log string) {
	log = filepath.Join(t.TempDir(), "go.log")
	script(t, filepath.Join(bin, "go"), fmt.Sprintf(`#!/bin/sh
echo "$* in $(/bin/pwd) GOBIN=$GOBIN GOFLAGS=$GOFLAGS GOWORK=$GOWORK GOOS=$GOOS GOARCH=$GOARCH" >> %s
%s
printf '%%s\n' '#!/bin/sh' 'echo %s' > "$GOBIN/temporal"
/bin/chmod 755 "$GOBIN/temporal"
`, log, before, strings.Join(neededFlags, " ")))
	return log
}

func TestFindPrefersWhatTheUserNames(t *testing.T) {
	bin, cache := alone(t)
	script(t, filepath.Join(bin, "temporal"), fakeCLI)
	mine := script(t, filepath.Join(t.TempDir(), "my-temporal"), fakeCLI)
	t.Setenv(EnvCLI, mine)

	path, err := offline(cache, nil).find(t.Context())
	require.NoError(t, err)
	assert.Equal(t, mine, path)
}

func TestFindRefusesAnUnusableNamedCLI(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte(fakeCLI), 0o644))
	for name, tc := range map[string]struct{ path, want string }{
		"missing":             {filepath.Join(dir, "absent"), "no such file"},
		"not executable":      {filepath.Join(dir, "text"), "permission denied"},
		"fails":               {script(t, filepath.Join(dir, "fails"), "#!/bin/sh\necho unknown command\nexit 1\n"), "unknown command"},
		"another program":     {script(t, filepath.Join(dir, "other"), "#!/bin/sh\necho hello\n"), "lacks --ip"},
		"an old release":      {script(t, filepath.Join(dir, "old"), strings.ReplaceAll(fakeCLI, "--metrics-port", "")), "lacks --metrics-port"},
		"a directory, not it": {dir, "permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			bin, cache := alone(t)
			fakeGo(t, bin, "")
			t.Setenv(EnvCLI, tc.path)

			_, err := offline(cache, nil).find(t.Context())
			var refused *FindError
			require.ErrorAs(t, err, &refused)
			assert.Contains(t, err.Error(), EnvCLI+"="+tc.path)
			assert.Contains(t, err.Error(), tc.want)
		})
	}
}

func TestFindTakesTheCLIOnPath(t *testing.T) {
	bin, cache := alone(t)
	onPath := script(t, filepath.Join(bin, "temporal"), fakeCLI)

	path, err := offline(cache, nil).find(t.Context())
	require.NoError(t, err)
	assert.Equal(t, onPath, path)
}

func TestFindPassesOverAnUnusableCLIOnPathAndSaysSo(t *testing.T) {
	bin, cache := alone(t)
	script(t, filepath.Join(bin, "temporal"), "#!/bin/sh\nexit 3\n")
	f := offline(cache, nil)
	var said []string
	f.say = func(line string) { said = append(said, line) }
	kept := script(t, f.builtPath(), fakeCLI)

	path, err := f.find(t.Context())
	require.NoError(t, err)
	assert.Equal(t, kept, path)
	require.Len(t, said, 1)
	assert.Contains(t, said[0], "is passed over")
}

func TestFindReusesWhatIsInTheCache(t *testing.T) {
	for name, where := range map[string]func(*finder) string{
		"built":      (*finder).builtPath,
		"downloaded": (*finder).downloadedPath,
	} {
		t.Run(name, func(t *testing.T) {
			_, cache := alone(t)
			f := offline(cache, func(line string) { t.Errorf("said %q", line) })
			kept := script(t, where(f), fakeCLI)

			path, err := f.find(t.Context())
			require.NoError(t, err)
			assert.Equal(t, kept, path)
		})
	}
}

func TestFindBuildsInANeutralPlaceForThisMachine(t *testing.T) {
	bin, cache := alone(t)
	log := fakeGo(t, bin, "")
	t.Setenv("GOFLAGS", "-mod=vendor")
	t.Setenv("GOOS", "plan9")
	t.Setenv("GOARCH", "mips")
	var said []string
	f := offline(cache, func(line string) { said = append(said, line) })

	path, err := f.find(t.Context())
	require.NoError(t, err)
	assert.Equal(t, f.builtPath(), path)
	require.NoError(t, check(t.Context(), path))

	calls, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Contains(t, string(calls), "install github.com/temporalio/cli/cmd/temporal@v1.5.1 in "+f.buildDir())
	assert.Contains(t, string(calls), " GOFLAGS=-mod=mod GOWORK=off GOOS= GOARCH=\n")

	left, err := os.ReadDir(f.buildDir())
	require.NoError(t, err)
	assert.Len(t, left, 1, "the scratch directory is gone")
	assert.Equal(t, []string{
		"no download of the Temporal CLI (no network)",
		"building the Temporal CLI v1.5.1 from source; about 6 minutes on 2 cores the first time, kept in " + path,
	}, said)
}

func TestABuildSaysThatItIsStillGoing(t *testing.T) {
	bin, cache := alone(t)
	release := filepath.Join(t.TempDir(), "release")
	fakeGo(t, bin, "while [ ! -e "+release+" ]; do /bin/sleep 0.02; done")
	f := offline(cache, nil)
	f.interval = time.Millisecond
	f.say = func(line string) {
		if strings.HasPrefix(line, "still building") {
			assert.NoError(t, os.WriteFile(release, nil, 0o644))
		}
	}
	_, err := f.find(t.Context())
	require.NoError(t, err)
	assert.FileExists(t, release)
}

func TestAFailedBuildShowsWhatGoSaid(t *testing.T) {
	bin, cache := alone(t)
	script(t, filepath.Join(bin, "go"), "#!/bin/sh\necho 'dial tcp: lookup proxy: no such host' >&2\nexit 1\n")

	f := offline(cache, nil)
	_, err := f.find(t.Context())
	var failed *FindError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "dial tcp: lookup proxy: no such host")
	assert.Contains(t, err.Error(), EnvCLI)
	assert.NoFileExists(t, f.builtPath())
}

func TestFindWithoutGoSaysWhatToInstall(t *testing.T) {
	bin, cache := alone(t)
	t.Setenv("PATH", bin)

	_, err := offline(cache, nil).find(t.Context())
	var failed *FindError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "https://docs.temporal.io/cli")
	assert.Contains(t, err.Error(), "https://go.dev/dl")
}

func TestFindEndsWithItsContext(t *testing.T) {
	bin, cache := alone(t)
	started := filepath.Join(t.TempDir(), "started")
	fakeGo(t, bin, "echo > "+started+"; exec /bin/sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	f := offline(cache, nil)
	f.interval = time.Millisecond
	f.say = func(string) {
		if _, err := os.Stat(started); err == nil {
			cancel()
		}
	}
	_, err := f.find(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.NoFileExists(t, f.builtPath())
}

func TestTwoProcessesBuildOnce(t *testing.T) {
	bin, _ := alone(t)
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv(envHelper, "find")
	release := filepath.Join(dir, "release")
	log := fakeGo(t, bin, "while [ ! -e "+release+" ]; do /bin/sleep 0.02; done")

	first := helper(t)
	first.until("say building")
	second := helper(t)
	second.until("say another process is fetching")
	require.NoError(t, os.WriteFile(release, nil, 0o644))

	found := first.until("found ")
	assert.Equal(t, found, second.until("found "))
	require.NoError(t, first.cmd.Wait())
	require.NoError(t, second.cmd.Wait())
	calls, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(calls), "\n"), "one build:\n%s", calls)
}

// other is a second process running this test binary as a helper.
type other struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func helper(t *testing.T) *other {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &other{t: t, cmd: cmd, lines: bufio.NewScanner(out)}
}

// until reads lines up to the one with the prefix and returns it.
func (o *other) until(prefix string) string {
	o.t.Helper()
	for o.lines.Scan() {
		if strings.HasPrefix(o.lines.Text(), prefix) {
			return o.lines.Text()
		}
	}
	o.t.Fatalf("the helper ended without a line %q", prefix)
	return ""
}

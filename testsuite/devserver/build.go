package devserver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// CLIVersion is the release of the Temporal CLI that is built from source. It is
// the newest that "go install" accepts: later ones carry a replace directive.
const CLIVersion = "v1.5.1"

const cliPackage = "github.com/temporalio/cli/cmd/temporal@" + CLIVersion

// build compiles the CLI into a directory of its own and moves it into place in
// one step, so that a build cut short never looks like a finished one.
func (f *finder) build(ctx context.Context) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", &FindError{Reason: "no Temporal CLI: install it (https://docs.temporal.io/cli) or set " + EnvCLI +
			"; or install Go (https://go.dev/dl) and it is built from source"}
	}
	if err := os.MkdirAll(f.buildDir(), 0o755); err != nil {
		return "", &FindError{Reason: "cannot build the Temporal CLI", Cause: err}
	}
	scratch, err := os.MkdirTemp(f.buildDir(), "build-")
	if err != nil {
		return "", &FindError{Reason: "cannot build the Temporal CLI", Cause: err}
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	f.say(fmt.Sprintf("building the Temporal CLI %s from source; about 6 minutes on 2 cores the first time, kept in %s",
		CLIVersion, f.builtPath()))
	if err := f.install(ctx, scratch); err != nil {
		return "", err
	}
	built := filepath.Join(scratch, executable("temporal"))
	if err := check(ctx, built); err != nil {
		return "", &FindError{Reason: "the Temporal CLI was built and does not run", Cause: err}
	}
	if err := os.Rename(built, f.builtPath()); err != nil {
		return "", &FindError{Reason: "cannot keep the Temporal CLI that was built", Cause: err}
	}
	return f.builtPath(), nil
}

// install runs the go tool outside of any module and reports that it is alive.
func (f *finder) install(ctx context.Context, bin string) error {
	output := newTail(tailBytes)
	cmd := exec.CommandContext(ctx, "go", "install", cliPackage)
	cmd.Dir, cmd.Env = bin, buildEnv(bin)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.WaitDelay = 5 * time.Second
	began := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Run() }()
	ticker := time.NewTicker(f.interval)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return &FindError{Reason: fmt.Sprintf(
					"building the Temporal CLI failed; install it (https://docs.temporal.io/cli) and set %s, or make \"go install %s\" work. go said:\n%s\n",
					EnvCLI, cliPackage, output), Cause: err}
			}
			return nil
		case <-ticker.C:
			f.say(fmt.Sprintf("still building the Temporal CLI (%s)", time.Since(began).Round(time.Second)))
		}
	}
}

// buildEnv is our environment without what would build for another machine or
// have the go tool look at a module nearby. A GOFLAGS that is empty would be
// replaced by the one of "go env -w", hence a harmless value.
func buildEnv(bin string) []string {
	env := os.Environ()
	kept := env[:0]
	for _, pair := range env {
		switch name, _, _ := strings.Cut(pair, "="); name {
		case "GOOS", "GOARCH", "GOBIN", "GOFLAGS", "GOWORK", "GO111MODULE", "CGO_ENABLED", "PWD":
		default:
			kept = append(kept, pair)
		}
	}
	return append(kept, "GOBIN="+bin, "GOFLAGS=-mod=mod", "GOWORK=off", "GO111MODULE=on", "CGO_ENABLED=0", "PWD="+bin)
}

package devserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// EnvCLI names the environment variable that points to a Temporal CLI.
const EnvCLI = "TEMPORAL_CLI"

// Find returns the path of a Temporal CLI that can run a dev server. It looks at
// TEMPORAL_CLI, then on PATH, then at what an earlier call left in the user's
// cache; after that it downloads the SDK's own choice, and where that cannot be
// reached it builds CLIVersion from source with the go tool, which takes minutes.
// One process at a time downloads or builds; others wait for it.
//
// say receives a line before anything that takes time, and while it goes on; nil
// keeps silent. Errors: *FindError; the context's error where it ended first.
func Find(ctx context.Context, say func(line string)) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	return newFinder(cache, say).find(ctx)
}

// FindError says why there is no Temporal CLI and what to do about it.
type FindError struct {
	// Reason is for people: what is wrong and what helps. A failed build adds
	// the end of what go printed, on lines of its own.
	Reason string
	// Cause may be nil.
	Cause error
}

// Error returns the reason and the cause.
func (e *FindError) Error() string {
	if e.Cause == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *FindError) Unwrap() error { return e.Cause }

// finder holds what Find depends on, so that tests can stand in for the network.
type finder struct {
	cache    string
	say      func(line string)
	reach    func(ctx context.Context) error
	interval time.Duration
}

func newFinder(cache string, say func(string)) *finder {
	if say == nil {
		say = func(string) {}
	}
	return &finder{cache: cache, say: say, reach: reachDownloads, interval: 30 * time.Second}
}

func (f *finder) find(ctx context.Context) (string, error) {
	if path := os.Getenv(EnvCLI); path != "" {
		return named(ctx, path)
	}
	if path, err := exec.LookPath("temporal"); err == nil {
		unusable := check(ctx, path)
		if unusable == nil {
			return filepath.Abs(path)
		}
		f.say(fmt.Sprintf("%s on PATH is passed over: %v", path, unusable))
	}
	if path, ok := f.cached(ctx); ok {
		return path, nil
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return f.fetch(ctx)
}

// named takes the CLI the user chose; there is no falling back from that.
func named(ctx context.Context, path string) (string, error) {
	if err := check(ctx, path); err != nil {
		return "", &FindError{
			Reason: fmt.Sprintf("%s=%s is not a Temporal CLI that can be used (unset it, or point it to one)", EnvCLI, path),
			Cause:  err,
		}
	}
	return filepath.Abs(path)
}

// cached returns what an earlier call built or downloaded.
func (f *finder) cached(ctx context.Context) (string, bool) {
	for _, path := range []string{f.builtPath(), f.downloadedPath()} {
		if _, err := os.Stat(path); err == nil && check(ctx, path) == nil {
			return path, true
		}
	}
	return "", false
}

// fetch downloads or builds while it holds the lock of the cache.
func (f *finder) fetch(ctx context.Context) (string, error) {
	unlock, err := f.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if path, ok := f.cached(ctx); ok {
		return path, nil
	}
	path, err := f.download(ctx)
	if err == nil {
		return path, nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	f.say(fmt.Sprintf("no download of the Temporal CLI (%v)", err))
	return f.build(ctx)
}

// reachDownloads makes a closed network fail in seconds: the SDK's own download
// has no timeout of its own. The default transport honours HTTPS_PROXY.
func reachDownloads(ctx context.Context) error {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return errors.New("none is offered for " + runtime.GOARCH)
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, downloadsURL, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

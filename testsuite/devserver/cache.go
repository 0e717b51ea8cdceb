package devserver

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"go.temporal.io/sdk/temporal"
)

// cacheDir is where CLIs are kept between runs: "gavel" in the user's cache.
func cacheDir() (string, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", &FindError{Reason: "no place to keep the Temporal CLI: set HOME or XDG_CACHE_HOME, or " + EnvCLI, Cause: err}
	}
	return filepath.Join(user, "gavel"), nil
}

func (f *finder) buildDir() string { return filepath.Join(f.cache, "temporal-cli-"+CLIVersion) }

func (f *finder) builtPath() string { return filepath.Join(f.buildDir(), executable("temporal")) }

// downloadedPath is the name that the SDK's testsuite gives to its default
// download in a directory.
func (f *finder) downloadedPath() string {
	return filepath.Join(f.cache, executable("temporal-cli-go-sdk-"+temporal.SDKVersion))
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// lock waits until no other process fetches a CLI into this cache.
func (f *finder) lock(ctx context.Context) (unlock func(), err error) {
	failed := func(err error) error {
		return &FindError{Reason: "cannot use " + f.cache + " to keep the Temporal CLI", Cause: err}
	}
	if err := os.MkdirAll(f.cache, 0o755); err != nil {
		return nil, failed(err)
	}
	lock := flock.New(filepath.Join(f.cache, "temporal-cli.lock"))
	got, err := lock.TryLock()
	if err == nil && !got {
		f.say("another process is fetching the Temporal CLI; waiting for it")
		_, err = lock.TryLockContext(ctx, 250*time.Millisecond)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, failed(err)
	}
	return func() { _ = lock.Unlock() }, nil
}

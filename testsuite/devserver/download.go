package devserver

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/testsuite"
)

const (
	downloadsURL    = "https://temporal.download/"
	reachTimeout    = 5 * time.Second
	downloadTimeout = 2 * time.Minute
)

// download has the SDK fetch the CLI that it was released with. The SDK offers
// that only as a part of starting a server: an address without a port ends
// StartDevServer after the download and before any process is started.
func (f *finder) download(ctx context.Context) (string, error) {
	if err := f.reach(ctx); err != nil {
		return "", err
	}
	f.say("downloading the Temporal CLI, kept in " + f.cache)
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	server, err := testsuite.StartDevServer(ctx, testsuite.DevServerOptions{
		CachedDownload: testsuite.CachedDownload{DestDir: f.cache},
		ClientOptions:  &client.Options{HostPort: "after-the-download", Logger: silent{}},
	})
	if server != nil {
		_ = server.Stop()
	}
	if unusable := check(ctx, f.downloadedPath()); unusable != nil {
		return "", fmt.Errorf("%w (%v)", unusable, err)
	}
	return f.downloadedPath(), nil
}

// silent keeps the SDK from writing to the user's terminal.
type silent struct{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
func (silent) Error(string, ...any) {}

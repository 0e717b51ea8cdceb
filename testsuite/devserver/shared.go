package devserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"
)

// sharedTimeout leaves room for building the CLI on a slow machine.
const sharedTimeout = 30 * time.Minute

// shared is the one server of a test package.
var shared struct {
	mu      sync.Mutex
	ready   bool
	options Options
	server  *Server
	err     error
}

// Main is for a package's TestMain: it runs the tests, then stops the server that
// Shared has started meanwhile, and returns the exit code.
//
//	func TestMain(m *testing.M) { os.Exit(devserver.Main(m, devserver.Options{})) }
func Main(m *testing.M, options Options) int {
	shared.ready, shared.options = true, options
	code := m.Run()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.server != nil {
		if err := shared.server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return code
}

// Shared returns the package's dev server, started by the first test that asks
// for it; a test that cannot have it fails. Tests keep apart by a namespace each,
// see NewNamespace. Who kills or restarts a server takes one of its own: ForTest.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if !shared.ready {
		t.Fatal("devserver.Shared needs a TestMain that calls devserver.Main")
	}
	if shared.server == nil && shared.err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), sharedTimeout)
		defer cancel()
		shared.server, shared.err = Start(ctx, saying(shared.options))
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// ForTest starts a server for one test alone and stops it at the test's end. Where
// options name no database file it gets one, so that it can be restarted.
func ForTest(t testing.TB, options Options) *Server {
	t.Helper()
	if options.DBFile == "" {
		options.DBFile = t.TempDir() + "/temporal.db"
	}
	ctx, cancel := context.WithTimeout(context.Background(), sharedTimeout)
	defer cancel()
	server, err := Start(ctx, saying(options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// NewNamespace makes a namespace for one test, with the server's search
// attributes, and returns its name when workflows can be started in it.
func (s *Server) NewNamespace(t testing.TB) string {
	t.Helper()
	name := strings.Trim(unfit.ReplaceAllString(strings.ToLower(t.Name()), "-"), "-")
	name = fmt.Sprintf("%.40s-%s", name, strings.ToLower(rand.Text()[:10]))
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	c, err := s.Dial(name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace:                        name,
		WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	}); err != nil {
		t.Fatalf("registering namespace %s: %v", name, err)
	}
	if err := s.prepare(ctx, name); err != nil {
		t.Fatalf("waiting for namespace %s: %v", name, err)
	}
	return name
}

// NewClient returns a client for the namespace ("" for the server's own) that is
// closed at the test's end.
func (s *Server) NewClient(t testing.TB, namespace string) client.Client {
	t.Helper()
	c, err := s.Dial(namespace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

func saying(options Options) Options {
	if options.Say == nil {
		options.Say = func(line string) { fmt.Fprintln(os.Stderr, line) }
	}
	return options
}

package config_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"gavel/config"
)

// frontend is a Temporal frontend that answers two calls as told.
type frontend struct {
	workflowservice.UnimplementedWorkflowServiceServer
	systemInfo, namespace error
}

func (f *frontend) GetSystemInfo(context.Context, *workflowservice.GetSystemInfoRequest) (*workflowservice.GetSystemInfoResponse, error) {
	return &workflowservice.GetSystemInfoResponse{}, f.systemInfo
}

func (f *frontend) DescribeNamespace(context.Context, *workflowservice.DescribeNamespaceRequest) (*workflowservice.DescribeNamespaceResponse, error) {
	return &workflowservice.DescribeNamespaceResponse{}, f.namespace
}

// serve runs a gRPC server and returns options that lead to it.
func serve(t *testing.T, register func(*grpc.Server)) client.Options {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer()
	register(server)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		assert.NoError(t, <-done)
	})
	return optionsFor(listener.Addr().String())
}

func optionsFor(address string) client.Options {
	return client.Options{HostPort: address, Namespace: "auctions", Logger: config.NewTemporalLogger(nop)}
}

func (f *frontend) register(server *grpc.Server) {
	workflowservice.RegisterWorkflowServiceServer(server, f)
}

func TestDialConnects(t *testing.T) {
	for name, answer := range map[string]*frontend{
		"namespace there":                   {},
		"namespace that is not ours to see": {namespace: serviceerror.ToStatus(serviceerror.NewPermissionDenied("no", "")).Err()},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.Dial(t.Context(), serve(t, answer.register), time.Minute)
			require.NoError(t, err)
			c.Close()
		})
	}
}

func TestDialSaysInOneLineWhatIsWrong(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := closed.Addr().String()
	require.NoError(t, closed.Close())
	missing := &frontend{namespace: serviceerror.ToStatus(serviceerror.NewNamespaceNotFound("auctions")).Err()}
	keyless := &frontend{systemInfo: status.Error(codes.Unauthenticated, "no key")}
	denied := &frontend{systemInfo: status.Error(codes.PermissionDenied, "not you")}

	for name, tc := range map[string]struct {
		options client.Options
		timeout time.Duration
		want    string
	}{
		"nobody there": {optionsFor(address), 200 * time.Millisecond,
			"Temporal does not answer at " + address + ` within 200ms: start one with "temporal server start-dev", or set TEMPORAL_ADDRESS`},
		"no such namespace": {serve(t, missing.register), time.Minute, `has no namespace "auctions": create it with`},
		"no credentials":    {serve(t, keyless.register), time.Minute, "refuses us: check TEMPORAL_API_KEY"},
		"something else":    {serve(t, func(*grpc.Server) {}), time.Minute, "no Temporal to use at"},
		"not allowed":       {serve(t, denied.register), time.Minute, "refuses us: check TEMPORAL_API_KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Dial(t.Context(), tc.options, tc.timeout)
			var failed *config.ConnectionError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, tc.options.HostPort, failed.Address)
			assert.Contains(t, err.Error(), tc.want)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestDialWaitsForATemporalThatComesUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	dialled := make(chan error, 1)
	go func() {
		c, err := config.Dial(context.Background(), optionsFor(listener.Addr().String()), time.Minute)
		if err == nil {
			c.Close()
		}
		dialled <- err
	}()
	first, err := listener.Accept()
	require.NoError(t, err)
	require.NoError(t, first.Close(), "the first connection meets nobody")

	server := grpc.NewServer()
	(&frontend{}).register(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	require.NoError(t, <-dialled)
	server.Stop()
	require.NoError(t, <-served)
}

func TestDialEndsWithItsContext(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if _, err := listener.Accept(); err == nil {
			cancel()
		}
	}()
	_, err = config.Dial(ctx, optionsFor(listener.Addr().String()), time.Hour)
	require.ErrorIs(t, err, context.Canceled)
}

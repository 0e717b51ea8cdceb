package config

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc/codes"
)

const redialPause = 100 * time.Millisecond

// ConnectionError says that Temporal cannot be used.
type ConnectionError struct {
	Address, Namespace string
	// Reason says what is wrong and what to do.
	Reason string
	// Cause is the last answer; may be nil.
	Cause error
}

// Error returns one line.
func (e *ConnectionError) Error() string {
	text := e.Reason
	if e.Cause != nil {
		text += " (" + e.Cause.Error() + ")"
	}
	return strings.Join(strings.Fields(text), " ")
}

// Unwrap returns the cause.
func (e *ConnectionError) Unwrap() error { return e.Cause }

// Dial connects, and tries for as long as timeout (above zero) while nobody
// answers. It then makes sure that the namespace exists. The caller closes the
// client. Errors: *ConnectionError; the context's error where that ended first.
func Dial(ctx context.Context, options client.Options, timeout time.Duration) (client.Client, error) {
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	options.ConnectionOptions.GetSystemInfoTimeout = timeout
	failed := func(cause error, format string, args ...any) error {
		return &ConnectionError{
			Address: options.HostPort, Namespace: options.Namespace, Reason: fmt.Sprintf(format, args...), Cause: cause,
		}
	}
	c, err := connect(bounded, options)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case codeOf(err) == codes.Unauthenticated, codeOf(err) == codes.PermissionDenied:
		return nil, failed(err, "Temporal at %s refuses us: check TEMPORAL_API_KEY and TEMPORAL_TLS_*", options.HostPort)
	case transient(err):
		return nil, failed(err, "Temporal does not answer at %s within %s: start one with %q, or set TEMPORAL_ADDRESS",
			options.HostPort, timeout, "temporal server start-dev")
	default:
		return nil, failed(err, "no Temporal to use at %s: check TEMPORAL_ADDRESS and TEMPORAL_TLS_*", options.HostPort)
	}
	if absent(bounded, c, options.Namespace) {
		c.Close()
		return nil, failed(nil, "Temporal at %s has no namespace %q: create it with %q, or set TEMPORAL_NAMESPACE",
			options.HostPort, options.Namespace, "temporal operator namespace create -n "+options.Namespace)
	}
	return c, nil
}

// connect repeats until somebody answers; the SDK gives up at the first
// connection that fails.
func connect(ctx context.Context, options client.Options) (client.Client, error) {
	for {
		c, err := client.DialContext(ctx, options)
		if err == nil || !transient(err) || !pause(ctx, redialPause) {
			return c, err
		}
	}
}

// absent is true where Temporal says that there is no such namespace. Any other
// answer does not matter here: not everybody may describe a namespace.
func absent(ctx context.Context, c client.Client, namespace string) bool {
	_, err := c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	_, missing := errors.AsType[*serviceerror.NamespaceNotFound](err)
	return missing
}

func transient(err error) bool {
	code := codeOf(err)
	return code == codes.Unavailable || code == codes.DeadlineExceeded
}

func codeOf(err error) codes.Code { return serviceerror.ToStatus(err).Code() }

package devserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"

	"gavel/config"
)

const (
	pollPause   = 50 * time.Millisecond
	pollTimeout = 5 * time.Second
)

// quickRedial replaces gRPC's pauses of a second and more between two attempts to
// connect: the server is on this machine and comes up within seconds.
func quickRedial() []grpc.DialOption {
	return []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{
		Backoff:           backoff.Config{BaseDelay: pollPause, Multiplier: 1.2, Jitter: 0.1, MaxDelay: 5 * pollPause},
		MinConnectTimeout: time.Second,
	})}
}

func (s *Server) awaitReady(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, readyTimeout)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	exited := s.process
	go func() {
		select {
		case <-exited.exited:
			cancel(fmt.Errorf("it ended (%s)", exited.cmd.ProcessState))
		case <-ctx.Done():
		}
	}()
	return s.prepare(ctx, s.Namespace())
}

// prepare registers the search attributes where they are missing, as in a
// database file of an earlier run, and waits until the namespace takes them.
func (s *Server) prepare(ctx context.Context, namespace string) error {
	c, err := s.Dial(namespace)
	if err != nil {
		return err
	}
	defer c.Close()
	return poll(ctx, func(ctx context.Context) error {
		if _, err := c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{
			Namespace: namespace,
		}); err != nil {
			return err
		}
		if err := config.EnsureSearchAttributes(ctx, c, namespace, s.options.SearchAttributes); err != nil {
			return err
		}
		return searchable(ctx, c, namespace, s.options.SearchAttributes)
	})
}

// searchable asks a question that only a frontend can answer whose caches know
// the namespace and each attribute.
func searchable(
	ctx context.Context, c client.Client, namespace string, attributes map[string]enumspb.IndexedValueType,
) error {
	query := "WorkflowId = 'none'"
	for name := range attributes {
		query += " OR " + name + " IS NOT NULL"
	}
	_, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace, Query: query})
	return err
}

// poll repeats a look until it succeeds; at the end of ctx it returns why that
// ended, and what the last look said.
func poll(ctx context.Context, look func(context.Context) error) error {
	var last error
	for {
		once, cancel := context.WithTimeout(ctx, pollTimeout)
		err := look(once)
		cancel()
		if err == nil && ctx.Err() == nil {
			return nil
		}
		if mismatch, ok := errors.AsType[*config.SearchAttributesError](err); ok && mismatch.Cause == nil {
			return err // another type: waiting does not change it
		}
		if err != nil && ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			if last == nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("%w; the last try: %v", context.Cause(ctx), last)
		case <-time.After(pollPause):
		}
	}
}

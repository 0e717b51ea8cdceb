package config

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

const (
	registerAttempts = 5
	registerPause    = 200 * time.Millisecond
)

// SearchAttributesError says that a namespace cannot take the search attributes
// that settlements carry. Starting workflows would fail, so the worker stops on it.
type SearchAttributesError struct {
	Namespace string
	// Reason is one line and says what an operator has to do.
	Reason string
	// Cause is Temporal's answer; nil where an attribute has another type.
	Cause error
}

// Error returns one line.
func (e *SearchAttributesError) Error() string {
	text := fmt.Sprintf("search attributes of namespace %q: %s", e.Namespace, e.Reason)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns Temporal's answer.
func (e *SearchAttributesError) Unwrap() error { return e.Cause }

// EnsureSearchAttributes registers what is missing in the namespace. Several
// workers may do so at once. Where Temporal does not let us register, attributes
// that exist already are enough. Right after a registration a start may still be
// refused for a while, because Temporal's frontends cache the namespace.
// Errors: *SearchAttributesError.
func EnsureSearchAttributes(
	ctx context.Context, c client.Client, namespace string, wanted map[string]enumspb.IndexedValueType,
) error {
	var refused error
	for attempt := range registerAttempts {
		if attempt > 0 && !pause(ctx, registerPause) {
			return &SearchAttributesError{Namespace: namespace, Reason: "gave up", Cause: ctx.Err()}
		}
		missing, err := missingSearchAttributes(ctx, c, namespace, wanted)
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			return nil
		}
		_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
			Namespace: namespace, SearchAttributes: missing,
		})
		if err == nil {
			return nil
		}
		if notAllowed(err) {
			return &SearchAttributesError{Namespace: namespace, Reason: registerByHand(missing), Cause: err}
		}
		// A worker beside us may have taken the same free column: look again.
		refused = err
	}
	return &SearchAttributesError{Namespace: namespace, Reason: "cannot be registered", Cause: refused}
}

func missingSearchAttributes(
	ctx context.Context, c client.Client, namespace string, wanted map[string]enumspb.IndexedValueType,
) (map[string]enumspb.IndexedValueType, error) {
	listed, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if notAllowed(err) {
		return unsearchable(ctx, c, namespace, wanted)
	}
	if err != nil {
		return nil, &SearchAttributesError{Namespace: namespace, Reason: "cannot be listed", Cause: err}
	}
	missing := map[string]enumspb.IndexedValueType{}
	for name, want := range wanted {
		switch have, ok := listed.GetCustomAttributes()[name]; {
		case !ok:
			missing[name] = want
		case have != want:
			return nil, &SearchAttributesError{Namespace: namespace, Reason: fmt.Sprintf(
				"%s is registered as %s and must be %s: remove it (temporal operator search-attribute remove --name %s), or use another namespace",
				name, have, want, name)}
		}
	}
	return missing, nil
}

// unsearchable finds out by asking for workflows what a namespace lacks that does
// not let us list its attributes; the type is then taken on trust.
func unsearchable(
	ctx context.Context, c client.Client, namespace string, wanted map[string]enumspb.IndexedValueType,
) (map[string]enumspb.IndexedValueType, error) {
	missing := map[string]enumspb.IndexedValueType{}
	for name, kind := range wanted {
		_, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
			Namespace: namespace, Query: name + " IS NULL",
		})
		var unknown *serviceerror.InvalidArgument
		if errors.As(err, &unknown) {
			missing[name] = kind
		} else if err != nil {
			return nil, &SearchAttributesError{Namespace: namespace, Reason: "cannot be looked up", Cause: err}
		}
	}
	return missing, nil
}

func notAllowed(err error) bool {
	var denied *serviceerror.PermissionDenied
	var unimplemented *serviceerror.Unimplemented
	return errors.As(err, &denied) || errors.As(err, &unimplemented)
}

func registerByHand(missing map[string]enumspb.IndexedValueType) string {
	flags := make([]string, 0, len(missing))
	for name, kind := range missing {
		flags = append(flags, fmt.Sprintf("--name %s --type %s", name, kind))
	}
	sort.Strings(flags)
	return "we are not allowed to register them; run: temporal operator search-attribute create " + strings.Join(flags, " ")
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

package config_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"gavel/config"
)

var nop = zap.NewNop()

const (
	keyword = enumspb.INDEXED_VALUE_TYPE_KEYWORD
	integer = enumspb.INDEXED_VALUE_TYPE_INT
)

type attributes = map[string]enumspb.IndexedValueType

// operator keeps search attributes as a namespace does, and can be told to refuse.
type operator struct {
	operatorservice.UnimplementedOperatorServiceServer
	frontend
	mu         sync.Mutex
	known      attributes
	listErr    error
	addErrs    []error
	onAdd      func(attributes)
	added      []attributes
	searchErrs map[string]error
}

func (o *operator) ListSearchAttributes(context.Context, *operatorservice.ListSearchAttributesRequest) (*operatorservice.ListSearchAttributesResponse, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return &operatorservice.ListSearchAttributesResponse{CustomAttributes: maps.Clone(o.known)}, o.listErr
}

func (o *operator) AddSearchAttributes(_ context.Context, r *operatorservice.AddSearchAttributesRequest) (*operatorservice.AddSearchAttributesResponse, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.added = append(o.added, r.SearchAttributes)
	if o.onAdd != nil {
		o.onAdd(o.known)
	}
	if len(o.addErrs) > 0 {
		err := o.addErrs[0]
		o.addErrs = o.addErrs[1:]
		return nil, err
	}
	maps.Copy(o.known, r.SearchAttributes)
	return &operatorservice.AddSearchAttributesResponse{}, nil
}

func (o *operator) CountWorkflowExecutions(_ context.Context, r *workflowservice.CountWorkflowExecutionsRequest) (*workflowservice.CountWorkflowExecutionsResponse, error) {
	return &workflowservice.CountWorkflowExecutionsResponse{}, o.searchErrs[r.Query]
}

func (o *operator) client(t *testing.T) client.Client {
	t.Helper()
	if o.known == nil {
		o.known = attributes{}
	}
	c, err := config.Dial(t.Context(), serve(t, func(server *grpc.Server) {
		operatorservice.RegisterOperatorServiceServer(server, o)
		workflowservice.RegisterWorkflowServiceServer(server, o)
	}), time.Minute)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func refusal(err error) error { return serviceerror.ToStatus(err).Err() }

var (
	denied  = refusal(serviceerror.NewPermissionDenied("not you", ""))
	invalid = refusal(serviceerror.NewInvalidArgument("custom search attribute field already allocated"))
	exists  = refusal(serviceerror.NewAlreadyExists("there"))
	unknown = refusal(serviceerror.NewUnimplemented("no such call"))
)

func TestSearchAttributesAreRegisteredWhereTheyAreMissing(t *testing.T) {
	wanted := attributes{"GavelState": keyword, "GavelLot": keyword}
	for name, tc := range map[string]struct {
		operator *operator
		added    []attributes
	}{
		"none is there":   {&operator{}, []attributes{wanted}},
		"one is there":    {&operator{known: attributes{"GavelLot": keyword}}, []attributes{{"GavelState": keyword}}},
		"all are there":   {&operator{known: maps.Clone(wanted)}, nil},
		"all, no listing": {&operator{listErr: denied}, nil},
		"all, no service": {&operator{listErr: unknown}, nil},
		"a worker beside us was faster": {
			&operator{addErrs: []error{exists}, onAdd: func(known attributes) { maps.Copy(known, wanted) }}, []attributes{wanted}},
		"a worker beside us took the column": {
			&operator{addErrs: []error{invalid}, onAdd: func(known attributes) { known["GavelLot"] = keyword }},
			[]attributes{wanted, {"GavelState": keyword}}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, config.EnsureSearchAttributes(t.Context(), tc.operator.client(t), "auctions", wanted))
			assert.Equal(t, tc.added, tc.operator.added)
		})
	}
}

func TestSearchAttributesThatCannotBeHad(t *testing.T) {
	wanted := attributes{"GavelState": keyword, "GavelLot": keyword}
	for name, tc := range map[string]struct {
		operator *operator
		want     string
	}{
		"another type": {&operator{known: attributes{"GavelState": integer}},
			"GavelState is registered as Int and must be Keyword: remove it"},
		"missing and not ours to add": {&operator{addErrs: []error{denied}},
			"run: temporal operator search-attribute create --name GavelLot --type Keyword --name GavelState --type Keyword"},
		"missing and not ours to list or add": {
			&operator{listErr: denied, addErrs: []error{denied}, searchErrs: map[string]error{"GavelState IS NULL": invalid}},
			"create --name GavelState --type Keyword: not you"},
		"refused again and again": {&operator{addErrs: []error{invalid, invalid, invalid, invalid, invalid}},
			"cannot be registered: custom search attribute field already allocated"},
	} {
		t.Run(name, func(t *testing.T) {
			err := config.EnsureSearchAttributes(t.Context(), tc.operator.client(t), "auctions", wanted)
			var failed *config.SearchAttributesError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, "auctions", failed.Namespace)
			assert.Contains(t, err.Error(), tc.want)
		})
	}
}

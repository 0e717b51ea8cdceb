package activities

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// frontend is a Temporal client of the SDK whose every DescribeWorkflow call is
// answered here.
func frontend(t *testing.T, describe func(context.Context, *workflowservice.DescribeWorkflowExecutionRequest) (*workflowpb.WorkflowExecutionInfo, error)) client.Client {
	answer := func(ctx context.Context, _ string, request, reply any, _ *grpc.ClientConn, _ grpc.UnaryInvoker, _ ...grpc.CallOption) error {
		asked, ok := request.(*workflowservice.DescribeWorkflowExecutionRequest)
		if !ok {
			return nil // what the client asks when it connects
		}
		info, err := describe(ctx, asked)
		if err == nil {
			proto.Merge(reply.(proto.Message), &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: info})
		}
		return err
	}
	c, err := client.NewLazyClient(client.Options{
		HostPort: "127.0.0.1:1", ConnectionOptions: client.ConnectionOptions{DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(answer)}},
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func memoWith(t *testing.T, field string, value any) *commonpb.Memo {
	payload, err := converter.GetDefaultDataConverter().ToPayload(value)
	require.NoError(t, err)
	return &commonpb.Memo{Fields: map[string]*commonpb.Payload{field: payload}}
}

func TestTheSwitchIsReadFromTheMemoOfTheRunThatRuns(t *testing.T) {
	on := memoWith(t, MemoSwitch, switchedOn)
	const running = enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING
	for name, shown := range map[string]struct {
		status enumspb.WorkflowExecutionStatus
		memo   *commonpb.Memo
		err    error
		want   string // the cause of being unreadable
	}{
		"on":                {status: running, memo: on},
		"unknown":           {err: serviceerror.NewNotFound("workflow not found"), want: "workflow not found"},
		"not ours to see":   {err: serviceerror.NewPermissionDenied("no", ""), want: "no"},
		"terminated":        {status: enumspb.WORKFLOW_EXECUTION_STATUS_TERMINATED, memo: on, want: "workflow kill-switch does not run: it is Terminated"},
		"completed":         {status: enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED, memo: on, want: "it is Completed"},
		"paused":            {status: enumspb.WORKFLOW_EXECUTION_STATUS_PAUSED, memo: on, want: "it is Paused"},
		"no status":         {memo: on, want: "it is Unspecified"},
		"between two runs":  {status: enumspb.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW, memo: on, want: "continues as new"},
		"no memo":           {status: running, want: "memo gavel-switch"},
		"another memo":      {status: running, memo: memoWith(t, "other", switchedOn), want: "memo gavel-switch"},
		"a memo that is no": {status: running, memo: memoWith(t, MemoSwitch, "on"), want: "memo gavel-switch"},
	} {
		t.Run(name, func(t *testing.T) {
			c := frontend(t, func(_ context.Context, asked *workflowservice.DescribeWorkflowExecutionRequest) (*workflowpb.WorkflowExecutionInfo, error) {
				assert.Equal(t, KillSwitchID, asked.GetExecution().GetWorkflowId())
				assert.Empty(t, asked.GetExecution().GetRunId())
				return &workflowpb.WorkflowExecutionInfo{Execution: asked.Execution, SearchAttributes: &commonpb.SearchAttributes{}, Status: shown.status, Memo: shown.memo}, shown.err
			})
			state, err := NewSwitchReader(c).Read(t.Context())
			if shown.want == "" {
				require.NoError(t, err)
				assert.Equal(t, switchedOn, state)
				return
			}
			assert.ErrorContains(t, requireUnreadable(t, err).Cause, shown.want)
		})
	}
}

func TestATemporalThatDoesNotAnswerIsUnreadableInSeconds(t *testing.T) {
	t.Parallel()
	asks := 0
	c := frontend(t, func(ctx context.Context, _ *workflowservice.DescribeWorkflowExecutionRequest) (*workflowpb.WorkflowExecutionInfo, error) {
		asks++
		<-ctx.Done()
		return nil, ctx.Err()
	})
	began := time.Now()
	_, err := NewSwitchReader(c).Read(t.Context())
	assert.ErrorIs(t, requireUnreadable(t, err), context.DeadlineExceeded)
	assert.Equal(t, maxAsks, asks)
	assert.Less(t, time.Since(began), 20*time.Second)
}

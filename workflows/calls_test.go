package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// optionsSeen is an interceptor that remembers under which options each
// activity was asked for.
type optionsSeen struct {
	interceptor.WorkerInterceptorBase
	byName map[string]workflow.ActivityOptions
}

func (o *optionsSeen) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &optionsInbound{interceptor.WorkflowInboundInterceptorBase{Next: next}, o}
}

type optionsInbound struct {
	interceptor.WorkflowInboundInterceptorBase
	seen *optionsSeen
}

func (i *optionsInbound) Init(next interceptor.WorkflowOutboundInterceptor) error {
	return i.Next.Init(&optionsOutbound{interceptor.WorkflowOutboundInterceptorBase{Next: next}, i.seen})
}

type optionsOutbound struct {
	interceptor.WorkflowOutboundInterceptorBase
	seen *optionsSeen
}

func (o *optionsOutbound) ExecuteActivity(ctx workflow.Context, name string, args ...any) workflow.Future {
	o.seen.byName[name] = workflow.GetActivityOptions(ctx)
	return o.Next.ExecuteActivity(ctx, name, args...)
}

// Every activity says how long it may take, how soon its worker is missed, and
// how often it is tried. A money call is tried once: the workflow looks first.
func TestEveryActivityHasItsTimeoutsAndItsRetryPolicy(t *testing.T) {
	seen := &optionsSeen{byName: map[string]workflow.ActivityOptions{}}
	watched := func(s *scene) *scene {
		s.env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{seen}})
		return s
	}
	watched(agedHolds(t)).ended()
	s := watched(inReview(t))
	s.at(reviewed, func() { s.update(adopting("NONE")) })
	s.at(2*reviewed, func() { s.signal(decision(ActionReleaseAll)) })
	s.ended()

	const request = 130 * time.Second // 4 tries of 10 s and 3 pauses of 30 s
	for name, want := range map[string]struct {
		longest, heartbeat time.Duration
		attempts           int32
	}{
		activities.CaptureName:      {4*request + 20*time.Second, 5 * time.Second, 1},
		activities.ReauthorizeName:  {4*request + 20*time.Second, 5 * time.Second, 1},
		activities.ReadTruthName:    {4*request + 20*time.Second, 5 * time.Second, 5},
		activities.ReadCaptureName:  {request + 20*time.Second, 5 * time.Second, 5},
		activities.ReadHoldsName:    {10 * time.Minute, 5 * time.Second, 5},
		activities.ReleaseHoldsName: {10 * time.Minute, 5 * time.Second, 5},
		activities.AlertName:        {30 * time.Second, 0, 5},
	} {
		got, used := seen.byName[name]
		require.True(t, used, name)
		assert.Equal(t, want.longest, got.StartToCloseTimeout, name)
		assert.Equal(t, want.heartbeat, got.HeartbeatTimeout, name)
		assert.Equal(t, want.attempts, got.RetryPolicy.MaximumAttempts, name)
		assert.NotEmpty(t, got.Summary, name)
		// A release may wait for its turn for as long as it takes; a clock waits for a reading.
		assert.Equal(t, want.attempts > 1 && name != activities.ReleaseHoldsName, got.ScheduleToCloseTimeout > 0, name)
	}
	assert.Len(t, seen.byName, 7)
}

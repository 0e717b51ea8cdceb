package activities

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
)

// heartbeatEvery is short against the heartbeat timeout, so that a dead worker
// is noticed in seconds and a slow answer is not taken for one. A call that is
// faster than this sends no heartbeat, and so costs no action.
const heartbeatEvery = time.Second

// reportMargin is what an activity keeps back of its time, so that what PayPal
// answered at the last moment still reaches the workflow.
const reportMargin = 5 * time.Second

// inTime ends the context a little before the activity's own time is over. The
// client starts no call that could not end before that.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(ctx, deadline.Add(-reportMargin))
	}
	return context.WithCancel(ctx)
}

// working keeps an activity alive and bounds its calls, until end is called.
func working(ctx context.Context) (calls context.Context, end func()) {
	stop := keepAlive(ctx, nil)
	calls, cancel := inTime(ctx)
	return calls, func() {
		cancel()
		stop()
	}
}

// keepAlive records heartbeats until stop is called. details may be nil; what
// it returns is what a retry of the activity finds.
func keepAlive(ctx context.Context, details func() any) (stop func()) {
	done := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		ticker := time.NewTicker(heartbeatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-ticker.C:
				if details == nil {
					activity.RecordHeartbeat(ctx)
				} else {
					activity.RecordHeartbeat(ctx, details())
				}
			}
		}
	}()
	return func() {
		close(done)
		<-finished
	}
}

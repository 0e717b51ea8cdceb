package workflows

import (
	"errors"
	"time"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

const (
	// switchSettles is how long engaging takes: a reading of the memo from before
	// is in use for a second after it was asked for, and the call that it allowed
	// has another second to be on the wire.
	switchSettles = 2 * time.Second
	// maxStops keeps the memo small, which every worker reads once a second.
	maxStops = 100
)

// KillSwitchInput is what the kill switch starts with.
type KillSwitchInput struct {
	// State is how an earlier run left the switch; zero is a switch that is off.
	// Whoever starts the workflow puts the same into its memo.
	State activities.SwitchState `json:"state,omitzero"`
}

// KillSwitch says whether money calls may be sent, in its memo, for as long as
// there are settlements. It never ends by itself, and a cancel request changes
// nothing.
func KillSwitch(ctx workflow.Context, in KillSwitchInput) error {
	k, err := newKillSwitch(ctx, in)
	if err != nil {
		return err
	}
	return k.run()
}

type killSwitch struct {
	activities.SwitchState
	ctx               workflow.Context // not cancelled with the workflow
	engages, releases workflow.ReceiveChannel
	// engagedAt is the workflow task that engaged last, and which no release undoes:
	// what no worker took for a while arrives in one task, in no order that could be
	// relied on, updates whose callers have given up among it.
	engagedAt time.Time
	logger    log.Logger
}

func newKillSwitch(ctx workflow.Context, in KillSwitchInput) (*killSwitch, error) {
	k := &killSwitch{SwitchState: in.State, logger: workflow.GetLogger(ctx)}
	k.ctx, _ = workflow.NewDisconnectedContext(ctx)
	k.engages = workflow.GetSignalChannelWithOptions(ctx, EngageSwitch, workflow.SignalChannelOptions{Description: engageDescription +
		" A signal is recorded also while no worker runs; only the update waits until it holds."})
	k.releases = workflow.GetSignalChannelWithOptions(ctx, ReleaseSwitch, workflow.SignalChannelOptions{Description: releaseDescription})
	workflow.Go(ctx, func(ctx workflow.Context) {
		ctx.Done().Receive(ctx, nil)
		k.logger.Warn("a cancel request was ignored: without its kill switch no worker sends money calls")
	})
	if _, shown := workflow.GetInfo(ctx).Memo.GetFields()[activities.MemoSwitch]; !shown {
		k.show()
	}
	k.describe()
	return k, errors.Join(
		workflow.SetQueryHandlerWithOptions(ctx, StateQuery, func() (activities.SwitchState, error) { return k.SwitchState, nil },
			workflow.QueryHandlerOptions{Description: "When money calls were stopped, by whom and why; a stop without an end is running."}),
		workflow.SetUpdateHandlerWithOptions(ctx, EngageSwitch, k.engageAndSettle, workflow.UpdateHandlerOptions{
			Validator:   func(request SwitchRequest) error { return request.ValidateEngage() },
			Description: engageDescription + " Returns when it holds for every worker.",
		}),
		workflow.SetUpdateHandlerWithOptions(ctx, ReleaseSwitch, k.releaseAndShow, workflow.UpdateHandlerOptions{
			Validator:   func(request SwitchRequest) error { return request.ValidateRelease() },
			Description: releaseDescription,
		}),
	)
}

const (
	engageDescription  = `Stops every money call: {"by": "who", "reason": "why"}.`
	releaseDescription = `Lets money calls be sent again: {"by": "who"}.`
)

func (k *killSwitch) run() error {
	for {
		err := workflow.Await(k.ctx, func() bool { return k.signalled() || k.mayContinueAsNew() })
		if err != nil {
			return err
		}
		k.takeSignals()
		if k.mayContinueAsNew() {
			return workflow.NewContinueAsNewError(k.ctx, KillSwitchType, KillSwitchInput{State: k.SwitchState})
		}
	}
}

// mayContinueAsNew: an update that is being handled would be lost.
func (k *killSwitch) mayContinueAsNew() bool {
	return workflow.GetInfo(k.ctx).GetContinueAsNewSuggested() && workflow.AllHandlersFinished(k.ctx)
}

// engageAndSettle waits also where the switch is on already: whoever engaged it
// may have come a moment before.
func (k *killSwitch) engageAndSettle(ctx workflow.Context, request SwitchRequest) (activities.SwitchState, error) {
	k.takeSignals() // they came before
	k.engage(request)
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	wait := workflow.TimerOptions{Summary: "until no worker acts on an earlier reading"}
	if err := workflow.NewTimerWithOptions(ctx, switchSettles, wait).Get(ctx, nil); err != nil {
		return activities.SwitchState{}, err
	}
	return k.SwitchState, nil
}

func (k *killSwitch) releaseAndShow(_ workflow.Context, request SwitchRequest) (activities.SwitchState, error) {
	k.takeSignals()
	k.release(request)
	return k.SwitchState, nil
}

func (k *killSwitch) engage(request SwitchRequest) {
	k.engagedAt = workflow.Now(k.ctx)
	if stop := k.Current(); stop != nil {
		k.logger.Info("the kill switch is on already", "by", request.By, "reason", request.Reason, "since", stop.From)
		return
	}
	k.Stops = append(k.Stops, activities.Stop{From: k.engagedAt, By: request.By, Reason: request.Reason})
	k.Stops = k.Stops[max(0, len(k.Stops)-maxStops):]
	k.logger.Warn("kill switch on: no money call is sent", "by", request.By, "reason", request.Reason)
	k.show()
}

func (k *killSwitch) release(request SwitchRequest) {
	now, stop := workflow.Now(k.ctx), k.Current()
	switch {
	case stop == nil:
		k.logger.Info("the kill switch is off already", "by", request.By)
	case now.Equal(k.engagedAt):
		k.logger.Warn("the kill switch stays on: it was engaged and released at once", "by", request.By)
	default:
		stop.To, stop.ReleasedBy = now, request.By
		k.logger.Warn("kill switch off: money calls are sent again", "by", request.By, "reason", request.Reason)
		k.show()
	}
}

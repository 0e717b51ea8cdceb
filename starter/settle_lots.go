package main

import (
	"context"
	"errors"

	"go.temporal.io/sdk/client"

	"gavel/starter/internal/lotfile"
	"gavel/starter/internal/settling"
	"gavel/starter/internal/show"
	"gavel/workflows"
)

// settleLots starts the lots' settlements, follows them with live progress and
// prints what became of them. Its error tells how the command ends.
func (a *app) settleLots(ctx context.Context, temporal client.Client, policy workflows.Policy, entries []lotfile.Entry, how following) ([]settling.Standing, error) {
	settler := &settling.Settler{Client: temporal, Policy: policy}
	settlements, err := settler.Begin(ctx, entries)
	if err != nil {
		return nil, a.notBegun(ctx, err)
	}
	a.saySettlements(settlements)
	return a.followAll(ctx, settler, settlements, how)
}

// followAll follows settlements with live progress and prints what became of them.
func (a *app) followAll(ctx context.Context, settler *settling.Settler, settlements []settling.Settlement, how following) ([]settling.Standing, error) {
	terminal := a.terminal()
	if how.noWait {
		terminal = show.Terminal{}
	}
	settler.Detail = terminal.Detailed(len(settlements))
	progress := show.NewProgress(a.stderr, terminal, settlements)
	watch := &printer{Progress: progress, app: a}
	settler.Watch = watch
	standings, err := a.follow(ctx, settler, settlements, how)
	progress.Close()
	return standings, a.conclude(standings, how, watch, err)
}

// notBegun is how the command ends where not every settlement was started. Who
// interrupted it is told what goes on, in words and not in gRPC's.
func (a *app) notBegun(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	begun, some := errors.AsType[*settling.StartError](err)
	if !some {
		a.say("Interrupted: nothing was started.")
		return &exitError{exitFailed}
	}
	a.say("Interrupted: at least %d of %d lots were started and go on; run the same command again to start the others and follow all.", begun.Started, begun.Lots)
	return &exitError{exitGivenUp}
}

func (a *app) saySettlements(settlements []settling.Settlement) {
	attached := 0
	for _, s := range settlements {
		if s.Attached {
			attached++
		}
	}
	started := len(settlements) - attached
	a.say("%d settlement%s started, %d attached to.", started, plural(started), attached)
}

func (a *app) follow(ctx context.Context, settler *settling.Settler, settlements []settling.Settlement, how following) ([]settling.Standing, error) {
	if how.noWait {
		return settler.Glance(ctx, settlements)
	}
	if how.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, how.timeout)
		defer cancel()
	}
	return settler.Follow(ctx, settlements)
}

// printer prints the outcome of each settlement as soon as it is over, where
// programs read them.
type printer struct {
	show.Progress
	app *app
	err error
}

func (p *printer) Moved(s settling.Standing) {
	p.Progress.Moved(s)
	if p.app.json && s.Over() && p.err == nil {
		p.err = show.JSON(p.app.stdout, s)
	}
}

// conclude prints what is left to print and turns the standings into the way in
// which the command ends: a failure goes before giving up, that before a review.
func (a *app) conclude(standings []settling.Standing, how following, printed *printer, followed error) error {
	givenUp := errors.Is(followed, context.DeadlineExceeded) || errors.Is(followed, context.Canceled)
	if followed != nil && !givenUp {
		a.say("%v", followed)
	}
	var left, closed, ended, review int
	for _, s := range standings {
		switch {
		case s.Closed != "":
			closed++
			a.say("%s: its settlement was %s%s; %s: a new one starts from what PayPal shows.", s.WorkflowID, s.Closed, because(s.Problem), how.howToGoOn())
		case !s.Over():
			left++
		case s.Outcome.Closed != nil:
			ended++
			a.say("%s %s.", s.WorkflowID, show.Waits(s))
		case s.Outcome.State == workflows.StateFailedNeedsReview:
			review++
		}
		if a.json && !s.Over() && printed.err == nil {
			printed.err = show.JSON(a.stdout, s)
		}
	}
	if !a.json {
		printed.err = show.Table(a.stdout, standings)
	}
	switch {
	case givenUp && how.alone:
		a.say("Interrupted with %d of %d lots not settled; what works on them ends with this command.", left, len(standings))
	case givenUp:
		a.say("Gave up waiting for %d of %d lots. Their settlements go on; %s to follow them.", left, len(standings), how.howToGoOn())
	}
	switch {
	case printed.err != nil:
		return printed.err
	case closed > 0 || followed != nil && !givenUp:
		return &exitError{exitFailed}
	case left > 0 && !how.noWait:
		return &exitError{exitGivenUp}
	case review > 0 && how.reviews:
		return &exitError{exitReview}
	case review > 0:
		a.say("%d of %d lots need a person: starter review list shows why, and starter review decide answers.", review, len(standings))
		return &exitError{exitReview}
	case ended > 0:
		return &exitError{exitReview}
	}
	return nil
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func because(problem string) string {
	if problem == "" {
		return ""
	}
	return " (" + problem + ")"
}

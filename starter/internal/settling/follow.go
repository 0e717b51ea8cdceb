package settling

import (
	"context"
	"fmt"
	"slices"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"golang.org/x/sync/errgroup"

	"gavel/workflows"
)

const (
	// pollEvery is the pause between two visibility queries; the first ones
	// come sooner, so that quick lots end quickly.
	pollEvery = 2 * time.Second
	pollFirst = 250 * time.Millisecond
	// lookEvery bounds how long visibility alone is believed that nothing moved.
	lookEvery = 30 * time.Second
	// outagePatience is how long Temporal may not answer before following ends.
	outagePatience = time.Minute
)

// followed is a settlement that is not over yet.
type followed struct {
	Standing
	place    int
	lookedAt time.Time
	// row is what visibility says, seen what it said when somebody looked last.
	row, seen Row
}

type follower struct {
	*Settler
	looker    Looker
	standings []Standing
	pending   []*followed
	outage    time.Time // since when Temporal does not answer; zero where it does
	told      map[string]bool
}

// Follow returns where all settlements stand, in their order, when each is over,
// or with the context's error when that ends first. Errors of Temporal are borne
// for a minute.
func (s *Settler) Follow(ctx context.Context, settlements []Settlement) ([]Standing, error) {
	f := &follower{Settler: s, looker: Looker{Client: s.Client}, standings: make([]Standing, len(settlements)), told: map[string]bool{}}
	var atOnce []*followed
	for i, settlement := range settlements {
		f.standings[i] = Standing{Settlement: settlement, Outcome: begun(settlement)}
		one := &followed{Standing: f.standings[i], place: i, lookedAt: time.Now()}
		one.row = Row{Running: true, State: one.Outcome.State}
		one.seen = one.row
		f.pending = append(f.pending, one)
		if settlement.Attached {
			atOnce = append(atOnce, one)
		}
	}
	err := f.bear(ctx, f.lookAt(ctx, atOnce))
	for round := 0; err == nil && len(f.pending) > 0; round++ {
		if !sleep(ctx, min(pollEvery, pollFirst<<min(round, 10))) {
			break
		}
		f.warnWithoutWorker(ctx, round)
		err = f.bear(ctx, f.poll(ctx))
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return f.standings, err
}

// poll asks visibility where to look, and looks there.
func (f *follower) poll(ctx context.Context) error {
	lots := make([]workflows.Lot, len(f.pending))
	for i, one := range f.pending {
		lots[i] = one.Entry.Lot
	}
	rows, err := list(ctx, f.Client, query(lots))
	if err != nil {
		return err
	}
	byRun := make(map[string]Row, len(rows))
	for _, row := range rows {
		byRun[row.RunID] = row
	}
	var hinted []*followed
	for _, one := range f.pending {
		if row, known := byRun[one.RunID]; known {
			one.row = row
		}
		if f.worthALook(one, time.Now()) {
			hinted = append(hinted, one)
		}
	}
	return f.lookAt(ctx, hinted)
}

// worthALook: visibility shows something new, nobody has looked for a while, or
// the pause is over for which a settlement waited that somebody watches.
func (f *follower) worthALook(one *followed, now time.Time) bool {
	switch {
	case now.Sub(one.lookedAt) >= lookEvery:
		return true
	case one.row.Running != one.seen.Running || one.row.State != one.seen.State || one.row.Reason != one.seen.Reason:
		return true
	case !f.Detail || one.Outcome.Waiting == nil:
		return false
	default:
		due := one.Outcome.Waiting.NextPassAt.Add(pollEvery)
		return now.After(due) && one.lookedAt.Before(due)
	}
}

// lookAt looks at some of the pending settlements and drops those that are over.
func (f *follower) lookAt(ctx context.Context, some []*followed) error {
	found := make([]Standing, len(some))
	answers := make([]bool, len(some))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atATime)
	for i, one := range some {
		found[i] = one.Standing
		group.Go(func() (err error) {
			found[i], answers[i], err = f.looker.Look(groupCtx, one.Standing)
			if err == nil {
				one.lookedAt, one.seen = time.Now(), one.row
			}
			return err
		})
	}
	err := group.Wait()
	for i, one := range some {
		f.moved(one, found[i])
		if err == nil && !answers[i] {
			f.once("No worker answers where the settlements stand; what the search attributes say is shown.")
		}
	}
	f.pending = slices.DeleteFunc(f.pending, func(one *followed) bool { return one.Over() })
	return err
}

func (f *follower) moved(one *followed, now Standing) {
	one.Standing = now
	f.standings[one.place] = now
	f.Watch.Moved(now)
}

// bear swallows errors that may pass, up to outagePatience in a row. That the
// caller gave up is no outage.
func (f *follower) bear(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		f.outage = time.Time{}
		return nil
	case !passing(err):
		return fmt.Errorf("following the settlements, which go on: %w", err)
	case f.outage.IsZero():
		f.outage = time.Now()
		f.Watch.Notice("Temporal does not answer; the settlements are not lost, trying on.")
		return nil
	case time.Since(f.outage) > outagePatience:
		return fmt.Errorf("temporal has not answered for %s; the settlements go on when it does, run the same command again to follow them: %w",
			outagePatience, err)
	default:
		return nil
	}
}

// warnWithoutWorker says once that nobody works, after a worker that starts at
// the same time had its chance.
func (f *follower) warnWithoutWorker(ctx context.Context, round int) {
	const chance = 2
	if round < chance || f.told[""] {
		return
	}
	f.told[""] = true
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	queue, err := f.Client.DescribeTaskQueue(ctx, workflows.TaskQueue, enumspb.TASK_QUEUE_TYPE_WORKFLOW)
	if err == nil && len(queue.GetPollers()) == 0 {
		f.once(fmt.Sprintf("No worker polls task queue %q: the settlements wait until one is started (go run ./worker).", workflows.TaskQueue))
	}
}

func (f *follower) once(line string) {
	if !f.told[line] {
		f.told[line] = true
		f.Watch.Notice(line)
	}
}

package activities

import (
	"context"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"gavel/paypalclient"
)

// voidAPI is what releasing needs of PayPal.
type voidAPI interface {
	VoidAuthorization(ctx context.Context, req paypalclient.VoidAuthorizationRequest) error
}

// Releaser has the ReleaseHolds activity.
type Releaser struct{ PayPal voidAPI }

// HoldToRelease is one hold and the fixed request id of its void.
type HoldToRelease struct {
	AuthorizationID string `json:"authorization_id"`
	RequestID       string `json:"request_id"`
}

// ReleaseInput is a batch of holds, released Parallel at a time (at least one).
type ReleaseInput struct {
	Holds    []HoldToRelease `json:"holds"`
	Parallel int             `json:"parallel"`
	// Urgent: somebody's capture waits for it, so it does not queue behind releases.
	Urgent bool `json:"urgent,omitempty"`
}

// ReleaseResult counts what was released and names what was not. A hold that
// was voided before is released too.
type ReleaseResult struct {
	Released int           `json:"released"`
	Others   []NotReleased `json:"others,omitempty"`
	// Took is how long the last attempt worked on the batch.
	Took Duration `json:"took,omitempty"`
}

// NotReleased is a hold that PayPal did not release.
type NotReleased struct {
	AuthorizationID string         `json:"authorization_id"`
	Outcome         ReleaseOutcome `json:"outcome"`
	// Because is why nothing was done, where Outcome is ReleaseStalled or ReleaseUntried.
	Because AnswerKind `json:"because,omitempty"`
	Problem *Problem   `json:"problem,omitempty"`
}

// TurnedAway says why nothing was done about the hold, or AnswerNone where the
// void may have reached PayPal.
func (n NotReleased) TurnedAway() AnswerKind {
	if n.Outcome != ReleaseStalled && n.Outcome != ReleaseUntried {
		return AnswerNone
	}
	return n.Because
}

// ReleaseOutcome is what became of one release.
type ReleaseOutcome string

const (
	// ReleaseDone: voided, now or before.
	ReleaseDone ReleaseOutcome = "released"
	// ReleaseCaptured: PayPal says that money was taken on this hold.
	ReleaseCaptured ReleaseOutcome = "captured"
	// ReleaseStalled: turned away by 429, by the kill switch, or for want of a
	// token; nothing was done, and the same would meet every other hold.
	ReleaseStalled ReleaseOutcome = "stalled"
	// ReleaseUntried: the void was never sent, so it says nothing of the hold.
	ReleaseUntried ReleaseOutcome = "untried"
	// ReleaseFailed: refused, or the outcome is unknown.
	ReleaseFailed ReleaseOutcome = "failed"
)

// ReleaseHolds voids a batch of holds. It heartbeats what is done, so that a
// retry goes on where the process died. Once PayPal turns one void away, those
// not begun yet are left as stalled rather than hammered against it.
func (r *Releaser) ReleaseHolds(ctx context.Context, in ReleaseInput) (ReleaseResult, error) {
	began := time.Now()
	batch := newReleaseBatch(ctx, in)
	stop := keepAlive(ctx, batch.progress)
	defer stop()
	calls, cancel := inTime(ctx)
	defer cancel()
	if !in.Urgent {
		calls = paypalclient.WithBackgroundPriority(calls)
	}
	var workers sync.WaitGroup
	for range max(1, in.Parallel) {
		workers.Go(func() {
			for i, ok := batch.next(); ok; i, ok = batch.next() {
				batch.record(i, r.PayPal.VoidAuthorization(calls, paypalclient.VoidAuthorizationRequest{
					AuthorizationID: in.Holds[i].AuthorizationID,
					RequestID:       in.Holds[i].RequestID,
				}))
			}
		})
	}
	workers.Wait()
	result := batch.result()
	result.Took = Duration(time.Since(began))
	return result, ctx.Err()
}

// releaseProgress is the heartbeat of ReleaseHolds: the places in the batch
// that are released.
type releaseProgress struct {
	Released []int `json:"released"`
}

// releaseBatch is the shared state of the goroutines that release a batch.
type releaseBatch struct {
	holds []HoldToRelease

	mu      sync.Mutex
	at      int
	stalled *NotReleased  // the void that was turned away, once one was
	done    []NotReleased // by place; Outcome "" is not begun
}

func newReleaseBatch(ctx context.Context, in ReleaseInput) *releaseBatch {
	b := &releaseBatch{holds: in.Holds, done: make([]NotReleased, len(in.Holds))}
	var before releaseProgress
	if activity.HasHeartbeatDetails(ctx) && activity.GetHeartbeatDetails(ctx, &before) == nil {
		for _, i := range before.Released {
			if i >= 0 && i < len(b.done) {
				b.done[i].Outcome = ReleaseDone
			}
		}
	}
	return b
}

// next hands out the next place that nobody has begun.
func (b *releaseBatch) next() (int, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; b.stalled == nil && b.at < len(b.holds); b.at++ {
		if b.done[b.at].Outcome == "" {
			b.at++
			return b.at - 1, true
		}
	}
	return 0, false
}

func (b *releaseBatch) record(i int, err error) {
	done := releaseOf(err)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done[i] = done
	if done.Outcome == ReleaseStalled {
		b.stalled = &done
	}
}

func (b *releaseBatch) progress() any {
	b.mu.Lock()
	defer b.mu.Unlock()
	var p releaseProgress
	for i, d := range b.done {
		if d.Outcome == ReleaseDone {
			p.Released = append(p.Released, i)
		}
	}
	return p
}

func (b *releaseBatch) result() ReleaseResult {
	b.mu.Lock()
	defer b.mu.Unlock()
	var result ReleaseResult
	for i, d := range b.done {
		if d.Outcome == ReleaseDone {
			result.Released++
			continue
		}
		if d.Outcome == "" {
			d = *b.stalled // nothing is left unbegun otherwise
		}
		d.AuthorizationID = b.holds[i].AuthorizationID
		result.Others = append(result.Others, d)
	}
	return result
}

// releaseOf is what became of a release whose void ended with err.
func releaseOf(err error) NotReleased {
	if err == nil {
		return NotReleased{Outcome: ReleaseDone}
	}
	release := NotReleased{Outcome: ReleaseFailed, Problem: problemOf(err)}
	e, ok := paypalclient.AsError(err)
	if !ok {
		return release
	}
	switch because := turnedAway(e); {
	case because == AnswerUnsent && e.Outcome == paypalclient.OutcomeNotRun:
		release.Outcome, release.Because = ReleaseUntried, because
	case because != AnswerNone && because != AnswerUnsent:
		release.Outcome, release.Because = ReleaseStalled, because
	case e.Kind == paypalclient.KindAlreadyVoided:
		return NotReleased{Outcome: ReleaseDone}
	case e.Kind == paypalclient.KindAlreadyCaptured:
		release.Outcome = ReleaseCaptured
	}
	return release
}

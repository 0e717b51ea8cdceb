package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// ErrorTypeDecisionRefused is the type of the application error with which
// DecisionUpdate refuses a decision; its message is the reason.
const ErrorTypeDecisionRefused = "DecisionRefused"

// Verdict is what DecisionUpdate answers about a decision that was carried out:
// how the settlement stands after it.
type Verdict struct {
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
}

// inbox is where decisions come in, by signal or by update. Only the
// settlement's main coroutine takes them out.
type inbox struct {
	signals workflow.ReceiveChannel
	updates workflow.Channel
}

// submission is a decision and whoever waits to hear what became of it; nobody
// does who sent a signal.
type submission struct {
	Decision
	reply workflow.Settable
}

// inboxSize is how many updates Temporal lets be under way at once.
const inboxSize = 10

const decisionDescription = `Decides a review: {"action": "retry | adopt | next-bidder | release-all | close", "by": "who", "reason": "why", ` +
	`"capture_id": "for adopt", "decision_id": "optional: the same one twice counts once"}`

func (s *settlement) openInbox(ctx workflow.Context) error {
	s.inbox.signals = workflow.GetSignalChannelWithOptions(s.ctx, DecisionSignal, workflow.SignalChannelOptions{Description: decisionDescription})
	s.inbox.updates = workflow.NewNamedBufferedChannel(s.ctx, DecisionUpdate, inboxSize)
	return workflow.SetUpdateHandlerWithOptions(ctx, DecisionUpdate, s.submit, workflow.UpdateHandlerOptions{
		Description: decisionDescription + " It answers when the settlement has left its review, or refuses with the reason.",
		Validator:   func(_ workflow.Context, d Decision) error { return refusedError(s.unacceptable(d)) },
	})
}

// unacceptable is why an update is refused before it is taken in. One that was
// carried out before may be asked about again.
func (s *settlement) unacceptable(d Decision) string {
	if i := s.earlier(d); i >= 0 {
		return s.TakenUp[i].differs(d)
	}
	return d.unfit(s.Review)
}

// submit hands a decision to the main coroutine and waits for its verdict.
func (s *settlement) submit(ctx workflow.Context, d Decision) (Verdict, error) {
	future, reply := workflow.NewFuture(ctx)
	s.inbox.updates.Send(ctx, submission{d, reply})
	var verdict Verdict
	err := future.Get(ctx, &verdict)
	return verdict, err
}

// listen adds what comes in to a selector.
func (in inbox) listen(selector workflow.Selector, take func(submission)) {
	selector.AddReceive(in.signals, func(c workflow.ReceiveChannel, _ bool) {
		var d Decision
		if c.ReceiveAsync(&d) {
			take(submission{Decision: d})
		}
	})
	selector.AddReceive(in.updates, func(c workflow.ReceiveChannel, _ bool) {
		var sub submission
		if c.ReceiveAsync(&sub) {
			take(sub)
		}
	})
}

// emptyInbox answers what is still there and lets every update end, so that
// nothing is lost when this run does.
func (s *settlement) emptyInbox() error {
	s.turnDownAll()
	return workflow.Await(s.ctx, func() bool { return workflow.AllHandlersFinished(s.ctx) })
}

// turnDownAll records decisions that came in while nothing waited for one.
func (s *settlement) turnDownAll() {
	for {
		var sub submission
		if !s.inbox.updates.ReceiveAsync(&sub) && !s.inbox.signals.ReceiveAsync(&sub.Decision) {
			return
		}
		s.turnDown(sub)
	}
}

// turnDown records a decision that came in while nothing waits for one.
func (s *settlement) turnDown(sub submission) {
	if !s.repeated(sub) {
		s.conclude(sub, sub.unfit(nil))
	}
}

// takenUp is a decision that was taken up in a review, and why it was refused
// then, if it was. One that did not fit was not taken up: sent again, it may.
type takenUp struct {
	Decision
	Refused string `json:"refused,omitempty"`
}

// takeUp carries a decision out where it fits, and answers it.
func (s *settlement) takeUp(sub submission) error {
	if s.repeated(sub) {
		return nil
	}
	refused := sub.unfit(s.Review)
	if refused == "" {
		var err error
		if refused, err = s.carryOut(sub.Decision); err != nil {
			return err
		}
		if sub.DecisionID != "" {
			s.TakenUp = newest(append(s.TakenUp, takenUp{sub.bounded(), refused}), maxKnownIDs)
		}
	}
	s.conclude(sub, refused)
	return nil
}

// earlier is the place in TakenUp of a decision with this one's id, or below 0.
func (s *settlement) earlier(d Decision) int {
	return slices.IndexFunc(s.TakenUp, func(before takenUp) bool { return d.DecisionID != "" && before.DecisionID == d.DecisionID })
}

// repeated answers a decision whose id has been taken up before with what became
// of it then.
func (s *settlement) repeated(sub submission) bool {
	i := s.earlier(sub.Decision)
	if i < 0 {
		return false
	}
	if another := s.TakenUp[i].differs(sub.Decision); another != "" {
		s.conclude(sub, another)
	} else {
		s.tell(sub, s.TakenUp[i].Refused)
	}
	return true
}

// differs says that a decision is another one under the same id, or is empty.
// Who sends the same one again may put it in other words.
func (before takenUp) differs(d Decision) string {
	if before.Action == d.Action && before.CaptureID == d.CaptureID {
		return ""
	}
	return fmt.Sprintf("decision_id %s was used for another decision: %s by %s", quote(d.DecisionID), before.Action, quote(before.By))
}

// conclude records a decision, refused or carried out, and tells who waits for it.
func (s *settlement) conclude(sub submission, refused string) {
	d := sub.bounded()
	s.Decisions = newest(append(s.Decisions, DecisionRecord{Decision: d, At: workflow.Now(s.ctx), Refused: refused}), maxDecisions)
	if refused != "" {
		s.logger.Warn("decision refused", "action", d.Action, "by", d.By, "because", refused)
	} else {
		s.logger.Info("decision carried out", "action", d.Action, "by", d.By, "reason", d.Reason)
	}
	s.describe()
	s.tell(sub, refused)
}

func (s *settlement) tell(sub submission, refused string) {
	if sub.reply == nil {
		return
	}
	sub.reply.Set(Verdict{State: s.State, Reason: s.Reason}, refusedError(refused))
}

func refusedError(because string) error {
	if because == "" {
		return nil
	}
	return temporal.NewNonRetryableApplicationError(because, ErrorTypeDecisionRefused, nil)
}

// newest are the last ones of a list, at most so many.
func newest[T any](all []T, most int) []T {
	return slices.Clone(all[max(0, len(all)-most):])
}

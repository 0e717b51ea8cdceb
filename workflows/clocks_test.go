package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/activities"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func TestWhoCouldNotReadTheSwitchHasLearntNothing(t *testing.T) {
	held := clocks{UnknownKind: clockMoney, UnknownFrom: noon, Held: Duration(time.Minute), HeldFrom: noon.Add(time.Hour)}
	for _, standing := range []activities.SwitchStanding{activities.SwitchUnreadable, activities.SwitchUnseen} {
		c := held
		c.hold(activities.SwitchSeen{Standing: standing})
		assert.Equal(t, held, c)
	}
	c := clocks{}
	c.hold(activities.SwitchSeen{Standing: activities.SwitchOn, HeldFrom: noon})
	assert.Zero(t, c, "where no clock runs, none is held")
}

func TestWhatAMoneyCallStartedIsAClockOfItsOwn(t *testing.T) {
	c := clocks{UnknownKind: clockTruth, UnknownFrom: noon, UnknownReason: ReasonTruthUnreadable, Held: Duration(time.Minute)}
	seen := observation{answer: activities.AnswerUnknown, lost: true}
	c.advance(noon.Add(9*time.Minute), Policy{}.withDefaults(), seen, decide(stageCapture, seen))
	assert.Equal(t, clocks{UnknownKind: clockMoney, UnknownFrom: noon.Add(9 * time.Minute), UnknownReason: ReasonUnknownOutcome}, c)
	c.advance(noon.Add(12*time.Minute), Policy{}.withDefaults(), seen, decide(stageCapture, seen))
	assert.Equal(t, noon.Add(9*time.Minute), c.UnknownFrom, "and the first one counts")
}

func TestWhatResolvesADoubt(t *testing.T) {
	for name, c := range map[string]struct {
		at       stage
		seen     observation
		kind     clockKind
		resolved bool
	}{
		"renewed":                         {stageRenew, observation{answer: activities.AnswerRenewed}, clockMoney, true},
		"not renewed":                     {stageRenew, observation{answer: activities.AnswerNotRenewed}, clockMoney, true},
		"found pending":                   {stageCapture, observation{truth: activities.StandingPending}, clockMoney, true},
		"found declined: it is fenced":    {stageCapture, observation{truth: activities.StandingDeclined}, clockMoney, true},
		"rate limited":                    {stageCapture, observation{truth: activities.StandingOpen, answer: activities.AnswerRateLimited}, clockMoney, false},
		"the hold is under review":        {stageCapture, observation{truth: activities.StandingHoldPending}, clockMoney, false},
		"a truth that only was not clear": {stageCapture, observation{truth: activities.StandingHoldPending}, clockTruth, true},
		"a truth that is still not clear": {stageCapture, observation{truth: activities.StandingUnclear}, clockTruth, false},
		"a capture that nobody sees":      {stageConfirm, observation{truth: activities.StandingCapturedUnseen}, clockTruth, false},
	} {
		t.Run(name, func(t *testing.T) {
			running := clocks{UnknownKind: c.kind, UnknownFrom: noon}
			running.advance(noon.Add(time.Minute), Policy{}.withDefaults(), c.seen, decide(c.at, c.seen))
			assert.Equal(t, c.resolved, running.UnknownKind == clockNone)
		})
	}
}

func TestWhichClockEndsAStage(t *testing.T) {
	policy := Policy{}.withDefaults()
	both := clocks{UnknownKind: clockMoney, UnknownFrom: noon, PendingEndsAt: noon.Add(5 * time.Minute)}
	later := noon.Add(time.Hour)
	for at, want := range map[stage]stage{
		stageAwait:     stagePendingExpired,
		stageCapture:   stageUnknownExpired,
		stageRenew:     stageUnknownExpired,
		stageConfirm:   stageUnknownExpired,
		stageCallOff:   stageUnknownExpired,
		stageFence:     stageFenceExpired,
		stageDuplicate: stageDuplicate,
	} {
		assert.Equal(t, want, both.at(later, at, policy))
		assert.Equal(t, at, both.at(noon.Add(4*time.Minute), at, policy))
	}
	pending := clocks{PendingEndsAt: noon}
	assert.Equal(t, stageCapture, pending.at(later, stageCapture, policy), "PayPal's time counts while PayPal is pending")
}

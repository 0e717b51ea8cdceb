package main_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

func TestStatusShowsWhatASettlementWaitsFor(t *testing.T) {
	r := newRig(t)
	r.work()
	r.env = append(r.env, "GAVEL_CLOCKS_UNKNOWN=1h")
	broken := fake.Break(fake.OpGetAuthorization, "1B1", fake.Before, 500)
	broken.Times = -1
	r.PayPal.Script(broken)
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 2), lot("2", 2))).Code)
	require.Equal(t, 0, r.run("settle", r.file(lot("2", 2))).Code)

	var got result
	require.Eventually(t, func() bool {
		got = r.run("status", "--json", "spring")
		return got.Code == 0 && got.outcomes(t)[id("1")].State == workflows.StateUnknown
	}, time.Minute, 50*time.Millisecond)
	outcomes := got.outcomes(t)

	waits := outcomes[id("1")]
	assert.Equal(t, workflows.ReasonTruthUnreadable, waits.Reason)
	require.NotNil(t, waits.Waiting)
	assert.Equal(t, "b1", waits.Waiting.BidderID)
	assert.WithinRange(t, waits.Waiting.ClockEndsAt, time.Now().Add(50*time.Minute), time.Now().Add(time.Hour))
	assert.Equal(t, workflows.StateSettled, outcomes[id("2")].State)
	assert.Len(t, outcomes, 2)

	one := r.run("status", "spring", "1")
	assert.Equal(t, 0, one.Code, one.Stderr)
	assert.Regexp(t, `spring/1 │ UNKNOWN │ truth_unreadable │ b1, next look [0-9: -]+, clock ends [0-9: -]+, since [0-9: -]+ │`, one.Stdout)
	assert.NotContains(t, one.Stdout, "spring/2")
}

func TestStatusShowsWhatIsLeftOfAClockThatTheKillSwitchHolds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.opened()
	r.env = append(r.env, "GAVEL_CLOCKS_UNKNOWN=1h")
	r.failing(fake.OpCaptureAuthorization, "1B1", fake.Before)
	r.waitsIn(workflows.StateUnknown, lot("1", 2))
	require.Equal(t, 0, r.run("switch", "engage", "--by", "ana", "--reason", "test").Code)

	require.Eventually(t, func() bool { return r.outcome("1").State == workflows.StatePaused }, time.Minute, 50*time.Millisecond)

	got := r.run("status", "spring", "1")
	assert.Equal(t, 0, got.Code, got.Stderr)
	assert.Regexp(t, `spring/1 │ PAUSED │ kill_switch │ b1, next look [0-9: -]+, clock held with 59m\d+s left, since [0-9: -]+ │`, got.Stdout)
}

func TestStatusWithoutAWorkerShowsTheSearchAttributes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 1))).Code)

	got := r.run("status", "--json", "spring", "1")

	require.Equal(t, 0, got.Code, got.Stderr)
	assert.Equal(t, workflows.StateCapturing, got.outcomes(t)[id("1")].State)
	assert.Contains(t, got.Stderr, "No worker answers")
}

func TestStatusOfTheUnknownSaysWhatToDo(t *testing.T) {
	r := newRig(t)
	for name, args := range map[string][]string{
		"no settlement of auction fall is known": {"status", "--json", "fall"},
		"no settlement of lot 9 of auction fall": {"status", "--json", "fall", "9"},
	} {
		got := r.run(args...)
		assert.Equal(t, 1, got.Code)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, name)
		assert.Contains(t, got.Stderr, "start it with settle FILE")
	}
}

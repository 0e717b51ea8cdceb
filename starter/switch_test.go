package main_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/activities"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/worker/service"
	"gavel/workflows"
)

// standing is what a switch command prints with --json.
type standing struct {
	State, By, Reason, Problem string
	Since                      time.Time
	Stops                      []activities.Stop
}

func (r result) standing(t *testing.T) standing {
	t.Helper()
	var s standing
	in := json.NewDecoder(strings.NewReader(r.Stdout))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&s), "%q; %s", r.Stdout, r.Stderr)
	require.Equal(t, 1, strings.Count(r.Stdout, "\n"), r.Stdout)
	return s
}

// opened waits until the worker has opened the switch.
func (r *rig) opened() {
	r.t.Helper()
	require.Eventually(r.t, func() bool { return r.run("switch", "status", "--json").Code == 0 }, time.Minute, 50*time.Millisecond)
}

func TestTheKillSwitchFromTheCommandLine(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.work()
	r.opened()
	off := r.run("switch", "status", "--json").standing(t)
	assert.Equal(t, "off", off.State)
	assert.NotNil(t, off.Stops)
	assert.Empty(t, off.Stops)

	engaged := r.run("switch", "engage", "--by", "ana", "--reason", "double charges reported", "--json")
	require.Equal(t, 0, engaged.Code, engaged.Stderr)
	on := engaged.standing(t)
	assert.Equal(t, "on", on.State)
	assert.Equal(t, "ana", on.By)
	assert.Equal(t, "double charges reported", on.Reason)
	assert.WithinRange(t, on.Since, time.Now().Add(-time.Minute), time.Now())
	assert.Equal(t, on, r.run("switch", "status", "--json").standing(t))

	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 2))).Code)
	require.Eventually(t, func() bool {
		paused := r.run("status", "--json", "spring", "1").outcomes(t)[id("1")]
		return paused.State == workflows.StatePaused && paused.Reason == workflows.ReasonKillSwitch
	}, time.Minute, 10*time.Millisecond)
	text := r.run("switch", "status")
	assert.Contains(t, text.Stdout, "The kill switch is ON since ")
	assert.Contains(t, text.Stdout, "by ana: double charges reported. No money call is sent.")
	assert.Zero(t, r.PayPal.Count(fake.OpCaptureAuthorization))

	released := r.run("switch", "release", "--by", "ben")
	require.Equal(t, 0, released.Code, released.Stderr)
	assert.Equal(t, "The kill switch is OFF: money calls may be sent.\n", released.Stdout)
	require.Equal(t, 0, r.run("switch", "release", "--by", "cleo").Code, "it is off already")
	over := r.run("switch", "status", "--json").standing(t)
	require.Len(t, over.Stops, 1)
	assert.Equal(t, "ben", over.Stops[0].ReleasedBy)
	assert.False(t, over.Stops[0].To.IsZero())
	assert.Regexp(t, `ana +│ double charges reported │ ben`, r.run("switch", "status").Stdout)
	require.Eventually(t, func() bool { return len(r.PayPal.Ledger().Captures) == 1 }, time.Minute, 10*time.Millisecond)
}

func TestEngagingWithoutAWorkerIsRecordedAndNotConfirmed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	require.NoError(t, service.OpenKillSwitch(t.Context(), r.Temporal))
	require.Equal(t, 0, r.run("settle", "--no-wait", r.seed(lot("1", 1))).Code)

	got := r.run("switch", "engage", "--by", "ana", "--reason", "test", "--json")
	assert.Equal(t, 1, got.Code)
	assert.Empty(t, got.Stdout)
	for _, said := range []string{
		"engage is NOT CONFIRMED", "no worker answered within 10s", "a worker that starts obeys it before it takes on any work",
		"a worker that runs and did not answer may still send money calls",
	} {
		assert.Contains(t, got.Stderr, said)
	}
	assert.Equal(t, "off", r.run("switch", "status", "--json").standing(t).State, "nobody has taken it yet")

	r.work()
	require.Eventually(t, func() bool { return r.PayPal.Count(fake.OpGetAuthorization) > 0 }, time.Minute, 10*time.Millisecond)
	on := r.run("switch", "status", "--json").standing(t)
	assert.Equal(t, "on", on.State)
	assert.Len(t, on.Stops, 1, "the update that was given up changed nothing more")
	assert.Zero(t, r.PayPal.Count(fake.OpCaptureAuthorization))
}

// Temporal may still hand a worker an update whose caller has given up.
func TestAReleaseThatWasGivenUpDoesNotUndoALaterEngage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	require.NoError(t, service.OpenKillSwitch(t.Context(), r.Temporal))
	require.NoError(t, r.Temporal.SignalWorkflow(t.Context(), activities.KillSwitchID, "", workflows.EngageSwitch, workflows.SwitchRequest{By: "ana", Reason: "first"}))
	require.Equal(t, 1, r.run("switch", "release", "--by", "ben").Code)
	require.NoError(t, r.Temporal.SignalWorkflow(t.Context(), activities.KillSwitchID, "", workflows.EngageSwitch, workflows.SwitchRequest{By: "cleo", Reason: "again"}))

	r.work()
	engaged := r.run("switch", "engage", "--by", "dora", "--reason", "to see how it stands", "--json").standing(t)
	assert.Equal(t, "on", engaged.State)
	assert.Equal(t, "ana", engaged.By)
}

func TestWithoutAKillSwitchTheCommandsSaySo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	status := r.run("switch", "status", "--json")
	assert.Equal(t, 1, status.Code)
	unreadable := status.standing(t)
	assert.Equal(t, "unreadable", unreadable.State)
	assert.Contains(t, unreadable.Problem, "workflow not found")
	assert.Contains(t, status.Stderr, "UNREADABLE")
	assert.Contains(t, status.Stderr, "a worker creates it when it starts (go run ./worker)")
	for _, args := range [][]string{{"switch", "engage", "--by", "ana", "--reason", "test"}, {"switch", "release", "--by", "ana"}} {
		got := r.run(args...)
		assert.Equal(t, 1, got.Code)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, "no kill switch runs in this namespace, and nothing was recorded")
		assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
	}
}

func TestMistakesWithTheKillSwitchEndWithTwo(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"nobody engages":     {[]string{"engage", "--reason", "r"}, "--by: must say who asks for it"},
		"without a reason":   {[]string{"engage", "--by", "ana"}, "--reason: must say why money calls are stopped"},
		"an empty reason":    {[]string{"engage", "--by", "ana", "--reason", ""}, "--reason: must say why"},
		"a line break":       {[]string{"engage", "--by", "ana", "--reason", "a\nb"}, "--reason: must be at most 300 characters without control characters"},
		"a long name":        {[]string{"engage", "--by", strings.Repeat("x", 101), "--reason", "r"}, "--by: must be at most 100"},
		"nobody releases":    {[]string{"release"}, "--by: must say who asks for it"},
		"an argument":        {[]string{"release", "ana"}, `unknown command "ana"`},
		"an unknown command": {[]string{"off"}, `unknown command "off"`},
		"an unknown flag":    {[]string{"status", "--by", "ana"}, "unknown flag: --by"},
	} {
		t.Run(name, func(t *testing.T) {
			got := startProcess(t, nowhere, nil, append([]string{"switch"}, tc.args...)...).wait()
			assert.Equal(t, 2, got.Code, got.Stderr)
			assert.Empty(t, got.Stdout)
			assert.Contains(t, got.Stderr, tc.want)
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
		})
	}
}

package workflows

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// switchScene is the kill switch in Temporal's test environment, and what is
// asked of it at which moment.
type switchScene struct {
	*testsuite.TestWorkflowEnvironment
	t     *testing.T
	began time.Time
}

func newSwitchScene(t *testing.T) *switchScene {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	s := &switchScene{TestWorkflowEnvironment: suite.NewTestWorkflowEnvironment(), t: t, began: time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)}
	s.SetStartTime(s.began)
	s.RegisterWorkflowWithOptions(KillSwitch, workflow.RegisterOptions{Name: KillSwitchType})
	require.NoError(t, s.SetMemoOnStart(map[string]any{activities.MemoSwitch: activities.SwitchState{}}))
	return s
}

// at asks for something at so many seconds after the start.
func (s *switchScene) at(seconds float64, do func()) {
	s.RegisterDelayedCallback(do, s.offset(seconds))
}

func (s *switchScene) offset(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}

func (s *switchScene) time(seconds float64) time.Time { return s.began.Add(s.offset(seconds)) }

// asked is an update and what came of it.
type asked struct {
	state    activities.SwitchState
	rejected error
	ended    time.Time
}

func (s *switchScene) update(seconds float64, name string, request SwitchRequest) *asked {
	got := &asked{}
	s.at(seconds, func() {
		s.UpdateWorkflow(name, "", &testsuite.TestUpdateCallback{
			OnReject: func(err error) { got.rejected = err },
			OnComplete: func(result any, err error) {
				assert.NoError(s.t, err)
				got.ended = s.Now()
				if state, ok := result.(activities.SwitchState); ok {
					got.state = state
				}
			},
		}, request)
	})
	return got
}

func (s *switchScene) signal(seconds float64, name string, argument any) {
	s.at(seconds, func() { s.SignalWorkflow(name, argument) })
}

// play runs the switch until nothing more is asked of it, and returns how it
// stands at the given second.
func (s *switchScene) play(until float64) activities.SwitchState {
	s.t.Helper()
	var state activities.SwitchState
	s.at(until, func() {
		value, err := s.QueryWorkflow(StateQuery)
		require.NoError(s.t, err)
		require.NoError(s.t, value.Get(&state))
		s.SetContinueAsNewSuggested(true)
		s.SignalWorkflow(ReleaseSwitch, SwitchRequest{}) // unfit: it only wakes the switch
	})
	s.ExecuteWorkflow(KillSwitchType, KillSwitchInput{})
	require.True(s.t, s.IsWorkflowCompleted())
	return state
}

var (
	byAna = SwitchRequest{By: "ana", Reason: "double charges reported"}
	byBen = SwitchRequest{By: "ben", Reason: "me too"}
)

func TestEngagingReturnsOnlyWhenNoEarlierReadingIsInUse(t *testing.T) {
	s := newSwitchScene(t)
	engaged := s.update(1, EngageSwitch, byAna)
	s.play(10)
	assert.Equal(t, s.time(3), engaged.ended.UTC())
	require.NotNil(t, engaged.state.Current())
	assert.Equal(t, activities.Stop{From: s.time(1), By: "ana", Reason: "double charges reported"}, *engaged.state.Current())
}

func TestEngagingAndReleasingAgainChangesNothing(t *testing.T) {
	s := newSwitchScene(t)
	s.update(1, EngageSwitch, byAna)
	again := s.update(2, EngageSwitch, byBen)
	late := s.update(20, EngageSwitch, byBen)
	released := s.update(30, ReleaseSwitch, SwitchRequest{By: "cleo"})
	more := s.update(40, ReleaseSwitch, SwitchRequest{By: "ben"})
	s.update(50, EngageSwitch, byBen)
	state := s.play(60)

	assert.Equal(t, s.time(4), again.ended.UTC(), "it may have come while the first one was still settling")
	assert.Equal(t, s.time(22), late.ended.UTC())
	assert.Equal(t, s.time(30), released.ended.UTC())
	assert.Equal(t, released.state, more.state)
	assert.Equal(t, []activities.Stop{
		{From: s.time(1), To: s.time(30), By: "ana", Reason: "double charges reported", ReleasedBy: "cleo"},
		{From: s.time(50), By: "ben", Reason: "me too"},
	}, state.Stops)
}

func TestASwitchThatIsReleasedWhileItSettlesSaysSo(t *testing.T) {
	s := newSwitchScene(t)
	engaged := s.update(1, EngageSwitch, byAna)
	s.update(2, ReleaseSwitch, SwitchRequest{By: "ben"})
	s.play(10)
	assert.Equal(t, s.time(3), engaged.ended.UTC())
	assert.Nil(t, engaged.state.Current())
	assert.Equal(t, "ben", engaged.state.Stops[0].ReleasedBy)
}

func TestWhatTheSwitchRefuses(t *testing.T) {
	long := strings.Repeat("ü", 301)
	for name, c := range map[string]struct {
		request         SwitchRequest
		engage, release string
	}{
		"a full request":              {SwitchRequest{By: "ana", Reason: "why"}, "", ""},
		"names and reasons of anyone": {SwitchRequest{By: "José Ünal <j@example.com>", Reason: long[:600]}, "", ""},
		"nobody":                      {SwitchRequest{Reason: "why"}, "by: must say who asks for it", "by: must say who asks for it"},
		"nothing at all":              {SwitchRequest{}, "by: must say who asks for it", "by: must say who asks for it"},
		"no reason":                   {SwitchRequest{By: "ana"}, "reason: must say why money calls are stopped", ""},
		"a name of 101 characters":    {SwitchRequest{By: long[:202], Reason: "why"}, "by: must be at most 100 characters", "by: must be at most 100 characters"},
		"a reason of 301 characters":  {SwitchRequest{By: "ana", Reason: long}, "reason: must be at most 300", "reason: must be at most 300"},
		"a line break in the name":    {SwitchRequest{By: "a\nb", Reason: "why"}, `not "a\nb"`, `not "a\nb"`},
		"an escape in the reason":     {SwitchRequest{By: "ana", Reason: "\x1b[2J"}, "without control characters", "without control characters"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSwitchScene(t)
			engaged := s.update(1, EngageSwitch, c.request)
			released := s.update(10, ReleaseSwitch, c.request)
			s.signal(20, EngageSwitch, c.request)
			state := s.play(30)
			refused(t, c.engage, engaged.rejected)
			refused(t, c.release, released.rejected)
			if c.engage == "" {
				assert.Len(t, state.Stops, 2)
			} else {
				assert.Empty(t, state.Stops, "an unfit signal is ignored too")
			}
		})
	}
}

func refused(t *testing.T, want string, got error) {
	t.Helper()
	if want == "" {
		assert.NoError(t, got)
		return
	}
	assert.ErrorContains(t, got, want)
}

func TestASignalDoesWhatTheUpdateDoes(t *testing.T) {
	s := newSwitchScene(t)
	s.signal(1, EngageSwitch, byAna)
	s.signal(2, EngageSwitch, "not a request")
	s.signal(3, ReleaseSwitch, []int{1})
	s.signal(4, ReleaseSwitch, map[string]string{"by": "ben", "ticket": "a field of a later version"})
	state := s.play(10)
	assert.Equal(t, []activities.Stop{{From: s.time(1), To: s.time(4), By: "ana", Reason: "double charges reported", ReleasedBy: "ben"}}, state.Stops)
}

func TestWhereBothCameAtOnceTheSwitchIsOn(t *testing.T) {
	release := SwitchRequest{By: "ben"}
	both := map[string]func(s *switchScene){
		"engaged, then released": func(s *switchScene) {
			s.SignalWorkflowSkippingWorkflowTask(EngageSwitch, byAna)
			s.SignalWorkflow(ReleaseSwitch, release)
		},
		"released, then engaged": func(s *switchScene) {
			s.SignalWorkflowSkippingWorkflowTask(ReleaseSwitch, release)
			s.SignalWorkflow(EngageSwitch, byAna)
		},
		"engaged by signal, released by update": func(s *switchScene) {
			s.SignalWorkflowSkippingWorkflowTask(EngageSwitch, byAna)
			s.UpdateWorkflowNoRejection(ReleaseSwitch, "", s.t, release)
		},
	}
	for name, ask := range both {
		for before, engaged := range map[string]bool{"while off": false, "while on": true} {
			t.Run(name+" "+before, func(t *testing.T) {
				s := newSwitchScene(t)
				if engaged {
					s.signal(1, EngageSwitch, byBen)
				}
				s.at(10, func() { ask(s) })
				require.NotNil(t, s.play(20).Current())
			})
		}
	}
}

func TestACancelRequestIsIgnored(t *testing.T) {
	s := newSwitchScene(t)
	s.at(1, s.CancelWorkflow)
	engaged := s.update(2, EngageSwitch, byAna)
	s.at(3, s.CancelWorkflow)
	state := s.play(10)
	assert.Equal(t, s.time(4), engaged.ended.UTC())
	assert.NotNil(t, state.Current())
}

func TestTheNewestHundredStopsAreKept(t *testing.T) {
	s := newSwitchScene(t)
	for i := range 103 {
		s.signal(float64(10*i+1), EngageSwitch, byAna)
		s.signal(float64(10*i+2), ReleaseSwitch, SwitchRequest{By: "ben"})
	}
	state := s.play(2000)
	require.Len(t, state.Stops, 100)
	assert.Equal(t, s.time(31), state.Stops[0].From)
	assert.Equal(t, s.time(1022), state.Stops[99].To)
}

func TestContinuingAsNewWaitsForEngagingAndTakesEverythingAlong(t *testing.T) {
	s := newSwitchScene(t)
	engaged := s.update(1, EngageSwitch, byAna)
	s.at(2, func() {
		s.SetContinueAsNewSuggested(true)
		s.SignalWorkflow(EngageSwitch, byBen)
	})
	s.ExecuteWorkflow(KillSwitchType, KillSwitchInput{})

	assert.Equal(t, s.time(3), engaged.ended.UTC())
	var next *workflow.ContinueAsNewError
	require.ErrorAs(t, s.GetWorkflowError(), &next)
	var in KillSwitchInput
	require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(next.Input, &in))
	assert.Equal(t, []activities.Stop{{From: s.time(1), By: "ana", Reason: "double charges reported"}}, in.State.Stops)
}

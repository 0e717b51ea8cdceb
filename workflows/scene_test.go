package workflows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"gavel/activities"
	"gavel/paypalclient"
)

// scene runs one settlement in Temporal's test environment, whose clock skips
// ahead, against a PayPal that shows each hold as the test says.
type scene struct {
	t   *testing.T
	env *testsuite.TestWorkflowEnvironment
	lot Lot
	// shows is how PayPal shows a hold, by authorization id; open where none is named.
	shows map[string]activities.Standing
	// capture answers capture calls, by authorization id, one reply a call; the last one stays.
	capture map[string][]reply
	// release answers voids, by authorization id; released where none is named.
	release map[string]activities.ReleaseOutcome
	policy  Policy
	problem *activities.Problem // why a truth is not readable
	refusal *activities.Problem // what comes with every answer to a capture
	// releasing is how long a batch of releases takes.
	releasing time.Duration
	// miscount: a release reports one hold less than it was given.
	miscount bool
	// lost activities do not end: a bug, or an operator who failed them by hand.
	lost map[string]bool
	// killSwitch is how it stands; unreadable where switchGone is set.
	killSwitch activities.SwitchState
	switchGone bool
	// authorized is since when each hold stands, expires when it ends; zero where
	// PayPal does not say.
	authorized, expires time.Time
	// renewals answers renewals, one reply a call; the last one stays.
	renewals []reply
	captures map[string]activities.SeenCapture // by id, for whoever asks

	during func() // called while an activity runs

	calls    []call
	alerts   []activities.Alert
	alertsAt []time.Duration
	began    time.Time
	batches  []activities.ReleaseInput
	releases *testsuite.MockCallWrapper
}

// reply is one answer to a capture call and what PayPal shows from then on.
type reply struct {
	answer activities.AnswerKind
	lost   bool // the activity itself does not end
	shows  activities.Standing
	// nameless: the answer's capture is not the intent's own.
	nameless bool
}

// call is one activity that the settlement asked for, and when.
type call struct {
	what      string
	at        time.Duration
	intent    activities.Intent
	captureID string // that a reading asked for
}

func newScene(t *testing.T, bidders ...string) *scene {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	s := &scene{
		t: t, env: suite.NewTestWorkflowEnvironment(), lot: lotOf(bidders...),
		shows: map[string]activities.Standing{}, capture: map[string][]reply{}, release: map[string]activities.ReleaseOutcome{},
		lost: map[string]bool{}, captures: map[string]activities.SeenCapture{},
	}
	Register(s.env)
	activities.Register(s.env, activities.Dependencies{})
	s.env.OnActivity(activities.CaptureName, mock.Anything, mock.Anything).Return(s.onCapture).Maybe()
	s.env.OnActivity(activities.ReauthorizeName, mock.Anything, mock.Anything).Return(s.onReauthorize).Maybe()
	s.env.OnActivity(activities.ReadTruthName, mock.Anything, mock.Anything).Return(s.onReadTruth).Maybe()
	s.env.OnActivity(activities.ReadHoldsName, mock.Anything, mock.Anything).Return(s.onReadHolds).Maybe()
	s.env.OnActivity(activities.ReadCaptureName, mock.Anything, mock.Anything).Return(s.onReadCapture).Maybe()
	s.env.OnActivity(activities.AlertName, mock.Anything, mock.Anything).Return(s.onAlert).Maybe()
	s.releases = s.env.OnActivity(activities.ReleaseHoldsName, mock.Anything, mock.Anything).Return(s.onRelease).Maybe()
	// A settlement that waits for a person would wait for ever.
	s.env.SetWorkflowRunTimeout(40 * 24 * time.Hour)
	return s
}

// lotOf is a lot with one bid a bidder: 120.00, 110.00, 100.00, … on holds
// HOLDANA, HOLDBEN, ….
func lotOf(bidders ...string) Lot {
	lot := Lot{AuctionID: "spring", LotID: "17", Currency: "USD"}
	for i, bidder := range bidders {
		lot.Bids = append(lot.Bids, Bid{
			BidderID: bidder,
			Price:    fmt.Sprintf("%d.00", 120-10*i),
			Hold:     Hold{AuthorizationID: holdOf(bidder), OrderID: "ORDER", Amount: "150.00"},
		})
	}
	return lot
}

func (s *scene) record(what string, intent activities.Intent) {
	if s.during != nil {
		s.during()
	}
	s.calls = append(s.calls, call{what: what, at: s.env.Now().Sub(s.began), intent: intent})
}

func (s *scene) truth(intent activities.Intent) activities.Truth {
	standing, ok := s.shows[intent.AuthorizationID]
	if !ok {
		standing = activities.StandingOpen
	}
	truth := activities.Truth{Standing: standing, OrderID: cmp.Or(intent.OrderID, "FOUND"), AuthorizedAt: s.authorized, ExpiresAt: s.expires}
	if !standing.Readable() {
		truth.Problem = s.problem
	}
	if standing == activities.StandingCaptured || standing == activities.StandingPending || standing == activities.StandingDifferent {
		shown := ownCapture(intent)
		shown.Ours = standing != activities.StandingDifferent
		truth.Captures = []activities.SeenCapture{shown}
	}
	return truth
}

func ownCapture(intent activities.Intent) activities.SeenCapture {
	return activities.SeenCapture{
		ID: "CAP" + intent.AuthorizationID, Status: "COMPLETED", Amount: intent.Amount, InvoiceID: intent.InvoiceID, Ours: true,
	}
}

func (s *scene) onCapture(_ context.Context, in activities.CaptureInput) (activities.CaptureResult, error) {
	s.record("capture "+in.Intent.BidderID, in.Intent)
	result := activities.CaptureResult{Truth: s.truth(in.Intent), Switch: s.seenSwitch(in.ClockFrom)}
	switch {
	case result.Truth.Standing != activities.StandingOpen:
		return result, nil
	case !s.authorized.IsZero() && s.authorized.Before(in.RenewBefore):
		result.Answer.Kind = activities.AnswerAged
		return result, nil
	case s.stopped() != activities.AnswerNone:
		result.Answer.Kind = s.stopped()
		return result, nil
	}
	replies := s.capture[in.Intent.AuthorizationID]
	if len(replies) == 0 {
		replies = []reply{{answer: activities.AnswerCaptured}}
	}
	now := replies[0]
	if len(replies) > 1 {
		s.capture[in.Intent.AuthorizationID] = replies[1:]
	}
	if now.shows != "" {
		s.shows[in.Intent.AuthorizationID] = now.shows
	}
	if now.lost {
		return result, temporal.NewApplicationError("the worker died", "died")
	}
	result.Answer = activities.Answer{Kind: now.answer, Problem: s.refusal}
	if now.answer == activities.AnswerCaptured || now.answer == activities.AnswerPending {
		own := ownCapture(in.Intent)
		own.Ours = !now.nameless
		result.Answer.Capture = &own
	}
	return result, nil
}

func (s *scene) onReadTruth(_ context.Context, in activities.ReadTruthInput) (activities.ReadTruthResult, error) {
	s.record("read "+in.Intent.BidderID, in.Intent)
	if s.lost[activities.ReadTruthName] {
		return activities.ReadTruthResult{}, errLost
	}
	s.calls[len(s.calls)-1].captureID = in.CaptureID
	return activities.ReadTruthResult{Truth: s.truth(in.Intent), Switch: s.seenSwitch(in.ClockFrom)}, nil
}

// stopped is why no money call is sent, if none is.
func (s *scene) stopped() activities.AnswerKind {
	switch {
	case s.switchGone:
		return activities.AnswerSwitchUnreadable
	case s.killSwitch.Current() != nil:
		return activities.AnswerPaused
	default:
		return activities.AnswerNone
	}
}

func (s *scene) seenSwitch(since time.Time) activities.SwitchSeen {
	switch {
	case s.switchGone:
		return activities.SwitchSeen{Standing: activities.SwitchUnreadable}
	default:
		return s.killSwitch.Seen(since)
	}
}

func (s *scene) engage() {
	s.killSwitch.Stops = append(s.killSwitch.Stops, activities.Stop{From: s.env.Now()})
}

func (s *scene) disengage() { s.killSwitch.Current().To = s.env.Now() }

func (s *scene) onRelease(_ context.Context, in activities.ReleaseInput) (activities.ReleaseResult, error) {
	if s.lost[activities.ReleaseHoldsName] {
		s.record("release lost", activities.Intent{})
		return activities.ReleaseResult{}, errLost
	}
	s.batches = append(s.batches, in)
	result := activities.ReleaseResult{Took: Duration(s.releasing)}
	names := make([]string, 0, len(in.Holds))
	for _, hold := range in.Holds {
		names = append(names, hold.AuthorizationID)
		outcome := s.release[hold.AuthorizationID]
		because := map[activities.ReleaseOutcome]activities.AnswerKind{
			activities.ReleaseStalled: activities.AnswerRateLimited, activities.ReleaseUntried: activities.AnswerUnsent,
		}[outcome]
		if stopped := s.stopped(); stopped != activities.AnswerNone {
			outcome, because = activities.ReleaseStalled, stopped
		}
		if outcome == "" || outcome == activities.ReleaseDone {
			s.shows[hold.AuthorizationID] = activities.StandingClosed
			result.Released++
			continue
		}
		result.Others = append(result.Others, activities.NotReleased{
			AuthorizationID: hold.AuthorizationID, Outcome: outcome, Because: because,
			Problem: &activities.Problem{Kind: string(paypalclient.KindRateLimited)},
		})
	}
	if s.miscount {
		result.Released--
	}
	s.record("release "+fmt.Sprint(names), activities.Intent{})
	return result, nil
}

func (s *scene) onReauthorize(_ context.Context, in activities.ReauthorizeInput) (activities.ReauthorizeResult, error) {
	s.record("renew "+in.Intent.BidderID, in.Intent)
	result := activities.ReauthorizeResult{Truth: s.truth(in.Intent), Switch: s.seenSwitch(in.ClockFrom)}
	if result.Truth.Standing != activities.StandingOpen {
		return result, nil
	}
	if result.Answer.Kind = s.stopped(); result.Answer.Kind != activities.AnswerNone {
		return result, nil
	}
	now := reply{answer: activities.AnswerRenewed}
	if len(s.renewals) > 0 {
		now = s.renewals[0]
		s.renewals = s.renewals[min(1, len(s.renewals)-1):]
	}
	if now.shows != "" {
		s.shows[in.Intent.AuthorizationID] = now.shows
	}
	if now.lost {
		return result, errLost
	}
	if result.Answer.Kind = now.answer; now.answer == activities.AnswerRenewed {
		result.RenewedID = "RENEWED" + in.Intent.AuthorizationID
	}
	return result, nil
}

func (s *scene) onReadHolds(_ context.Context, in activities.ReadHoldsInput) (activities.ReadHoldsResult, error) {
	s.record(fmt.Sprintf("read %d holds", len(in.Intents)), activities.Intent{})
	if s.lost[activities.ReadHoldsName] {
		return activities.ReadHoldsResult{}, errLost
	}
	var result activities.ReadHoldsResult
	for _, intent := range in.Intents {
		switch truth := s.truth(intent); truth.Standing {
		case activities.StandingOpen:
			result.Untouched++
		case activities.StandingClosed:
			result.Untouched++
			result.Closed = append(result.Closed, intent.AuthorizationID)
		default:
			result.Others = append(result.Others, activities.SeenHold{
				BidderID: intent.BidderID, AuthorizationID: intent.AuthorizationID, Standing: truth.Standing, Captures: truth.Captures,
			})
		}
	}
	return result, nil
}

func (s *scene) onReadCapture(_ context.Context, in activities.ReadCaptureInput) (activities.ReadCaptureResult, error) {
	s.record("read capture "+in.CaptureID, activities.Intent{})
	if c, ok := s.captures[in.CaptureID]; ok {
		return activities.ReadCaptureResult{Capture: &c}, nil
	}
	return activities.ReadCaptureResult{Problem: &activities.Problem{Operation: "get_capture", Kind: "not_found", Status: 404}}, nil
}

func (s *scene) onAlert(_ context.Context, alert activities.Alert) error {
	if s.lost[activities.AlertName] {
		return errLost
	}
	s.alerts = append(s.alerts, alert)
	s.alertsAt = append(s.alertsAt, s.env.Now().Sub(s.began))
	return nil
}

var errLost = temporal.NewNonRetryableApplicationError("failed by hand", "operator", nil)

// at runs fn when the settlement's clock has come this far.
func (s *scene) at(d time.Duration, fn func()) { s.env.RegisterDelayedCallback(fn, d) }

// run runs the settlement to its end, or for 40 days where it stays open.
func (s *scene) run() {
	s.began = s.env.Now()
	s.env.ExecuteWorkflow(Settlement, SettlementInput{Lot: s.lot, Policy: s.policy})
}

// resume goes on where another run left off.
func (s *scene) resume(in SettlementInput) {
	s.began, s.lot = s.env.Now(), in.Lot
	s.env.ExecuteWorkflow(Settlement, in)
}

// next is the input of the run that this one continues as, if it does.
func (s *scene) next() (in SettlementInput, goesOn bool) {
	s.t.Helper()
	var next *workflow.ContinueAsNewError
	if !errors.As(s.env.GetWorkflowError(), &next) {
		return in, false
	}
	require.NoError(s.t, converter.GetDefaultDataConverter().FromPayloads(next.Input, &in))
	return in, true
}

// ended returns what the settlement returned.
func (s *scene) ended() Outcome {
	s.t.Helper()
	s.run()
	require.NoError(s.t, s.env.GetWorkflowError())
	var out Outcome
	require.NoError(s.t, s.env.GetWorkflowResult(&out))
	require.Equal(s.t, s.state(), out, "the query and the result are the same")
	require.Nil(s.t, out.Waiting, "what has ended waits for nothing")
	return out
}

// leftOpen returns how the settlement stands that waits for a person.
func (s *scene) leftOpen() Outcome {
	s.t.Helper()
	s.run()
	var timeout *temporal.TimeoutError
	require.True(s.t, errors.As(s.env.GetWorkflowError(), &timeout), "the settlement did not stay open: %v", s.env.GetWorkflowError())
	return s.state()
}

func (s *scene) state() Outcome {
	s.t.Helper()
	value, err := s.env.QueryWorkflow(StateQuery)
	require.NoError(s.t, err)
	var out Outcome
	require.NoError(s.t, value.Get(&out))
	return out
}

// page is what the Web UI shows of the settlement.
func (s *scene) page() string {
	s.t.Helper()
	value, err := s.env.QueryWorkflow("__temporal_workflow_metadata")
	require.NoError(s.t, err)
	var metadata sdkpb.WorkflowMetadata
	require.NoError(s.t, value.Get(&metadata))
	return metadata.GetCurrentDetails()
}

func (s *scene) did() []string {
	var all []string
	for _, c := range s.calls {
		all = append(all, c.what)
	}
	return all
}

func (s *scene) captured(bidder string) bool { return slices.Contains(s.did(), "capture "+bidder) }

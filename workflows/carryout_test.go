package workflows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"gavel/activities"
)

func TestRetryHasAFreshClockAndTheSameRequest(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() { s.signal(decision(ActionRetry)) })
	s.at(reviewed+9*time.Minute, func() {
		assert.Equal(t, StateUnknown, s.state().State)
		assert.Equal(t, s.began.Add(reviewed+10*time.Minute), s.state().Waiting.ClockEndsAt.In(s.began.Location()))
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerCaptured}}
	})
	out := s.ended()
	assert.Equal(t, StateSettled, out.State)
	for _, c := range s.calls {
		if c.what == "capture ana" {
			assert.Equal(t, s.calls[0].intent, c.intent)
		}
	}
	assert.Equal(t, []DecisionRecord{{Decision: decision(ActionRetry), At: s.began.Add(reviewed).UTC()}}, out.Decisions)
	assert.Nil(t, out.Review)
}

func TestRetryReadsTheTruthFirst(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() {
		s.shows[holdOf("ana")] = activities.StandingCaptured
		s.signal(decision(ActionRetry))
	})
	tries := 0
	s.at(reviewed-time.Second, func() { tries = len(s.calls) })
	assert.True(t, s.ended().Winner.Adopted)
	assert.Equal(t, []string{"capture ana", "release [HOLDBEN HOLDCLEO]"}, s.did()[tries:])
}

func TestRetryOfALoserWhoWasChargedReleasesAgain(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.release[holdOf("ben")] = activities.ReleaseCaptured
	s.at(reviewed, func() { delete(s.release, holdOf("ben")); s.signal(decision(ActionRetry)) })
	out := s.ended()
	assert.Equal(t, StateSettled, out.State)
	assert.Equal(t, HoldCaptured, out.Holds[0].Outcome)
	assert.Equal(t, HoldReleased, out.Holds[1].Outcome)
	assert.Equal(t, "release [HOLDBEN]", s.did()[len(s.did())-1])
}

func TestAdoptTakesACompletedCaptureOnOneOfTheLotsHolds(t *testing.T) {
	usd := func(minor int64) activities.SeenCapture {
		return activities.SeenCapture{ID: "CAP", Status: "COMPLETED", Amount: lotOf("ana").price(Bid{Price: "99.00"}), AuthorizationID: holdOf("ben")}
	}
	for name, c := range map[string]struct {
		change  func(*activities.SeenCapture, *scene)
		winner  string
		refused string
	}{
		"of another bidder, for another amount": {winner: "ben"},
		"on the renewal, which only its order shows": {
			change: func(c *activities.SeenCapture, s *scene) {
				s.lot.Bids[2].Hold.OrderID = "CLEOS"
				c.AuthorizationID, c.OrderID = "RENEWAL", "CLEOS"
			}, winner: "cleo"},
		"on a hold of the release list": {
			change: func(c *activities.SeenCapture, s *scene) {
				s.lot.Release = []Hold{{AuthorizationID: "OUTBID", Amount: "90.00"}}
				c.AuthorizationID = "OUTBID"
			}},
		"pending":  {change: func(c *activities.SeenCapture, _ *scene) { c.Status = "PENDING" }, refused: "PayPal shows capture CAP as PENDING, not as completed"},
		"refunded": {change: func(c *activities.SeenCapture, _ *scene) { c.Status = "REFUNDED" }, refused: "as REFUNDED"},
		"on another lot's hold": {
			change:  func(c *activities.SeenCapture, _ *scene) { c.AuthorizationID, c.OrderID = "FOREIGN", "OTHER" },
			refused: "is on none of the lot's holds"},
		"on an order of several of the lot's holds": {
			change:  func(c *activities.SeenCapture, _ *scene) { c.AuthorizationID, c.OrderID = "", "ORDER" },
			refused: "is on none of the lot's holds"},
		"unknown to PayPal": {change: func(c *activities.SeenCapture, _ *scene) { c.ID = "ELSE" }, refused: "PayPal does not show capture CAP: get_capture: not_found, HTTP 404"},
	} {
		t.Run(name, func(t *testing.T) {
			s := inReview(t)
			capture := usd(9900)
			if c.change != nil {
				c.change(&capture, s)
			}
			s.captures[capture.ID] = capture
			var r *ruling
			s.at(reviewed, func() { r = s.update(adopting("CAP")) })
			if c.refused != "" {
				assert.Equal(t, StateFailedNeedsReview, s.leftOpen().State)
				assert.Contains(t, r.refused, c.refused)
				return
			}
			out := s.ended()
			assert.Equal(t, StateSettled, out.State)
			assert.Equal(t, Winner{BidderID: c.winner, CaptureID: "CAP", Amount: capture.Amount, Adopted: true}, *out.Winner)
			assert.Equal(t, Verdict{State: StateCaptured}, r.verdict)
			released := 0
			for _, hold := range out.Holds {
				assert.Contains(t, []HoldOutcome{HoldCaptured, HoldReleased}, hold.Outcome)
				if hold.Outcome == HoldReleased {
					released++
				}
			}
			assert.Equal(t, len(out.Holds)-1, released)
		})
	}
}

func TestNextBidderProvesTheHoldReleased(t *testing.T) {
	t.Run("then the next one pays", func(t *testing.T) {
		s := inReview(t)
		s.at(reviewed, func() { s.signal(decision(ActionNextBidder)) })
		out := s.ended()
		assert.Equal(t, "ben", out.Winner.BidderID)
		assert.Equal(t, HoldReleased, out.Holds[0].Outcome)
	})
	t.Run("the last one leaves the lot unsold", func(t *testing.T) {
		s := newScene(t, "ana")
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerInvariant}}
		s.at(reviewed, func() { s.signal(decision(ActionNextBidder)) })
		assert.Equal(t, StateUnsold, s.ended().State)
	})
	t.Run("a hold that is gone needs no void", func(t *testing.T) {
		s := inReview(t)
		s.at(reviewed, func() { s.shows[holdOf("ana")] = activities.StandingClosed; s.signal(decision(ActionNextBidder)) })
		assert.Equal(t, HoldGone, s.ended().Holds[0].Outcome)
		assert.Empty(t, s.timesOf("release [HOLDANA]"))
	})
	for _, standing := range []activities.Standing{
		activities.StandingCaptured, activities.StandingPending, activities.StandingDifferent, activities.StandingRefunded,
	} {
		t.Run("not while PayPal shows it "+string(standing), func(t *testing.T) {
			s := inReview(t)
			var r *ruling
			s.at(reviewed, func() { s.shows[holdOf("ana")] = standing; r = s.update(decision(ActionNextBidder)) })
			assert.Equal(t, ReasonUnknownClockExpired, s.leftOpen().Reason)
			assert.Contains(t, r.refused, "PayPal shows a capture on hold HOLDANA")
			assert.False(t, s.captured("ben"))
			assert.Empty(t, s.timesOf("release [HOLDANA]"))
		})
	}
	for name, hinder := range map[string]func(*scene){
		"the void is refused":   func(s *scene) { s.release[holdOf("ana")] = activities.ReleaseFailed },
		"PayPal is turned away": func(s *scene) { s.release[holdOf("ana")] = activities.ReleaseStalled },
		"the kill switch is on": func(s *scene) { s.engage() },
		"the truth is unreadable": func(s *scene) {
			s.release[holdOf("ana")] = activities.ReleaseFailed
			s.shows[holdOf("ana")] = activities.StandingUnreadable
		},
	} {
		t.Run("not while it cannot be proved: "+name, func(t *testing.T) {
			s := inReview(t)
			var r *ruling
			s.at(reviewed, func() { hinder(s); r = s.update(decision(ActionNextBidder)) })
			assert.Equal(t, StateFailedNeedsReview, s.leftOpen().State)
			assert.Contains(t, r.refused, "cannot be proved released")
			assert.False(t, s.captured("ben"))
		})
	}
}

func TestReleaseAllReleasesEverythingUnlessMoneyWasTaken(t *testing.T) {
	t.Run("unsold", func(t *testing.T) {
		s := inReview(t)
		s.lot.Release = []Hold{{AuthorizationID: "OUTBID", Amount: "90.00"}}
		s.at(reviewed, func() { s.signal(decision(ActionReleaseAll)) })
		out := s.ended()
		assert.Equal(t, StateUnsold, out.State)
		for _, hold := range out.Holds {
			assert.Equal(t, HoldReleased, hold.Outcome)
		}
		assert.Contains(t, s.did(), "read 3 holds")
	})
	for name, c := range map[string]struct {
		change func(*scene)
		want   string
	}{
		"a capture on another hold":  {func(s *scene) { s.shows[holdOf("cleo")] = activities.StandingCaptured }, "on hold HOLDCLEO: captured, capture CAPHOLDCLEO of 100.00 USD"},
		"another hold is unreadable": {func(s *scene) { s.shows[holdOf("cleo")] = activities.StandingUnreadable }, "hold HOLDCLEO: unreadable"},
		"a capture on this one":      {func(s *scene) { s.shows[holdOf("ana")] = activities.StandingCaptured }, "PayPal shows a capture on hold HOLDANA"},
		"this one is not released":   {func(s *scene) { s.release[holdOf("ana")] = activities.ReleaseFailed }, "cannot be proved released"},
		"nobody could look":          {func(s *scene) { s.lost[activities.ReadHoldsName] = true }, "hold HOLDBEN: unreadable"},
	} {
		t.Run("not with "+name, func(t *testing.T) {
			s := inReview(t)
			var r *ruling
			s.at(reviewed, func() { c.change(s); r = s.update(decision(ActionReleaseAll)) })
			out := s.leftOpen()
			assert.Equal(t, StateFailedNeedsReview, out.State)
			assert.Contains(t, r.refused, c.want)
			assert.Equal(t, HoldOpen, out.Holds[1].Outcome)
		})
	}
}

func TestCloseEndsTheSettlementAsItStands(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() { s.signal(decision(ActionClose)) })
	out := s.ended()
	assert.Equal(t, StateFailedNeedsReview, out.State)
	assert.Equal(t, ReasonUnknownClockExpired, out.Reason)
	assert.Equal(t, "eve", out.Closed.By)
	assert.Equal(t, []HoldOutcome{HoldOpen, HoldOpen, HoldOpen}, []HoldOutcome{out.Holds[0].Outcome, out.Holds[1].Outcome, out.Holds[2].Outcome})
	last := s.alerts[len(s.alerts)-1]
	assert.Contains(t, last.Message, "closed as it stands by eve: looked into it; 3 holds stay open: HOLDANA, HOLDBEN, HOLDCLEO")
	assert.False(t, s.captured("ben"))
}

func TestBidFailedIsDecidedByAPerson(t *testing.T) {
	asked := func(t *testing.T) *scene {
		s := newScene(t, "ana", "ben")
		s.lot.Fallback = FallbackAsk
		s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerRefused}}
		return s
	}
	t.Run("next-bidder", func(t *testing.T) {
		s := asked(t)
		s.at(time.Hour, func() { s.signal(decision(ActionNextBidder)) })
		out := s.ended()
		assert.Equal(t, "ben", out.Winner.BidderID)
		assert.Equal(t, HoldReleased, out.Holds[0].Outcome)
		assert.Len(t, s.timesOf("release [HOLDANA]"), 1, "it was proved released before")
	})
	t.Run("release-all", func(t *testing.T) {
		s := asked(t)
		s.at(time.Hour, func() { s.signal(decision(ActionReleaseAll)) })
		assert.Equal(t, StateUnsold, s.ended().State)
		assert.False(t, s.captured("ben"))
	})
	t.Run("there is nothing to retry", func(t *testing.T) {
		s := asked(t)
		var r *ruling
		s.at(time.Hour, func() { r = s.update(decision(ActionRetry)) })
		s.leftOpen()
		assert.Contains(t, r.refused, "retry does not fit a review for bid_failed")
	})
}

func TestRetryOfALoserHasTheWholeTimeForReleasing(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo")
	s.release[holdOf("ben")], s.release[holdOf("cleo")] = activities.ReleaseCaptured, activities.ReleaseFailed
	s.at(9*time.Minute, func() { delete(s.release, holdOf("cleo")) })
	s.at(time.Hour, func() { s.release[holdOf("ben")] = activities.ReleaseFailed; s.signal(decision(ActionRetry)) })
	s.at(time.Hour+5*time.Minute, func() { delete(s.release, holdOf("ben")) })
	assert.Equal(t, HoldReleased, s.ended().Holds[1].Outcome)
}

func TestAdoptFindsTheExactHoldAmongSeveralOfOneOrder(t *testing.T) {
	for bidder, renewal := range map[string]string{"cleo": holdOf("cleo"), "ana": "RENEWAL"} {
		t.Run(bidder, func(t *testing.T) {
			s := inReview(t)
			if bidder == "ana" {
				s.lot.Bids[0].Hold.OrderID = "" // PayPal has named it
			}
			order := map[string]string{"cleo": "ORDER", "ana": "FOUND"}[bidder]
			s.captures["CAP"] = activities.SeenCapture{ID: "CAP", Status: "COMPLETED", AuthorizationID: renewal, OrderID: order}
			var r *ruling
			s.at(reviewed, func() { r = s.update(adopting("CAP")) })
			assert.Equal(t, bidder, s.ended().Winner.BidderID)
			assert.Empty(t, r.refused)
		})
	}
}

func TestAHoldThatWasGoneStaysThat(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.lot.Fallback = FallbackAsk
	s.shows[holdOf("ana")] = activities.StandingClosed
	s.at(time.Hour, func() { s.shows[holdOf("ana")] = activities.StandingDeclined; s.signal(decision(ActionNextBidder)) })
	assert.Equal(t, HoldGone, s.ended().Holds[0].Outcome)
}

func TestNothingIsVoidedForADecisionWithoutATruth(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() { s.shows[holdOf("ana")] = activities.StandingNotFound; s.signal(decision(ActionNextBidder)) })
	s.leftOpen()
	assert.Empty(t, s.batches)
}

func TestAdoptOnTheRenewalThatWeAskedFor(t *testing.T) {
	s := agedHolds(t)
	s.capture[holdOf("ana")] = []reply{{answer: activities.AnswerUnknown}}
	s.captures["CAP"] = activities.SeenCapture{ID: "CAP", Status: "COMPLETED", AuthorizationID: "RENEWEDHOLDANA"}
	s.at(reviewed, func() { s.signal(adopting("CAP")) })
	assert.Equal(t, "ana", s.ended().Winner.BidderID)
}

func TestCloseNamesWhatIsOpenAndNothingElse(t *testing.T) {
	s := newScene(t, "ana", "ben", "cleo", "dan")
	s.release[holdOf("ben")], s.release[holdOf("cleo")] = activities.ReleaseCaptured, activities.ReleaseFailed
	s.env.OnWorkflow(OrphanVoidType, mock.Anything, mock.Anything).Return(OrphanVoidOutcome{}, nil)
	s.at(time.Hour, func() { s.signal(decision(ActionClose)) })
	out := s.ended()
	assert.Equal(t, HoldOrphaned, out.Holds[2].Outcome)
	assert.Contains(t, s.alerts[len(s.alerts)-1].Message, "no hold is open")
}

func TestRetryWhereNobodyHasPaidReleasesTheChargedLoserAgain(t *testing.T) {
	s := newScene(t, "ana", "ben")
	s.shows[holdOf("ana")] = activities.StandingClosed
	s.lot.Fallback = FallbackNone
	s.release[holdOf("ben")] = activities.ReleaseCaptured
	s.at(time.Hour, func() { delete(s.release, holdOf("ben")); s.signal(decision(ActionRetry)) })
	out := s.ended()
	assert.Equal(t, StateUnsold, out.State)
	assert.Equal(t, HoldReleased, out.Holds[1].Outcome)
}

func TestARetryStartsWithTheShortestPause(t *testing.T) {
	s := inReview(t)
	s.at(reviewed, func() { s.signal(decision(ActionRetry)) })
	s.leftOpen()
	tries := slicesAfter(s.timesOf("capture ana"), reviewed-time.Second)
	assert.Equal(t, []time.Duration{reviewed, reviewed + 5*time.Second, reviewed + 15*time.Second}, tries[:3])
}

package settling

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"gavel/workflows"
)

func TestQueryNamesFewLotsAndTheAuctionsOfMany(t *testing.T) {
	var lots []workflows.Lot
	for i := range 51 {
		lots = append(lots, workflows.Lot{AuctionID: fmt.Sprintf("a%d", i%2), LotID: fmt.Sprint(i)})
	}
	assert.Equal(t, `WorkflowType = 'Settlement' AND WorkflowId IN ('settlement/a0/0', 'settlement/a1/1')`, query(lots[:2]))
	assert.Equal(t, 50, strings.Count(query(lots[:50]), "settlement/"))
	assert.Equal(t, `WorkflowType = 'Settlement' AND GavelAuction IN ('a0', 'a1')`, query(lots))
}

func TestWhereItIsWorthToLook(t *testing.T) {
	now := time.Now()
	running := Row{Running: true, State: workflows.StateUnknown, Reason: workflows.ReasonUnknownOutcome}
	one := func(change func(*followed)) *followed {
		f := &followed{row: running, seen: running, lookedAt: now.Add(-10 * time.Second)}
		change(f)
		return f
	}
	waitsUntil := func(t time.Time) func(*followed) {
		return func(f *followed) { f.Outcome.Waiting = &workflows.Waiting{NextPassAt: t} }
	}
	for name, tc := range map[string]struct {
		one    *followed
		detail bool
		want   bool
	}{
		"nothing new":                           {one(func(*followed) {}), true, false},
		"closed":                                {one(func(f *followed) { f.row.Running = false }), false, true},
		"another state":                         {one(func(f *followed) { f.row.State = workflows.StateReleasing }), false, true},
		"another reason":                        {one(func(f *followed) { f.row.Reason = workflows.ReasonOtherRefusal }), false, true},
		"not looked at for a while":             {one(func(f *followed) { f.lookedAt = now.Add(-lookEvery) }), false, true},
		"its pause is over, and one watches":    {one(waitsUntil(now.Add(-5 * time.Second))), true, true},
		"its pause is over, and nobody watches": {one(waitsUntil(now.Add(-5 * time.Second))), false, false},
		"its pause is not over":                 {one(waitsUntil(now.Add(time.Second))), true, false},
		"its pause was over at the last look":   {one(waitsUntil(now.Add(-20 * time.Second))), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := &follower{Settler: &Settler{Detail: tc.detail}}
			assert.Equal(t, tc.want, f.worthALook(tc.one, now))
		})
	}
}

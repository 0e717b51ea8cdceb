package workflows_test

import (
	"flag"
	"os"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A run tries 800 scenarios of each property, some 25 s on two cores, and the same
// ones every time, so that a change is never turned down for what it did not do.
// Others are tried with -rapid.seed=0, and more with -rapid.checks or RAPID_CHECKS.
// What fails is printed as a literal, so no file of it is kept.
func init() {
	if _, told := os.LookupEnv("RAPID_CHECKS"); !told {
		_ = flag.Set("rapid.checks", "800")
	}
	_ = flag.Set("rapid.seed", "20261128")
	_ = flag.Set("rapid.nofailfile", "true")
}

// inWorld lets a scenario be lived through. One that takes this long on the wall
// clock is a loop that no timer slows down.
func inWorld(t *rapid.T, s scenario) *world {
	w := newWorld(t, s)
	watch := time.AfterFunc(20*time.Second, func() { panic("a hot loop:\n" + w.report()) })
	defer watch.Stop()
	w.live()
	return w
}

func TestASettlementKeepsItsPromisesWhateverHappens(t *testing.T) {
	var first sync.Once // what is drawn first is worth seeing where it cannot be had again
	rapid.Check(t, func(rt *rapid.T) {
		w := inWorld(rt, drawScenario(rt))
		if broken := w.check(); len(broken) > 0 {
			first.Do(func() { t.Log("as it was drawn:\n" + w.report()) })
			rt.Log("\n" + w.report())
			rt.Fatal(broken[0].property)
		}
	})
}

// What a settlement remembers only saves it calls: whoever loses an activity, or
// goes on as new, comes to the same winner, as long as PayPal goes on as it does:
// a charge after everything works again says nothing about that.
func TestTheWinnerIsTheSameWhateverIsForgotten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steady := drawSteadyScenario(t)
		shaken := steady
		shaken.Losses = rapid.SliceOfN(rapid.Custom(drawLoss), 1, 3).Draw(t, "losses")
		for i := range rapid.IntRange(0, 3).Draw(t, "runs") {
			at := time.Duration(i*7)*time.Second + 500*time.Millisecond
			shaken.Events = append(shaken.Events, event{At: at, Do: "continue as new"})
		}
		calm, rough := inWorld(t, steady), inWorld(t, shaken)
		if calm.chargedWhenClear() || rough.chargedWhenClear() {
			return
		}
		if a, b := calm.payer(), rough.payer(); a != b {
			t.Logf("\n%s\n\nand with losses\n%s", calm.report(), rough.report())
			t.Logf("%d was charged, and with losses %d", a, b)
			t.Fatal("P8 the same winner whatever is forgotten")
		}
	})
}

package workflows_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A run tries so many scenarios of each property unless it is told otherwise
// (-rapid.checks, RAPID_CHECKS). What fails is printed as a literal, so no file
// of it is kept.
func init() {
	if _, told := os.LookupEnv("RAPID_CHECKS"); !told {
		_ = flag.Set("rapid.checks", "200")
	}
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
	rapid.Check(t, func(t *rapid.T) {
		w := inWorld(t, drawScenario(t))
		if broken := w.check(); len(broken) > 0 {
			t.Log("\n" + w.report())
			t.Fatal(broken[0].property)
		}
	})
}

package show_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"gavel/starter/internal/settling"
	"gavel/starter/internal/show"
)

func settlements(n int) []settling.Settlement {
	all := make([]settling.Settlement, n)
	for i := range all {
		all[i] = settling.Settlement{WorkflowID: fmt.Sprintf("settlement/spring/%d", i+1)}
	}
	return all
}

// screen is what a terminal shows after this was written to it.
func screen(written string) []string {
	lines := []string{""}
	for _, part := range regexp.MustCompile(`\x1b\[\d*[FJ]|[^\x1b]+`).FindAllString(written, -1) {
		switch {
		case strings.HasSuffix(part, "F") && part[0] == 0x1b:
			up, _ := strconv.Atoi(part[2 : len(part)-1])
			lines = append(lines[:len(lines)-1-up], "") // what is below is cleared next
		case part == "\x1b[J":
		default:
			text := strings.Split(part, "\n")
			lines[len(lines)-1] += text[0]
			lines = append(lines, text[1:]...)
		}
	}
	return lines
}

func TestFewLotsHaveALineEachThatIsRedrawnInPlace(t *testing.T) {
	var out strings.Builder
	progress := show.NewProgress(&out, show.Terminal{Width: 60, Height: 24}, settlements(10))
	progress.Moved(paid("2", "ana", "USD", 100))
	progress.Notice("No worker.")
	progress.Moved(waiting("10"))
	progress.Close()

	shown := screen(out.String())

	assert.Equal(t, []string{"No worker.", "spring/1   started", "spring/2   SETTLED: ana paid 1.00 USD", "spring/3   started"}, shown[:4])
	assert.Equal(t, []string{"spring/10  UNKNOWN (unknown_outcome): ana, next look 2031-…", ""}, shown[10:])
}

func TestALineIsNotRedrawnForNothing(t *testing.T) {
	var out strings.Builder
	progress := show.NewProgress(&out, show.Terminal{Width: 80, Height: 24}, settlements(1))
	progress.Moved(waiting("1"))
	before := out.Len()
	progress.Moved(waiting("1"))
	assert.Equal(t, before, out.Len())
}

func TestManyLotsHaveABarThatCountsThoseThatAreOver(t *testing.T) {
	var out strings.Builder
	progress := show.NewProgress(&out, show.Terminal{Width: 80, Height: 24}, settlements(21))
	progress.Moved(waiting("1"))
	progress.Moved(paid("2", "ana", "USD", 100))
	progress.Notice("No worker.")
	progress.Moved(terminated("3"))
	progress.Close()
	assert.Contains(t, out.String(), "No worker.\n")
	assert.Contains(t, out.String(), "(2/21)")
	assert.NotContains(t, out.String(), "(3/21)")
}

func TestLotsThatDoNotFitOnTheTerminalHaveABar(t *testing.T) {
	var out strings.Builder
	show.NewProgress(&out, show.Terminal{Width: 80, Height: 5}, settlements(6)).Close()
	assert.Contains(t, out.String(), "(0/6)")
}

func TestWithoutATerminalOnlyNoticesArePrinted(t *testing.T) {
	var out strings.Builder
	progress := show.NewProgress(&out, show.Terminal{}, settlements(2))
	progress.Moved(paid("2", "ana", "USD", 100))
	progress.Notice("No worker.")
	progress.Close()
	assert.Equal(t, "No worker.\n", out.String())
}

package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/schollz/progressbar/v3"

	"gavel/starter/internal/settling"
)

// linesUpTo is up to how many lots each gets a line of its own.
const linesUpTo = 20

// Terminal is the size of the terminal that is drawn on; zero where there is none.
type Terminal struct{ Width, Height int }

// Detailed tells whether the progress of this many lots shows each of them.
func (t Terminal) Detailed(lots int) bool {
	return t.Width > 0 && lots <= linesUpTo && lots < t.Height
}

// Progress draws how settlements move along.
type Progress interface {
	settling.Watcher
	// Close leaves the terminal as it was found, for what is printed next.
	Close()
}

// NewProgress draws a line a lot, or a bar for more than fit. Where there is no
// terminal only notices are printed.
func NewProgress(w io.Writer, on Terminal, settlements []settling.Settlement) Progress {
	switch {
	case on.Width <= 0:
		return plain{w}
	case on.Detailed(len(settlements)):
		return newLines(w, on.Width, settlements)
	default:
		return newBar(w, len(settlements))
	}
}

// plain prints notices alone.
type plain struct{ w io.Writer }

func (plain) Moved(settling.Standing) {}
func (plain) Close()                  {}
func (p plain) Notice(line string)    { _, _ = fmt.Fprintln(p.w, line) }

// lines redraws one line a lot in place.
type lines struct {
	w     io.Writer
	width int
	order []string
	names map[string]string // padded to one width
	now   map[string]string
	drawn bool
}

func newLines(w io.Writer, width int, settlements []settling.Settlement) *lines {
	l := &lines{w: w, width: width, names: map[string]string{}, now: map[string]string{}}
	longest := 0
	for _, s := range settlements {
		longest = max(longest, len(lotOf(s)))
	}
	for _, s := range settlements {
		l.order = append(l.order, s.WorkflowID)
		l.names[s.WorkflowID] = fmt.Sprintf("%-*s  ", longest, lotOf(s))
		l.now[s.WorkflowID] = "started"
		if s.Attached {
			l.now[s.WorkflowID] = "attached to"
		}
	}
	l.draw()
	return l
}

func (l *lines) Moved(s settling.Standing) {
	if line := Line(s); line != l.now[s.WorkflowID] {
		l.now[s.WorkflowID] = line
		l.draw()
	}
}

func (l *lines) Notice(line string) {
	l.erase()
	_, _ = fmt.Fprintln(l.w, line)
	l.draw()
}

// Close keeps the last lines drawn on the terminal.
func (l *lines) Close() { l.drawn = false }

func (l *lines) draw() {
	l.erase()
	var b strings.Builder
	for _, id := range l.order {
		b.WriteString(text.Snip(l.names[id]+l.now[id], l.width-1, "…") + "\n")
	}
	_, _ = io.WriteString(l.w, b.String())
	l.drawn = true
}

// erase goes up to the first line and clears from there (ECMA-48: CPL, ED).
func (l *lines) erase() {
	if l.drawn {
		_, _ = fmt.Fprintf(l.w, "\x1b[%dF\x1b[J", len(l.order))
	}
	l.drawn = false
}

// bar counts the lots that are over.
type bar struct {
	w   io.Writer
	bar *progressbar.ProgressBar
}

func newBar(w io.Writer, lots int) *bar {
	return &bar{w: w, bar: progressbar.NewOptions(lots,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("settling"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetRenderBlankState(true),
	)}
}

func (b *bar) Moved(s settling.Standing) {
	if s.Over() {
		_ = b.bar.Add(1)
	}
}

func (b *bar) Notice(line string) {
	_ = b.bar.Clear()
	_, _ = fmt.Fprintln(b.w, line)
	_ = b.bar.RenderBlank()
}

func (b *bar) Close() {
	_ = b.bar.Exit()
	_, _ = fmt.Fprintln(b.w)
}

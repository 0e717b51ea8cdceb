// Package input holds the one type for a mistake in what the user gave us.
package input

import "strings"

// Error is a mistake in what the user gave us. It is shown as one line, without
// a stack, and ends the program with exit code 2 before anything was started.
type Error struct {
	// Source is a file name, "stdin", an environment variable, or "".
	Source string
	// Path is a JSON path ("lots[2].bids[0].price") or a configuration key
	// ("clocks.unknown"), or "" where the whole source is meant.
	Path string
	// Rule says what is required and what was found.
	Rule string
}

// Error joins source, path and rule with colons and leaves out what is empty.
// Line breaks become spaces, so that it stays one line whatever was quoted.
func (e *Error) Error() string {
	var parts []string
	for _, part := range []string{e.Source, e.Path, e.Rule} {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

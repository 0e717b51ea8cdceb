// Package lotfile reads lots from files as people write them, and says exactly
// where a mistake is.
package lotfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"gavel/config/input"
	"gavel/workflows"
)

// MaxFileBytes bounds one file; some 50,000 lots of ten bids fit.
const MaxFileBytes = 64 << 20

// Stdin is the file name that stands for the standard input.
const Stdin = "-"

// Entry is a valid lot and the place where it stood.
type Entry struct {
	Lot workflows.Lot
	// Source is the file's name, or "stdin".
	Source string
	// Path is the lot's place within the source: "lots[2]", "line 3", or ""
	// where the source is the lot.
	Path string
}

// place is where the entry stood, for people.
func (e Entry) place() string {
	if e.Path == "" {
		return e.Source
	}
	return e.Source + ", " + e.Path
}

// ReadAll reads the lots of all files, in order; Stdin reads from stdin. A file
// holds one lot, {"lots": [...]}, or one lot a line. Every lot is valid, no lot
// stands twice, and no authorization belongs to two lots: releasing it for one
// would take it from the other. Errors: *input.Error.
func ReadAll(names []string, stdin io.Reader) ([]Entry, error) {
	var all []Entry
	seen := newSeen()
	for _, name := range names {
		source, data, err := read(name, stdin)
		if err != nil {
			return nil, err
		}
		entries, err := Decode(source, data)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if err := seen.add(entry); err != nil {
				return nil, err
			}
		}
		all = append(all, entries...)
	}
	return all, nil
}

func read(name string, stdin io.Reader) (source string, data []byte, err error) {
	if name == Stdin {
		data, err = readBounded("stdin", stdin)
		return "stdin", data, err
	}
	file, err := os.Open(name)
	if err != nil {
		return name, nil, unreadable(name, err)
	}
	defer func() { _ = file.Close() }()
	data, err = readBounded(name, file)
	return name, data, err
}

func readBounded(source string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFileBytes+1))
	if err != nil {
		return nil, unreadable(source, err)
	}
	if len(data) > MaxFileBytes {
		return nil, &input.Error{Source: source, Rule: fmt.Sprintf("must be at most %d MiB; split it into several files", MaxFileBytes>>20)}
	}
	return data, nil
}

func unreadable(source string, err error) error {
	// The operating system's words without the path, which is the source.
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	return &input.Error{Source: source, Rule: "cannot be read: " + err.Error()}
}

package lotfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"gavel/config/input"
	"gavel/workflows"
)

const shapes = `a file holds one lot, {"lots": [...]}, or one lot a line`

// byteOrderMark begins files of some Windows editors; JSON does not have one.
var byteOrderMark = []byte("\ufeff")

// Decode reads the lots of one source and validates each by itself. Errors:
// *input.Error, with the source and a rule.
func Decode(source string, data []byte) ([]Entry, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if err := checkText(source, data); err != nil {
		return nil, err
	}
	var entries []Entry
	var err *input.Error
	if lines := split(data); len(lines) > 1 && json.Valid(lines[0].text) {
		entries, err = decodeLines(lines)
	} else {
		entries, err = decodeDocument(data)
	}
	if err != nil {
		err.Source = source
		return nil, err
	}
	for i := range entries {
		entries[i].Source = source
	}
	return entries, nil
}

func checkText(source string, data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return &input.Error{Source: source, Rule: "is empty: " + shapes}
	}
	for number, rest := 1, data; len(rest) > 0; number++ {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if !utf8.Valid(line) {
			return &input.Error{Source: source, Path: fmt.Sprintf("line %d", number), Rule: "is not valid UTF-8"}
		}
		rest = after
	}
	return nil
}

// line is one line that is not blank.
type line struct {
	number int
	text   []byte
}

func split(data []byte) []line {
	var lines []line
	for number, rest := 1, data; len(rest) > 0; number++ {
		text, after, _ := bytes.Cut(rest, []byte("\n"))
		if text = bytes.TrimSpace(text); len(text) > 0 {
			lines = append(lines, line{number, text})
		}
		rest = after
	}
	return lines
}

func decodeLines(lines []line) ([]Entry, *input.Error) {
	entries := make([]Entry, 0, len(lines))
	for _, l := range lines {
		path := fmt.Sprintf("line %d", l.number)
		r := newReader(l.text, path, l.number)
		var lot workflows.Lot
		_, err := r.object(lotFields(r, &lot))
		if err == nil {
			err = r.end()
		}
		if err == nil {
			err = checkLot(path, lot)
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, Entry{Lot: lot, Path: path})
	}
	return entries, nil
}

// decodeDocument reads one lot or {"lots": [...]}.
func decodeDocument(data []byte) ([]Entry, *input.Error) {
	r := newReader(data, "", 1)
	var lot workflows.Lot
	var entries []Entry
	known := lotFields(r, &lot)
	known["lots"] = func() *input.Error {
		return r.array(func(int) *input.Error {
			entry, err := decodeEntry(r)
			entries = append(entries, entry)
			return err
		})
	}
	names, err := r.object(known)
	if err == nil {
		err = r.end()
	}
	switch {
	case err != nil:
		return nil, err
	case !slices.Contains(names, "lots"):
		return []Entry{{Lot: lot}}, checkLot("", lot)
	case len(names) > 1:
		return nil, &input.Error{Path: "lots", Rule: "must stand alone in its file: " + shapes}
	case len(entries) == 0:
		return nil, &input.Error{Path: "lots", Rule: "must hold at least one lot"}
	}
	return entries, nil
}

func decodeEntry(r *reader) (Entry, *input.Error) {
	entry := Entry{Path: r.path()}
	if _, err := r.object(lotFields(r, &entry.Lot)); err != nil {
		return entry, err
	}
	return entry, checkLot(entry.Path, entry.Lot)
}

// checkLot applies the lot's own rules and the size that Temporal carries.
func checkLot(path string, lot workflows.Lot) *input.Error {
	if err := lot.Validate(); err != nil {
		mistake, ok := err.(*input.Error)
		if !ok {
			return &input.Error{Path: path, Rule: err.Error()}
		}
		return &input.Error{Path: join(path, mistake.Path), Rule: mistake.Rule}
	}
	// A lot is strings and lists of strings: it always marshals.
	if body, _ := json.Marshal(lot); len(body) > workflows.MaxLotBytes {
		return &input.Error{Path: path, Rule: fmt.Sprintf("lot %s must be at most %d bytes, not %d: Temporal does not carry more in one payload",
			lot.LotID, workflows.MaxLotBytes, len(body))}
	}
	return nil
}

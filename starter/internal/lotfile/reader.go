package lotfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gavel/config/input"
)

// reader walks over one JSON value and knows at any time where it is. Nothing
// is read that is not expected, so that no depth of nesting does harm.
type reader struct {
	data   []byte
	tokens *json.Decoder
	prefix string   // where the value stands: "line 3", or ""
	steps  []string // from the value's top: ".bids", "[0]", ".price"
	line   int      // number of the data's first line
}

func newReader(data []byte, prefix string, line int) *reader {
	tokens := json.NewDecoder(bytes.NewReader(data))
	tokens.UseNumber()
	return &reader{data: data, tokens: tokens, prefix: prefix, line: line}
}

func (r *reader) path() string { return r.pathOf(r.steps) }

// parent is the path of the list or object that the reader is in.
func (r *reader) parent() string { return r.pathOf(r.steps[:len(r.steps)-1]) }

func (r *reader) pathOf(steps []string) string {
	return join(r.prefix, strings.TrimPrefix(strings.Join(steps, ""), "."))
}

// join puts a path below a prefix: "lots[2]" + "bids", "line 3" + "bids".
func join(prefix, path string) string {
	switch {
	case prefix == "" || path == "":
		return prefix + path
	case strings.HasPrefix(prefix, "line "):
		return prefix + ": " + path
	default:
		return prefix + "." + path
	}
}

func (r *reader) mistake(rule string, args ...any) *input.Error {
	return &input.Error{Path: r.path(), Rule: fmt.Sprintf(rule, args...)}
}

// at runs read one step deeper.
func (r *reader) at(step string, read func() *input.Error) *input.Error {
	r.steps = append(r.steps, step)
	err := read()
	r.steps = r.steps[:len(r.steps)-1]
	return err
}

// object reads an object of these fields, each at most once, and returns the
// names that were there.
func (r *reader) object(known fields) ([]string, *input.Error) {
	if err := r.open('{'); err != nil {
		return nil, err
	}
	var names []string
	for r.tokens.More() {
		token, err := r.token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		err = r.at("."+name, func() *input.Error {
			read, ok := known[name]
			switch {
			case !ok:
				return r.unknown(name, known)
			case slices.Contains(names, name):
				return r.mistake("stands twice in one object")
			default:
				return read()
			}
		})
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	_, err := r.token()
	return names, err
}

// unknown names the object, since an unknown name may be of any length.
func (r *reader) unknown(name string, known fields) *input.Error {
	return &input.Error{
		Path: r.parent(),
		Rule: fmt.Sprintf("has the unknown field %s; known are %s", quote(name), strings.Join(slices.Sorted(maps.Keys(known)), ", ")),
	}
}

// array reads a list.
func (r *reader) array(element func(i int) *input.Error) *input.Error {
	if err := r.open('['); err != nil {
		return err
	}
	for i := 0; r.tokens.More(); i++ {
		if err := r.at(fmt.Sprintf("[%d]", i), func() *input.Error { return element(i) }); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// text reads a string into target.
func (r *reader) text(target *string) func() *input.Error {
	return func() *input.Error {
		begin := r.tokens.InputOffset()
		token, err := r.token()
		if err != nil {
			return err
		}
		text, ok := token.(string)
		if !ok {
			return r.mistake("must be a JSON string, not %s", describe(token))
		}
		if brokenEscape(text, r.data[begin:r.tokens.InputOffset()]) {
			return r.mistake(`must not hold half a character: a \u escape stands without its other half`)
		}
		*target = text
		return nil
	}
}

func (r *reader) open(want json.Delim) *input.Error {
	token, err := r.token()
	if err != nil {
		return err
	}
	if token != want {
		return r.mistake("must be %s, not %s", describe(want), describe(token))
	}
	return nil
}

// end makes sure that nothing follows the value.
func (r *reader) end() *input.Error {
	begin := r.tokens.InputOffset()
	if _, err := r.tokens.Token(); errors.Is(err, io.EOF) {
		return nil
	}
	more := r.data[begin:]
	begin += int64(len(more) - len(bytes.TrimLeft(more, " \t\r\n")))
	return &input.Error{Path: r.prefix, Rule: fmt.Sprintf("has something after its end, at %s: %s", r.position(begin), shapes)}
}

func (r *reader) token() (json.Token, *input.Error) {
	token, err := r.tokens.Token()
	if err == nil {
		return token, nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, r.mistake("ends in the middle, at %s: the JSON is not complete", r.position(int64(len(r.data))))
	}
	offset := r.tokens.InputOffset()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = max(offset, syntax.Offset-1)
	}
	return nil, r.mistake("is not JSON at %s: %s", r.position(offset), err)
}

// position is a byte's place for people.
func (r *reader) position(offset int64) string {
	before := r.data[:min(offset, int64(len(r.data)))]
	line := r.line + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("line %d, column %d", line, column)
}

package lotfile

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// brokenEscape: encoding/json turns half of a surrogate pair into U+FFFD, and
// two bidders into one by that.
func brokenEscape(text string, raw []byte) bool {
	if !strings.ContainsRune(text, utf8.RuneError) {
		return false
	}
	written := strings.Count(string(raw), string(utf8.RuneError)) + strings.Count(strings.ToLower(string(raw)), `\ufffd`)
	return strings.Count(text, string(utf8.RuneError)) > written
}

// describe says what was found, for people.
func describe(token json.Token) string {
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return "a list"
		}
		return "an object"
	case json.Number:
		return "the number " + clip(t.String())
	case string:
		return "the string " + quote(t)
	case bool:
		return fmt.Sprintf("%t", t)
	default:
		return "null"
	}
}

func quote(s string) string { return fmt.Sprintf("%q", clip(s)) }

// clip keeps what was found short enough for one line.
func clip(s string) string {
	const most = 60
	count := 0
	for i := range s {
		if count++; count > most {
			return s[:i] + "…"
		}
	}
	return s
}

package config

import (
	"fmt"
	"io"
)

const redacted = "[redacted]"

// Secret is a text that prints as "[redacted]" wherever it is formatted, encoded
// or logged, and as nothing where it is empty. Reveal returns it. It is not for
// the key of a map: encoding/json writes keys of a text type as they are.
type Secret string

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

// String returns "[redacted]", or "" for an empty secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString does as String, for %#v.
func (s Secret) GoString() string { return s.String() }

// Format does as String for every verb, %x and %d included.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }

// MarshalText does as String, for YAML and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON does as String.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

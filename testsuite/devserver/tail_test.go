package devserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTailKeepsTheEnd(t *testing.T) {
	for name, tc := range map[string]struct {
		writes []string
		want   string
	}{
		"nothing":                {nil, ""},
		"less than it holds":     {[]string{"ab", "c\n"}, "abc"},
		"more, in small pieces":  {strings.Split("abcdefghijklmnop", ""), "ghijklmnop"},
		"more, in a single go":   {[]string{"abcdefghijklmnop"}, "ghijklmnop"},
		"blank lines at its end": {[]string{"abc\n\n\n"}, "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			kept := newTail(10)
			for _, text := range tc.writes {
				n, err := fmt.Fprint(kept, text)
				assert.NoError(t, err)
				assert.Equal(t, len(text), n)
			}
			assert.Equal(t, tc.want, kept.String())
		})
	}
}

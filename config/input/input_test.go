package input_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"gavel/config/input"
)

func TestErrorIsOneLineOfWhatIsKnown(t *testing.T) {
	for name, tc := range map[string]struct {
		err  input.Error
		want string
	}{
		"all three": {
			input.Error{Source: "lots.json", Path: "lots[2].bids[0].price", Rule: `must be positive, got "0"`},
			`lots.json: lots[2].bids[0].price: must be positive, got "0"`,
		},
		"without a source":         {input.Error{Path: "clocks.unknown", Rule: "bad duration"}, "clocks.unknown: bad duration"},
		"without a path":           {input.Error{Source: "stdin", Rule: "empty"}, "stdin: empty"},
		"rule alone":               {input.Error{Rule: "no files"}, "no files"},
		"a library's broken lines": {input.Error{Source: "a.yaml", Rule: "line 1:\n\tbad"}, "a.yaml: line 1: bad"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tc.want, tc.err.Error())
		})
	}
}

func TestErrorIsFoundThroughWrapping(t *testing.T) {
	wrapped := fmt.Errorf("starting: %w", &input.Error{Path: "log.level", Rule: "unknown"})
	var mistake *input.Error
	assert.True(t, errors.As(wrapped, &mistake))
	assert.Equal(t, "log.level", mistake.Path)
}

package main

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.temporal.io/api/serviceerror"

	"gavel/starter/internal/settling"
)

func TestAnInterruptWhileStartingSaysWhatGoesOn(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	cause := serviceerror.NewCanceled("context canceled") // as gRPC puts it
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		code int
		says string
	}{
		"before anything was started": {interrupted, cause, exitFailed, "Interrupted: nothing was started."},
		"between two starts": {interrupted, &settling.StartError{Started: 14, Lots: 300, Cause: cause}, exitGivenUp,
			"Interrupted: at least 14 of 300 lots were started and go on"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			a := &app{stderr: &stderr}
			err := a.notBegun(c.ctx, c.err)
			exit, ok := errors.AsType[*exitError](err)
			assert.True(t, ok)
			assert.Equal(t, c.code, exit.code)
			assert.Contains(t, stderr.String(), c.says)
			assert.NotContains(t, stderr.String(), "context canceled")
		})
	}
	assert.Equal(t, error(cause), (&app{}).notBegun(t.Context(), cause), "any other failure is told as it is")
}

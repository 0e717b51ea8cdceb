package settling

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
)

type notices []string

func (*notices) Moved(Standing)       {}
func (n *notices) Notice(line string) { *n = append(*n, line) }

func TestAnOutageIsBorneForAMinuteAndToldOnce(t *testing.T) {
	away := serviceerror.NewUnavailable("connection refused")
	told := &notices{}
	f := &follower{Settler: &Settler{Watch: told}}
	require.NoError(t, f.bear(t.Context(), away))
	require.NoError(t, f.bear(t.Context(), context.DeadlineExceeded))
	assert.Len(t, *told, 1)

	require.NoError(t, f.bear(t.Context(), nil))
	assert.True(t, f.outage.IsZero(), "an answer ends the outage")

	require.NoError(t, f.bear(t.Context(), away))
	f.outage = f.outage.Add(-outagePatience - time.Second)
	assert.ErrorContains(t, f.bear(t.Context(), away), "run the same command again")
}

func TestThatTheCallerGaveUpIsNoOutage(t *testing.T) {
	told := &notices{}
	f := &follower{Settler: &Settler{Watch: told}}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, f.bear(over, context.DeadlineExceeded), context.Canceled)
	assert.Empty(t, *told)
}

func TestWhatWillNotPassEndsTheFollowingAtOnce(t *testing.T) {
	f := &follower{Settler: &Settler{Watch: &notices{}}}
	assert.ErrorContains(t, f.bear(t.Context(), serviceerror.NewPermissionDenied("no", "")), "which go on: ")
	assert.Error(t, f.bear(t.Context(), errors.New("anything else")))
}

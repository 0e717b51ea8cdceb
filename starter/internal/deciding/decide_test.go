package deciding

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"gavel/workflows"
)

func TestAnotherDecisionUnderTheSameIDIsAnotherUpdate(t *testing.T) {
	one := workflows.Decision{Action: workflows.ActionRetry, By: "ana", Reason: "why", DecisionID: "d"}
	other := one
	other.Action = workflows.ActionClose
	assert.Equal(t, updateID(one), updateID(one))
	assert.NotEqual(t, updateID(one), updateID(other))
}

func TestWhatIsKnownOfADecisionThatWasNotSent(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	late := client.NewWorkflowUpdateServiceTimeoutOrCanceledError(errors.New("late"))
	for name, tc := range map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"the worker died meanwhile": {t.Context(), late, "late; the decision may still be carried out"},
		"interrupted":               {interrupted, late, "w: interrupted; the decision may still be carried out: look with starter review list"},
		"Temporal breaks off":       {t.Context(), serviceerror.NewUnavailable("gone"), "w: gone; the decision may still be carried out"},
		"it does not run":           {t.Context(), serviceerror.NewNotFound("none"), "w does not run"},
		"Temporal does not take it": {t.Context(), serviceerror.NewInvalidArgument("too long"), "w refused the decision: Temporal does not take it: too long"},
	} {
		t.Run(name, func(t *testing.T) {
			err := notSent(tc.ctx, "w", workflows.Decision{DecisionID: "d"}, tc.err)
			assert.ErrorContains(t, err, tc.want)
		})
	}
}

package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"

	"gavel/config/input"
	"gavel/starter/internal/deciding"
	"gavel/starter/internal/settling"
	"gavel/starter/internal/show"
	"gavel/workflows"
)

func (a *app) reviewDecideCommand() *cobra.Command {
	var decision workflows.Decision
	cmd := &cobra.Command{
		Use:   "decide WORKFLOW --action ACTION --by NAME --reason TEXT",
		Short: "Decide one; returns when that was carried out, or refused",
		Long: "Decides a review. Actions, of which review list names those that fit:\n\n" +
			"  retry        read the truth, then try again under the same request id, with a fresh clock\n" +
			"  adopt        take the capture of --capture-id as the lot's, where PayPal shows it completed on one of its holds\n" +
			"  next-bidder  release this bidder's hold, prove it released, and go on to the next\n" +
			"  release-all  release every hold; the lot ends UNSOLD\n" +
			"  close        end as it stands; holds that are open stay open\n\n" +
			"Exit codes: 0 carried out; 1 refused, with the reason, or not sent; 2 the input is wrong and nothing was sent;\n" +
			"4 waiting ended, and the decision may still be carried out. With --json it prints\n" +
			"{\"workflow_id\", \"decision_id\", \"state\", \"reason\"}: how it stands after the decision.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reviewDecide(cmd.Context(), args[0], decision)
		},
	}
	cmd.Flags().StringVar((*string)(&decision.Action), "action", "", "what to do (`ACTION`)")
	cmd.Flags().StringVar(&decision.By, "by", "", "who decides (`NAME`)")
	cmd.Flags().StringVar(&decision.Reason, "reason", "", "why (`TEXT`)")
	cmd.Flags().StringVar(&decision.CaptureID, "capture-id", "", "the capture (`ID`) that adopt takes")
	cmd.Flags().StringVar(&decision.DecisionID, "decision-id", "", "an `ID` of your own: the same one twice counts once")
	return cmd
}

// decided is a decision that was carried out, as one line of JSON.
type decided struct {
	WorkflowID string `json:"workflow_id"`
	DecisionID string `json:"decision_id"`
	workflows.Verdict
}

func (a *app) reviewDecide(ctx context.Context, workflowID string, decision workflows.Decision) error {
	if err := flagMistake(decision.Validate()); err != nil {
		return err
	}
	if workflowID == "" {
		return &input.Error{Path: "WORKFLOW", Rule: "must be the workflow's id, as review list shows it"}
	}
	decision.DecisionID = cmp.Or(decision.DecisionID, rand.Text())
	temporal, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer temporal.Close()
	verdict, err := deciding.Decide(ctx, temporal, workflowID, decision, func(line string) { a.say("%s", line) })
	if err != nil {
		return a.notDecided(ctx, temporal, err)
	}
	return a.showDecided(decision, decided{workflowID, decision.DecisionID, verdict})
}

func (a *app) showDecided(decision workflows.Decision, after decided) error {
	if a.json {
		return json.NewEncoder(a.stdout).Encode(after)
	}
	stands := string(after.State)
	if after.Reason != "" {
		stands += fmt.Sprintf(" (%s)", after.Reason)
	}
	_, err := fmt.Fprintf(a.stdout, "%s: %s was carried out; it is %s now.\n", after.WorkflowID, decision.Action, stands)
	return err
}

// notDecided says what became of a decision that nobody has answered for.
func (a *app) notDecided(ctx context.Context, temporal client.Client, err error) error {
	if none, ok := errors.AsType[*deciding.NotRunningError](err); ok {
		found, err := look(ctx, temporal, none.WorkflowID)
		return notRunning(found, err, "nothing waits for a decision there")
	}
	if _, ok := errors.AsType[*deciding.UnderWayError](err); ok {
		a.say("%v", err)
		return &exitError{exitGivenUp}
	}
	return err
}

// look finds out where one workflow stands.
func look(ctx context.Context, temporal client.Client, workflowID string) (settling.Standing, error) {
	looker := settling.Looker{Client: temporal}
	found, _, err := looker.Look(ctx, settling.Standing{Settlement: settling.Settlement{WorkflowID: workflowID}})
	return found, err
}

// notRunning says why nothing can be asked of a workflow.
func notRunning(found settling.Standing, err error, so string) error {
	switch {
	case err != nil:
		return fmt.Errorf("how %s stands cannot be read: %w", found.WorkflowID, err)
	case found.Unknown():
		return fmt.Errorf("no workflow %s is known to Temporal: check the spelling and TEMPORAL_NAMESPACE", found.WorkflowID)
	case !found.Ended():
		return fmt.Errorf("%s was not there a moment ago and runs now: run the command again", found.WorkflowID)
	default:
		return fmt.Errorf("%s has ended already, %s: %s", found.WorkflowID, show.Line(found), so)
	}
}

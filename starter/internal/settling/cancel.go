package settling

import (
	"context"
	"crypto/rand"
	"errors"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// CallOff asks the workflow to call its lot off. Who asks and why stand in its
// history, which is why the SDK's own call is not used. What has ended already is
// not called off, and no error.
func CallOff(ctx context.Context, c client.Client, namespace, workflowID, by, reason string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := c.WorkflowService().RequestCancelWorkflowExecution(ctx, &workflowservice.RequestCancelWorkflowExecutionRequest{
		Namespace:         namespace,
		WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: workflowID},
		Identity:          by,
		RequestId:         rand.Text(),
		Reason:            reason,
	})
	if _, again := errors.AsType[*serviceerror.CancellationAlreadyRequested](err); again {
		return nil
	}
	return err
}

package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Register gives a worker every workflow, under its fixed name.
func Register(registry worker.WorkflowRegistry) {
	registry.RegisterWorkflowWithOptions(Settlement, workflow.RegisterOptions{Name: SettlementType})
	registry.RegisterWorkflowWithOptions(OrphanVoid, workflow.RegisterOptions{Name: OrphanVoidType})
}

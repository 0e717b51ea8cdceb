package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Register gives a worker of TaskQueue every workflow, under its fixed name.
func Register(registry worker.WorkflowRegistry) {
	registry.RegisterWorkflowWithOptions(Settlement, workflow.RegisterOptions{Name: SettlementType})
	registry.RegisterWorkflowWithOptions(OrphanVoid, workflow.RegisterOptions{Name: OrphanVoidType})
}

// RegisterKillSwitch gives a worker of SwitchTaskQueue the one workflow that
// runs there.
func RegisterKillSwitch(registry worker.WorkflowRegistry) {
	registry.RegisterWorkflowWithOptions(KillSwitch, workflow.RegisterOptions{Name: KillSwitchType})
}

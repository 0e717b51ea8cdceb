//go:build unix && !linux

package devserver

import (
	"os/exec"
	"syscall"
)

// detach cannot bind the child's life to ours on these systems.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

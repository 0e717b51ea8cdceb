//go:build !unix

package devserver

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

func killGroup(process *os.Process) error { return process.Kill() }

package devserver

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// process is a child that is waited for from its first moment.
type process struct {
	cmd *exec.Cmd
	// exited is closed when the child has ended; err is set before that.
	exited chan struct{}
	err    error
}

// startProcess starts the child in a process group of its own, so that a Ctrl-C
// meant for us does not reach it before we could stop it in order. On Linux the
// child is killed when we die: the kernel ties that to the thread that started
// it, so one goroutine keeps that thread until the child has ended.
func startProcess(cmd *exec.Cmd) (*process, error) {
	detach(cmd)
	p := &process{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// alive reports whether the child has not ended yet.
func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// stop interrupts the child, kills it if it is still there after grace, and
// waits for its end.
func (p *process) stop(grace time.Duration) error {
	if !p.alive() {
		return nil
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return p.kill()
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.exited:
		return nil
	case <-timer.C:
		return p.kill()
	}
}

// kill ends the child and whatever it started at once, and waits for its end.
func (p *process) kill() error {
	if !p.alive() {
		return nil // its id may belong to another process by now
	}
	if err := killGroup(p.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.exited
	return nil
}

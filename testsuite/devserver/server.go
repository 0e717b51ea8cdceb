// Package devserver runs a real Temporal server on this machine, for the demo and
// for tests: it finds or builds a Temporal CLI and starts its dev server, which
// can be stopped, killed and restarted on the same database and the same ports.
package devserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
)

const (
	readyTimeout = 2 * time.Minute
	stopGrace    = 10 * time.Second
	startTries   = 5
)

// Server is a running, stopped or killed dev server. Its methods may be called
// from several goroutines.
type Server struct {
	options Options
	ports   ports

	mu      sync.Mutex
	process *process
	output  *tail
}

// StartError says that the dev server did not come up.
type StartError struct {
	// Command is what was run.
	Command string
	// Log is the end of what it printed; may be empty or hold several lines.
	Log string
	// Cause is the process's exit, or the context's error.
	Cause error
}

// Error returns the cause and, on lines of its own, the end of the log.
func (e *StartError) Error() string {
	text := fmt.Sprintf("the Temporal dev server did not start: %v", e.Cause)
	if e.Log != "" {
		text += "\n" + e.Log
	}
	return text
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Cause }

// Start starts a dev server and returns once workflows can be started on it:
// the frontend answers, and the namespace and its search attributes are known.
// Once there is a CLI it takes two minutes at the most, and ends early with an
// error where the process dies. A server that is neither stopped nor killed ends
// with this process on Linux; elsewhere call Stop.
//
// Errors: *StartError; those of Find.
func Start(ctx context.Context, options Options) (*Server, error) {
	if options.CLI == "" {
		cli, err := Find(ctx, options.Say)
		if err != nil {
			return nil, err
		}
		options.CLI = cli
	}
	var err error
	for range startTries {
		s := &Server{options: options}
		if s.ports, err = reservePorts(options); err != nil {
			return nil, err
		}
		if err = s.launch(ctx); err == nil {
			return s, nil
		}
		s.ports.release()
		// Another program may have taken a port between our look and its use.
		if !portTaken(err) {
			break
		}
	}
	return nil, err
}

// launch starts the process and waits until it is ready; s.mu need not be held,
// nobody else has s yet, or Restart holds it.
func (s *Server) launch(ctx context.Context) error {
	args, err := s.options.args(s.ports)
	if err != nil {
		return err
	}
	s.output = newTail(tailBytes)
	cmd := exec.Command(s.options.CLI, args...)
	cmd.Env = serverEnv()
	var log io.Writer = s.output
	if s.options.Log != nil {
		log = io.MultiWriter(s.output, s.options.Log)
	}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = time.Second
	failed := func(cause error) error {
		return &StartError{Command: cmd.String(), Log: s.output.String(), Cause: cause}
	}
	if s.process, err = startProcess(cmd); err != nil {
		return failed(err)
	}
	if err = s.awaitReady(ctx); err != nil {
		_ = s.process.kill()
		return failed(err)
	}
	return nil
}

// Restart starts the server again on its ports and database file, stopping it
// first if it runs. Errors: *StartError; without a database file it is refused.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.options.DBFile == "" {
		return errors.New("a dev server without a database file cannot be restarted: set DBFile")
	}
	if err := s.process.stop(stopGrace); err != nil {
		return err
	}
	var err error
	for range startTries {
		if err = s.launch(ctx); !portTaken(err) {
			break
		}
	}
	return err
}

// Stop ends the server in order, after a grace of ten seconds by force, and gives
// its ports back. A server that has ended already is no error.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.process.stop(stopGrace)
	s.ports.release()
	return err
}

// Kill ends the server at once, as a crash would (SIGKILL), and returns when it
// is gone. Its ports stay reserved for Restart; Stop gives them back.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process.kill()
}

// Exited is closed when the process that runs now has ended, whatever ended it.
func (s *Server) Exited() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process.exited
}

// Address is the frontend's host and port, as client.Options.HostPort takes it.
func (s *Server) Address() string { return s.ports.frontend.address() }

// Namespace is the namespace that Options named.
func (s *Server) Namespace() string { return s.options.namespace() }

// UIURL is the Web UI's address; "" without one.
func (s *Server) UIURL() string {
	if s.ports.ui == nil {
		return ""
	}
	return "http://" + s.ports.ui.address()
}

// MetricsURL serves the server's Prometheus metrics, the counter "action" of
// billable actions among them.
func (s *Server) MetricsURL() string { return "http://" + s.ports.metrics.address() + "/metrics" }

// Dial returns a client for the namespace ("" for that of Options) that logs
// nothing and redials a restarted server within a fraction of a second. It does
// not check that the server is there. The caller closes it.
func (s *Server) Dial(namespace string) (client.Client, error) {
	if namespace == "" {
		namespace = s.Namespace()
	}
	return client.NewLazyClient(client.Options{
		HostPort:          s.Address(),
		Namespace:         namespace,
		Logger:            silent{},
		ConnectionOptions: client.ConnectionOptions{DialOptions: quickRedial()},
	})
}

func portTaken(err error) bool {
	failed, ok := errors.AsType[*StartError](err)
	return ok && (strings.Contains(failed.Log, "address already in use") || strings.Contains(failed.Log, "can't set ") &&
		strings.Contains(failed.Log, " port "))
}

// ports are those of one server; ui is nil without a Web UI.
type ports struct{ frontend, metrics, ui *port }

func reservePorts(o Options) (p ports, err error) {
	defer func() {
		if err != nil {
			p.release()
		}
	}()
	if p.frontend, err = reservePort(o.Port); err != nil {
		return p, err
	}
	if p.metrics, err = reservePort(o.MetricsPort); err != nil || !o.UI {
		return p, err
	}
	p.ui, err = reservePort(o.UIPort)
	return p, err
}

func (p ports) release() {
	for _, each := range []*port{p.frontend, p.metrics, p.ui} {
		each.release()
	}
}

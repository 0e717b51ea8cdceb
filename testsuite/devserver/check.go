package devserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

const checkTimeout = 30 * time.Second

// neededFlags are the flags of "server start-dev" that Start uses; a CLI without
// one of them is too old, or is not Temporal's.
var neededFlags = []string{
	"--ip", "--port", "--ui-port", "--metrics-port", "--headless",
	"--db-filename", "--namespace", "--search-attribute", "--dynamic-config-value", "--log-level",
}

// check runs the CLI and returns nil if it can start the dev server we need.
func check(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "server", "start-dev", "--help")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("%q did not end within %s", "server start-dev --help", checkTimeout)
	}
	if _, ran := errors.AsType[*exec.ExitError](err); ran {
		return fmt.Errorf("%q failed (%w): %s", "server start-dev --help", err, firstLine(output.String()))
	}
	if err != nil {
		return err
	}
	for _, flag := range neededFlags {
		if !strings.Contains(output.String(), flag) {
			return fmt.Errorf("its dev server lacks %s; version 1.0.0 or later has it", flag)
		}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

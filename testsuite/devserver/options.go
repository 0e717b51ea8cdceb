package devserver

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	enumspb "go.temporal.io/api/enums/v1"
)

// loopback is the only interface a dev server listens on: it has no login.
const loopback = "127.0.0.1"

// DefaultNamespace is the namespace that every dev server has.
const DefaultNamespace = "default"

// Options says which dev server to start. The zero value is one in memory, on
// free ports, without a Web UI.
type Options struct {
	// CLI is the path of a Temporal CLI; "" finds one with Find.
	CLI string
	// Say is handed to Find; nil keeps silent.
	Say func(line string)
	// DBFile is the SQLite file that outlives the server; "" keeps everything in
	// memory, and then Restart is refused. The directory must exist.
	DBFile string
	// Namespace is created where it is missing; "" is DefaultNamespace.
	Namespace string
	// SearchAttributes are registered in Namespace, and in each namespace that
	// NewNamespace makes.
	SearchAttributes map[string]enumspb.IndexedValueType
	// UI starts the Web UI.
	UI bool
	// Port, UIPort and MetricsPort are on the loopback interface; 0 takes a free one.
	Port, UIPort, MetricsPort int
	// Log receives the server's output; nil drops it. An error of Start or
	// Restart carries the end of it in any case.
	Log io.Writer
	// LogLevel is debug, info, warn, error or never; "" is warn.
	LogLevel string
	// DynamicConfig sets server configuration; values are written as JSON.
	DynamicConfig map[string]any
	// ExtraArgs are appended to "temporal server start-dev".
	ExtraArgs []string
}

func (o Options) namespace() string {
	if o.Namespace == "" {
		return DefaultNamespace
	}
	return o.Namespace
}

// args is the command line behind the CLI's path.
func (o Options) args(p ports) ([]string, error) {
	args := []string{
		"server", "start-dev", "--ip", loopback,
		"--port", strconv.Itoa(p.frontend.number),
		"--metrics-port", strconv.Itoa(p.metrics.number),
	}
	if o.UI {
		args = append(args, "--ui-port", strconv.Itoa(p.ui.number))
	} else {
		args = append(args, "--headless")
	}
	if o.namespace() != DefaultNamespace {
		args = append(args, "--namespace", o.namespace())
	}
	if o.DBFile != "" {
		args = append(args, "--db-filename", o.DBFile)
	}
	if o.LogLevel != "" {
		args = append(args, "--log-level", o.LogLevel)
	}
	for _, name := range slices.Sorted(maps.Keys(o.SearchAttributes)) {
		args = append(args, "--search-attribute", name+"="+o.SearchAttributes[name].String())
	}
	for _, key := range slices.Sorted(maps.Keys(o.DynamicConfig)) {
		value, err := json.Marshal(o.DynamicConfig[key])
		if err != nil {
			return nil, fmt.Errorf("dynamic config %s: %w", key, err)
		}
		args = append(args, "--dynamic-config-value", key+"="+string(value))
	}
	return append(args, o.ExtraArgs...), nil
}

// serverEnv keeps the user's own connection settings away from the dev server.
func serverEnv() []string {
	var kept []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "TEMPORAL_") {
			kept = append(kept, pair)
		}
	}
	return kept
}

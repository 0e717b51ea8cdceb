package config

import (
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.uber.org/zap"

	"gavel/config/input"
)

// TemporalOptions returns how to reach Temporal, as its own tools do: a profile
// of temporal.toml (TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE), overlaid with
// TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_* and the
// rest; see go.temporal.io/sdk/contrib/envconfig. Without any it is localhost:7233
// and the namespace "default". An API key implies TLS. logger may be nil for an
// SDK that is silent. Errors: *input.Error.
func TemporalOptions(logger *zap.Logger) (client.Options, error) {
	file := os.Getenv("TEMPORAL_CONFIG_FILE")
	if err := checkTemporalVariables(file); err != nil {
		return client.Options{}, err
	}
	options, err := envconfig.LoadDefaultClientOptions()
	if err != nil {
		return client.Options{}, &input.Error{Source: blame(err.Error(), file), Rule: err.Error()}
	}
	if options.HostPort == "" {
		options.HostPort = client.DefaultHostPort
	}
	if options.Namespace == "" {
		options.Namespace = client.DefaultNamespace
	}
	if err := checkAddress(options.HostPort); err != nil {
		return client.Options{}, err
	}
	if logger == nil {
		logger = zap.NewNop()
	}
	options.Logger = NewTemporalLogger(logger)
	return options, nil
}

// checkTemporalVariables catches what the SDK passes over in silence: a file that
// is not there, which it takes for an empty one, and a switch that is neither on
// nor off, which would leave a connection unencrypted.
func checkTemporalVariables(file string) error {
	if file != "" {
		if _, err := os.Stat(file); err != nil {
			return &input.Error{Source: "TEMPORAL_CONFIG_FILE", Rule: file + ": " + reason(err)}
		}
	}
	for _, name := range []string{"TEMPORAL_TLS", "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION"} {
		switch value := os.Getenv(name); strings.ToLower(value) {
		case "", "1", "true", "0", "false":
		default:
			return &input.Error{Source: name, Rule: fmt.Sprintf("must be true or false, got %q", value)}
		}
	}
	return nil
}

var temporalVariable = regexp.MustCompile(`TEMPORAL_[A-Z_]+`)

// blame finds the variable behind an error of the SDK's, which names it at best
// in its text.
func blame(message, file string) string {
	switch named := temporalVariable.FindString(message); {
	case named != "":
		return named
	case strings.Contains(message, "find profile"):
		return "TEMPORAL_PROFILE"
	case strings.Contains(message, "TLS"):
		return "TEMPORAL_TLS_*"
	case file != "":
		return file
	default:
		return envconfig.DefaultConfigFilePath()
	}
}

// checkAddress refuses what gRPC would take for a name to look up for ever.
// Resolver targets such as dns:///name:7233 are left to gRPC.
func checkAddress(address string) error {
	if strings.Contains(address, "://") && !strings.HasPrefix(address, "http") {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || port == "" || strings.Contains(address, "/") {
		return &input.Error{Source: "TEMPORAL_ADDRESS", Rule: fmt.Sprintf("must be host and port such as localhost:7233, got %q", address)}
	}
	return nil
}

package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"gavel/config"
)

// alone keeps the user's own temporal.toml out of a test.
func alone(t *testing.T) {
	t.Helper()
	clean(t)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
}

func TestWithoutAnythingSetTemporalIsHere(t *testing.T) {
	alone(t)
	got, err := config.TemporalOptions(nil)
	require.NoError(t, err)
	assert.Equal(t, "localhost:7233", got.HostPort)
	assert.Equal(t, "default", got.Namespace)
	assert.Nil(t, got.Credentials)
	assert.Nil(t, got.ConnectionOptions.TLS)
	assert.NotNil(t, got.Logger)
}

func TestTemporalsOwnVariablesAndProfilesAreFollowed(t *testing.T) {
	alone(t)
	t.Setenv("TEMPORAL_CONFIG_FILE", file(t, "temporal.toml", `
[profile.staging]
address = "staging.example.com:7233"
namespace = "auctions"
`))
	t.Setenv("TEMPORAL_PROFILE", "staging")
	got, err := config.TemporalOptions(nil)
	require.NoError(t, err)
	assert.Equal(t, "staging.example.com:7233", got.HostPort)
	assert.Equal(t, "auctions", got.Namespace)

	t.Setenv("TEMPORAL_ADDRESS", "[::1]:7000")
	t.Setenv("TEMPORAL_NAMESPACE", "other")
	t.Setenv("TEMPORAL_API_KEY", "hush")
	got, err = config.TemporalOptions(nil)
	require.NoError(t, err)
	assert.Equal(t, "[::1]:7000", got.HostPort)
	assert.Equal(t, "other", got.Namespace)
	assert.NotNil(t, got.Credentials)
	assert.NotNil(t, got.ConnectionOptions.TLS, "an API key implies TLS")
}

func TestAMistakeInTheConnectionNamesItsVariable(t *testing.T) {
	for name, tc := range map[string]struct {
		variables    map[string]string
		source, rule string
	}{
		"no port":           {map[string]string{"TEMPORAL_ADDRESS": "localhost"}, "TEMPORAL_ADDRESS", "host and port"},
		"no host":           {map[string]string{"TEMPORAL_ADDRESS": ":7233"}, "TEMPORAL_ADDRESS", "host and port"},
		"a web address":     {map[string]string{"TEMPORAL_ADDRESS": "http://localhost:7233"}, "TEMPORAL_ADDRESS", "host and port"},
		"unknown profile":   {map[string]string{"TEMPORAL_PROFILE": "staging"}, "TEMPORAL_PROFILE", "staging"},
		"missing file":      {map[string]string{"TEMPORAL_CONFIG_FILE": "/nowhere/t.toml"}, "TEMPORAL_CONFIG_FILE", "no such file"},
		"bad TLS switch":    {map[string]string{"TEMPORAL_TLS": "maybe"}, "TEMPORAL_TLS", "maybe"},
		"missing TLS file":  {map[string]string{"TEMPORAL_TLS_SERVER_CA_CERT_PATH": "/nowhere/ca.pem"}, "TEMPORAL_TLS_*", "no such file"},
		"half a TLS client": {map[string]string{"TEMPORAL_TLS_CLIENT_CERT_PATH": "/nowhere/c.pem"}, "TEMPORAL_TLS_*", "key"},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t)
			for variable, value := range tc.variables {
				t.Setenv(variable, value)
			}
			_, err := config.TemporalOptions(nil)
			found := mistake(t, err)
			assert.Equal(t, tc.source, found.Source, err.Error())
			assert.Contains(t, found.Rule, tc.rule)
		})
	}
}

func TestABrokenProfileFileIsNamed(t *testing.T) {
	alone(t)
	path := file(t, "temporal.toml", "[profile")
	t.Setenv("TEMPORAL_CONFIG_FILE", path)
	_, err := config.TemporalOptions(nil)
	assert.Equal(t, path, mistake(t, err).Source)
}

func TestAResolverTargetIsLeftToGRPC(t *testing.T) {
	alone(t)
	t.Setenv("TEMPORAL_ADDRESS", "dns:///temporal.example.com:7233")
	got, err := config.TemporalOptions(nil)
	require.NoError(t, err)
	assert.Equal(t, "dns:///temporal.example.com:7233", got.HostPort)
}

func TestTheSDKLogsToOurLogger(t *testing.T) {
	alone(t)
	core, logs := observer.New(zapcore.InfoLevel)
	got, err := config.TemporalOptions(zap.New(core))
	require.NoError(t, err)
	got.Logger.Info("from the SDK")
	assert.Equal(t, 1, logs.FilterMessage("from the SDK").Len())
}

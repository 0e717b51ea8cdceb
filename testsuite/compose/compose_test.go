// Package compose checks the files that start the parts on another machine:
// docker-compose.yml, .env, Dockerfile and the CI workflow.
package compose

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"gavel/config"
	"gavel/workflows"
)

const root = "../../"

// service is what the tests look at; compose knows more.
type service struct {
	Image       string
	Build       *struct{ Target string }
	NetworkMode string `yaml:"network_mode"`
	Ports       []string
	Environment map[string]string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Command     []string
	Healthcheck any
	Volumes     []string
	Configs     []struct{ Source, Target string }
	Profiles    []string
}

type project struct {
	Services map[string]service
	Configs  map[string]struct{ Content string }
	Volumes  map[string]any
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(root + name)
	require.NoError(t, err)
	return string(text)
}

// variables are those of .env.
func variables(t *testing.T) map[string]string {
	t.Helper()
	set := map[string]string{}
	for line := range strings.Lines(read(t, ".env")) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		require.True(t, ok, line)
		require.NotEmpty(t, value, name)
		set[name] = value
	}
	return set
}

// load reads the compose file with .env filled in, as compose does it.
func load(t *testing.T) project {
	t.Helper()
	set := variables(t)
	text := os.Expand(strings.ReplaceAll(read(t, "docker-compose.yml"), "$$", "\x01"), func(expression string) string {
		name, preset, hasPreset := strings.Cut(expression, ":-")
		name, _, _ = strings.Cut(name, ":?")
		value, known := set[name]
		if !known {
			require.True(t, hasPreset, "%s has neither a value in .env nor a default", name)
			return preset
		}
		return value
	})
	var p project
	require.NoError(t, yaml.Unmarshal([]byte(strings.ReplaceAll(text, "\x01", "$")), &p))
	return p
}

var exactTag = regexp.MustCompile(`^[a-z0-9./-]+:\d+\.\d+(\.\d+)?$`)

func TestImagesArePinnedToExactReleases(t *testing.T) {
	for name, s := range load(t).Services {
		assert.NotContains(t, s.Image, "latest", name)
		assert.NotContains(t, s.Image, "auto-setup", "%s: that image is retired", name)
		if s.Build != nil {
			assert.Regexp(t, `^gavel-[a-z]+:dev$`, s.Image, "%s is built here", name)
			continue
		}
		assert.Regexp(t, exactTag, s.Image, name)
	}
}

func TestServerAndItsToolsAreOneRelease(t *testing.T) {
	set := variables(t)
	assert.Equal(t, set["TEMPORAL_SERVER_TAG"], set["TEMPORAL_ADMIN_TOOLS_TAG"])
}

func TestPortsArePublishedOnLoopbackOnly(t *testing.T) {
	published := 0
	for name, s := range load(t).Services {
		for _, port := range s.Ports {
			assert.Regexp(t, `^127\.0\.0\.1:\d+:\d+$`, port, name)
			published++
		}
	}
	assert.Equal(t, 3, published, "Temporal, its Web UI and the fake")
}

func TestWhatAServiceNeedsExists(t *testing.T) {
	p := load(t)
	for name, s := range p.Services {
		for target, how := range s.DependsOn {
			dependency, ok := p.Services[target]
			require.True(t, ok, "%s depends on %s", name, target)
			if how.Condition == "service_healthy" {
				assert.NotNil(t, dependency.Healthcheck, "%s waits for the health of %s", name, target)
			}
			assert.Empty(t, dependency.Profiles, "%s depends on %s, which is not started by itself", name, target)
		}
		if other, shared := strings.CutPrefix(s.NetworkMode, "service:"); shared {
			assert.Contains(t, p.Services, other, name)
			assert.Contains(t, s.DependsOn, other, name)
			assert.Empty(t, s.Ports, "%s has the network of %s, which publishes its ports", name, other)
		}
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			assert.Contains(t, p.Volumes, source, name)
		}
		for _, each := range s.Configs {
			assert.NotEmpty(t, p.Configs[each.Source].Content, name)
			assert.Contains(t, slices.Collect(maps.Values(s.Environment)), each.Target, "%s reads it", name)
		}
	}
}

func TestEachSearchAttributeIsRegistered(t *testing.T) {
	script := strings.Join(load(t).Services["temporal-namespace"].Command, "\n")
	found := map[string]string{}
	for _, match := range regexp.MustCompile(`--name (\w+) --type (\w+)`).FindAllStringSubmatch(script, -1) {
		found[match[1]] = match[2]
	}
	want := map[string]string{}
	for name, kind := range workflows.SearchAttributeTypes() {
		want[name] = kind.String()
	}
	assert.Equal(t, want, found)
}

func TestNothingThatCutsASettlementOffCanBeDoneInTheWebUI(t *testing.T) {
	ui := load(t).Services["temporal-ui"].Environment
	for _, action := range []string{"WORKFLOW_TERMINATE", "WORKFLOW_RESET", "BATCH_ACTIONS"} {
		assert.Equal(t, "true", ui["TEMPORAL_"+action+"_DISABLED"], action)
	}
	for _, needed := range []string{"WORKFLOW_SIGNAL_DISABLED", "WORKFLOW_UPDATE_DISABLED", "WORKFLOW_CANCEL_DISABLED", "DISABLE_WRITE_ACTIONS"} {
		assert.NotContains(t, ui, "TEMPORAL_"+needed, "a review is decided there")
	}
}

func TestPasswordsComeFromTheEnvironment(t *testing.T) {
	for line := range strings.Lines(read(t, "docker-compose.yml")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && regexp.MustCompile(`(PASSWORD|PWD|SECRET)$`).MatchString(name) {
			assert.Regexp(t, `^ \$\{\w+:[?-].+\}$`, value, line)
		}
	}
}

// The worker's own rules decide whether it would start with what compose gives it.
func TestTheWorkerAcceptsItsEnvironment(t *testing.T) {
	worker := load(t).Services["worker"]
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GAVEL_") {
			t.Setenv(name, value) // restored at the test's end
			require.NoError(t, os.Unsetenv(name))
		}
	}
	for name, value := range worker.Environment {
		t.Setenv(name, value)
	}
	loaded, err := config.Load("")
	require.NoError(t, err)
	require.NoError(t, loaded.RequirePayPal())
	assert.Empty(t, loaded.Unsupported())
	_, err = config.TemporalOptions(nil)
	require.NoError(t, err)
}

func TestTheWorkerReachesTheFakeOnLoopback(t *testing.T) {
	p := load(t)
	assert.Equal(t, "service:fakepaypal", p.Services["worker"].NetworkMode)
	assert.Equal(t, "http://127.0.0.1:8099", p.Services["worker"].Environment["GAVEL_PAYPAL_BASE_URL"])
	assert.Subset(t, p.Services["fakepaypal"].Command, []string{"0.0.0.0:8099", "--any-interface"})
}

func TestADatabaseForEachOfTemporalsStoresIsSetUp(t *testing.T) {
	script := strings.Join(load(t).Services["temporal-schema"].Command, "\n")
	for database, schema := range map[string]string{"temporal": "temporal", "temporal_visibility": "visibility"} {
		assert.Contains(t, script, "sql --db "+database+" create\n")
		assert.Contains(t, script, "sql --db "+database+" setup-schema --version 0.0\n")
		assert.Contains(t, script, "sql --db "+database+" update-schema --schema-dir /etc/temporal/schema/postgresql/v12/"+schema+"/versioned")
	}
}

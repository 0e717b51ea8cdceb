package compose

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// stages returns base image by stage name.
func stages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^FROM (\S+) AS (\S+)$`).FindAllStringSubmatch(read(t, "Dockerfile"), -1) {
		found[match[2]] = match[1]
	}
	return found
}

func TestEachImageThatComposeBuildsIsAStageOfTheDockerfile(t *testing.T) {
	built := stages(t)
	for name, s := range load(t).Services {
		if s.Build == nil {
			continue
		}
		assert.Contains(t, built, s.Build.Target, name)
		assert.Equal(t, "base", built[s.Build.Target], "%s runs without a shell and without root", name)
	}
}

func TestBaseImagesArePinned(t *testing.T) {
	built := stages(t)
	for stage, image := range built {
		if _, ours := built[image]; !ours {
			assert.Regexp(t, `:\d+\.\d+\.\d+-|@sha256:[0-9a-f]{64}$`, image, stage)
		}
	}
	assert.Contains(t, read(t, "Dockerfile"), "\nUSER 65532:65532\n")
}

func TestTheBuildSeesWhatItNeedsAndNoMore(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(read(t, ".dockerignore")), "\n")
	require.Contains(t, lines, "*", "everything is left out unless it is named")
	for _, needed := range []string{"go.mod", "go.sum", "worker", "starter", "testsuite", "workflows", "activities", "paypalclient", "config"} {
		assert.Contains(t, lines, "!"+needed)
	}
	assert.False(t, slices.Contains(lines, "!.env"))
}

func TestTheWorkflowReadsOnlyAndItsActionsArePinned(t *testing.T) {
	text := read(t, ".github/workflows/ci.yml")
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions any
			Steps       []struct{ Uses, Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &workflow))
	assert.Equal(t, map[string]string{"contents": "read"}, workflow.Permissions)
	var runs []string
	for name, job := range workflow.Jobs {
		assert.Nil(t, job.Permissions, "%s takes no more", name)
		for _, step := range job.Steps {
			if step.Uses != "" {
				assert.Regexp(t, `@[0-9a-f]{40}$`, step.Uses)
			}
			runs = append(runs, step.Run)
		}
	}
	assert.Contains(t, runs, ".ci/run")
	assert.NotContains(t, text, "secrets.")
}

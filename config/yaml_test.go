package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config"
)

func TestAFileIsReadStrictly(t *testing.T) {
	for name, tc := range map[string]struct{ yaml, path, rule string }{
		"unknown group":             {"clock: {unknown: 1m}", "clock", "unknown key; known here are paypal, clocks,"},
		"unknown key in a group":    {"clocks: {unkown: 1m}", "clocks.unkown", "known here are unknown, pending,"},
		"key in capitals":           {"clocks: {Unknown: 1m}", "clocks.Unknown", "unknown key"},
		"key that is dotted":        {"clocks.unknown: 1m", "clocks.unknown", "unknown key"},
		"group that is a value":     {"clocks: 10m", "clocks", "must be a group of keys: unknown,"},
		"value that is a group":     {"clocks: {unknown: {min: 1m}}", "clocks.unknown", "single value"},
		"value that is a list":      {"clocks: {unknown: [1m]}", "clocks.unknown", "must be a duration"},
		"key without a value":       {"clocks: {unknown: }", "clocks.unknown", "has no value"},
		"key given twice":           {"clocks:\n  unknown: 1m\n  unknown: 2m", "", `"unknown" already defined at line 2`},
		"group given twice":         {"log: {level: info}\nlog: {format: json}", "", `"log" already defined`},
		"two documents":             {"log: {level: info}\n---\nlog: {level: warn}", "", "one YAML document"},
		"not YAML":                  {"log: [", "", "yaml:"},
		"not a mapping":             {"hunter2", "", "must be YAML with groups"},
		"a number as client id":     {"paypal: {client_id: 12345}", "paypal.client_id", "put quotes around it"},
		"a number as client secret": {"paypal: {client_secret: 0123}", "paypal.client_secret", "put quotes around it"},
		"an empty credential":       {`paypal: {client_id: ""}`, "paypal.client_id", "is empty"},
		"spaces around a secret":    {`paypal: {client_secret: " a"}`, "paypal.client_secret", "without spaces"},
		"a list with a number":      {"notify: {urls: [1]}", "notify.urls", "item 1"},
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			path := file(t, "gavel.yaml", tc.yaml)
			_, err := config.Load(path)
			found := mistake(t, err)
			assert.Equal(t, path, found.Source)
			assert.Equal(t, tc.path, found.Path)
			assert.Contains(t, found.Rule, tc.rule)
			assert.NotContains(t, err.Error(), "hunter2")
		})
	}
}

func TestAFileThatCannotBeReadIsNamed(t *testing.T) {
	clean(t)
	path := filepath.Join(t.TempDir(), "absent.yaml")
	_, err := config.Load(path)
	assert.Equal(t, path, mistake(t, err).Source)
	assert.Equal(t, path+": cannot be read: no such file or directory", err.Error())
}

func TestAnEmptyFileAndEmptyGroupsAreDefaults(t *testing.T) {
	clean(t)
	want, err := config.Load("")
	require.NoError(t, err)
	for _, text := range []string{"", "# nothing\n", "clocks:\nlog:\n", "---\n"} {
		got, err := config.Load(file(t, "gavel.yaml", text))
		require.NoError(t, err, "%q", text)
		assert.Equal(t, groups(want), groups(got))
	}
}

func TestURLsMayBeAListInTheFile(t *testing.T) {
	clean(t)
	got, err := config.Load(file(t, "gavel.yaml", "notify:\n  urls:\n    - smtp://h/?to=a,b\n    - slack://x\n"))
	require.NoError(t, err)
	require.Len(t, got.Notify.URLs, 2)
	assert.Equal(t, "smtp://h/?to=a,b", got.Notify.URLs[0].Reveal())
}

// documented finds the lines of gavel.yaml that show a key.
var documented = regexp.MustCompile(`(?m)^  # ([a-z_]+): +(.+)$`)

func TestTheDocumentedFileShowsEveryKeyWithItsDefault(t *testing.T) {
	clean(t)
	text, err := os.ReadFile("gavel.yaml")
	require.NoError(t, err)
	var shown []string
	group := ""
	var uncommented strings.Builder
	for line := range strings.Lines(string(text)) {
		if found := documented.FindStringSubmatch(line); found != nil {
			shown = append(shown, group+"."+found[1])
			if found[2] != "(none)" {
				uncommented.WriteString("  " + found[1] + ": " + found[2] + "\n")
			}
			continue
		}
		if name, ok := strings.CutSuffix(strings.TrimRight(line, "\n"), ":"); ok && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, " ") {
			group = name
		}
		uncommented.WriteString(line)
	}
	assert.ElementsMatch(t, config.KeyNames(), shown)

	defaults, err := config.Load("")
	require.NoError(t, err)
	asShipped, err := config.Load("gavel.yaml")
	require.NoError(t, err)
	assert.Equal(t, groups(defaults), groups(asShipped))
	allSet, err := config.Load(file(t, "gavel.yaml", uncommented.String()))
	require.NoError(t, err)
	assert.Equal(t, groups(defaults), groups(allSet), "the values shown are the defaults")
}

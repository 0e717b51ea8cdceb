package config_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config"
)

func TestTheFormatFollowsTheTerminalUnlessItIsChosen(t *testing.T) {
	for name, tc := range map[string]struct {
		format   string
		terminal bool
		json     bool
	}{
		"auto on a terminal":    {"auto", true, false},
		"auto elsewhere":        {"auto", false, true},
		"zero value elsewhere":  {"", false, true},
		"json on a terminal":    {"json", true, true},
		"console in a pipeline": {"console", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			logger, err := config.NewLogger(config.Log{Level: "info", Format: tc.format}, &out, tc.terminal)
			require.NoError(t, err)
			logger.Info("settled")
			assert.Equal(t, tc.json, json.Valid(out.Bytes()), out.String())
			assert.Contains(t, out.String(), "settled")
			assert.Equal(t, 1, strings.Count(out.String(), "\n"), "one line")
		})
	}
}

func TestTheLevelIsKept(t *testing.T) {
	for level, want := range map[string]int{"debug": 4, "info": 3, "warn": 2, "error": 1} {
		var out bytes.Buffer
		logger, err := config.NewLogger(config.Log{Level: level, Format: "json"}, &out, false)
		require.NoError(t, err)
		logger.Debug("d")
		logger.Info("i")
		logger.Warn("w")
		logger.Error("e")
		assert.Equal(t, want, strings.Count(out.String(), "\n"), level)
	}
}

func TestAnUnknownLevelOrFormatIsAnInputError(t *testing.T) {
	for path, log := range map[string]config.Log{
		"log.level":  {Level: "loud"},
		"log.format": {Level: "info", Format: "xml"},
	} {
		_, err := config.NewLogger(log, &bytes.Buffer{}, false)
		assert.Equal(t, path, mistake(t, err).Path)
	}
}

package lotfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestReadAllKeepsTheOrderOfTheFiles(t *testing.T) {
	a := write(t, "a.jsonl", lotJSON(3)+"\n"+lotJSON(1))
	b := write(t, "b.json", lotJSON(4))
	entries, err := lotfile.ReadAll([]string{a, lotfile.Stdin, b}, strings.NewReader(lotJSON(2)))
	require.NoError(t, err)
	var ids, sources []string
	for _, e := range entries {
		ids, sources = append(ids, e.Lot.LotID), append(sources, e.Source)
	}
	assert.Equal(t, []string{"3", "1", "2", "4"}, ids)
	assert.Equal(t, []string{a, a, "stdin", b}, sources)
}

func TestReadAllRefusesWhatStandsTwice(t *testing.T) {
	first := write(t, "a.jsonl", lotJSON(7)+"\n"+lotJSON(1))
	for name, tc := range map[string]struct{ content, want string }{
		"a lot": {
			`{"lots":[` + lotJSON(2) + `,` + lotJSON(1) + `]}`,
			"b.json: lots[1]: lot 1 of auction spring stands twice in the input, first in " + first + ", line 2",
		},
		"a bid's authorization": {
			strings.Replace(lotJSON(2), `"B2"`, `"A1"`, 1),
			"b.json: bids[1].hold.authorization_id: authorization A1 belongs to the lot in " + first + ", line 2 already",
		},
		"an authorization to release": {
			strings.Replace(lotJSON(2), `"R2"`, `"A7"`, 1),
			"b.json: release[0].authorization_id: authorization A7 belongs to the lot in " + first + ", line 1 already",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lotfile.ReadAll([]string{first, write(t, "b.json", tc.content)}, nil)
			var mistake *input.Error
			require.ErrorAs(t, err, &mistake)
			assert.Contains(t, err.Error(), tc.want)
		})
	}
}

func TestReadAllNamesAFileThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.json")
	require.NoError(t, os.WriteFile(big, nil, 0o600))
	require.NoError(t, os.Truncate(big, lotfile.MaxFileBytes+1))
	missing := filepath.Join(dir, "missing.json")
	for name, tc := range map[string]struct{ file, want string }{
		"not there":   {missing, missing + ": cannot be read: no such file or directory"},
		"a directory": {dir, dir + ": cannot be read: is a directory"},
		"too big":     {big, big + ": must be at most 64 MiB; split it into several files"},
		"empty stdin": {lotfile.Stdin, "stdin: is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := lotfile.ReadAll([]string{tc.file}, strings.NewReader(""))
			var mistake *input.Error
			require.ErrorAs(t, err, &mistake)
			assert.Contains(t, err.Error(), tc.want)
		})
	}
}

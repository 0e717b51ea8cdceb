package lotfile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config/input"
	"gavel/starter/internal/lotfile"
	"gavel/workflows"
)

// FuzzDecode: never a panic; a refusal is one line with its source and rule;
// what is taken is JSON that decodes to the same lots when it is written again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		lotJSON(1),
		lotJSON(1) + "\n" + lotJSON(2),
		`{"lots":[` + lotJSON(1) + `,` + lotJSON(2) + `]}`,
		"\ufeff" + strings.Replace(lotJSON(1), "ana", `\ud83d\ude00 \ufffd`, 1),
		strings.Replace(lotJSON(1), "ana", `\ud83d`, 1),
		strings.Replace(lotJSON(1), `"120.00"`, `120.00`, 1),
		strings.Replace(lotJSON(1), `"price"`, `"price":"1.00","price"`, 1),
		lotJSON(1)[:100], `{}`, `[[[[`, `{"lots":[]}`, `{"lots":[{}],"lots":1}`, "null\n", "{}\n{}", "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := lotfile.Decode("fuzz", data)
		if err != nil {
			var mistake *input.Error
			require.ErrorAs(t, err, &mistake)
			assert.Equal(t, "fuzz", mistake.Source)
			assert.NotEmpty(t, mistake.Rule)
			assert.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, entries)
		var lots []workflows.Lot
		for _, e := range entries {
			lots = append(lots, e.Lot)
		}
		again, err := json.Marshal(map[string]any{"lots": lots})
		require.NoError(t, err)
		reread, err := lotfile.Decode("again", again)
		require.NoError(t, err)
		for i, e := range reread {
			assert.Equal(t, lots[i], e.Lot)
		}
		assert.Len(t, reread, len(lots))
	})
}

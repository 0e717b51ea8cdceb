package fake

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var someDay = time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)

func numbered(i int) *change {
	return &change{Requests: []*remembered{{
		Operation: OpCaptureAuthorization, ID: string(rune('a' + i%20)), Print: "p", Result: "r", Until: someDay.Add(time.Duration(i) * time.Second),
	}}}
}

func TestTheJournalStaysBoundedWhileItIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	b := newBook()
	j, err := openJournal(path, b, someDay)
	require.NoError(t, err)
	j.rewriteAfter = 50
	for i := range 1000 {
		c := numbered(i + 1)
		require.NoError(t, j.append(c, b, someDay))
		b.apply(c)
	}
	require.NoError(t, j.close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Less(t, bytes.Count(text, []byte("\n")), 200)

	read := newBook()
	j, err = openJournal(path, read, someDay)
	require.NoError(t, err)
	defer j.close()
	assert.Equal(t, b.Requests, read.Requests)
}

func TestRequestIDsThatAreOverAreNotWrittenAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	b := newBook()
	j, err := openJournal(path, b, someDay)
	require.NoError(t, err)
	for i := range 10 {
		require.NoError(t, j.append(numbered(i), b, someDay))
	}
	require.NoError(t, j.close())
	j, err = openJournal(path, newBook(), someDay.Add(5*time.Second))
	require.NoError(t, err)
	require.NoError(t, j.close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, 4, bytes.Count(text, []byte("\n")), "those that end after 6, 7, 8 and 9 seconds")
}

func TestAnAnswerWaitsForTheDisk(t *testing.T) {
	s, err := New(Options{StateFile: filepath.Join(t.TempDir(), "state")})
	require.NoError(t, err)
	defer s.Close()
	request := httptest.NewRequest("POST", "/v1/oauth2/token", strings.NewReader("grant_type=client_credentials"))
	request.SetBasicAuth("demo", "demo")
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.ServeHTTP(httptest.NewRecorder(), request)
	assert.EqualValues(t, 1, s.journal.written)
	assert.EqualValues(t, 1, s.journal.flushed)
}

func TestNothingTakesEffectThatCannotBeWritten(t *testing.T) {
	s, err := New(Options{StateFile: filepath.Join(t.TempDir(), "state")})
	require.NoError(t, err)
	s.AddHold(Hold{AuthorizationID: "A", Currency: "USD", Amount: "1.00"})
	require.NoError(t, s.journal.file.Close()) // as if the disk were gone
	_, err = s.Take(Taking{AuthorizationID: "A"})
	require.Error(t, err)
	assert.Empty(t, s.Ledger().Captures)
	require.Error(t, s.Close())
}

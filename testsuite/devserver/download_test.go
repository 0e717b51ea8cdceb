//go:build unix

package devserver

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// transport answers what the SDK asks the download host.
type transport func(*http.Request) (int, []byte)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := f(r)
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

func downloadsFrom(t *testing.T, answer transport) {
	t.Helper()
	original := http.DefaultTransport
	http.DefaultTransport = answer
	t.Cleanup(func() { http.DefaultTransport = original })
}

func TestFindDownloadsBeforeItBuilds(t *testing.T) {
	_, cache := alone(t)
	downloadsFrom(t, func(r *http.Request) (int, []byte) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/cli/"):
			return http.StatusOK, []byte(`{"archiveUrl":"https://temporal.download/a.tar.gz","fileToExtract":"temporal"}`)
		case r.URL.Path == "/a.tar.gz":
			return http.StatusOK, archive(t, "temporal", fakeCLI)
		}
		return http.StatusNotFound, nil
	})
	var said []string
	f := newFinder(cache, func(line string) { said = append(said, line) })

	path, err := f.find(t.Context())
	require.NoError(t, err)
	assert.Equal(t, f.downloadedPath(), path)
	assert.Equal(t, []string{"downloading the Temporal CLI, kept in " + cache}, said)
}

func TestFindBuildsWhenTheDownloadFails(t *testing.T) {
	for name, answer := range map[string]transport{
		"refused":       func(*http.Request) (int, []byte) { return http.StatusForbidden, nil },
		"not an answer": func(*http.Request) (int, []byte) { return http.StatusOK, []byte("<html>captive portal</html>") },
	} {
		t.Run(name, func(t *testing.T) {
			bin, cache := alone(t)
			fakeGo(t, bin, "")
			downloadsFrom(t, answer)
			f := newFinder(cache, nil)

			path, err := f.find(t.Context())
			require.NoError(t, err)
			assert.Equal(t, f.builtPath(), path)
		})
	}
}

func TestAnUnreachableDownloadHostIsNoHang(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, reachDownloads(ctx), context.Canceled)
}

func archive(t *testing.T, name, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	tarred := tar.NewWriter(zipped)
	require.NoError(t, tarred.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}))
	_, err := tarred.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, tarred.Close())
	require.NoError(t, zipped.Close())
	return packed.Bytes()
}

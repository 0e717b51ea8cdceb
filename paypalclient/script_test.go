package paypalclient

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// step is what the scripted PayPal does with one request.
type step func(*script, *http.Request) (*http.Response, error)

// script plays PayPal as a RoundTripper: one list of steps for the API, one for the token endpoint, which
// gives a token where its list has ended.
type script struct {
	t     testing.TB
	clock *fakeClock

	mu         sync.Mutex
	steps      []step
	tokenSteps []step
	requests   []seenRequest // to the API
	tokenCalls []seenRequest
}

type seenRequest struct {
	Method, Path string
	Header       http.Header
	Body         string
	At           time.Time
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	seen := seenRequest{Method: r.Method, Path: r.URL.EscapedPath(), Header: r.Header.Clone(), At: s.clock.Now()}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		require.NoError(s.t, err)
		seen.Body = string(body)
	}
	return s.take(seen)(s, r)
}

func (s *script) take(seen seenRequest) step {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen.Path == "/v1/oauth2/token" {
		s.tokenCalls = append(s.tokenCalls, seen)
		if len(s.tokenSteps) == 0 {
			return reply(200, tokenBody("A21-token"))
		}
		next := s.tokenSteps[0]
		s.tokenSteps = s.tokenSteps[1:]
		return next
	}
	s.requests = append(s.requests, seen)
	if len(s.steps) == 0 {
		s.t.Errorf("PayPal was asked once more than the script has answers: %s %s", seen.Method, seen.Path)
		return reply(599, "")
	}
	next := s.steps[0]
	s.steps = s.steps[1:]
	return next
}

func tokenBody(token string) string {
	return `{"access_token":"` + token + `","token_type":"Bearer","expires_in":32400,"scope":"x","app_id":"APP-1"}`
}

// reply answers; header is pairs of name and value.
func reply(status int, body string, header ...string) step {
	return func(_ *script, r *http.Request) (*http.Response, error) {
		return response(r, status, io.NopCloser(strings.NewReader(body)), header...), nil
	}
}

func response(r *http.Request, status int, body io.ReadCloser, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: body, ContentLength: -1, Request: r,
	}
}

// issue answers with PayPal's envelope and one issue a detail.
func issue(status int, issues ...string) step { return reply(status, envelope(issues...)) }

func envelope(issues ...string) string {
	details := make([]string, len(issues))
	for i, name := range issues {
		details[i] = `{"issue":"` + name + `","description":"text that may change","field":"/amount","value":"1"}`
	}
	return `{"name":"UNPROCESSABLE_ENTITY","message":"m","debug_id":"b1d1f06c7246c","details":[` +
		strings.Join(details, ",") + `],"links":[{"href":"https://developer.paypal.com/"}]}`
}

// lost breaks the connection after the request was sent.
func lost(_ *script, r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GetConn != nil {
		trace.GetConn("api:443")
		trace.GotConn(httptrace.GotConnInfo{})
	}
	return nil, errors.New("read tcp 10.1.2.3:443: connection reset by peer, token=SECRET-TOKEN")
}

// refused finds nobody listening.
func refused(_ *script, r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GetConn != nil {
		trace.GetConn("api:443")
	}
	return nil, errors.New("dial tcp 10.1.2.3:443: connection refused")
}

// hang answers nothing until the try's time is over.
func hang(s *script, r *http.Request) (*http.Response, error) {
	s.clock.Advance(10 * time.Second)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// slow takes its time before the next step.
func slow(d time.Duration, then step) step {
	return func(s *script, r *http.Request) (*http.Response, error) {
		s.clock.Advance(d)
		return then(s, r)
	}
}

// cutOff sends the first part of a body, then the connection ends.
func cutOff(status int, part string) step {
	return func(_ *script, r *http.Request) (*http.Response, error) {
		broken := io.MultiReader(strings.NewReader(part), brokenReader{})
		return response(r, status, io.NopCloser(broken)), nil
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// during runs f while the request is on its way.
func during(f func(), then step) step {
	return func(s *script, r *http.Request) (*http.Response, error) {
		f()
		return then(s, r)
	}
}

// cancelled ends as a transport does whose request's context was cancelled after sending.
func cancelled(cancel context.CancelFunc) step {
	return during(cancel, func(_ *script, r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
}

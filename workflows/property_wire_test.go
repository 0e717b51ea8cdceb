package workflows_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"gavel/paypalclient"
	"gavel/testsuite/fakepaypal/fake"
)

// wire stands between the client and PayPal. It looks at the books at the moment
// when a money call is sent, and lets a call reach PayPal late.
type wire struct {
	w    *world
	base *http.Transport

	mu    sync.Mutex
	count map[call]int // calls so far; Nth is 0 in the keys
	sent  []sent
}

// sent is a call as it was sent.
type sent struct {
	call
	at        time.Duration
	resource  string
	requestID string
	body      string
	status    int // 0: no answer
	said      string
	doubtful  bool // what came back says neither yes nor that nothing was done
}

func newWire(w *world) *wire {
	return &wire{w: w, base: paypalclient.DefaultTransport(), count: map[call]int{}}
}

// CloseIdleConnections is called by the client when it is closed.
func (x *wire) CloseIdleConnections() { x.base.CloseIdleConnections() }

// RoundTrip sends a request, unless it is to arrive late.
func (x *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	op, resource := operationOf(r)
	if op == fake.OpToken {
		return x.base.RoundTrip(r)
	}
	body := bodyOf(r)
	s := sent{call: x.number(op, resource), at: x.w.since(), resource: resource, requestID: r.Header.Get("PayPal-Request-Id"), body: string(body)}
	if moves(op) {
		x.w.checkAtCall(s)
	}
	for _, e := range x.w.scenario.Events {
		if e.On == s.call && s.at < x.w.scenario.ClearAt {
			x.w.do(e)
		}
	}
	if by := x.lateBy(s.call); by > 0 {
		x.w.note("%s %s: sent, and arrives %s later", op, resource, by)
		x.add(s, nil, nil)
		x.w.at(x.w.now().Add(by), "late", func() { x.deliver(r, body, op) })
		return nil, errors.New("connection reset")
	}
	response, err := x.base.RoundTrip(r)
	if err != nil {
		x.add(s, nil, nil)
		return response, err
	}
	answer, readErr := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(answer), failing{readErr}))
	x.add(s, response, answer)
	return response, nil
}

// add notes a call with its answer.
func (x *wire) add(s sent, response *http.Response, answer []byte) {
	if response != nil {
		s.status = response.StatusCode
	}
	s.doubtful, s.said = doubtful(s, answer), issueOf(answer)
	x.w.note("%s %s %s %s -> %d %s", s.Op, s.resource, s.requestID, s.body, s.status, s.said)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sent = append(x.sent, s)
}

func (x *wire) calls() []sent {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]sent(nil), x.sent...)
}

// doubtful: a clock may start with this answer.
func doubtful(s sent, answer []byte) bool {
	switch {
	case s.status == http.StatusTooManyRequests, s.status == http.StatusUnauthorized:
		return false
	case !moves(s.Op) && s.status == http.StatusOK:
		return bytes.Contains(answer, []byte("SOMETHING_NEW")) || !bytes.Contains(answer, []byte(`"create_time"`)) || !bytes.HasSuffix(bytes.TrimSpace(answer), []byte("}"))
	default:
		return true
	}
}

// number counts the calls of an operation on a bidder's hold.
func (x *wire) number(op fake.Operation, resource string) call {
	of := call{Op: op, Bidder: x.w.rankOf(resource)}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.count[of]++
	of.Nth = x.count[of]
	return of
}

func (x *wire) lateBy(c call) time.Duration {
	for _, l := range x.w.scenario.Late {
		if l.Call == c && x.w.since() < x.w.scenario.ClearAt {
			return l.By
		}
	}
	return 0
}

// deliver lets a request reach PayPal that nobody waits for any more.
func (x *wire) deliver(r *http.Request, body []byte, op fake.Operation) {
	late, err := http.NewRequest(r.Method, r.URL.String(), bytes.NewReader(body))
	x.w.must(err)
	late.Header = r.Header.Clone()
	response, err := x.base.RoundTrip(late)
	if err != nil {
		x.w.note("late %s: %v", op, err)
		return
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	x.w.note("late %s -> %d %s", op, response.StatusCode, issueOf(answer))
}

// moves: money calls, which the kill switch stops.
func moves(op fake.Operation) bool {
	return op == fake.OpCaptureAuthorization || op == fake.OpVoidAuthorization || op == fake.OpReauthorize
}

func operationOf(r *http.Request) (op fake.Operation, resource string) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) < 4 {
		return fake.OpToken, ""
	}
	kind, id, verb := parts[2], parts[3], strings.Join(parts[4:], "/")
	switch {
	case kind == "orders":
		return fake.OpGetOrder, id
	case kind == "captures":
		return fake.OpGetCapture, id
	case verb == "":
		return fake.OpGetAuthorization, id
	}
	return fake.Operation(map[string]fake.Operation{
		"capture": fake.OpCaptureAuthorization, "void": fake.OpVoidAuthorization, "reauthorize": fake.OpReauthorize,
	}[verb]), id
}

func bodyOf(r *http.Request) []byte {
	if r.Body == nil {
		return nil
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// failing fails as the answer's body did.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// issueOf is what an answer says, in a word.
func issueOf(answer []byte) string {
	var said struct {
		Status  string
		Details []struct{ Issue string }
	}
	if json.Unmarshal(answer, &said) == nil && len(said.Details) > 0 {
		return said.Details[0].Issue
	}
	return said.Status
}

package fake_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

const (
	day        = 24 * time.Hour
	holdID     = "0VF52814937998046"
	orderID    = "5O190127TN364715T"
	holdPath   = "/v2/payments/authorizations/" + holdID
	orderPath  = "/v2/checkout/orders/" + orderID
	wholeThing = "return=representation"
)

// clock is moved by the test alone.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// api is a client that knows nothing but HTTP.
type api struct {
	t     testing.TB
	base  string
	token string
	http  *http.Client
}

func connect(t testing.TB, s *fake.Server) *api {
	a := &api{t: t, base: s.URL(), http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	a.login()
	return a
}

// start is a fake with one hold of 100.00 USD on an order.
func start(t testing.TB, options ...fake.Options) (*fake.Server, *api) {
	s := fake.Start(t, options...)
	s.AddHold(fake.Hold{AuthorizationID: holdID, OrderID: orderID, Currency: "USD", Amount: "100.00"})
	return s, connect(t, s)
}

func (a *api) login() {
	r := a.mint("demo", "demo")
	require.Equal(a.t, 200, r.status, r.text)
	a.token = r.at("access_token").(string)
}

func (a *api) mint(id, secret string) reply {
	req, err := http.NewRequest("POST", a.base+"/v1/oauth2/token", strings.NewReader("grant_type=client_credentials"))
	require.NoError(a.t, err)
	req.SetBasicAuth(id, secret)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return a.send(req)
}

type headers map[string]string

// call sends a request as a correct client does; headers override what it sets, "" takes one out.
func (a *api) call(method, path, body string, set headers) reply {
	req, err := http.NewRequest(method, a.base+path, strings.NewReader(body))
	require.NoError(a.t, err)
	req.Header.Set("Authorization", "Bearer "+a.token)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Prefer", wholeThing)
	}
	for name, value := range set {
		if value == "" {
			req.Header.Del(name)
			continue
		}
		req.Header.Set(name, value)
	}
	return a.send(req)
}

func (a *api) get(path string) reply { return a.call("GET", path, "", nil) }

func (a *api) post(path, body, requestID string) reply {
	return a.call("POST", path, body, headers{"PayPal-Request-Id": requestID})
}

func (a *api) send(req *http.Request) reply {
	res, err := a.http.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	r := reply{status: res.StatusCode, header: res.Header, text: string(text), err: err}
	_ = json.Unmarshal(text, &r.body) // a body that is no JSON stays nil
	return r
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	text   string
	body   map[string]any
	err    error
}

// at finds a value by a path like "links.0.rel".
func (r reply) at(path string) any {
	var node any = r.body
	for step := range strings.SplitSeq(path, ".") {
		switch at := node.(type) {
		case map[string]any:
			node = at[step]
		case []any:
			i := int(step[0] - '0')
			if i >= len(at) {
				return nil
			}
			node = at[i]
		default:
			return nil
		}
	}
	return node
}

// outcome is the issue of a refusal, else the status of the object.
func (r reply) outcome() any {
	if issue := r.at("details.0.issue"); issue != nil {
		return issue
	}
	return r.at("status")
}

// amount writes a capture body.
func amount(value string) string {
	return `{"amount":{"currency_code":"USD","value":"` + value + `"},"invoice_id":"gv1/spring/17","final_capture":true}`
}

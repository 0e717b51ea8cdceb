package paypalclient

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// maxBody bounds what is read of an answer.
const maxBody = 1 << 20

const userAgent = "gavel-paypalclient/1"

// call is one request to PayPal's API, the same on every try.
type call struct {
	op             Operation
	resource       string // id in the path
	method         string
	path           string // under the base URL, escaped
	requestID      string // PayPal-Request-Id; empty for reads
	representation bool   // ask for the full object
	body           []byte
	accept         func(answer) *Error // reads a 2xx; nil: as asked
}

// answer is what came back for one try.
type answer struct {
	status   int // 0: nothing came back
	header   http.Header
	debugID  string
	body     []byte
	tooLarge bool // the body is longer than maxBody
	cutOff   bool // the connection ended inside the body
	unsent   bool // no connection was made, so PayPal cannot have seen the request
}

// exchange sends one try and reads its answer.
func (c *core) exchange(ctx context.Context, call *call, token secret) answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := c.clock.AfterFunc(c.options.AttemptTimeout, cancel)
	defer stop()

	var connecting, connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { connecting.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	request, err := c.request(ctx, call, token)
	if err != nil {
		return answer{unsent: true}
	}
	response, err := c.options.Transport.RoundTrip(request)
	if err != nil {
		// Only a transport that reports its steps proves that no connection was there to write to.
		return answer{unsent: connecting.Load() && !connected.Load()}
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header, debugID: debugID(response.Header)}
	a.body, err = io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	a.cutOff = err != nil
	a.tooLarge = len(a.body) > maxBody
	return a
}

func (c *core) request(ctx context.Context, call *call, token secret) (*http.Request, error) {
	var body io.Reader
	if call.body != nil {
		body = bytes.NewReader(call.body)
	}
	request, err := http.NewRequestWithContext(ctx, call.method, c.baseURL+call.path, body)
	if err != nil {
		return nil, err
	}
	// Without GetBody net/http cannot send a body a second time behind our back.
	request.GetBody = nil
	request.Header.Set("Authorization", "Bearer "+token())
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	if call.method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json") // PayPal wants it without a body, too
		request.Header.Set("PayPal-Request-Id", call.requestID)
	}
	if call.representation {
		request.Header.Set("Prefer", "return=representation")
	}
	return request, nil
}

func debugID(header http.Header) string {
	return plainCode(header.Get("PayPal-Debug-Id"), maxDebugIDLength)
}

package paypalclient

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests use real connections, on loopback.

// serve starts a PayPal that gives tokens and leaves everything else to handler.
func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/oauth2/token" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, tokenBody("A21-token"))
			return
		}
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

// dialTo makes a client with the default transport and short waits.
func dialTo(t *testing.T, url string, change ...func(*Options)) *Client {
	options := Options{
		BaseURL: url, ClientID: "id", ClientSecret: "s3cret", BackoffMin: 1, BackoffMax: 1,
	}
	for _, f := range change {
		f(&options)
	}
	client, err := New(options)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func captureOn(c *Client) (Capture, error) {
	return c.CaptureAuthorization(context.Background(), CaptureAuthorizationRequest{
		AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(12000),
	})
}

// dropConnection closes the connection of a request that was read.
func dropConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func TestAllOperationsOverARealConnection(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + " " + r.URL.Path {
		case "GET /v2/payments/authorizations/" + holdID:
			_, _ = io.WriteString(w, authorizationBody)
		case "POST /v2/payments/authorizations/" + holdID + "/capture":
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, captureBody)
		case "POST /v2/payments/authorizations/" + holdID + "/void":
			w.WriteHeader(http.StatusNoContent)
		case "POST /v2/payments/authorizations/" + holdID + "/reauthorize":
			_, _ = io.WriteString(w, renewedBody)
		case "GET /v2/payments/captures/" + captureID:
			_, _ = io.WriteString(w, captureBody)
		case "GET /v2/checkout/orders/" + orderID:
			_, _ = io.WriteString(w, orderBody)
		case "POST /v2/checkout/orders/" + orderID + "/capture":
			_, _ = io.WriteString(w, capturedOrderBody)
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	})
	client := dialTo(t, server.URL+"/")
	for _, o := range operations {
		assert.NoError(t, o.call(context.Background(), client), o.op)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var elsewhere atomic.Int32
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer trap.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			redirect := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, trap.URL, status) }
			client := dialTo(t, serve(t, redirect).URL)
			_, err := captureOn(client)
			requireError(t, err, KindRejected, OutcomeUnknown)
			_, err = client.GetCapture(context.Background(), captureID)
			requireError(t, err, KindRejected, OutcomeUnknown)

			tokens := httptest.NewServer(http.HandlerFunc(redirect))
			defer tokens.Close()
			_, err = captureOn(dialTo(t, tokens.URL))
			requireError(t, err, KindAuthUnavailable, OutcomeNotRun)
		})
	}
	assert.Zero(t, elsewhere.Load())
}

func TestALostConnectionIsTriedAgainByTheClientOnlyAndIsCounted(t *testing.T) {
	var arrived atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) < 4 {
			_, _ = io.Copy(io.Discard, r.Body)
			dropConnection(w)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, captureBody)
	})
	var asked, tried atomic.Int32
	client := dialTo(t, server.URL, func(o *Options) {
		o.BeforeTry = func(context.Context, Operation) error { asked.Add(1); return nil }
		o.OnTry = func(try Try) {
			if try.Operation == OpCaptureAuthorization {
				tried.Add(1)
			}
		}
	})
	_, err := captureOn(client)
	require.NoError(t, err)
	assert.EqualValues(t, []int32{4, 4, 4}, []int32{arrived.Load(), asked.Load(), tried.Load()})
}

// A connection that was kept and that the server closes on the next request: net/http would repeat some
// requests by itself. A request that moves money is not among them.
func TestAKeptConnectionThatDiesHidesNoRequest(t *testing.T) {
	for _, o := range operations {
		if !o.op.MovesMoney() {
			continue
		}
		t.Run(string(o.op), func(t *testing.T) {
			var arrived atomic.Int32
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if r.Method == http.MethodGet {
					_, _ = io.WriteString(w, captureBody)
					return
				}
				arrived.Add(1)
				dropConnection(w)
			})
			client := dialTo(t, server.URL, func(o *Options) { o.Attempts = 1 })
			_, err := client.GetCapture(context.Background(), captureID)
			require.NoError(t, err, "the connection is open and kept now")
			e := requireError(t, o.call(context.Background(), client), KindNetwork, OutcomeUnknown)
			assert.True(t, e.MayHaveArrived)
			assert.EqualValues(t, 1, arrived.Load())
		})
	}
}

func TestNobodyListensMeansNothingArrived(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, captureBody) })
	client := dialTo(t, server.URL)
	_, err := client.GetCapture(context.Background(), captureID) // there is a token now
	require.NoError(t, err)
	client.core.options.Transport.(*http.Transport).CloseIdleConnections() // a kept one could be written to
	server.Close()
	_, err = captureOn(client)
	e := requireError(t, err, KindNetwork, OutcomeUnknown)
	assert.False(t, e.MayHaveArrived)
	assert.Equal(t, 4, e.Tries)
	assert.NotContains(t, e.Error(), "127.0.0.1")
	assert.NoError(t, errors.Unwrap(e), "no network error gets out")
}

func TestAFailedTLSHandshakeMeansNothingArrived(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	c := &core{
		baseURL: "https://" + listener.Addr().String(), clock: systemClock{},
		options: Options{Transport: DefaultTransport(), AttemptTimeout: time.Minute},
	}
	a := c.exchange(context.Background(), &call{op: OpVoidAuthorization, method: http.MethodPost, path: "/x"}, conceal("x"))
	assert.Zero(t, a.status)
	assert.True(t, a.unsent)
}

func TestABodyShorterThanAnnouncedIsNoSuccess(t *testing.T) {
	var arrived atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		arrived.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		conn, buffer, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		writeShort(buffer.Writer)
	})
	_, err := captureOn(dialTo(t, server.URL))
	e := requireError(t, err, KindUnreadable, OutcomeUnknown)
	assert.Equal(t, 201, e.Status)
	assert.EqualValues(t, 4, arrived.Load())
}

// writeShort sends a whole capture but announces one byte more.
func writeShort(w *bufio.Writer) {
	_, _ = fmt.Fprintf(w, "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(captureBody)+1, captureBody)
	_ = w.Flush()
}

func TestAnAnswerWithoutEndIsNotReadToIt(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		chunk := make([]byte, 64<<10)
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	_, err := captureOn(dialTo(t, server.URL))
	requireError(t, err, KindUnreadable, OutcomeUnknown)
}

func TestATryThatHangsIsCutAtItsTimeLimit(t *testing.T) {
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // until the client has gone
	})
	client := dialTo(t, server.URL, func(o *Options) { o.Attempts, o.AttemptTimeout = 2, 20*time.Millisecond })
	// The token must not fall under the short limit by chance on a slow machine.
	client.core.tokens.mint = func(context.Context) (minted, *Error) {
		return minted{value: conceal("x"), lifetime: time.Hour}, nil
	}
	_, err := captureOn(client)
	requireError(t, err, KindNetwork, OutcomeUnknown)
}

func TestTheDefaultTransportSpeaksHTTP1Only(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	transport := DefaultTransport()
	defer transport.CloseIdleConnections()
	transport.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	response, err := (&http.Client{Transport: transport}).Get(server.URL)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, 1, response.ProtoMajor)
}

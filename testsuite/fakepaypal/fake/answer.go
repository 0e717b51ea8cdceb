package fake

import (
	"encoding/json"
	"net"
	"net/http"
	"strconv"
)

// answer is what goes back to the client.
type answer struct {
	status     int
	body       map[string]any // nil: no body
	raw        []byte         // sent instead of body
	mediaType  string         // of raw
	retryAfter string
	half       bool // only half of the body
	reset      bool // the connection is reset: at once, or after half of the body
}

var resetAtOnce = &answer{reset: true}

// write sends the answer. It never returns when the connection is to be reset.
func (a *answer) write(w http.ResponseWriter) {
	if a.reset && !a.half {
		resetConnection(w)
	}
	payload, mediaType := a.payload()
	header := w.Header()
	if a.retryAfter != "" {
		header.Set("Retry-After", a.retryAfter)
	}
	if len(payload) > 0 {
		header.Set("Content-Type", mediaType)
	}
	full := len(payload)
	if a.half {
		payload = payload[:full/2]
	}
	if a.reset {
		header.Set("Content-Length", strconv.Itoa(full))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(payload) // a client that has left is no concern of PayPal's
	if a.reset {
		_ = http.NewResponseController(w).Flush()
		resetConnection(w)
	}
}

func (a *answer) payload() ([]byte, string) {
	if a.raw != nil {
		return a.raw, a.mediaType
	}
	if a.body == nil {
		return nil, ""
	}
	text, err := json.Marshal(a.body)
	if err != nil {
		panic(err) // maps of strings, numbers and lists always marshal
	}
	return text, "application/json"
}

// resetConnection ends the connection with a TCP reset, so that the client sees an error and not the end of an answer.
func resetConnection(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
	panic(http.ErrAbortHandler)
}

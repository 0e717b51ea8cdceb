package fake

import (
	"crypto/rand"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
)

// maxBody is more than any request that PayPal takes here.
const maxBody = 1 << 20

// call is one request on its way through the fake.
type call struct {
	op        Operation
	resource  string // id in the path
	requestID string
	represent bool // the whole object is wanted
	base      string
	debugID   string
	seq       uint64 // in the request log
	body      []byte
	print     string // of resource and body
	flags     []string

	amount    *money // nil: none given
	invoiceID string
	final     bool
	claimed   bool     // its request id is marked as in flight
	outcome   *Outcome // scripted; nil: money is taken
}

func newCall(op Operation, r *http.Request) *call {
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return &call{
		op: op, resource: r.PathValue("id"), requestID: r.Header.Get("PayPal-Request-Id"), represent: wantsRepresentation(r),
		base: scheme + r.Host, debugID: newDebugID(),
	}
}

func (c *call) readBody(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	c.body = body
	return err
}

func (c *call) helpPage() string {
	if c.op == OpGetOrder || c.op == OpCaptureOrder {
		return "https://developer.paypal.com/docs/api/orders/v2/"
	}
	return "https://developer.paypal.com/docs/api/payments/v2/"
}

func (c *call) key() requestKey { return requestKey{c.op, c.requestID} }

func (c *call) flag(text string) { c.flags = append(c.flags, text) }

func newDebugID() string {
	var b [7]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])[:13]
}

const idLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// newID makes an id as PayPal gives them to captures and authorizations: 17 capital letters and digits.
func newID() string {
	var b [17]byte
	_, _ = rand.Read(b[:]) // never fails
	return spell(b[:])
}

func spell(b []byte) string {
	var id strings.Builder
	for _, x := range b {
		id.WriteByte(idLetters[int(x)%len(idLetters)])
	}
	return id.String()
}

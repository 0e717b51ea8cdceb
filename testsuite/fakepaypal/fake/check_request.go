package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
)

const maxRequestID = 108

// check holds a request against PayPal's API description, as far as it can be judged without the book.
func (c *call) check(r *http.Request, o Options) *refusal {
	if c.op == OpToken {
		return c.checkToken(r, o)
	}
	if r.Method == http.MethodGet {
		return nil
	}
	if no := c.checkRequestID(); no != nil {
		return no
	}
	if no := c.checkMediaType(r); no != nil {
		return no
	}
	body, no := c.parseBody()
	if no != nil {
		return no
	}
	c.print = fingerprint(c.resource, body)
	switch c.op {
	case OpCaptureAuthorization:
		return c.checkCapture(body)
	case OpReauthorize:
		return c.checkAmount(body["amount"])
	}
	return nil
}

func (c *call) checkRequestID() *refusal {
	if c.requestID == "" {
		c.flag("no_request_id")
		return nil
	}
	issue := ""
	if len(c.requestID) > maxRequestID {
		issue = "INVALID_STRING_LENGTH"
	} else if strings.ContainsFunc(c.requestID, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
		issue = "INVALID_PARAMETER_SYNTAX"
	}
	if issue == "" {
		return nil
	}
	return &refusal{Status: http.StatusBadRequest, Details: []detail{{Issue: issue, Field: "PayPal-Request-Id", Value: c.requestID}}}
}

// checkMediaType wants JSON to be announced, by a capture without a body too: PayPal answers 415 otherwise
// (github.com/Omnimind-Ltd/paypal-sdk/issues/5). A void has no body and needs no type.
func (c *call) checkMediaType(r *http.Request) *refusal {
	if c.op == OpVoidAuthorization && len(c.body) == 0 {
		return nil
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return refuse(http.StatusUnsupportedMediaType)
	}
	return nil
}

type fields map[string]json.RawMessage

func (c *call) parseBody() (fields, *refusal) {
	if len(strings.TrimSpace(string(c.body))) == 0 {
		return nil, nil
	}
	var body fields
	if err := json.Unmarshal(c.body, &body); err != nil {
		return nil, refuse(http.StatusBadRequest, "MALFORMED_REQUEST_JSON")
	}
	return body, nil
}

// fingerprint tells one request from another, whatever the order of its fields.
func fingerprint(resource string, body fields) string {
	canonical := map[string]any{}
	for name, raw := range body {
		var value any
		_ = json.Unmarshal(raw, &value) // valid: it came out of the parser
		canonical[name] = value
	}
	text, _ := json.Marshal(canonical)
	sum := sha256.Sum256([]byte(resource + "\n" + string(text)))
	return hex.EncodeToString(sum[:])
}

func (c *call) checkCapture(body fields) *refusal {
	for _, limit := range []struct {
		name string
		most int
		into *string
	}{{"invoice_id", 127, &c.invoiceID}, {"note_to_payer", 255, new(string)}, {"soft_descriptor", 22, new(string)}} {
		if no := body.text(limit.name, "/"+limit.name, limit.most, limit.into); no != nil {
			return no
		}
	}
	if raw, ok := body["final_capture"]; ok && json.Unmarshal(raw, &c.final) != nil {
		return inBody(http.StatusBadRequest, "INVALID_PARAMETER_SYNTAX", "/final_capture", string(raw))
	}
	return c.checkAmount(body["amount"])
}

// text reads an optional string of limited length.
func (f fields) text(name, pointer string, most int, into *string) *refusal {
	raw, ok := f[name]
	if !ok {
		return nil
	}
	if json.Unmarshal(raw, into) != nil {
		return inBody(http.StatusBadRequest, "INVALID_PARAMETER_SYNTAX", pointer, string(raw))
	}
	if len([]rune(*into)) > most {
		return inBody(http.StatusBadRequest, "INVALID_STRING_MAX_LENGTH", pointer, *into)
	}
	return nil
}

func (c *call) checkAmount(raw json.RawMessage) *refusal {
	if raw == nil {
		return nil
	}
	var amount fields
	if json.Unmarshal(raw, &amount) != nil {
		return inBody(http.StatusBadRequest, "INVALID_PARAMETER_SYNTAX", "/amount", string(raw))
	}
	for _, name := range []string{"currency_code", "value"} {
		if _, ok := amount[name]; !ok {
			return inBody(http.StatusBadRequest, "MISSING_REQUIRED_PARAMETER", "/amount/"+name, "")
		}
	}
	var currency, value string
	if no := amount.text("currency_code", "/amount/currency_code", 3, &currency); no != nil {
		return no
	}
	if len(currency) != 3 {
		return inBody(http.StatusBadRequest, "INVALID_STRING_LENGTH", "/amount/currency_code", currency)
	}
	// PayPal takes a bare number for an amount. No client should count on it, so the request log says so.
	var number json.Number
	if value = string(amount["value"]); value[0] != '"' && json.Unmarshal(amount["value"], &number) == nil {
		c.flag("amount_is_a_number")
	} else if no := amount.text("value", "/amount/value", 32, &value); no != nil {
		return no
	}
	if !amountSyntax.MatchString(value) {
		return inBody(http.StatusBadRequest, "INVALID_PARAMETER_SYNTAX", "/amount/value", value)
	}
	parsed, issue := parseMoney(currency, value)
	if issue != "" {
		return inBody(http.StatusUnprocessableEntity, issue, "/amount/value", value)
	}
	c.amount = &parsed
	return nil
}

package paypalclient

import (
	"strings"
	"unicode/utf8"
)

// Bounds on what PayPal's answers may put into an error, a log line or a workflow history.
const (
	maxNameLength    = 64
	maxDebugIDLength = 64
	maxIssues        = 10
)

// clip cuts s to at most max bytes without splitting a character.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max]
}

// plainCode keeps of s what a code of PayPal's is made of, letters, digits, "_", "-" and ".", up to max bytes.
func plainCode(s string, max int) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '-', r == '.':
			return r
		}
		return -1
	}, clip(s, 4*max))
	return clip(kept, max)
}

// validID reports whether s can be the id of an authorization, a capture or an order (Orders v2 reference:
// 1 to 36 characters of [A-Z0-9]).
func validID(s string) bool {
	if len(s) == 0 || len(s) > 36 {
		return false
	}
	for _, b := range []byte(s) {
		if (b < 'A' || b > 'Z') && (b < '0' || b > '9') {
			return false
		}
	}
	return true
}

// validRequestID reports whether s can be a PayPal-Request-Id: 1 to 108 visible ASCII characters (Orders v2
// reference; Payments v2 allows more).
func validRequestID(s string) bool {
	if len(s) == 0 || len(s) > 108 {
		return false
	}
	for _, b := range []byte(s) {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return true
}

// validInvoiceID reports whether s can be an invoice id: 1 to 127 characters (Payments v2 reference), without
// control characters.
func validInvoiceID(s string) bool {
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= 127 && !hasControl(s)
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 })
}

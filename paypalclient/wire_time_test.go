package paypalclient

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTimesAsPayPalMayWriteThem(t *testing.T) {
	at := func(sec, nsec int) time.Time { return time.Date(2026, 12, 31, 23, 59, sec, nsec, time.UTC) }
	rows := map[string]time.Time{
		"2026-12-31T23:59:58Z":             at(58, 0),
		"2026-12-31t23:59:58z":             at(58, 0),
		"2026-12-31T23:59:58.25Z":          at(58, 250e6),
		"2026-12-31T23:59:58.123456789Z":   at(58, 123456789),
		"2027-01-01T00:59:58+01:00":        at(58, 0),
		"2026-12-31t18:59:58.5-05:00":      at(58, 500e6),
		"2026-12-31T23:59:60Z":             at(60, 0),
		"2026-12-31t23:59:60.5z":           at(60, 500e6),
		"2027-01-01T00:59:60+01:00":        at(60, 0),
		"2026-12-31T23:59Z":                {},
		"2026-12-31T23:59:61Z":             {},
		"2026-02-30T00:00:00Z":             {},
		"2026-12-31 23:59:58Z":             {},
		"2026-12-31T23:59:58":              {},
		"1798761598":                       {},
		"":                                 {},
		"x" + strings.Repeat("0", 1000):    {},
		"2026-12-31T23:59:58Z" + "\x00":    {},
		":60:60:60:60:60:60:60:60:60:60:6": {},
	}
	for text, want := range rows {
		assert.True(t, want.Equal(readTime(text)), "%q: %v", text, readTime(text))
	}
}

func TestIDsInLinks(t *testing.T) {
	rows := map[string]string{
		"https://api-m.paypal.com/v2/checkout/orders/" + orderID:              orderID,
		"https://api.sandbox.paypal.com/v2/checkout/orders/" + orderID + "?x": orderID,
		"https://www.sandbox.paypal.com/v2/checkout/orders/lower":             "",
		"https://api-m.paypal.com/v2/checkout/orders/" + orderID + "/capture": "",
		"https://api-m.paypal.com/v2/payments/authorizations/" + holdID:       "",
		"/orders/" + orderID: "",
		"orders/" + orderID:  "",
		"::%":                "",
		"":                   "",
	}
	for href, want := range rows {
		assert.Equal(t, want, linkedID(href, "orders"), href)
	}
}

package paypalclient

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// currencyGolden is PayPal's list: an amount of 10,000 and a bit in each currency, as PayPal takes it.
var currencyGolden = map[string]struct {
	minor int64
	value string
}{
	"AUD": {1000005, "10000.05"}, "BRL": {1000005, "10000.05"}, "CAD": {1000005, "10000.05"},
	"CHF": {1000005, "10000.05"}, "CNY": {1000005, "10000.05"}, "CZK": {1000005, "10000.05"},
	"DKK": {1000005, "10000.05"}, "EUR": {1000005, "10000.05"}, "GBP": {1000005, "10000.05"},
	"HKD": {1000005, "10000.05"}, "HUF": {10000, "10000"}, "ILS": {1000005, "10000.05"},
	"INR": {1000005, "10000.05"}, "JPY": {10000, "10000"}, "MXN": {1000005, "10000.05"},
	"MYR": {1000005, "10000.05"}, "NOK": {1000005, "10000.05"}, "NZD": {1000005, "10000.05"},
	"PHP": {1000005, "10000.05"}, "PLN": {1000005, "10000.05"}, "SEK": {1000005, "10000.05"},
	"SGD": {1000005, "10000.05"}, "THB": {1000005, "10000.05"}, "TWD": {10000, "10000"},
	"USD": {1000005, "10000.05"},
}

func TestEveryCurrencyIsSentWithPayPalsOwnDecimals(t *testing.T) {
	assert.Len(t, exponents, len(currencyGolden))
	for currency, golden := range currencyGolden {
		t.Run(currency, func(t *testing.T) {
			amount, err := ParseMoney(currency, golden.value)
			require.NoError(t, err)
			assert.Equal(t, Money{currency, golden.minor}, amount)

			body := with(captureBody, `"USD"`, `"`+currency+`"`, `120.00`, golden.value)
			b := newBench(t, []step{reply(201, body)})
			capture, err := b.CaptureAuthorization(context.Background(), CaptureAuthorizationRequest{
				AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: amount,
			})
			require.NoError(t, err)
			assert.Equal(t, amount, capture.Amount)
			var sent struct {
				Amount struct {
					Code  string `json:"currency_code"`
					Value string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(b.paypal.requests[0].Body), &sent))
			assert.Equal(t, currency, sent.Amount.Code)
			assert.Equal(t, golden.value, sent.Amount.Value)
		})
	}
}

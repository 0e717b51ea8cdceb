package paypalclient

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAmountsAsPeopleWriteThem(t *testing.T) {
	rows := []struct {
		currency, value string
		minor           int64
	}{
		{"USD", "120.00", 12000}, {"USD", "0.01", 1}, {"USD", "0.50", 50}, {"EUR", "1.05", 105},
		{"USD", "999999999999999.99", 99999999999999999}, {"JPY", "100", 100}, {"JPY", "1", 1},
		{"HUF", "10000", 10000}, {"TWD", "999999999999999", 999999999999999},
	}
	for _, row := range rows {
		m, err := ParseMoney(row.currency, row.value)
		require.NoError(t, err, row)
		assert.Equal(t, Money{row.currency, row.minor}, m)
		assert.Equal(t, row.value, m.Value())
		assert.Equal(t, row.value+" "+row.currency, m.String())
	}
}

func TestAmountsThatAreRefused(t *testing.T) {
	values := map[string][]string{
		"USD": {
			"", " ", "1", "1.", "1.0", "1.000", "1.005", ".50", "-1.00", "+1.00", "0.00", "00.01", "01.00",
			"1e3", "1E2", "1e3.00", "1,000.00", "1 000.00", " 1.00", "1.00 ", "1.00\n", "NaN", "Inf", "0x1.00",
			"1_0.00", "1.0.0", "1..00", "1.-1", "1.+1", "١.٠٠", "１.００", "1000000000000000.00", "99999999999999999999.00",
			"$1.00", "1.00USD",
		},
		"JPY": {"", "1.0", "1.00", "100.", "0", "-1", "1e3", "01", "1000000000000000"},
		"HUF": {"100.00", "100.0"},
		"TWD": {"100.00"},
		"":    {"1.00"}, "usd": {"1.00"}, "XTS": {"1.00"}, "TND": {"1.000", "1.00"}, "USDX": {"1.00"}, "RUB": {"1.00"},
	}
	for currency, list := range values {
		for _, value := range list {
			_, err := ParseMoney(currency, value)
			var refusal *MoneyError
			require.ErrorAs(t, err, &refusal, "%s %q", currency, value)
			assert.Equal(t, currency, refusal.Currency)
			assert.NotEmpty(t, refusal.Rule)
		}
	}
}

func TestAmountsAsPayPalSendsThem(t *testing.T) {
	same := map[string][]string{
		"USD": {"100.00", "100", "100.0", "100.000", "0100.00", "100.0000000000000000000000000000"},
		"JPY": {"10000", "10000.00", "10000.0", "010000"},
	}
	for currency, values := range same {
		for _, value := range values {
			var m Money
			require.NoError(t, json.Unmarshal([]byte(`{"value":"`+value+`","currency_code":"`+currency+`","x":1}`), &m), value)
			assert.Equal(t, Money{currency, 10000}, m, value)
		}
	}
	for value, minor := range map[string]int64{".5": 50, "0": 0, "0.00": 0, "999999999999999.99": 99999999999999999} {
		m, err := readMoney("USD", value)
		require.NoError(t, err, value)
		assert.Equal(t, usd(minor), m)
	}
}

func TestAmountsThatAreNotTakenFromPayPal(t *testing.T) {
	bodies := []string{
		`{"currency_code":"USD","value":100}`, `{"currency_code":"USD","value":100.00}`, `{"currency_code":"USD","value":null}`,
		`{"currency_code":"USD"}`, `{"value":"1.00"}`, `{"currency_code":null,"value":"1.00"}`, `{}`, `[]`, `"1.00"`, `1`,
		`{"currency_code":"USD","value":"-1.00"}`, `{"currency_code":"USD","value":"-0.00"}`, `{"currency_code":"USD","value":"1.001"}`,
		`{"currency_code":"JPY","value":"1.5"}`, `{"currency_code":"USD","value":"1e3"}`, `{"currency_code":"USD","value":"+1"}`,
		`{"currency_code":"USD","value":"1."}`, `{"currency_code":"USD","value":"."}`, `{"currency_code":"USD","value":""}`,
		`{"currency_code":"USD","value":" 1"}`, `{"currency_code":"USD","value":"NaN"}`, `{"currency_code":"usd","value":"1"}`,
		`{"currency_code":"XTS","value":"1"}`, `{"currency_code":"USD","value":"1000000000000000"}`,
		`{"currency_code":"USD","value":"100.000000000000000000000000000000000"}`,
	}
	for _, body := range bodies {
		m := usd(7)
		var refusal *MoneyError
		require.ErrorAs(t, json.Unmarshal([]byte(body), &m), &refusal, body)
		assert.Equal(t, usd(7), m, "left as it was by %s", body)
	}
}

func TestAmountsInJSONAreStrings(t *testing.T) {
	rows := map[string]Money{
		`{"currency_code":"USD","value":"120.00"}`: usd(12000),
		`{"currency_code":"USD","value":"0.05"}`:   usd(5),
		`{"currency_code":"USD","value":"0.00"}`:   usd(0),
		`{"currency_code":"JPY","value":"12000"}`:  {"JPY", 12000},
		`null`: {},
	}
	for text, m := range rows {
		got, err := json.Marshal(m)
		require.NoError(t, err)
		assert.Equal(t, text, string(got))
		back := usd(1)
		require.NoError(t, json.Unmarshal(got, &back))
		assert.Equal(t, m, back)
	}
	for _, m := range []Money{{"XTS", 1}, {"", 1}, usd(-1)} {
		_, err := json.Marshal(m)
		var refusal *MoneyError
		assert.ErrorAs(t, err, &refusal)
	}
}

func TestAmountsInSentences(t *testing.T) {
	assert.Equal(t, "no amount", Money{}.String())
	assert.Equal(t, "-0.05 USD", usd(-5).String())
	assert.Equal(t, `5 minor units of "XTS"`, Money{"XTS", 5}.String())
	assert.Empty(t, Money{"XTS", 5}.Value())
	assert.True(t, Money{}.IsZero())
	assert.False(t, usd(0).IsZero())
}

func TestSums(t *testing.T) {
	sum, err := usd(120).Add(usd(5))
	require.NoError(t, err)
	assert.Equal(t, usd(125), sum)
	for _, pair := range [][2]Money{
		{usd(1), {"EUR", 1}}, {usd(math.MaxInt64), usd(1)}, {usd(math.MinInt64), usd(-1)}, {usd(1), {}},
	} {
		_, err := pair[0].Add(pair[1])
		var refusal *MoneyError
		assert.ErrorAs(t, err, &refusal, pair)
	}
}

func TestACaptureIsNeverAboveItsHold(t *testing.T) {
	require.NoError(t, CheckCeiling(usd(15000), usd(15000)))
	require.NoError(t, CheckCeiling(usd(15000), usd(1)))
	for _, capture := range []Money{usd(15001), usd(17250), {"EUR", 1}} {
		var refusal *MoneyError
		assert.ErrorAs(t, CheckCeiling(usd(15000), capture), &refusal)
	}
}

func TestARefusedAmountIsNamedInItsError(t *testing.T) {
	_, err := ParseMoney("USD", "1.005")
	assert.EqualError(t, err, `amount "1.005" in currency "USD": must be written as digits with exactly 2 decimals`)
	_, err = ParseMoney("USD", strings.Repeat("é", 1000))
	assert.Less(t, len(err.Error()), 200)
}

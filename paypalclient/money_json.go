package paypalclient

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// maxValueLength is PayPal's limit on the text of an amount (Payments v2 reference, money.value).
const maxValueLength = 32

type wireMoney struct {
	CurrencyCode string `json:"currency_code"`
	Value        string `json:"value"`
}

// MarshalJSON writes {"currency_code":"USD","value":"120.00"}, the value always a string; the zero value is
// null. An amount that PayPal could not take is a [*MoneyError].
func (m Money) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	if _, ok := Decimals(m.Currency); !ok {
		return nil, moneyError(m.Currency, strconv.FormatInt(m.Minor, 10), "PayPal does not take this currency")
	}
	if m.Minor < 0 {
		return nil, moneyError(m.Currency, m.Value(), "must not be negative")
	}
	return json.Marshal(wireMoney{CurrencyCode: m.Currency, Value: m.Value()})
}

// UnmarshalJSON reads an amount as PayPal sends it, numerically: "100", "100.0" and "100.00" are one amount
// in USD. More decimals than the currency has are taken only if they are zeros. The value must be a JSON
// string; negative amounts, other forms and currencies that PayPal does not take are refused.
func (m *Money) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*m = Money{}
		return nil
	}
	var wire wireMoney
	if err := json.Unmarshal(data, &wire); err != nil {
		return moneyError("", string(data), `must be {"currency_code": "...", "value": "..."} with the value as a string`)
	}
	read, err := readMoney(wire.CurrencyCode, wire.Value)
	if err != nil {
		return err
	}
	*m = read
	return nil
}

// readMoney is the numeric reading behind UnmarshalJSON. What PayPal may send is wider than what people may
// write: "1", "1.0", ".50" and "01.00" (Payments v2 reference, money.value, pattern).
func readMoney(currency, value string) (Money, error) {
	decimals, ok := Decimals(currency)
	if !ok {
		return Money{}, moneyError(currency, value, "PayPal does not take this currency")
	}
	whole, fraction, hasPoint := strings.Cut(value, ".")
	wellFormed := digitsOrEmpty(whole) && digitsOrEmpty(fraction) && (whole != "" || hasPoint) && (!hasPoint || fraction != "")
	if !wellFormed || len(value) > maxValueLength {
		return Money{}, moneyError(currency, value, "is not an amount that PayPal sends")
	}
	if len(fraction) > decimals {
		if strings.Trim(fraction[decimals:], "0") != "" {
			return Money{}, moneyError(currency, value, "has more decimals than the currency")
		}
		fraction = fraction[:decimals]
	}
	fraction += strings.Repeat("0", decimals-len(fraction))
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > maxIntegerDigits {
		return Money{}, moneyError(currency, value, "is too large")
	}
	minor, err := strconv.ParseInt("0"+whole+fraction, 10, 64)
	if err != nil {
		return Money{}, moneyError(currency, value, "is too large")
	}
	return Money{Currency: currency, Minor: minor}, nil
}

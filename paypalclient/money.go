package paypalclient

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxIntegerDigits is PayPal's limit on the digits before the decimal point (Orders v2 reference,
// purchase_unit_request.amount: 999999999999999.99 at most).
const maxIntegerDigits = 15

// Money is an amount in a currency's smallest unit, with PayPal's number of decimals: 12000 USD is "120.00",
// 12000 JPY is "12000". Two amounts are equal exactly if == says so. The zero value is "no amount"; in JSON
// it is null.
type Money struct {
	Currency string // ISO 4217 code in upper case, one that PayPal takes
	Minor    int64  // in units of 10^-Decimals(Currency)
}

// MoneyError says why an amount was refused.
type MoneyError struct {
	Currency string // as given, bounded
	Value    string // as given, bounded
	Rule     string // what is required
}

func (e *MoneyError) Error() string {
	return fmt.Sprintf("amount %q in currency %q: %s", e.Value, e.Currency, e.Rule)
}

func moneyError(currency, value, rule string) *MoneyError {
	return &MoneyError{Currency: clip(currency, 16), Value: clip(value, 40), Rule: rule}
}

// ParseMoney reads an amount as people must write it: digits only, exactly the currency's own number of
// decimals ("120.00" in USD, "100" in JPY), above zero, no leading zeros, at most 15 digits before the point.
// A refusal is a [*MoneyError].
func ParseMoney(currency, value string) (Money, error) {
	decimals, ok := Decimals(currency)
	if !ok {
		return Money{}, moneyError(currency, value, "PayPal does not take this currency")
	}
	whole, fraction, hasPoint := strings.Cut(value, ".")
	switch {
	case !allDigits(whole) || hasPoint != (decimals > 0) || len(fraction) != decimals || !digitsOrEmpty(fraction):
		return Money{}, moneyError(currency, value, fmt.Sprintf("must be written as digits with exactly %d decimals", decimals))
	case len(whole) > maxIntegerDigits:
		return Money{}, moneyError(currency, value, fmt.Sprintf("must have at most %d digits before the decimal point", maxIntegerDigits))
	case len(whole) > 1 && whole[0] == '0':
		return Money{}, moneyError(currency, value, "must not start with a zero")
	}
	minor, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil {
		return Money{}, moneyError(currency, value, "is too large")
	}
	if minor == 0 {
		return Money{}, moneyError(currency, value, "must be above zero")
	}
	return Money{Currency: currency, Minor: minor}, nil
}

// IsZero reports whether m is the zero value, "no amount". An amount of 0.00 USD is not.
func (m Money) IsZero() bool { return m == Money{} }

// Value is the amount as PayPal takes it, without the currency: "120.00". It is empty for the zero value and
// for a currency that PayPal does not take.
func (m Money) Value() string {
	decimals, ok := Decimals(m.Currency)
	if !ok {
		return ""
	}
	digits := strconv.FormatInt(m.Minor, 10)
	if decimals == 0 {
		return digits
	}
	sign := ""
	if m.Minor < 0 {
		sign, digits = "-", digits[1:]
	}
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - decimals
	return sign + digits[:point] + "." + digits[point:]
}

// String is the amount for people: "120.00 USD".
func (m Money) String() string {
	if m.IsZero() {
		return "no amount"
	}
	if value := m.Value(); value != "" {
		return value + " " + m.Currency
	}
	return fmt.Sprintf("%d minor units of %q", m.Minor, clip(m.Currency, 16))
}

// Add returns the sum. It refuses two currencies and a sum that does not fit.
func (m Money) Add(other Money) (Money, error) {
	if m.Currency != other.Currency {
		return Money{}, moneyError(other.Currency, other.Value(), "cannot be added to an amount in "+clip(m.Currency, 16))
	}
	if other.Minor > 0 && m.Minor > math.MaxInt64-other.Minor || other.Minor < 0 && m.Minor < math.MinInt64-other.Minor {
		return Money{}, moneyError(other.Currency, other.Value(), "makes a sum that is too large")
	}
	return Money{Currency: m.Currency, Minor: m.Minor + other.Minor}, nil
}

// CheckCeiling refuses a capture above its hold with a [*MoneyError]. PayPal may allow up to 115 % of a hold
// (Payments v2 reference, "Reauthorize authorized payment"); this is never used, since the bidder agreed to
// the hold and no more.
func CheckCeiling(hold, capture Money) error {
	switch {
	case hold.Currency != capture.Currency:
		return moneyError(capture.Currency, capture.Value(), "must be in the currency of its hold, "+clip(hold.Currency, 16))
	case capture.Minor > hold.Minor:
		return moneyError(capture.Currency, capture.Value(), "must not be above its hold of "+hold.String())
	}
	return nil
}

// payable reports whether m may be asked of PayPal.
func (m Money) payable() bool {
	if _, ok := Decimals(m.Currency); !ok || m.Minor <= 0 {
		return false
	}
	whole, _, _ := strings.Cut(m.Value(), ".")
	return len(whole) <= maxIntegerDigits
}

func allDigits(s string) bool { return s != "" && digitsOrEmpty(s) }

func digitsOrEmpty(s string) bool {
	for _, r := range []byte(s) {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

package fake

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// money is an amount in the currency's smallest unit.
type money struct {
	Currency string `json:"currency"`
	Minor    int64  `json:"minor"`
}

// decimals holds PayPal's own exponents. HUF and TWD have two decimals in ISO 4217 and none at PayPal
// (developer.paypal.com/api/rest/reference/currency-codes).
var decimals = map[string]int{
	"AUD": 2, "BRL": 2, "CAD": 2, "CNY": 2, "CZK": 2, "DKK": 2, "EUR": 2, "HKD": 2, "HUF": 0, "ILS": 2, "INR": 2, "JPY": 0, "MYR": 2,
	"MXN": 2, "NOK": 2, "NZD": 2, "PHP": 2, "PLN": 2, "GBP": 2, "SGD": 2, "SEK": 2, "CHF": 2, "TWD": 0, "THB": 2, "USD": 2,
}

// amountSyntax is what the schema of an amount allows; the business rules below are narrower.
var amountSyntax = regexp.MustCompile(`^-?([0-9]+|[0-9]*\.[0-9]+)$`)

const maxIntegerDigits = 15

// parseMoney applies the rules that PayPal answers with 422 and returns the issue, "" when there is none.
// The value has the schema's syntax.
func parseMoney(currency, value string) (money, string) {
	places, ok := decimals[currency]
	if !ok {
		return money{}, "INVALID_CURRENCY_CODE"
	}
	whole, fraction, hasPoint := strings.Cut(value, ".")
	switch {
	case strings.HasPrefix(value, "-"), strings.Trim(value, "0.") == "":
		return money{}, "CANNOT_BE_ZERO_OR_NEGATIVE"
	case hasPoint && places == 0:
		return money{}, "DECIMALS_NOT_SUPPORTED"
	case len(fraction) > places:
		return money{}, "DECIMAL_PRECISION"
	case len(strings.TrimLeft(whole, "0")) > maxIntegerDigits:
		return money{}, "MAX_VALUE_EXCEEDED"
	}
	minor, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", places-len(fraction)), 10, 64)
	if err != nil {
		return money{}, "INVALID_PARAMETER_SYNTAX"
	}
	return money{currency, minor}, ""
}

// value writes the amount with the currency's own decimals.
func (m money) value() string {
	places := decimals[m.Currency]
	if places == 0 {
		return strconv.FormatInt(m.Minor, 10)
	}
	return fmt.Sprintf("%d.%0*d", m.Minor/100, places, m.Minor%100)
}

func (m money) json() map[string]any {
	return map[string]any{"currency_code": m.Currency, "value": m.value()}
}

// ceiling is the most that can be taken from a hold: 115 % of it, and not more than 75 USD above it.
func (m money) ceiling() int64 {
	most := m.Minor + m.Minor*15/100
	if m.Currency == "USD" {
		most = min(most, m.Minor+7500)
	}
	return most
}

// amountOf reads an amount that the fake itself was given, for a hold or an order.
func amountOf(currency, value string) (money, error) {
	if !amountSyntax.MatchString(value) {
		return money{}, fmt.Errorf("amount %q is not a number like 120.00", value)
	}
	amount, issue := parseMoney(currency, value)
	if issue != "" {
		return money{}, fmt.Errorf("amount %s %s: %s", value, currency, issue)
	}
	return amount, nil
}

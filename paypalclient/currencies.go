package paypalclient

// exponents holds the number of decimals PayPal takes for each currency that it supports. These are PayPal's
// own and differ from ISO 4217 for HUF and TWD (PayPal REST reference, "Currency codes":
// https://developer.paypal.com/api/rest/reference/currency-codes/).
var exponents = map[string]int{
	"AUD": 2,
	"BRL": 2, // in-country accounts only
	"CAD": 2,
	"CHF": 2,
	"CNY": 2, // in-country accounts only
	"CZK": 2,
	"DKK": 2,
	"EUR": 2,
	"GBP": 2,
	"HKD": 2,
	"HUF": 0,
	"ILS": 2,
	"INR": 2, // in-country accounts only
	"JPY": 0,
	"MXN": 2,
	"MYR": 2, // in-country accounts only
	"NOK": 2,
	"NZD": 2,
	"PHP": 2,
	"PLN": 2,
	"SEK": 2,
	"SGD": 2,
	"THB": 2,
	"TWD": 0,
	"USD": 2,
}

// Decimals returns how many decimals PayPal takes in an amount of this currency. ok is false for a currency
// that PayPal does not take; codes are upper case.
func Decimals(currency string) (decimals int, ok bool) {
	decimals, ok = exponents[currency]
	return decimals, ok
}

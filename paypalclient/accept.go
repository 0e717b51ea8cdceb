package paypalclient

import "slices"

// acceptAuthorization reads a hold from a 2xx that is among the documented ones.
func acceptAuthorization(a answer, documented ...int) (Authorization, *Error) {
	return accept(a, documented, (*wirePayment).authorization)
}

// acceptCapture reads a capture from a 2xx that is among the documented ones.
func acceptCapture(a answer, documented ...int) (Capture, *Error) {
	return accept(a, documented, (*wirePayment).capture)
}

// acceptOrder reads an order from a 2xx that is among the documented ones.
func acceptOrder(a answer, documented ...int) (Order, *Error) {
	return accept(a, documented, (*wireOrder).order)
}

func accept[W, T any](a answer, documented []int, read func(*W) (T, error)) (T, *Error) {
	var none T
	if !slices.Contains(documented, a.status) {
		return none, newError(KindUnreadable, "a status that is not documented")
	}
	var wire W
	if err := decodeJSON(a.body, &wire); err != nil {
		return none, newError(KindUnreadable, err.Error())
	}
	value, err := read(&wire)
	if err != nil {
		return none, newError(KindUnreadable, err.Error())
	}
	return value, nil
}

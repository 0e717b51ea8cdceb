package fake

import "net/http"

// Refuse answers a call with a 4xx and these issues; nothing takes effect.
func Refuse(op Operation, resource string, status int, issues ...string) Fault {
	return Fault{Operation: op, Resource: resource, Status: status, Issues: issues}
}

// Decline answers a call with 422 and this issue; nothing takes effect.
func Decline(op Operation, resource, issue string) Fault {
	return Refuse(op, resource, http.StatusUnprocessableEntity, issue)
}

// Lose resets the connection before or after the call has taken effect.
func Lose(op Operation, resource string, when When) Fault {
	return Fault{Operation: op, Resource: resource, When: when, Drop: true}
}

// Break answers with a 5xx before or after the call has taken effect.
func Break(op Operation, resource string, when When, status int) Fault {
	return Fault{Operation: op, Resource: resource, When: when, Status: status}
}

// Limit answers 429; retryAfter is the header's value in seconds or as a date, "" sends none.
func Limit(op Operation, resource, retryAfter string) Fault {
	return Fault{Operation: op, Resource: resource, Status: http.StatusTooManyRequests, RetryAfter: retryAfter}
}

// Stop holds calls at the gate before or after they have taken effect.
func Stop(op Operation, resource string, when When, gate *Gate) Fault {
	return Fault{Operation: op, Resource: resource, When: when, Gate: gate}
}

// Spoil lets the call take effect and ruins the body of its answer.
func Spoil(op Operation, resource string, shape Shape) Fault {
	return Fault{Operation: op, Resource: resource, When: After, Shape: shape}
}

// Outcomes lets the call make a capture with this status and reason.
func Outcomes(op Operation, resource, status, reason string) Fault {
	return Fault{Operation: op, Resource: resource, Capture: &Outcome{Status: status, Reason: reason}}
}

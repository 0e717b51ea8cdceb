package paypalclient

import "encoding/json"

// wireError is what is read of an error body: PayPal's envelope (Payments v2 reference, error), or OAuth's,
// which the API answers with, too, when it does not know a token. Everything else in it is text that may
// change.
type wireError struct {
	Name    string `json:"name"`
	DebugID string `json:"debug_id"`
	Details []struct {
		Issue string `json:"issue"`
	} `json:"details"`
	OAuthError string `json:"error"`
}

// decodeError reads an error body; what is not one comes out empty.
func decodeError(body []byte) wireError {
	var wire wireError
	if json.Unmarshal(body, &wire) != nil {
		return wireError{}
	}
	return wire
}

// refusal classifies an answer that is not a 2xx. Only 400 and 422 are judged by their issues; every other
// status says enough by itself.
func refusal(op Operation, a answer) *Error {
	var wire wireError
	if !a.cutOff && !a.tooLarge {
		wire = decodeError(a.body)
	}
	e := newError(statusKind(op, a.status, wire), "")
	e.Status, e.DebugID = a.status, a.debugID
	if e.DebugID == "" {
		e.DebugID = plainCode(wire.DebugID, maxDebugIDLength)
	}
	e.Name = plainCode(wire.Name, maxNameLength)
	if e.Name == "" {
		e.Name = plainCode(wire.OAuthError, maxNameLength)
	}
	for _, detail := range wire.Details {
		if issue := plainCode(detail.Issue, maxNameLength); issue != "" && len(e.Issues) < maxIssues {
			e.Issues = append(e.Issues, issue)
		}
	}
	return e
}

func statusKind(op Operation, status int, wire wireError) Kind {
	switch {
	case status == 401:
		return KindAuthFailed
	case status == 403:
		return KindForbidden
	case status == 404:
		return KindNotFound
	case status == 429:
		return KindRateLimited
	case status >= 500 && status <= 599:
		return KindServerError
	case status == 400:
		return malformedKind(op, wire.issues())
	case status == 422:
		return unprocessableKind(op, wire.issues())
	}
	return KindRejected
}

// issues lists the fine codes as sent. An envelope without details may carry its code as the name.
func (w wireError) issues() []string {
	if len(w.Details) == 0 {
		return []string{w.Name}
	}
	issues := make([]string, len(w.Details))
	for i, detail := range w.Details {
		issues[i] = detail.Issue
	}
	return issues
}

package paypalclient

import "time"

// judge turns an answer into the try's failure, nil for success, and says whether to try again.
func (s *sending) judge(a answer) (failure *Error, again bool) {
	switch {
	case a.status == 0:
		return newError(KindNetwork, ""), true
	case a.status == 401 && !s.refused:
		failure = refusal(s.call.op, a)
		failure.Kind = KindAuthExpired
		return failure, true
	case a.status < 200 || a.status > 299:
		failure = refusal(s.call.op, a)
		failure.RetryAfter = retryAfter(a.header, s.clock.Now())
		return failure, retried[a.status]
	case a.cutOff:
		failure, again = newError(KindUnreadable, "cut off"), true
	case a.tooLarge:
		failure = newError(KindUnreadable, "too large")
	default:
		failure = s.call.accept(a)
	}
	if failure != nil {
		failure.Status, failure.DebugID = a.status, a.debugID
	}
	return failure, again
}

// retried lists the statuses that are tried again.
var retried = map[int]bool{429: true, 500: true, 502: true, 503: true, 504: true}

func (s *sending) report(a answer, took time.Duration) {
	if s.options.OnTry == nil {
		return
	}
	try := Try{
		Operation: s.call.op,
		Resource:  s.call.resource,
		RequestID: s.call.requestID,
		Number:    s.tries,
		Status:    a.status,
		DebugID:   a.debugID,
		Duration:  took,
	}
	if s.last != nil {
		try.Kind = s.last.Kind
	}
	s.options.OnTry(try)
}

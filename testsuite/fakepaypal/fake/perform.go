package fake

import (
	"net/http"
	"time"
)

// effect carries a call out on the book: what changes, and the id of the object to show.
type effect func(s *Server, c *call, now time.Time) (*change, string, *refusal)

var effects = map[Operation]effect{
	OpCaptureAuthorization: (*Server).captureHold,
	OpVoidAuthorization:    (*Server).voidHold,
	OpReauthorize:          (*Server).reauthorizeHold,
	OpCaptureOrder:         (*Server).captureOrder,
}

// perform answers a call truly: reads, replays, or takes effect.
func (s *Server) perform(c *call) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	if c.op == OpToken {
		return s.mint(c, now)
	}
	takeEffect, isWrite := effects[c.op]
	if !isWrite {
		return s.show(c, c.resource, now, http.StatusOK)
	}
	if earlier := s.book.recall(c.key(), now); earlier != nil && c.requestID != "" {
		return s.replay(c, earlier, now)
	}
	done, result, no := takeEffect(s, c, now)
	if no != nil && (c.requestID == "" || !s.options.KeepRefusals) {
		return no.answer(c)
	}
	if no != nil {
		done = &change{}
	}
	s.remember(c, done, result, no, now)
	if err := s.commit(done); err != nil {
		return refuse(http.StatusInternalServerError).answer(c)
	}
	if no != nil {
		return no.answer(c)
	}
	return s.show(c, result, now, http.StatusCreated)
}

// remember adds the call's request id to the change, so that effect and id are on disk together.
func (s *Server) remember(c *call, done *change, result string, no *refusal, now time.Time) {
	if c.requestID == "" {
		return
	}
	done.Requests = append(done.Requests, &remembered{
		Operation: c.op, ID: c.requestID, Print: c.print, Result: result, Refusal: no, Until: now.Add(s.options.idsKept(c.op)),
	})
}

// replay answers a request id that is known: with the present state of what its first request made, not with a copy
// of the first answer (developer.paypal.com/reference/guidelines/idempotency).
func (s *Server) replay(c *call, earlier *remembered, now time.Time) *answer {
	if earlier.Print != c.print {
		switch s.options.OtherBody {
		case OtherBody400:
			return refuse(http.StatusBadRequest, "DUPLICATE_REQUEST_ID").answer(c)
		case OtherBody422:
			return unprocessable("PAYPAL_REQUEST_ID_PREVIOUSLY_USED").answer(c)
		}
	}
	if earlier.Refusal != nil {
		return earlier.Refusal.answer(c)
	}
	return s.show(c, earlier.Result, now, http.StatusOK)
}

// show writes the object that an endpoint answers with. The caller holds the mutex.
func (s *Server) show(c *call, id string, now time.Time, status int) *answer {
	a := &answer{status: status}
	switch c.op {
	case OpGetCapture, OpCaptureAuthorization:
		if taken := s.book.Captures[id]; taken != nil {
			a.body = taken.json(c.base)
		}
	case OpGetOrder, OpCaptureOrder:
		if o := s.book.Orders[id]; o != nil && !o.lapsed(now, s.options.OrderLifetime) {
			a.body = s.orderJSON(o, now, c.base)
		}
	default:
		if h := s.book.Holds[id]; h != nil {
			a.body = h.at(now).json(c.base)
		}
	}
	if a.body == nil {
		return unknownID(id).answer(c)
	}
	if _, isWrite := effects[c.op]; !isWrite || c.represent {
		if c.op == OpVoidAuthorization {
			a.status = http.StatusOK
		}
		return a
	}
	if c.op == OpVoidAuthorization {
		return &answer{status: http.StatusNoContent}
	}
	a.body = minimal(a.body)
	return a
}

func minimal(body map[string]any) map[string]any {
	short := map[string]any{}
	for _, key := range []string{"id", "status", "links"} {
		if value, ok := body[key]; ok {
			short[key] = value
		}
	}
	return short
}

package fake

import (
	"context"
	"net/http"
	"time"
)

// endpoint answers the calls of one operation: admitted, checked, hit by a fault, carried out.
func (s *Server) endpoint(op Operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := newCall(op, r)
		w.Header().Set("PayPal-Debug-Id", c.debugID)
		// The body is read to its end first: only then does the context tell that the client has left.
		tooLong := c.readBody(w, r)
		c.seq = s.log.arrived(c, r, s.now())
		var a *answer
		var gate *Gate
		if tooLong != nil {
			a = refuse(http.StatusBadRequest, "MALFORMED_REQUEST_JSON").answer(c)
		} else {
			a, gate = s.serve(r, c)
		}
		if err := s.durable(); err != nil {
			a = refuse(http.StatusInternalServerError).answer(c)
		}
		s.log.answered(c, a)
		if gate != nil {
			gate.finish()
		}
		a.write(w)
	}
}

func (s *Server) serve(r *http.Request, c *call) (*answer, *Gate) {
	if no := s.admit(r); no != nil && c.op != OpToken {
		return no.answer(c), nil
	}
	if no := c.check(r, s.options); no != nil {
		return no.answer(c), nil
	}
	if !s.claim(c) {
		return refuse(http.StatusConflict, "PREVIOUS_REQUEST_IN_PROGRESS").answer(c), nil
	}
	defer s.unclaim(c)
	fault := s.takeFault(c)
	if fault == nil {
		return s.perform(c), nil
	}
	return s.suffer(r.Context(), c, fault), fault.Gate
}

// suffer carries a call out with a fault before or after its effect.
func (s *Server) suffer(ctx context.Context, c *call, f *Fault) *answer {
	if f.when() == Before {
		if !s.wait(ctx, f) {
			return resetAtOnce
		}
		if f.replaces() {
			return f.answer(c)
		}
	}
	c.outcome = f.Capture
	a := s.perform(c)
	// The effect is on the books: whoever asks again from now on gets it replayed, not "in progress".
	s.unclaim(c)
	if f.when() == After {
		if !s.wait(ctx, f) {
			return resetAtOnce
		}
		if f.replaces() {
			return f.answer(c)
		}
	}
	return f.spoil(a)
}

// wait passes the fault's delay and gate. It reports false when the call ends here: the server is closing, or the
// client has left and nobody asked for the effect to come late.
func (s *Server) wait(ctx context.Context, f *Fault) bool {
	left := ctx.Done()
	if f.Late && f.when() == Before {
		left = nil
	}
	if f.Gate != nil {
		f.Gate.arrive()
		select {
		case <-f.Gate.released:
		case <-left:
			return false
		case <-s.closing:
			return false
		}
	}
	if f.Delay <= 0 {
		return true
	}
	timer := time.NewTimer(f.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-left:
	case <-s.closing:
	}
	return false
}

// claim marks the call's request id as being worked on; false: it already is.
func (s *Server) claim(c *call) bool {
	if c.requestID == "" || !c.op.takesRequestID() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inFlight[c.key()] {
		return false
	}
	s.inFlight[c.key()] = true
	c.claimed = true
	return true
}

func (s *Server) unclaim(c *call) {
	if !c.claimed {
		return
	}
	c.claimed = false
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.inFlight, c.key())
}

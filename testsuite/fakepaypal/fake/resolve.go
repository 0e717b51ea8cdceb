package fake

import (
	"fmt"
	"time"
)

// Resolution is the later end of a capture.
type Resolution struct {
	Status   string `json:"status"`             // COMPLETED, DECLINED, FAILED, REFUNDED, PARTIALLY_REFUNDED, …
	Reason   string `json:"reason,omitempty"`   // status_details.reason
	Leaves   string `json:"leaves,omitempty"`   // status of the hold or order from then on; "" leaves it
	Refunded string `json:"refunded,omitempty"` // how much was given back; "" is all of it when the status is REFUNDED
}

// Resolve gives a capture another status, as a review, a bank or a refund does later.
func (s *Server) Resolve(captureID, status string) error {
	return s.ResolveWith(captureID, Resolution{Status: status})
}

// ResolveWith is Resolve with everything that may come with it.
func (s *Server) ResolveWith(captureID string, r Resolution) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.advance(now)
	c := s.book.Captures[captureID]
	if c == nil {
		return fmt.Errorf("no capture %q", captureID)
	}
	if r.Status == "" {
		return fmt.Errorf("a status is needed for capture %q", captureID)
	}
	return s.commit(s.resolve(c, r, now))
}

func (s *Server) resolve(c *capture, r Resolution, now time.Time) *change {
	ended := *c
	ended.Status, ended.Reason, ended.Refunded, ended.Updated, ended.Next = r.Status, r.Reason, r.Refunded, now, nil
	if r.Status == "REFUNDED" && r.Refunded == "" {
		ended.Refunded = c.Amount.value()
	}
	done := &change{}
	if h := s.book.Holds[c.HoldID]; h != nil && r.Leaves != "" {
		done = s.moveFamily(h, now, r.Leaves)
	} else if r.Leaves != "" {
		s.listOnOrder(done, c.OrderID, now, func(o *order) { o.Status = r.Leaves })
	}
	done.Captures = []*capture{&ended}
	return done
}

// advance lets the captures whose time has come turn into what was scripted. The caller holds the mutex.
func (s *Server) advance(now time.Time) {
	for id := range s.book.waiting {
		c := s.book.Captures[id]
		if now.Before(c.Next.At) {
			continue
		}
		r := Resolution{Status: c.Next.Status, Reason: c.Next.Reason, Leaves: c.Next.Leaves}
		_ = s.commit(s.resolve(c, r, c.Next.At)) // when it fails the capture stays due, and the next call tries again
	}
}

package fake

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Request is one call as it reached the fake. Credentials are not kept.
type Request struct {
	Seq       uint64    `json:"seq"`
	Time      time.Time `json:"time"`
	Operation Operation `json:"operation"`
	Resource  string    `json:"resource,omitempty"`
	RequestID string    `json:"request_id,omitempty"`
	Prefer    string    `json:"prefer,omitempty"`
	Body      string    `json:"body,omitempty"` // its first 4 kB
	Status    int       `json:"status"`         // of the answer; 0 while it is under way and when the connection was reset
	DebugID   string    `json:"debug_id"`
	// Flags are what PayPal lets pass and a good client does not do: no_request_id, amount_is_a_number.
	Flags []string `json:"flags,omitempty"`
}

const bodyKept = 4096

// requestLog keeps the newest requests and counts all.
type requestLog struct {
	mu     sync.Mutex
	ring   []Request
	next   uint64
	counts map[Operation]int
}

func newRequestLog(size int) *requestLog {
	return &requestLog{ring: make([]Request, 0, size), counts: map[Operation]int{}}
}

func (l *requestLog) arrived(c *call, r *http.Request, now time.Time) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[c.op]++
	if c.op == OpToken {
		return 0
	}
	l.next++
	entry := Request{
		Seq: l.next, Time: now, Operation: c.op, Resource: c.resource, RequestID: c.requestID, Prefer: r.Header.Get("Prefer"),
		Body: string(c.body[:min(len(c.body), bodyKept)]), DebugID: c.debugID,
	}
	if len(l.ring) < cap(l.ring) {
		l.ring = append(l.ring, entry)
	} else {
		l.ring[(l.next-1)%uint64(cap(l.ring))] = entry
	}
	return l.next
}

func (l *requestLog) answered(c *call, a *answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.seq == 0 {
		return
	}
	entry := &l.ring[(c.seq-1)%uint64(cap(l.ring))]
	if entry.Seq == c.seq { // else newer requests have taken its place
		entry.Status, entry.Flags = a.status, c.flags
	}
}

// Requests lists the newest API requests, oldest first. Requests for a token are only counted.
func (s *Server) Requests() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	list := slices.Clone(s.log.ring)
	slices.SortFunc(list, func(a, b Request) int { return int(a.Seq) - int(b.Seq) })
	return list
}

// Count says how many requests of an operation have arrived since the start.
func (s *Server) Count(op Operation) int {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return s.log.counts[op]
}

// Counts says it for every operation that was asked for.
func (s *Server) Counts() map[Operation]int {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return maps.Clone(s.log.counts)
}

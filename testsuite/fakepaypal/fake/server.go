package fake

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Server is the fake. It is an http.Handler; Listen gives it an address of its own.
type Server struct {
	options Options
	mux     *http.ServeMux
	journal *journal // nil without a state file
	log     *requestLog
	closing chan struct{} // closed when every waiting call has to end
	active  sync.WaitGroup

	mu       sync.Mutex
	book     *book
	script   script
	inFlight map[requestKey]bool
	closed   bool

	listener
}

// New builds a fake and, when a state file is given, takes up the state in it. It fails when that file is damaged or
// in use by another process.
func New(o Options) (*Server, error) {
	s := &Server{
		options: o.withDefaults(), mux: http.NewServeMux(), closing: make(chan struct{}), inFlight: map[requestKey]bool{}, book: newBook(),
	}
	s.log = newRequestLog(s.options.RequestsKept)
	if o.StateFile != "" {
		journal, err := openJournal(o.StateFile, s.book, s.now())
		if err != nil {
			return nil, fmt.Errorf("fake PayPal state: %w", err)
		}
		s.journal = journal
	}
	s.mux.HandleFunc("POST /v1/oauth2/token", s.endpoint(OpToken))
	for op, pattern := range endpoints {
		s.mux.HandleFunc(pattern, s.endpoint(op))
	}
	s.mux.HandleFunc("/", s.noSuchPage)
	s.admin()
	return s, nil
}

// ServeHTTP answers one request of PayPal's API, or of the fake's own below /_fake/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		resetConnection(w)
	}
	s.active.Add(1)
	s.mu.Unlock()
	defer s.active.Done()
	s.mux.ServeHTTP(w, r)
}

func (s *Server) noSuchPage(w http.ResponseWriter, r *http.Request) {
	c := newCall("", r)
	w.Header().Set("PayPal-Debug-Id", c.debugID)
	refuse(http.StatusNotFound).answer(c).write(w)
}

// Close ends every call, waiting ones included, and leaves the state file as it is after the last effect.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.closing)
	s.mu.Unlock()
	err := s.listener.close()
	s.active.Wait()
	if s.journal != nil {
		if closeErr := s.journal.close(); err == nil {
			err = closeErr
		}
	}
	return err
}

func (s *Server) now() time.Time { return s.options.Clock().UTC() }

// commit puts a change on the journal and then into the book. The caller holds the mutex.
func (s *Server) commit(c *change) error {
	if s.journal != nil {
		if err := s.journal.append(c, s.book, s.now()); err != nil {
			return err
		}
	}
	s.book.apply(c)
	return nil
}

// durable returns once everything that an answer may show is on disk.
func (s *Server) durable() error {
	if s.journal == nil {
		return nil
	}
	return s.journal.flush()
}

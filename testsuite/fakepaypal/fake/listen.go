package fake

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// listener is the server's own address, once it has one.
type listener struct {
	server *http.Server
	url    string
	served chan struct{}
}

// Listen serves on an address like "127.0.0.1:0" until Close.
func (s *Server) Listen(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s.url = "http://" + l.Addr().String()
	s.served = make(chan struct{})
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func(server *http.Server, served chan struct{}) {
		defer close(served)
		_ = server.Serve(l) // ends with ErrServerClosed, or the listener is gone and clients see that
	}(s.server, s.served)
	return nil
}

// URL is where the server listens, without a slash at the end.
func (s *Server) URL() string { return s.url }

// Shutdown lets calls that are under way end until the context does, then closes.
func (s *Server) Shutdown(ctx context.Context) error {
	var err error
	if s.server != nil {
		err = s.server.Shutdown(ctx)
	}
	return errors.Join(err, s.Close())
}

func (l *listener) close() error {
	if l.server == nil {
		return nil
	}
	err := l.server.Close()
	<-l.served
	return err
}

// TB is the part of testing.TB that Start needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Start serves on a free loopback port for the duration of a test. It takes at most one set of options.
func Start(t TB, options ...Options) *Server {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	s, err := New(o)
	if err != nil {
		t.Fatalf("start the fake PayPal: %v", err)
	}
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatalf("start the fake PayPal: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the fake PayPal: %v", err)
		}
	})
	return s
}

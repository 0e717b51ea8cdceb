package devserver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gofrs/flock"
)

// Free ports are taken from below the range that systems give to outgoing
// connections (32768 and up on Linux): a client that redials a killed server can
// then never come to sit on its port itself.
const (
	firstPort = 20000
	lastPort  = 30000
	portTries = 200
)

// port is a port of the loopback interface that this process has reserved among
// all dev servers of the machine; a killed server keeps its reservation, so that
// it can be restarted in the same place.
type port struct {
	number int
	lock   *flock.Flock
}

// reservePort reserves the given port, or a free one for 0.
func reservePort(number int) (*port, error) {
	if number != 0 {
		// The user's choice; the server itself says it if it is taken.
		return &port{number: number}, nil
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("gavel-ports-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for range portTries {
		candidate := firstPort + rand.IntN(lastPort-firstPort)
		lock := flock.New(filepath.Join(dir, strconv.Itoa(candidate)))
		if got, err := lock.TryLock(); err != nil {
			return nil, err
		} else if !got {
			continue
		}
		if free(candidate) {
			return &port{number: candidate, lock: lock}, nil
		}
		_ = lock.Unlock()
	}
	return nil, errors.New("no free port on the loopback interface")
}

func (p *port) release() {
	if p != nil && p.lock != nil {
		_ = p.lock.Unlock()
	}
}

func (p *port) address() string { return net.JoinHostPort(loopback, strconv.Itoa(p.number)) }

func free(number int) bool {
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(number)))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

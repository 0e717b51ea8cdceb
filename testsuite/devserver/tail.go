package devserver

import (
	"strings"
	"sync"
)

// tailBytes is how much of a process's output goes into an error message.
const tailBytes = 4 << 10

// tail is a writer that remembers the end of what was written. Safe for
// concurrent use.
type tail struct {
	mu   sync.Mutex
	keep int
	data []byte
}

func newTail(keep int) *tail { return &tail{keep: keep} }

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - t.keep; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// String returns what is kept, without blank lines around it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.data))
}

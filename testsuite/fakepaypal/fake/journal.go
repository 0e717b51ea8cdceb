package fake

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// journal keeps the book on disk: an append-only file with one line for each effect. A line is written before the
// effect is visible to anyone, and flushed to the disk before any answer that may show it goes out; answers that wait
// at the same time share one flush. A torn last line belongs to an effect that nobody was told of and is dropped.
type journal struct {
	path string
	lock *flock.Flock

	// file, lines and broken are guarded by the server's mutex, which every append holds; file also by flushing.
	file   *os.File
	lines  int   // since the file was last rewritten
	broken error // the first failure to write: from then on nothing takes effect

	rewriteAfter int

	flushing sync.Mutex
	mu       sync.Mutex // guards the two counts
	written  uint64
	flushed  uint64
}

// defaultRewriteAfter is the least number of lines after which the journal is rewritten from the book.
const defaultRewriteAfter = 20_000

var errInUse = errors.New("another process uses this state file")

// openJournal reads the book from the file, rewrites the file, and keeps it locked against other processes.
func openJournal(path string, into *book, now time.Time) (*journal, error) {
	j := &journal{path: path, lock: flock.New(path + ".lock"), rewriteAfter: defaultRewriteAfter}
	locked, err := j.lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !locked {
		return nil, fmt.Errorf("%w: %s", errInUse, path)
	}
	if err = j.read(into); err == nil {
		err = j.rewrite(into, now)
	}
	if err != nil {
		return nil, errors.Join(err, j.lock.Unlock())
	}
	return j, nil
}

func (j *journal) read(into *book) error {
	file, err := os.Open(j.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what stands here has no end of line: it was being written when the process died
		}
		if err != nil {
			return err
		}
		var c change
		if err := json.Unmarshal(line, &c); err != nil {
			return fmt.Errorf("%s is damaged at line %d: %w", j.path, number, err)
		}
		into.apply(&c)
	}
}

// append writes a change to the file, not yet to the disk.
func (j *journal) append(c *change, b *book, now time.Time) error {
	if j.broken != nil {
		return j.broken
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		j.broken = err
		return err
	}
	j.lines++
	j.mu.Lock()
	j.written++
	j.mu.Unlock()
	if j.lines > j.rewriteAfter+4*(len(b.Holds)+len(b.Orders)+len(b.Captures)+len(b.Requests)) {
		return j.rewriteWith(c, b, now)
	}
	return nil
}

// rewriteWith rewrites the file once the change, which is in the old one already, is in the new one too.
func (j *journal) rewriteWith(c *change, b *book, now time.Time) error {
	b.apply(c)
	if err := j.rewrite(b, now); err != nil {
		j.broken = err
		return err
	}
	return nil
}

// flush returns once everything written before the call is on the disk.
func (j *journal) flush() error {
	j.mu.Lock()
	wanted := j.written
	done := j.flushed >= wanted
	j.mu.Unlock()
	if done {
		return nil
	}
	j.flushing.Lock()
	defer j.flushing.Unlock()
	j.mu.Lock()
	written, done := j.written, j.flushed >= wanted
	j.mu.Unlock()
	if done {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	j.mu.Lock()
	j.flushed = max(j.flushed, written)
	j.mu.Unlock()
	return nil
}

func (j *journal) close() error {
	return errors.Join(j.flush(), j.file.Close(), j.lock.Unlock())
}

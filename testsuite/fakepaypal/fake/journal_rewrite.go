package fake

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// rewrite puts the book into a new file and the new file in the old one's place.
func (j *journal) rewrite(b *book, now time.Time) error {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	temporary, err := os.OpenFile(j.path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	for _, c := range b.whole(now) {
		if err := out.Encode(c); err != nil {
			return errors.Join(err, temporary.Close())
		}
	}
	_, err = temporary.Write(text.Bytes())
	if err == nil {
		err = temporary.Sync()
	}
	if err == nil {
		err = os.Rename(temporary.Name(), j.path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(j.path))
	}
	if err != nil {
		return errors.Join(err, temporary.Close())
	}
	if j.file != nil {
		_ = j.file.Close() // replaced: nothing in it is needed any more
	}
	j.file, j.lines = temporary, 0
	j.mu.Lock()
	j.flushed = j.written
	j.mu.Unlock()
	return nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

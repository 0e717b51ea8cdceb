package fake

import (
	"bytes"
	"encoding/json"
	"errors"
)

var errMoreJSON = errors.New("there is more after the JSON value")

// strictJSON reads one value and refuses fields that do not exist, so that a misspelt fault is noticed.
// Nothing at all reads as an empty object.
func strictJSON(text []byte, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(into); err != nil {
		return err
	}
	if in.More() {
		return errMoreJSON
	}
	return nil
}

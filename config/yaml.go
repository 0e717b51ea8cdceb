package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gavel/config/input"
)

// readYAML returns the file's text once it is known to be one document that holds
// nothing but known keys, each once.
func readYAML(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &input.Error{Source: file, Rule: "cannot be read: " + reason(err)}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document any
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil // nothing but comments
	} else if err != nil {
		return nil, &input.Error{Source: file, Rule: err.Error()}
	}
	// Not decoded into a map at once: the library's error would quote the file,
	// and a secret's file may have been named by mistake.
	tree, isGroup := document.(map[string]any)
	if !isGroup && document != nil {
		return nil, &input.Error{Source: file, Rule: "must be YAML with groups of keys such as clocks and paypal"}
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, &input.Error{Source: file, Rule: "must hold one YAML document"}
	}
	if err := checkKeys(file, "", tree); err != nil {
		return nil, err
	}
	return text, nil
}

// checkKeys walks the groups in the order of their names.
func checkKeys(file, group string, tree map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		path, value := name, tree[name]
		if group != "" {
			path = group + "." + name
		}
		refuse := func(rule string) error { return &input.Error{Source: file, Path: path, Rule: rule} }
		_, known := keyNamed(path)
		known = known && !strings.Contains(name, ".") // "a.b: 1" is not how a group is written
		members := membersOf(path)
		switch inner, isGroup := value.(map[string]any); {
		case known && value == nil:
			return refuse("has no value; leave the key out for its default")
		case known && isGroup:
			return refuse("must be a single value, not a group of keys")
		case known:
		case len(members) > 0 && isGroup:
			if err := checkKeys(file, path, inner); err != nil {
				return err
			}
		case len(members) > 0 && value != nil:
			return refuse("must be a group of keys: " + strings.Join(members, ", "))
		case len(members) == 0:
			return refuse(fmt.Sprintf("unknown key; known here are %s", strings.Join(membersOf(group), ", ")))
		}
	}
	return nil
}

// membersOf lists the keys of a group, or the groups for "".
func membersOf(group string) []string {
	var members []string
	for _, k := range keys {
		rest, inside := strings.CutPrefix(k.name, group+".")
		if group == "" {
			rest, inside = k.name, true
		}
		if name, _, _ := strings.Cut(rest, "."); inside && !slices.Contains(members, name) {
			members = append(members, name)
		}
	}
	return members
}

// reason is an operating system's error without the path, which the message has.
func reason(err error) string {
	if failed, ok := errors.AsType[*os.PathError](err); ok {
		return failed.Err.Error()
	}
	return err.Error()
}

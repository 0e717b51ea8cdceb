package config

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/viper"

	"gavel/config/input"
)

// maxFile bounds a file that holds a single value.
const maxFile = 64 << 10

// readFileKeys replaces a value by the content of the file that another key names.
func readFileKeys(parsed *viper.Viper, sources map[string]string) error {
	for _, k := range keys {
		fileKey, has := fileKeys[k.name]
		if !has || sources[fileKey] == "" {
			continue
		}
		if sources[k.name] != "" {
			return &input.Error{Source: sources[fileKey], Path: fileKey,
				Rule: fmt.Sprintf("and %s (%s) are both set; set one", k.name, sources[k.name])}
		}
		file := parsed.GetString(fileKey)
		content, err := readValue(file)
		if err == nil {
			var value any
			if value, err = k.parse(content); err == nil {
				parsed.Set(k.name, value)
				continue
			}
		}
		return &input.Error{Source: sources[fileKey], Path: fileKey, Rule: file + ": " + reason(err)}
	}
	return nil
}

// readValue returns a file's content without the line break at its end.
func readValue(file string) (string, error) {
	opened, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = opened.Close() }()
	content, err := io.ReadAll(io.LimitReader(opened, maxFile+1))
	if err != nil {
		return "", err
	}
	if len(content) > maxFile {
		return "", fmt.Errorf("is larger than %d bytes; it should hold the value alone", maxFile)
	}
	return strings.TrimRight(string(content), "\r\n"), nil
}

package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A parser turns a YAML scalar, or the text of a variable, into a field's value.
// Its error is the rule that was broken, without the key and, for a secret,
// without the value.
type parser func(raw any) (any, error)

func parseText(raw any) (any, error) { return text(raw) }

func parseSecret(raw any) (any, error) {
	value, err := text(raw)
	return Secret(value), err
}

// text refuses numbers and the like: YAML has already changed what was written
// (0o17 is 15), and a credential must arrive as it is.
func text(raw any) (string, error) {
	value, ok := raw.(string)
	switch {
	case !ok:
		return "", errors.New("must be a text; put quotes around it")
	case strings.TrimSpace(value) == "":
		return "", errors.New("is empty; leave the key out instead")
	case strings.TrimSpace(value) != value || strings.ContainsAny(value, "\r\n\x00"):
		return "", errors.New("must be one line without spaces around it")
	}
	return value, nil
}

func parseDuration(raw any) (any, error) {
	written := fmt.Sprint(raw)
	value, err := time.ParseDuration(written)
	if err != nil {
		return nil, fmt.Errorf("must be a duration such as 250ms, 10m or 72h, got %q", written)
	}
	if value <= 0 {
		return nil, fmt.Errorf("must be a duration above 0, got %q", written)
	}
	return value, nil
}

func parseInt(low, high int) parser {
	return func(raw any) (any, error) {
		written := fmt.Sprint(raw)
		value, err := strconv.Atoi(written)
		if err != nil || value < low || value > high {
			return nil, fmt.Errorf("must be a whole number from %d to %d, got %q", low, high, written)
		}
		return value, nil
	}
}

func parseRate(raw any) (any, error) {
	written := fmt.Sprint(raw)
	value, err := strconv.ParseFloat(written, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) || value <= 0 {
		return nil, fmt.Errorf("must be a number above 0, got %q", written)
	}
	return value, nil
}

func parseBool(raw any) (any, error) {
	switch written := fmt.Sprint(raw); written {
	case "true", "false":
		return written == "true", nil
	default:
		return nil, fmt.Errorf("must be true or false, got %q", written)
	}
}

func parseOneOf(allowed ...string) parser {
	return func(raw any) (any, error) {
		value := fmt.Sprint(raw)
		if !slices.Contains(allowed, value) {
			return nil, fmt.Errorf("must be one of %s, got %q", strings.Join(allowed, ", "), value)
		}
		return value, nil
	}
}

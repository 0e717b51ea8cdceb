package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

var (
	prefixPattern = regexp.MustCompile(`^[A-Za-z0-9\-_.:~]{1,30}$`)
	tablePattern  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$`)
)

func parsePattern(pattern *regexp.Regexp, rule string) parser {
	return func(raw any) (any, error) {
		value, err := text(raw)
		if err != nil {
			return nil, err
		}
		if !pattern.MatchString(value) {
			return nil, fmt.Errorf("must be %s, got %q", rule, value)
		}
		return value, nil
	}
}

// parseBaseURL allows https anywhere and http on this machine alone: the client
// secret travels to this address. The value is not repeated, for it may hold a
// password where none belongs.
func parseBaseURL(raw any) (any, error) {
	value, err := text(raw)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(value)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("must be a URL such as " + SandboxURL)
	case u.User != nil:
		return nil, errors.New("must not hold a user name or a password")
	case strings.ContainsAny(value, "?#"):
		return nil, errors.New("must not have a query or a fragment")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, errors.New("must be https; http is only for a loopback address such as http://127.0.0.1:8099")
	}
	return strings.TrimRight(value, "/"), nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

func parseListen(raw any) (any, error) {
	value := fmt.Sprint(raw)
	if value == "off" {
		return "", nil
	}
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return nil, fmt.Errorf("must be off, or host and port such as 127.0.0.1:9090, got %q", value)
	}
	return value, nil
}

func parseDatabaseURL(raw any) (any, error) {
	value, err := text(raw)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errors.New("must be a PostgreSQL URL: postgres://user:password@host:5432/database")
	}
	return Secret(value), nil
}

// parseURLs takes a list, or a text with spaces between: a comma may be part of
// such a URL.
func parseURLs(raw any) (any, error) {
	var items []any
	switch value := raw.(type) {
	case []any:
		items = value
	case string:
		for _, field := range strings.Fields(value) {
			items = append(items, field)
		}
	default:
		return nil, errors.New("must be a list of URLs")
	}
	var urls []Secret
	for i, item := range items {
		value, err := text(item)
		if err != nil {
			return nil, fmt.Errorf("item %d %w", i+1, err)
		}
		if u, err := url.Parse(value); err != nil || u.Scheme == "" || !strings.Contains(value, "://") {
			return nil, fmt.Errorf("item %d must be a URL such as slack://…", i+1)
		}
		urls = append(urls, Secret(value))
	}
	return urls, nil
}

func parseCodecKey(raw any) (any, error) {
	value, err := text(raw)
	if err != nil {
		return nil, err
	}
	if decoded, err := base64.StdEncoding.DecodeString(value); err != nil || len(decoded) != 32 {
		return nil, errors.New(`must be 32 bytes in base64, as "openssl rand -base64 32" prints them`)
	}
	return Secret(value), nil
}

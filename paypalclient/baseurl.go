package paypalclient

import (
	"net/netip"
	"net/url"
	"strings"
)

// checkBaseURL returns the base URL without a trailing slash. Credentials travel to it, so plain http is only
// for this machine.
func checkBaseURL(raw string) (string, error) {
	refuse := func(rule string) (string, error) { return "", &OptionError{"BaseURL", rule} }
	if raw == "" {
		return refuse("is required; PayPal's are " + SandboxURL + " and " + LiveURL)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return refuse("must be a URL such as " + SandboxURL)
	}
	switch {
	case u.User != nil:
		return refuse("must not hold a user name or password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(raw, "#"):
		return refuse("must not have a query or a fragment")
	case u.Scheme == "https":
	case u.Scheme == "http" && isLoopback(u.Hostname()):
	default:
		return refuse("must be https; plain http is only for loopback addresses")
	}
	return u.Scheme + "://" + u.Host + strings.TrimRight(u.EscapedPath(), "/"), nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

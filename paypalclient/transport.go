package paypalclient

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// DefaultTransport is the transport of a client that was given none. It speaks HTTP/1.1 only: with one
// request on a connection a lost connection concerns one request, and net/http never sends a request that
// moves money twice by itself, as it may over HTTP/2 after a GOAWAY. Proxies are taken from the environment.
func DefaultTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		Protocols:              protocols,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    50,
		IdleConnTimeout:        55 * time.Second, // below the idle time of common load balancers
		MaxResponseHeaderBytes: 64 << 10,
	}
}

package paypalclient

import (
	"context"
	"fmt"
	"io"
)

// Client calls PayPal. It is safe for concurrent use; one Client should serve a whole process, since it
// shares the access token, the rate and the connections.
type Client struct {
	core *core
}

// core is what a Client is made of, behind a pointer so that printing a Client shows none of it.
type core struct {
	options Options // without the secret
	baseURL string  // without a trailing slash
	clock   Clock
	tokens  *tokenSource
	limiter *limiter
	close   context.CancelFunc
}

// New makes a client; it sends nothing. A refusal is an [*OptionError].
func New(options Options) (*Client, error) {
	options = options.withDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	baseURL, err := checkBaseURL(options.BaseURL)
	if err != nil {
		return nil, err
	}
	lifetime, end := context.WithCancel(context.Background())
	c := &core{
		baseURL: baseURL,
		clock:   options.Clock,
		limiter: newLimiter(options.RequestsPerSecond, options.Clock),
		close:   end,
	}
	fetcher := newTokenFetcher(options, baseURL)
	c.tokens = newTokenSource(lifetime, options.Clock, fetcher.fetch)
	options.ClientSecret = ""
	c.options = options
	return &Client{core: c}, nil
}

// Close gives up a running request for a token and closes idle connections. Calls after it may fail with
// KindAuthUnavailable.
func (c *Client) Close() {
	c.core.close()
	if idle, ok := c.core.options.Transport.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}

// Format keeps tokens and secrets out of every fmt verb.
func (c *Client) Format(f fmt.State, _ rune) {
	if c == nil || c.core == nil {
		_, _ = io.WriteString(f, "paypalclient.Client(nil)")
		return
	}
	_, _ = io.WriteString(f, "paypalclient.Client("+c.core.baseURL+")")
}

// secret hides a string from everything that prints values, since a function prints as an address.
type secret func() string

func conceal(s string) secret { return func() string { return s } }

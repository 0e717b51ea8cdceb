package paypalclient

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// maxLifetime bounds what is believed of expires_in; PayPal's tokens live about nine hours.
const maxLifetime = 24 * time.Hour

// maxTokenLength bounds a token; PayPal's are far below it.
const maxTokenLength = 8 << 10

// tokenFetcher asks PayPal's token endpoint, with the same tries and waits as any other call.
type tokenFetcher struct {
	options     Options // without the secret
	credentials func() clientcredentials.Config
}

func newTokenFetcher(options Options, baseURL string) *tokenFetcher {
	id, secret := options.ClientID, options.ClientSecret
	options.ClientSecret = ""
	return &tokenFetcher{
		options: options,
		credentials: func() clientcredentials.Config {
			return clientcredentials.Config{
				ClientID:     id,
				ClientSecret: secret,
				TokenURL:     baseURL + "/v1/oauth2/token",
				AuthStyle:    oauth2.AuthStyleInHeader,
			}
		},
	}
}

// fetch gets a token. The error is KindAuthFailed when PayPal refuses the credentials, KindAuthUnavailable
// for everything else.
func (f *tokenFetcher) fetch(ctx context.Context) (minted, *Error) {
	for n := 0; ; n++ {
		got, failure := f.try(ctx, n+1)
		if failure == nil {
			return got, nil
		}
		last := failure.Kind == KindAuthFailed || n+1 >= f.options.Attempts ||
			failure.RetryAfter > f.options.RetryAfterMax
		if last || f.options.Clock.Sleep(ctx, max(f.options.backoff(n), failure.RetryAfter)) != nil {
			return minted{}, failure
		}
	}
}

func (f *tokenFetcher) try(ctx context.Context, number int) (minted, *Error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := f.options.Clock.AfterFunc(f.options.AttemptTimeout, cancel)
	defer stop()

	started := f.options.Clock.Now()
	seen := &tokenTransport{base: f.options.Transport}
	client := &http.Client{
		Transport:     seen,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	config := f.credentials()
	received, err := config.Token(context.WithValue(ctx, oauth2.HTTPClient, client))
	got, failure := readToken(received, err)
	if failure != nil {
		failure.Status, failure.DebugID = seen.status, debugID(seen.header)
		failure.RetryAfter = retryAfter(seen.header, f.options.Clock.Now())
	}
	f.report(seen, failure, number, f.options.Clock.Now().Sub(started))
	return got, failure
}

func (f *tokenFetcher) report(seen *tokenTransport, failure *Error, number int, took time.Duration) {
	if f.options.OnTry == nil {
		return
	}
	try := Try{Operation: OpToken, Number: number, Status: seen.status, DebugID: debugID(seen.header), Duration: took}
	if failure != nil {
		try.Kind = failure.Kind
	}
	f.options.OnTry(try)
}

// tokenTransport notes status and header of the answer, which the oauth2 package keeps to itself on success.
type tokenTransport struct {
	base   http.RoundTripper
	status int
	header http.Header
}

func (t *tokenTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	response, err := t.base.RoundTrip(request)
	if err == nil {
		t.status, t.header = response.StatusCode, response.Header
	}
	return response, err
}

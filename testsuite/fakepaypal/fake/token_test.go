package fake_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

func TestTheTokenStaysTheSameUntilItExpires(t *testing.T) {
	clock := newClock()
	_, a := start(t, fake.Options{Clock: clock.Now, TokenTTL: time.Hour})
	clock.advance(40 * time.Minute)
	r := a.mint("demo", "demo")
	assert.Equal(t, a.token, r.at("access_token"))
	assert.Equal(t, "Bearer", r.at("token_type"))
	assert.InDelta(t, 1200, r.at("expires_in"), 0)
	clock.advance(20 * time.Minute)
	assert.Equal(t, 401, a.get(holdPath).status)
	r = a.mint("demo", "demo")
	assert.NotEqual(t, a.token, r.at("access_token"))
	assert.InDelta(t, 3600, r.at("expires_in"), 0)
}

func TestWhoGetsAToken(t *testing.T) {
	s := fake.Start(t, fake.Options{ClientID: "shop", ClientSecret: "p/w+1"})
	a := &api{t: t, base: s.URL(), http: http.DefaultClient}
	cases := map[string]struct {
		id, secret, mediaType, form string
		status                      int
		code                        any
	}{
		"the client":                      {"shop", "p/w+1", "application/x-www-form-urlencoded", "grant_type=client_credentials", 200, nil},
		"the client, form-encoded":        {"shop", url.QueryEscape("p/w+1"), "application/x-www-form-urlencoded", "grant_type=client_credentials", 200, nil},
		"not with a wrong secret":         {"shop", "no", "application/x-www-form-urlencoded", "grant_type=client_credentials", 401, "invalid_client"},
		"not somebody else":               {"demo", "p/w+1", "application/x-www-form-urlencoded", "grant_type=client_credentials", 401, "invalid_client"},
		"not without a grant type":        {"shop", "p/w+1", "application/x-www-form-urlencoded", "", 400, "unsupported_grant_type"},
		"not with a JSON request":         {"shop", "p/w+1", "application/json", `{"grant_type":"client_credentials"}`, 415, nil},
		"not for another grant than this": {"shop", "p/w+1", "application/x-www-form-urlencoded", "grant_type=password", 400, "unsupported_grant_type"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequest("POST", s.URL()+"/v1/oauth2/token", strings.NewReader(c.form))
			require.NoError(t, err)
			req.SetBasicAuth(c.id, c.secret)
			req.Header.Set("Content-Type", c.mediaType)
			r := a.send(req)
			assert.Equal(t, c.status, r.status, r.text)
			assert.Equal(t, c.code, r.at("error"))
		})
	}
}

func TestACallWithoutALivingTokenIsRefused(t *testing.T) {
	s, a := start(t)
	missing := a.call("GET", holdPath, "", headers{"Authorization": ""})
	assert.Equal(t, 401, missing.status)
	assert.Equal(t, "AUTHENTICATION_FAILURE", missing.at("name"))

	dead := a.call("GET", holdPath, "", headers{"Authorization": "Bearer somebody-elses"})
	assert.Equal(t, 401, dead.status)
	assert.Equal(t, "invalid_token", dead.at("error"))
	assert.Nil(t, dead.at("name"))

	s.Script(fake.Lose(fake.OpCaptureAuthorization, "", fake.Before))
	assert.Equal(t, 401, a.call("POST", holdPath+"/capture", "", headers{"Authorization": ""}).status)
	assert.Len(t, s.Unused(), 1, "a call that is not let in uses up no fault")
}

func TestARevokedTokenMayBeHandedOutAgain(t *testing.T) {
	s, a := start(t)
	first := a.token
	require.NoError(t, s.RevokeToken(2))
	for range 2 {
		assert.Equal(t, 401, a.get(holdPath).status)
		a.login()
		assert.Equal(t, first, a.token)
	}
	assert.Equal(t, 401, a.get(holdPath).status)
	a.login()
	assert.NotEqual(t, first, a.token)
	assert.Equal(t, 200, a.get(holdPath).status)
}

func TestTheTokenEndpointHasFaultsOfItsOwn(t *testing.T) {
	s, a := start(t)
	s.Script(
		fake.Break(fake.OpToken, "", fake.Before, 503),
		fake.Limit(fake.OpToken, "", "7"),
		fake.Lose(fake.OpToken, "", fake.Before),
		fake.Fault{Times: -1, Status: 500}, // any operation, which the token endpoint is not
	)
	assert.Equal(t, 503, a.mint("demo", "demo").status)
	limited := a.mint("demo", "demo")
	assert.Equal(t, 429, limited.status)
	assert.Equal(t, "7", limited.header.Get("Retry-After"))
	require.Error(t, a.mint("demo", "demo").err)
	assert.Equal(t, 200, a.mint("demo", "demo").status)
	assert.Equal(t, 5, s.Count(fake.OpToken))
	assert.Equal(t, 500, a.get(holdPath).status)
}

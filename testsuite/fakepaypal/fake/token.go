package fake

import (
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// checkToken holds a request for a token against RFC 6749 section 4.4 and the account's credentials.
func (c *call) checkToken(r *http.Request, o Options) *refusal {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/x-www-form-urlencoded" {
		return refuse(http.StatusUnsupportedMediaType)
	}
	id, secret, ok := r.BasicAuth()
	if !ok || !sameCredential(id, o.ClientID) || !sameCredential(secret, o.ClientSecret) {
		return &refusal{Status: http.StatusUnauthorized, OAuth: "invalid_client"}
	}
	form, err := url.ParseQuery(string(c.body))
	if err != nil || form.Get("grant_type") != "client_credentials" {
		return &refusal{Status: http.StatusBadRequest, OAuth: "unsupported_grant_type"}
	}
	return nil
}

// sameCredential takes a credential as it is and form-encoded, which RFC 6749 section 2.3.1 asks of clients.
func sameCredential(got, want string) bool {
	decoded, err := url.QueryUnescape(got)
	return got == want || (err == nil && decoded == want)
}

// mint hands out the account's token: the same one until it expires, with what is left of its life.
// The caller holds the mutex.
func (s *Server) mint(c *call, now time.Time) *answer {
	token := s.book.Token
	switch {
	case token != nil && token.Dead && token.Again > 0:
		again := *token
		again.Again--
		token = &again
	case token == nil, token.Dead, !now.Before(token.Expires):
		token = &accessToken{Value: "A21AA" + newID() + newID(), Expires: now.Add(s.options.TokenTTL)}
	}
	if token != s.book.Token {
		if err := s.commit(&change{Token: token}); err != nil {
			return refuse(http.StatusInternalServerError).answer(c)
		}
	}
	return &answer{status: http.StatusOK, body: map[string]any{
		"access_token": token.Value, "token_type": "Bearer", "app_id": "APP-80W284485P519543T", "nonce": stamp(now) + newID(),
		"scope":      "https://uri.paypal.com/services/payments/payment/authcapture https://uri.paypal.com/services/payments/payment",
		"expires_in": int64(token.Expires.Sub(now) / time.Second),
	}}
}

// admit lets a call with the account's living token in. PayPal answers a missing token in its own error shape, and one
// that it does not know in OAuth's.
func (s *Server) admit(r *http.Request) *refusal {
	sent, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer {
		return refuse(http.StatusUnauthorized)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	token := s.book.Token
	if token == nil || token.Dead || token.Value != sent || !s.now().Before(token.Expires) {
		return &refusal{Status: http.StatusUnauthorized, OAuth: "invalid_token"}
	}
	return nil
}

// RevokeToken makes the present token stop working. The token endpoint hands out the dead one again for so many
// requests, as PayPal has been seen to do, and a new one after that.
func (s *Server) RevokeToken(again int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.book.Token == nil {
		return nil
	}
	dead := *s.book.Token
	dead.Dead, dead.Again = true, again
	return s.commit(&change{Token: &dead})
}

// Forget drops these request ids from every endpoint's memory, or all of them when none is named: what PayPal does
// by itself once their time is over.
func (s *Server) Forget(requestIDs ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := &change{ForgotAll: len(requestIDs) == 0}
	for _, id := range requestIDs {
		for op := range endpoints {
			if key := (requestKey{op, id}); s.book.Requests[key] != nil {
				done.Forgotten = append(done.Forgotten, key)
			}
		}
	}
	return s.commit(done)
}

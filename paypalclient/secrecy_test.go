package paypalclient

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever prints a client or its options, or an error of a call, shows neither the secret nor the token.
func TestNothingThatIsPrintedHoldsASecret(t *testing.T) {
	b := newBench(t, []step{lost, lost, lost, lost}, func(o *Options) { o.ClientSecret = "s3cret" })
	b.paypal.tokenSteps = []step{tokenReply("t0ken", 32400)}
	_, callErr := b.capture(context.Background())
	require.Error(t, callErr)

	c := newBench(t, nil, func(o *Options) { o.ClientSecret = "s3cret" })
	c.paypal.tokenSteps = []step{reply(400, `{"error":"invalid_client","error_description":"s3cret t0ken"}`)}
	_, tokenErr := c.capture(context.Background())
	require.Error(t, tokenErr)

	options := validOptions()
	printed := []any{
		b.Client, *b.Client, struct{ C *Client }{b.Client}, b.Client.core.tokens,
		options, &options, struct{ O Options }{options}, []Options{options}, map[string]Options{"x": options},
		callErr, tokenErr, b.tries, (*Client)(nil),
	}
	for _, value := range printed {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			text := fmt.Sprintf(verb, value)
			for _, hidden := range []string{"s3cret", "733363726574", "t0ken", "7430", "SECRET-TOKEN", "10.1.2.3"} {
				assert.NotContains(t, text, hidden, "%s of %T", verb, value)
			}
		}
	}
	text, err := json.Marshal(map[string]any{"client": b.Client})
	require.NoError(t, err)
	assert.JSONEq(t, `{"client":{}}`, string(text))
}

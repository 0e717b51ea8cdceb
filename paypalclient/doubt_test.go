package paypalclient

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A try that may have arrived, then an answer that by itself would mean "not run".
func TestOnceATryMayHaveArrivedTheCallIsUnknown(t *testing.T) {
	doubts := map[string]step{
		"lost": lost, "hung": hang, "500": reply(500, ""), "502": reply(502, ""), "503": reply(503, ""),
		"504": reply(504, ""), "cut off": cutOff(201, `{`),
	}
	ends := map[string]struct {
		steps  []step
		tokens []step
		kind   Kind
	}{
		"429":           {[]step{reply(429, "", "Retry-After", "60")}, nil, KindRateLimited},
		"401 twice":     {[]step{reply(401, ""), reply(401, "")}, nil, KindAuthFailed},
		"401, no token": {[]step{reply(401, "")}, []step{reply(503, "", "Retry-After", "60")}, KindAuthUnavailable},
		"401, refused":  {[]step{reply(401, "")}, []step{reply(401, `{"error":"invalid_client"}`)}, KindAuthFailed},
	}
	for doubt, first := range doubts {
		for end, then := range ends {
			for _, o := range operations {
				t.Run(doubt+", then "+end+"/"+string(o.op), func(t *testing.T) {
					b := newBench(t, append([]step{first}, then.steps...))
					b.paypal.tokenSteps = append([]step{reply(200, tokenBody("A21-first"))}, then.tokens...)
					outcome := OutcomeNotRun // a read leaves nothing behind
					if o.op.MovesMoney() {
						outcome = OutcomeUnknown
					}
					e := requireError(t, o.call(context.Background(), b.Client), then.kind, outcome)
					assert.Equal(t, o.op.MovesMoney(), e.MayHaveArrived)
				})
			}
		}
	}
}

func TestTriesThatNeverArrivedLeaveNoDoubt(t *testing.T) {
	cases := map[string]struct {
		steps []step
		kind  Kind
	}{
		"429 only":                {[]step{reply(429, ""), reply(429, ""), reply(429, ""), reply(429, "")}, KindRateLimited},
		"nobody listens, 429":     {[]step{refused, reply(429, "", "Retry-After", "60")}, KindRateLimited},
		"429, 401 twice":          {[]step{reply(429, ""), reply(401, ""), reply(401, "")}, KindAuthFailed},
		"nobody listens, no time": {[]step{refused, reply(401, ""), reply(401, "")}, KindAuthFailed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.steps)
			_, err := b.capture(context.Background())
			e := requireError(t, err, c.kind, OutcomeNotRun)
			assert.False(t, e.MayHaveArrived)
		})
	}
}

func TestANetworkFailureIsUnknownAndSaysWhetherItMayHaveArrived(t *testing.T) {
	b := newBench(t, []step{refused, refused, refused, refused})
	_, err := b.capture(context.Background())
	assert.False(t, requireError(t, err, KindNetwork, OutcomeUnknown).MayHaveArrived)

	b = newBench(t, []step{refused, lost, refused, refused})
	_, err = b.capture(context.Background())
	assert.True(t, requireError(t, err, KindNetwork, OutcomeUnknown).MayHaveArrived)
}

func TestARefusalAfterADoubtStaysDefinite(t *testing.T) {
	cases := map[string]Kind{
		"AUTHORIZATION_ALREADY_CAPTURED": KindAlreadyCaptured,
		"AUTHORIZATION_VOIDED":           KindAlreadyVoided,
		"PAYER_CANNOT_PAY":               KindDeclined,
		"DUPLICATE_INVOICE_ID":           KindDuplicateInvoice,
		"PAYEE_ACCOUNT_RESTRICTED":       KindInvariant,
	}
	for name, kind := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, []step{lost, issue(422, name)})
			_, err := b.capture(context.Background())
			assert.True(t, requireError(t, err, kind, OutcomeDefinite).MayHaveArrived)
		})
	}
}

// A renewal whose answer was lost makes the next one too soon.
func TestNotNowAfterADoubtIsUnknown(t *testing.T) {
	b := newBench(t, []step{lost, issue(422, "REAUTHORIZATION_TOO_SOON")})
	_, err := b.ReauthorizeAuthorization(context.Background(),
		ReauthorizeRequest{AuthorizationID: holdID, RequestID: requestID, Amount: usd(15000)})
	requireError(t, err, KindNotNow, OutcomeUnknown)
}

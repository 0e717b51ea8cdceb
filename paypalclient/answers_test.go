package paypalclient

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lastStep repeats a step for as many tries as a call has.
func lastStep(s step) []step { return []step{s, s, s, s} }

func TestWhatAnAnswerMeans(t *testing.T) {
	html := "<html><body>Bad gateway</body></html>"
	rows := []struct {
		name    string
		steps   []step
		kind    Kind
		outcome Outcome
	}{
		{"401 after a fresh token", lastStep(issue(401)), KindAuthFailed, OutcomeNotRun},
		{"401 in OAuth's shape", lastStep(reply(401, `{"error":"invalid_token","error_description":"x"}`)), KindAuthFailed, OutcomeNotRun},
		{"404", lastStep(issue(404, "INVALID_RESOURCE_ID")), KindNotFound, OutcomeDefinite},
		{"404 without a body", lastStep(reply(404, "")), KindNotFound, OutcomeDefinite},
		{"400", lastStep(issue(400, "MISSING_REQUIRED_PARAMETER")), KindInvalidRequest, OutcomeDefinite},
		{"400 with an issue that is not listed", lastStep(issue(400, "SOMETHING_NEW")), KindInvalidRequest, OutcomeDefinite},
		{"400 without a body", lastStep(reply(400, "")), KindInvalidRequest, OutcomeDefinite},
		{"403", lastStep(issue(403, "PERMISSION_DENIED")), KindForbidden, OutcomeUnknown},
		{"403 without a body", lastStep(reply(403, "")), KindForbidden, OutcomeUnknown},
		{"429", lastStep(reply(429, `{"name":"RATE_LIMIT_REACHED"}`)), KindRateLimited, OutcomeNotRun},
		{"500", lastStep(reply(500, "")), KindServerError, OutcomeUnknown},
		{"502 as HTML", lastStep(reply(502, html)), KindServerError, OutcomeUnknown},
		{"503", lastStep(reply(503, "")), KindServerError, OutcomeUnknown},
		{"504", lastStep(reply(504, "")), KindServerError, OutcomeUnknown},
		{"501", lastStep(reply(501, "")), KindServerError, OutcomeUnknown},
		{"408", lastStep(reply(408, "")), KindRejected, OutcomeUnknown},
		{"409", lastStep(issue(409, "PREVIOUS_REQUEST_IN_PROGRESS")), KindRejected, OutcomeUnknown},
		{"425", lastStep(reply(425, "")), KindRejected, OutcomeUnknown},
		{"415", lastStep(issue(415)), KindRejected, OutcomeUnknown},
		{"405", lastStep(reply(405, "")), KindRejected, OutcomeUnknown},
		{"302", lastStep(reply(302, "", "Location", "https://elsewhere.test/")), KindRejected, OutcomeUnknown},
		{"422 with an issue that is not listed", lastStep(issue(422, "SOMETHING_NEW")), KindRejected, OutcomeUnknown},
		{"422 without details", lastStep(reply(422, `{"name":"UNPROCESSABLE_ENTITY"}`)), KindRejected, OutcomeUnknown},
		{"422 with empty details", lastStep(issue(422)), KindRejected, OutcomeUnknown},
		{"422 with a detail without issue", lastStep(reply(422, `{"details":[{"description":"x"}]}`)), KindRejected, OutcomeUnknown},
		{"422 without a body", lastStep(reply(422, "")), KindRejected, OutcomeUnknown},
		{"422 as HTML", lastStep(reply(422, html)), KindRejected, OutcomeUnknown},
		{"422 cut off", lastStep(cutOff(422, envelope("PAYER_CANNOT_PAY"))), KindRejected, OutcomeUnknown},
		{"422 with an issue of another status", lastStep(issue(422, "INVALID_RESOURCE_ID")), KindRejected, OutcomeUnknown},
		{"a connection that breaks", lastStep(lost), KindNetwork, OutcomeUnknown},
		{"no answer in time", lastStep(hang), KindNetwork, OutcomeUnknown},
		{"2xx cut off by the connection", lastStep(cutOff(200, `{"id":"3C679366HH908993F","status":`)), KindUnreadable, OutcomeUnknown},
		{"2xx whose JSON ends early", lastStep(reply(200, `{"id":"3C679366HH908993F","status":`)), KindUnreadable, OutcomeUnknown},
		{"2xx as HTML", lastStep(reply(200, html)), KindUnreadable, OutcomeUnknown},
		{"2xx with a list", lastStep(reply(200, `[]`)), KindUnreadable, OutcomeUnknown},
		{"2xx with a string", lastStep(reply(200, `"VOIDED"`)), KindUnreadable, OutcomeUnknown},
		{"2xx too large", lastStep(reply(200, `{"id":"3C679366HH908993F","x":"`+strings.Repeat("x", maxBody)+`"}`)), KindUnreadable, OutcomeUnknown},
		{"202", lastStep(reply(202, captureBody)), KindUnreadable, OutcomeUnknown},
	}
	for _, row := range rows {
		for _, o := range operations {
			t.Run(fmt.Sprintf("%s/%s", row.name, o.op), func(t *testing.T) {
				b := newBench(t, row.steps)
				e := requireError(t, o.call(context.Background(), b.Client), row.kind, row.outcome)
				assert.Equal(t, o.op, e.Operation)
				assert.Equal(t, len(b.paypal.requests), e.Tries)
			})
		}
	}
}

func TestAnEmpty2xxIsOnlyASuccessForAVoid(t *testing.T) {
	for _, status := range []int{200, 201, 204} {
		for _, o := range operations {
			if o.op == OpVoidAuthorization && status != 201 {
				continue
			}
			t.Run(fmt.Sprintf("%d/%s", status, o.op), func(t *testing.T) {
				b := newBench(t, []step{reply(status, "")})
				requireError(t, o.call(context.Background(), b.Client), KindUnreadable, OutcomeUnknown)
			})
		}
	}
}

func TestABodyOfTheLargestSizeIsReadWhole(t *testing.T) {
	padded := captureBody + strings.Repeat(" ", maxBody-len(captureBody))
	b := newBench(t, []step{reply(201, padded), reply(201, padded+" ")})
	_, err := b.capture(context.Background())
	require.NoError(t, err)
	_, err = b.capture(context.Background())
	assert.Equal(t, "too large", requireError(t, err, KindUnreadable, OutcomeUnknown).Detail)
}

func TestAnErrorTellsWhatPayPalNamed(t *testing.T) {
	b := newBench(t, []step{reply(422, envelope("AUTHORIZATION_VOIDED", "PAYER_CANNOT_PAY"), "Paypal-Debug-Id", "header-id")})
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindAlreadyVoided, OutcomeDefinite)
	assert.Equal(t, 422, e.Status)
	assert.Equal(t, "UNPROCESSABLE_ENTITY", e.Name)
	assert.Equal(t, []string{"AUTHORIZATION_VOIDED", "PAYER_CANNOT_PAY"}, e.Issues)
	assert.Equal(t, "header-id", e.DebugID)
	assert.Equal(t, "paypal capture_authorization: already_voided, outcome definite, HTTP 422 UNPROCESSABLE_ENTITY "+
		"[AUTHORIZATION_VOIDED PAYER_CANNOT_PAY], debug id header-id, tries 1: "+advice[KindAlreadyVoided], e.Error())

	b = newBench(t, []step{issue(422, "AUTHORIZATION_VOIDED")})
	_, err = b.capture(context.Background())
	assert.Equal(t, "b1d1f06c7246c", requireError(t, err, KindAlreadyVoided, OutcomeDefinite).DebugID,
		"the body's debug id, where the header has none")
}

func TestEveryKindHasAnOutcomeAndAdvice(t *testing.T) {
	assert.Len(t, advice, len(outcomes))
	for kind := range outcomes {
		assert.NotEmpty(t, advice[kind], kind)
	}
}

func TestWhatPayPalSendsIsBoundedAndPlainInAnError(t *testing.T) {
	long := strings.Repeat("A", 5000)
	issues := make([]string, 40)
	for i := range issues {
		issues[i] = long
	}
	body := strings.Replace(envelope(issues...), "UNPROCESSABLE_ENTITY", `EVIL\n\u001b[31m <script>`+long, 1)
	b := newBench(t, []step{reply(422, body, "PayPal-Debug-Id", "id\tx\x7f"+long)})
	_, err := b.capture(context.Background())
	e := requireError(t, err, KindRejected, OutcomeUnknown)
	assert.Len(t, e.Issues, maxIssues)
	for _, text := range append(e.Issues, e.Name, e.DebugID) {
		assert.LessOrEqual(t, len(text), 64)
		assert.Regexp(t, `^[A-Za-z0-9_.-]+$`, text)
	}
	assert.Less(t, len(e.Error()), 1500)
}

// An issue that becomes a listed one only once it is cleaned is not that one.
func TestAnIssueIsLookedUpAsItWasSent(t *testing.T) {
	for _, name := range []string{"PAYER_CANNOT_PAY ", "payer_cannot_pay", `PAYER_CANNOT\u0000_PAY`, "PAYER_CANNOT_PAY\u200b"} {
		b := newBench(t, []step{issue(422, name)})
		_, err := b.capture(context.Background())
		requireError(t, err, KindRejected, OutcomeUnknown)
	}
}

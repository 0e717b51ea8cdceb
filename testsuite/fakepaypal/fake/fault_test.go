package fake_test

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

const op = fake.OpCaptureAuthorization

func TestWhatAClientSeesAndWhatReallyHappened(t *testing.T) {
	lost := 0
	cases := map[string]struct {
		fault    fake.Fault
		status   int
		text     string
		captures int
	}{
		"refused":                        {fake.Decline(op, holdID, "PAYER_CANNOT_PAY"), 422, "PAYER_CANNOT_PAY", 0},
		"refused with an unknown issue":  {fake.Decline(op, holdID, "BRAND_NEW_ISSUE"), 422, "BRAND_NEW_ISSUE", 0},
		"refused with several issues":    {fake.Refuse(op, holdID, 422, "ONE", "TWO"), 422, "TWO", 0},
		"forbidden":                      {fake.Refuse(op, holdID, 403, "PERMISSION_DENIED"), 403, "NOT_AUTHORIZED", 0},
		"request timeout":                {fake.Refuse(op, holdID, 408), 408, "REQUEST_TIMEOUT", 0},
		"connection lost before":         {fake.Lose(op, holdID, fake.Before), lost, "", 0},
		"connection lost after":          {fake.Lose(op, holdID, fake.After), lost, "", 1},
		"500 before":                     {fake.Break(op, holdID, fake.Before, 500), 500, "INTERNAL_SERVER_ERROR", 0},
		"500 after":                      {fake.Break(op, holdID, fake.After, 500), 500, "INTERNAL_SERVER_ERROR", 1},
		"HTML 502 before":                {fake.Fault{Operation: op, Status: 502, Shape: fake.ShapeHTML}, 502, "<html>", 0},
		"HTML 502 after":                 {fake.Fault{Operation: op, When: fake.After, Status: 502, Shape: fake.ShapeHTML}, 502, "<html>", 1},
		"HTML for a success":             {fake.Spoil(op, holdID, fake.ShapeHTML), 201, "<html>", 1},
		"an empty success":               {fake.Spoil(op, holdID, fake.ShapeEmpty), 201, "", 1},
		"an empty 422":                   {fake.Fault{Operation: op, Status: 422, Shape: fake.ShapeEmpty}, 422, "", 0},
		"429":                            {fake.Limit(op, holdID, ""), 429, "RATE_LIMIT_REACHED", 0},
		"429 with seconds":               {fake.Limit(op, holdID, "7"), 429, "RATE_LIMIT_REACHED", 0},
		"429 with a date":                {fake.Limit(op, holdID, "Sat, 28 Nov 2026 10:00:30 GMT"), 429, "RATE_LIMIT_REACHED", 0},
		"401 in PayPal's shape":          {fake.Refuse(op, holdID, 401), 401, "AUTHENTICATION_FAILURE", 0},
		"401 in OAuth's shape":           {fake.Fault{Operation: op, Status: 401, Shape: fake.ShapeOAuth}, 401, `{"error":"invalid_token"`, 0},
		"a little late, before":          {fake.Fault{Operation: op, Delay: time.Millisecond}, 201, "COMPLETED", 1},
		"a little late, after":           {fake.Fault{Operation: op, When: fake.After, Delay: time.Millisecond}, 201, "COMPLETED", 1},
		"nothing at all":                 {fake.Fault{Operation: op}, 201, "COMPLETED", 1},
		"another amount in the answer":   {fake.Fault{Operation: op, Set: map[string]any{"amount.value": "9.99"}}, 201, `"9.99"`, 1},
		"another currency in the answer": {fake.Fault{Operation: op, Set: map[string]any{"amount.currency_code": "EUR"}}, 201, `"EUR"`, 1},
		"another invoice in the answer":  {fake.Fault{Operation: op, Set: map[string]any{"invoice_id": "other"}}, 201, `"other"`, 1},
		"an unknown status":              {fake.Fault{Operation: op, Set: map[string]any{"status": "STRANGE"}}, 201, `"STRANGE"`, 1},
		"declined at once":               {fake.Outcomes(op, holdID, "DECLINED", "DECLINED_BY_RISK_FRAUD_FILTERS"), 201, "DECLINED_BY_RISK", 1},
		"failed at once":                 {fake.Outcomes(op, holdID, "FAILED", ""), 201, `"FAILED"`, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			s.Script(c.fault)
			r := a.post(holdPath+"/capture", amount("40.00"), "id-1")
			if c.status == lost {
				require.Error(t, r.err)
			} else {
				require.NoError(t, r.err)
			}
			assert.Equal(t, c.status, r.status)
			assert.Contains(t, r.text, c.text)
			assert.Equal(t, c.fault.RetryAfter, r.header.Get("Retry-After"))
			assert.Len(t, s.Ledger().Captures, c.captures)
			assert.Empty(t, s.Unused())
			assert.Equal(t, c.status, s.Requests()[0].Status)

			again := a.post(holdPath+"/capture", amount("40.00"), "id-1")
			require.NoError(t, again.err)
			assert.Len(t, s.Ledger().Captures, 1, "the same request id heals every one of them")
		})
	}
}

func TestALostConnectionIsReset(t *testing.T) {
	s, a := start(t)
	s.Script(fake.Lose(op, holdID, fake.After))
	require.ErrorIs(t, a.post(holdPath+"/capture", amount("40.00"), "id-1").err, syscall.ECONNRESET)
}

func TestBodiesThatCannotBeRead(t *testing.T) {
	s, a := start(t)
	s.Script(fake.Spoil(fake.OpGetAuthorization, "", fake.ShapeTruncated), fake.Spoil(fake.OpGetAuthorization, "", fake.ShapeCut))
	whole := func(r reply) bool { return strings.HasSuffix(strings.TrimSpace(r.text), "}") && r.body != nil }

	truncated := a.get(holdPath)
	require.NoError(t, truncated.err)
	assert.Equal(t, 200, truncated.status)
	assert.True(t, strings.HasPrefix(truncated.text, "{"))
	assert.False(t, whole(truncated))

	cut := a.get(holdPath)
	require.Error(t, cut.err, "the connection ends inside the body")
	assert.True(t, strings.HasPrefix(cut.text, "{"))

	assert.True(t, whole(a.get(holdPath)))
}

func TestPartsOfABodyCanBeMissing(t *testing.T) {
	s, a := start(t)
	s.Script(
		fake.Fault{Status: 422, Issues: []string{"PAYER_CANNOT_PAY"}, Remove: []string{"details"}},
		fake.Fault{Remove: []string{"links.*.rel", "amount"}},
		fake.Fault{Operation: fake.OpGetOrder, Remove: []string{"purchase_units.0.payments"}},
		fake.Spoil(op, holdID, fake.ShapeMinimal),
	)
	refused := a.get(holdPath)
	assert.Equal(t, "UNPROCESSABLE_ENTITY", refused.at("name"))
	assert.Nil(t, refused.at("details"))

	bare := a.get(holdPath)
	assert.Nil(t, bare.at("amount"))
	assert.NotNil(t, bare.at("links.1.href"))
	assert.NotContains(t, bare.text, `"rel"`)

	assert.Equal(t, "USD", a.get(orderPath).at("purchase_units.0.amount.currency_code"))
	assert.NotNil(t, a.get(orderPath).at("purchase_units.0.payments"), "the fault was for one call")

	assert.Nil(t, a.post(holdPath+"/capture", "", "").at("amount"), "minimal although the whole was asked for")
}

func TestFaultsAreUsedUpInOrder(t *testing.T) {
	s, a := start(t)
	s.AddHold(fake.Hold{AuthorizationID: "OTHER", Currency: "USD", Amount: "100.00"})
	s.Script(
		fake.Fault{Operation: op, Resource: "OTHER", Status: 500, Times: 2},
		fake.Fault{Operation: op, Status: 503},
		fake.Fault{Operation: op}, // one call passes
		fake.Fault{Operation: op, Status: 429, Times: -1},
	)
	var here, other []int
	for range 4 {
		here = append(here, a.post(holdPath+"/capture", partly, "").status)
	}
	for range 3 {
		other = append(other, a.post(authorizations+"OTHER/capture", partly, "").status)
	}
	assert.Equal(t, []int{503, 201, 429, 429}, here)
	assert.Equal(t, []int{500, 500, 429}, other)
	assert.Len(t, s.Unused(), 1)
	s.ClearScript()
	assert.Equal(t, 201, a.post(authorizations+"OTHER/capture", partly, "").status)
}

func TestAFaultThatMakesNoSenseIsRefused(t *testing.T) {
	s := fake.Start(t)
	for name, f := range map[string]fake.Fault{
		"unknown operation":           {Operation: "capture"},
		"unknown time":                {When: "later"},
		"unknown shape":               {Shape: "round"},
		"times below -1":              {Times: -2},
		"status 99":                   {Status: 99},
		"drop and a status":           {Drop: true, Status: 500},
		"issues without a status":     {Issues: []string{"X"}},
		"a capture that is not made":  {Status: 500, Capture: &fake.Outcome{Status: "PENDING"}},
		"retry after without a limit": {RetryAfter: "1"},
	} {
		assert.Panics(t, func() { s.Script(f) }, name)
	}
}

func TestAGateHoldsACallUntilItIsReleased(t *testing.T) {
	for _, when := range []fake.When{fake.Before, fake.After} {
		t.Run(string(when), func(t *testing.T) {
			s, a := start(t)
			gate := fake.NewGate()
			s.Script(fake.Stop(op, holdID, when, gate))
			first := make(chan reply, 1)
			go func() { first <- a.post(holdPath+"/capture", amount("40.00"), "id-1") }()
			<-gate.Arrived()
			assert.Len(t, s.Ledger().Captures, map[fake.When]int{fake.Before: 0, fake.After: 1}[when])
			assert.Empty(t, first)
			gate.Release()
			assert.Equal(t, 201, (<-first).status)
			<-gate.Finished()
			assert.Len(t, s.Ledger().Captures, 1)
		})
	}
}

func TestWhileAnAnswerIsHeldTheSameIDIsReplayed(t *testing.T) {
	s, a := start(t)
	gate := fake.NewGate()
	s.Script(fake.Stop(op, holdID, fake.After, gate))
	first := make(chan reply, 1)
	go func() { first <- a.post(holdPath+"/capture", amount("40.00"), "id-1") }()
	<-gate.Arrived()
	second := a.post(holdPath+"/capture", amount("40.00"), "id-1")
	assert.Equal(t, 200, second.status)
	gate.Release()
	assert.Equal(t, second.at("id"), (<-first).at("id"))
}

// leave sends a capture and gives up once it stands at the gate.
func leave(t *testing.T, a *api, gate *fake.Gate) {
	ctx, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	req, err := http.NewRequestWithContext(ctx, "POST", a.base+holdPath+"/capture", strings.NewReader(amount("40.00")))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+a.token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("PayPal-Request-Id", "id-1")
	left := make(chan error, 1)
	go func() { left <- a.send(req).err }()
	<-gate.Arrived()
	giveUp()
	require.ErrorIs(t, <-left, context.Canceled)
}

func TestAClientThatLeaves(t *testing.T) {
	cases := map[string]struct {
		when     fake.When
		late     bool
		captures int
	}{
		"before the effect: it does not take place":         {fake.Before, false, 0},
		"before the effect, scripted late: it comes anyway": {fake.Before, true, 1},
		"after the effect: it stands":                       {fake.After, false, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			gate := fake.NewGate()
			fault := fake.Stop(op, holdID, c.when, gate)
			fault.Late = c.late
			s.Script(fault)
			leave(t, a, gate)
			if c.late {
				assert.Empty(t, s.Ledger().Captures, "not yet")
				gate.Release()
			}
			<-gate.Finished()
			assert.Len(t, s.Ledger().Captures, c.captures)
			assert.Contains(t, []int{200, 201}, a.post(holdPath+"/capture", amount("40.00"), "id-1").status)
			assert.Len(t, s.Ledger().Captures, 1)
		})
	}
}

func TestClosingEndsCallsThatWait(t *testing.T) {
	for name, fault := range map[string]fake.Fault{
		"at a gate":         {Operation: op, Late: true},
		"for a delay":       {Operation: op, Late: true, Delay: time.Hour},
		"after the effect":  {Operation: op, When: fake.After},
		"after, on a delay": {Operation: op, When: fake.After, Delay: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			s, a := start(t)
			gate := fake.NewGate()
			fault.Gate = gate
			s.Script(fault)
			first := make(chan reply, 1)
			go func() { first <- a.post(holdPath+"/capture", amount("40.00"), "id-1") }()
			<-gate.Arrived()
			if fault.Delay > 0 {
				gate.Release()
			}
			require.NoError(t, s.Close())
			require.Error(t, (<-first).err)
		})
	}
}

func TestAReadCanBeGatedAndBrokenToo(t *testing.T) {
	s, a := start(t)
	s.Script(fake.Break(fake.OpGetOrder, orderID, fake.Before, 503), fake.Refuse(fake.OpGetCapture, "", 404, "INVALID_RESOURCE_ID"))
	assert.Equal(t, 503, a.get(orderPath).status)
	made := a.post(holdPath+"/capture", "", "")
	path := "/v2/payments/captures/" + made.at("id").(string)
	assert.Equal(t, 404, a.get(path).status)
	assert.Equal(t, 200, a.get(path).status)
}

package fake_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

// tell sends something to the fake itself, which asks for no token.
func (a *api) tell(path, body string) reply {
	return a.call("POST", "/_fake/"+path, body, headers{"Authorization": ""})
}

func TestTheProgramCanBeSetUpOverHTTP(t *testing.T) {
	s := fake.Start(t)
	a := connect(t, s)
	assert.Equal(t, 200, a.get("/healthz").status)
	require.Equal(t, 200, a.tell("holds", `[{"authorization_id":"`+holdID+`","order_id":"`+orderID+`","currency":"USD","amount":"100.00"}]`).status)
	require.Equal(t, 200, a.tell("orders", `{"order_id":"`+cartID+`","currency":"USD","amount":"25.00"}`).status)
	require.Equal(t, 200, a.tell("faults", `[
		{"operation":"capture_authorization","resource":"`+holdID+`","when":"after","status":500,"delay":"1ms",
		 "capture":{"status":"PENDING","after":"999h","then":{"status":"DECLINED"}}},
		{"operation":"get_order","times":-1,"set":{"status":"STRANGE"},"remove":["links"]}]`).status)

	assert.Equal(t, 500, a.post(holdPath+"/capture", amount("40.00"), "id-1").status)
	assert.Equal(t, "STRANGE", a.get(cartPath).at("status"))
	id := a.get("/_fake/ledger").at("captures.0.capture_id").(string)
	assert.Equal(t, "PENDING", a.get("/_fake/ledger").at("captures.0.status"))
	require.Equal(t, 200, a.tell("captures/"+id, `{"status":"FAILED","leaves":"CREATED"}`).status)
	assert.Equal(t, "CREATED", a.get(holdPath).at("status"))

	require.Equal(t, 200, a.tell("forget", `{"request_ids":["id-1"]}`).status)
	assert.Equal(t, 201, a.post(holdPath+"/capture", amount("40.00"), "id-1").status)
	require.Equal(t, 200, a.tell("captures", `{"order_id":"`+cartID+`"}`).status)
	assert.Equal(t, []any{}, a.get("/_fake/ledger").at("violations"))

	assert.InDelta(t, 2, a.get("/_fake/requests").at("counts.capture_authorization"), 0)
	assert.Equal(t, holdID, a.get("/_fake/requests").at("requests.0.resource"))
	require.Equal(t, 200, a.tell("token/revoke", "").status)
	assert.Equal(t, 401, a.get(holdPath).status)
}

func TestScriptedFaultsReadBackAsTheyWereGiven(t *testing.T) {
	s := fake.Start(t)
	a := connect(t, s)
	const given = `[{"operation":"capture_order","times":2,"delay":"250ms","capture":{"status":"PENDING","then":{"status":"COMPLETED"},"after":"10m0s"}}]`
	require.Equal(t, 200, a.tell("faults", given).status)
	assert.JSONEq(t, given, a.get("/_fake/faults").text)
	assert.Equal(t, 200, a.call("DELETE", "/_fake/faults", "", nil).status)
	assert.Empty(t, s.Unused())
}

func TestTheProgramSaysWhatIsWrongWithASetup(t *testing.T) {
	cases := []struct{ path, body, says string }{
		{"faults", `{"operation":"capture"}`, `operation \"capture\" does not exist`},
		{"faults", `{"stats":500}`, `unknown field \"stats\"`},
		{"faults", `{"delay":"soon"}`, `\"soon\" is not a duration`},
		{"faults", `{"capture":{"after":"-1s"}}`, `\"-1s\" is not a duration`},
		{"faults", `{"capture":{"state":"X"}}`, `unknown field \"state\"`},
		{"faults", `{} {}`, "more after the JSON value"},
		{"holds", `{"currency":"USD","amount":"1.005"}`, "DECIMAL_PRECISION"},
		{"orders", `{"currency":"XXX","amount":"1.00"}`, "INVALID_CURRENCY_CODE"},
		{"captures", `{"authorization_id":"NOSUCH"}`, "INVALID_RESOURCE_ID"},
		{"captures/NOSUCH", `{"status":"COMPLETED"}`, "no capture"},
		{"captures/NOSUCH", `[]`, "cannot unmarshal"},
		{"forget", `[]`, "cannot unmarshal"},
		{"token/revoke", `[]`, "cannot unmarshal"},
		{"lots", `{}`, "no hold"},
	}
	a := connect(t, fake.Start(t))
	for _, c := range cases {
		r := a.tell(c.path, c.body)
		assert.Equal(t, 400, r.status, c.body)
		assert.Contains(t, r.text, c.says)
	}
}

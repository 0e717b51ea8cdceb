package fake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/testsuite/fakepaypal/fake"
)

// busy makes some of everything: a capture, a pending one, a renewal, a void, an order, a forgotten id.
func busy(t *testing.T, s *fake.Server, a *api, clock *clock) {
	for _, id := range []string{"PENDING1", "RENEWED", "GONE"} {
		s.AddHold(fake.Hold{AuthorizationID: id, OrderID: "ORDER" + id, Currency: "USD", Amount: "50.00"})
	}
	s.AddOrder(fake.Order{OrderID: cartID, Currency: "JPY", Amount: "2500", InvoiceID: "sale-1"})
	s.Script(fake.Fault{Operation: op, Resource: "PENDING1", Capture: &fake.Outcome{
		Status: "PENDING", After: 10 * day, Then: &fake.Outcome{Status: "COMPLETED"},
	}})
	require.Equal(t, 201, a.post(cartPath+"/capture", "", "order-1").status)
	require.Equal(t, 201, a.post(holdPath+"/capture", amount("40.00"), "id-1").status)
	require.Equal(t, 201, a.post(authorizations+"PENDING1/capture", "", "id-2").status)
	clock.advance(4 * day)
	require.Equal(t, 201, a.post(authorizations+"RENEWED/reauthorize", "", "id-3").status)
	require.Equal(t, 200, a.post(authorizations+"GONE/void", "", "id-4").status)
	require.NoError(t, s.Forget("id-4"))
}

func TestARestartChangesNothing(t *testing.T) {
	clock := newClock()
	o := fake.Options{Clock: clock.Now, TokenTTL: 60 * day, StateFile: filepath.Join(t.TempDir(), "state")}
	s, a := start(t, o)
	busy(t, s, a, clock)
	before, token := s.Ledger(), a.token
	views := map[string]reply{}
	paths := []string{holdPath, orderPath, cartPath, authorizations + "RENEWED", "/v2/checkout/orders/ORDERRENEWED"}
	for _, path := range paths {
		views[path] = a.get(path)
	}
	for range 2 { // the second start reads what the first one has rewritten
		require.NoError(t, s.Close())
		s = fake.Start(t, o)
		oldBase := a.base
		a = connect(t, s)
		assert.Equal(t, token, a.token, "PayPal goes on handing out the same token")
		assert.Equal(t, before, s.Ledger())
		for _, path := range paths {
			views[path] = sameButFor(t, views[path], a.get(path), oldBase, a.base)
		}
		assert.Equal(t, 200, a.post(holdPath+"/capture", amount("40.00"), "id-1").status, "a replay")
		assert.Equal(t, before.Captures[2].CaptureID, a.post(authorizations+"PENDING1/capture", "", "id-2").at("id"))
		assert.Equal(t, "PREVIOUSLY_VOIDED", a.post(authorizations+"GONE/void", "", "id-4").outcome(), "this id was forgotten")
	}
	clock.advance(10 * day)
	assert.Equal(t, "COMPLETED", s.Ledger().Captures[2].Status, "what was to come still comes")
}

// sameButFor compares two views of one object across a change of address, and returns the new one.
func sameButFor(t *testing.T, before, after reply, oldBase, newBase string) reply {
	assert.Equal(t, before.status, after.status)
	assert.Equal(t, strings.ReplaceAll(before.text, oldBase, newBase), after.text)
	return after
}

func TestATornLastLineIsAnEffectThatNobodyWasToldOf(t *testing.T) {
	o := fake.Options{StateFile: filepath.Join(t.TempDir(), "state")}
	s, a := start(t, o)
	require.Equal(t, 201, a.post(holdPath+"/capture", partly, "id-1").status)
	before := s.Ledger()
	require.NoError(t, s.Close())
	file, err := os.OpenFile(o.StateFile, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"captures":[{"id":"TORN","seq":2`)
	require.NoError(t, err)
	require.NoError(t, file.Close())

	s = fake.Start(t, o)
	assert.Equal(t, before, s.Ledger())
	require.Equal(t, 201, connect(t, s).post(holdPath+"/capture", partly, "id-2").status)
	after := s.Ledger()
	require.NoError(t, s.Close())
	assert.Equal(t, after, fake.Start(t, o).Ledger(), "nothing is written behind the torn line")
}

func TestAStateFileThatCannotBeUsed(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.WriteFile(damaged, []byte("{}\nrubbish\n{}\n"), 0o600))
	_, err := fake.New(fake.Options{StateFile: damaged})
	require.ErrorContains(t, err, "line 2")

	_, err = fake.New(fake.Options{StateFile: filepath.Join(t.TempDir(), "no", "folder", "state")})
	require.Error(t, err)

	shared := filepath.Join(t.TempDir(), "state")
	fake.Start(t, fake.Options{StateFile: shared})
	_, err = fake.New(fake.Options{StateFile: shared})
	require.ErrorContains(t, err, "another process")
}

func TestAnAnswerIsOnDiskBeforeItIsGiven(t *testing.T) {
	o := fake.Options{StateFile: filepath.Join(t.TempDir(), "state")}
	_, a := start(t, o)
	made := a.post(holdPath+"/capture", amount("40.00"), "id-1")
	text, err := os.ReadFile(o.StateFile)
	require.NoError(t, err)
	assert.Contains(t, string(text), made.at("id"))
	assert.Contains(t, string(text), "id-1")
}

func TestWithoutAFileTheStateEndsWithTheServer(t *testing.T) {
	s, a := start(t)
	require.Equal(t, 201, a.post(holdPath+"/capture", partly, "id-1").status)
	require.NoError(t, s.Close())
	assert.Empty(t, fake.Start(t).Ledger().Captures)
}

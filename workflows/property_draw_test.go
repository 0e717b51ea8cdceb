package workflows_test

import (
	"time"

	"pgregory.net/rapid"

	"gavel/activities"
	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// What may go wrong, by operation. The first of each list is what a failing
// scenario is made simpler towards.
var (
	onCapture = []string{
		"lost before", "lost after", "500 before", "500 after", "503 after", "429", "429 for long", "decline", "400", "401", "403", "404", "408", "409",
		"html", "empty", "truncated", "cut", "minimal", "another amount", "another invoice", "odd status",
		"pending", "pending, paid", "pending, denied", "pending, failed", "declined capture", "failed capture", "declined, voided",
	}
	onRead  = []string{"lost before", "500 before", "429", "429 for long", "401", "403", "404", "html", "empty", "truncated", "cut", "minimal", "odd status"}
	onVoid  = []string{"lost before", "lost after", "500 before", "500 after", "429", "403", "404", "409", "html", "cut", "decline", "void that lies"}
	onRenew = []string{"lost before", "lost after", "500 before", "500 after", "429", "decline", "403", "404", "html", "cut", "another amount"}
	onToken = []string{"500 before", "lost before", "429", "401", "html"}
)

// issues are one of each class that the client tells apart, and one that nobody lists.
var issues = map[fake.Operation][]string{
	fake.OpCaptureAuthorization: {
		"PAYER_CANNOT_PAY", "INSTRUMENT_DECLINED", "AUTHORIZATION_ALREADY_CAPTURED", "AUTHORIZATION_VOIDED", "AUTHORIZATION_EXPIRED", "AUTHORIZATION_DENIED",
		"PAYEE_ACCOUNT_RESTRICTED", "MAX_CAPTURE_AMOUNT_EXCEEDED", "DUPLICATE_INVOICE_ID", "PAYPAL_REQUEST_ID_PREVIOUSLY_USED",
		"COMPLIANCE_VIOLATION", "SOMETHING_NEW",
	},
	fake.OpVoidAuthorization: {"PREVIOUSLY_CAPTURED", "PREVIOUSLY_VOIDED", "CANNOT_BE_VOIDED", "SOMETHING_NEW"},
	fake.OpReauthorize: {
		"REAUTHORIZATION_TOO_SOON", "REAUTHORIZATION_NOT_SUPPORTED", "PAYER_CANNOT_PAY", "AUTHORIZATION_ALREADY_CAPTURED",
		"PAYEE_ACCOUNT_RESTRICTED", "SOMETHING_NEW",
	},
}

var faultsOf = []struct {
	op   fake.Operation
	what []string
}{
	{fake.OpCaptureAuthorization, onCapture}, {fake.OpCaptureAuthorization, onCapture}, {fake.OpVoidAuthorization, onVoid},
	{fake.OpGetAuthorization, onRead}, {fake.OpGetOrder, onRead}, {fake.OpReauthorize, onRenew}, {fake.OpGetCapture, onRead}, {fake.OpToken, onToken},
}

var deeds = []string{
	"hold voided", "hold denied", "review of hold passed", "review of hold failed", "captured as intended", "captured short", "captured in part",
	"captured by somebody", "captured without invoice", "capture refunded",
}

var happenings = []string{
	"engage switch", "release switch", "lose switch", "cancel", "continue as new", "die", "terminate", "forget request ids", "revoke token",
}

func drawScenario(t *rapid.T) scenario {
	s := drawLot(t)
	n := len(s.Bids)
	s.Attempts = rapid.IntRange(2, 4).Draw(t, "attempts")
	s.PassMax = rapid.SampledFrom([]time.Duration{time.Minute, 10 * time.Minute, time.Hour}).Draw(t, "pass max")
	s.ClearAt = s.PassMax * time.Duration(rapid.IntRange(1, 60).Draw(t, "clear at"))
	s.Account = drawAccount(t)
	s.Faults = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) fault { return drawFault(t, n) }), 0, 4).Draw(t, "faults")
	s.Losses = rapid.SliceOfN(rapid.Custom(drawLoss), 0, 3).Draw(t, "losses")
	s.Events = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event { return drawEvent(t, n, s.ClearAt) }), 0, 4).Draw(t, "events")
	s.Person = rapid.SliceOfN(rapid.Custom(drawDecision), 0, 3).Draw(t, "person")
	s.drawPair(t, n)
	if rapid.IntRange(0, 4).Draw(t, "late?") == 4 {
		s.Late = []late{{drawCall(t, n), time.Duration(rapid.IntRange(1, 40).Draw(t, "late by"))*time.Minute + 500*time.Millisecond}}
	}
	return s
}

// drawPair adds two things that go wrong one after the other, which single draws
// seldom bring together.
func (s *scenario) drawPair(t *rapid.T, bids int) {
	who := rapid.IntRange(0, bids-1).Draw(t, "pair of")
	times := rapid.SampledFrom([]int{1, 5, -1}).Draw(t, "pair times")
	switch rapid.IntRange(0, 5).Draw(t, "pair") {
	case 1: // a refusal, and its fence goes wrong
		s.Faults = append(s.Faults,
			fault{Op: fake.OpCaptureAuthorization, Bidder: who, What: "decline", Issue: "PAYER_CANNOT_PAY", Times: 1},
			fault{Op: fake.OpVoidAuthorization, Bidder: who, What: rapid.SampledFrom(onVoid[:len(onVoid)-2]).Draw(t, "fence"), Times: times})
	case 2: // a refusal, and a fence that PayPal only says is there
		s.Faults = append(s.Faults,
			fault{Op: fake.OpCaptureAuthorization, Bidder: who, What: "decline", Issue: "PAYER_CANNOT_PAY", Times: 1},
			fault{Op: fake.OpVoidAuthorization, Bidder: who, What: "void that lies", Times: times})
	case 3: // called off in doubt
		s.Faults = append(s.Faults, fault{Op: fake.OpCaptureAuthorization, Bidder: who, What: rapid.SampledFrom(onCapture[:5]).Draw(t, "doubt"), Times: times})
		s.Events = append(s.Events, event{On: call{fake.OpCaptureAuthorization, who, 1}, Do: "cancel"})
	case 4: // money taken by somebody on a hold that is closed then
		s.Events = append(s.Events,
			event{On: call{fake.OpGetAuthorization, who, rapid.IntRange(1, 3).Draw(t, "reading")}, Do: "captured in part", Bidder: who},
			event{On: call{fake.OpGetOrder, who, rapid.IntRange(1, 3).Draw(t, "listing")}, Do: "hold voided", Bidder: who})
	}
}

func drawLot(t *rapid.T) scenario {
	s := scenario{
		Fallback: rapid.SampledFrom([]workflows.Fallback{"", workflows.FallbackAsk, workflows.FallbackNone}).Draw(t, "fallback"),
		Release:  rapid.IntRange(0, 2).Draw(t, "release"),
		Renewals: rapid.Bool().Draw(t, "renewals"),
	}
	s.Bids = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bidder {
		return bidder{
			Price:     int64(rapid.IntRange(1, 4).Draw(t, "price")) * 3050,
			Above:     rapid.SampledFrom([]int64{0, 3000}).Draw(t, "above"),
			Age:       rapid.SampledFrom([]time.Duration{0, 71*time.Hour + 59*time.Minute, 80 * time.Hour, 20 * 24 * time.Hour, 28*24*time.Hour + 23*time.Hour}).Draw(t, "age"),
			Unnamed:   rapid.Bool().Draw(t, "unnamed"),
			Status:    rapid.SampledFrom([]string{"", "", "", "", "PENDING", "VOIDED", "DENIED"}).Draw(t, "status"),
			Orderless: rapid.IntRange(0, 9).Draw(t, "orderless") == 9,
		}
	}), 1, 4).Draw(t, "bids")
	return s
}

func drawAccount(t *rapid.T) fake.Options {
	return fake.Options{
		Invoices:     rapid.SampledFrom([]fake.InvoiceRule{"", fake.InvoicesTaken, fake.InvoicesEver}).Draw(t, "invoices"),
		OtherBody:    rapid.SampledFrom([]fake.OtherBodyRule{"", fake.OtherBody422, fake.OtherBody400}).Draw(t, "other body"),
		KeepRefusals: rapid.Bool().Draw(t, "keep refusals"),
	}
}

func drawFault(t *rapid.T, bids int) fault {
	from := rapid.SampledFrom(faultsOf).Draw(t, "operation")
	f := fault{
		Op: from.op, Bidder: rapid.IntRange(anyHold, bids-1).Draw(t, "bidder"), What: rapid.SampledFrom(from.what).Draw(t, "what"),
		Times: rapid.SampledFrom([]int{1, 2, 3, 7, -1}).Draw(t, "times"),
	}
	if f.What == "decline" {
		f.Issue = rapid.SampledFrom(issues[f.Op]).Draw(t, "issue")
	}
	return f
}

func drawLoss(t *rapid.T) loss {
	return loss{
		Activity: rapid.SampledFrom([]string{
			activities.CaptureName, activities.ReauthorizeName, activities.ReadTruthName, activities.ReleaseHoldsName, activities.ReadHoldsName,
		}).Draw(t, "activity"),
		Nth:    rapid.IntRange(1, 4).Draw(t, "nth"),
		Before: rapid.Bool().Draw(t, "before"),
	}
}

func drawCall(t *rapid.T, bids int) call {
	return call{
		Op:     rapid.SampledFrom([]fake.Operation{fake.OpCaptureAuthorization, fake.OpVoidAuthorization, fake.OpReauthorize}).Draw(t, "call"),
		Bidder: rapid.IntRange(0, bids-1).Draw(t, "bidder"),
		Nth:    rapid.IntRange(1, 3).Draw(t, "nth"),
	}
}

// drawEvent: half seconds keep events apart from the settlement's own timers, so
// that their order is always the same.
func drawEvent(t *rapid.T, bids int, most time.Duration) event {
	e := event{Bidder: rapid.IntRange(0, bids-1).Draw(t, "bidder")}
	if rapid.Bool().Draw(t, "behind our back") {
		e.Do = rapid.SampledFrom(deeds).Draw(t, "deed")
	} else {
		e.Do = rapid.SampledFrom(happenings).Draw(t, "do")
	}
	byCall := rapid.Bool().Draw(t, "on a call")
	switch {
	case e.Do == "die", byCall && e.Do != "continue as new" && e.Do != "terminate":
		e.On = drawCall(t, bids)
	default:
		quick := time.Duration(rapid.IntRange(0, 30).Draw(t, "seconds")) * time.Second
		if rapid.Bool().Draw(t, "slow") {
			quick = time.Duration(rapid.IntRange(1, 100).Draw(t, "percent")) * most / 100
		}
		e.At = quick.Truncate(time.Second) + 500*time.Millisecond
	}
	return e
}

func drawDecision(t *rapid.T) decision {
	d := decision{
		After:  time.Duration(rapid.IntRange(0, 100).Draw(t, "after"))*time.Minute + 500*time.Millisecond,
		Action: rapid.SampledFrom(workflows.Actions).Draw(t, "action"),
		Signal: rapid.Bool().Draw(t, "signal"),
		ID:     rapid.SampledFrom([]string{"", "one"}).Draw(t, "id"),
	}
	if d.Action == workflows.ActionAdopt {
		d.Capture = rapid.SampledFrom([]string{"newest", "MADEUP"}).Draw(t, "capture")
	}
	return d
}

// drawSteadyScenario: what goes wrong goes wrong for ever, so that it does not
// matter how often PayPal is asked.
func drawSteadyScenario(t *rapid.T) scenario {
	s := drawLot(t)
	n := len(s.Bids)
	s.Attempts, s.PassMax, s.ClearAt = 2, time.Hour, 30*time.Hour
	s.Account.Invoices = rapid.SampledFrom([]fake.InvoiceRule{"", fake.InvoicesTaken}).Draw(t, "invoices")
	s.Faults = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) fault {
		f := drawFault(t, n)
		f.Times = -1
		if s.Renewals && f.Op == fake.OpCaptureAuthorization {
			f.Bidder = anyHold // the renewal has an id that nobody can know beforehand
		}
		return f
	}), 0, 4).Draw(t, "faults")
	for i := range s.Bids {
		s.Bids[i].Age = min(s.Bids[i].Age, 20*24*time.Hour) // no hold lapses on the way
	}
	return s
}

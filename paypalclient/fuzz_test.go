package paypalclient

import (
	"encoding/json"
	"regexp"
	"testing"
	"unicode/utf8"
)

var canonicalAmount = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})(\.[0-9]{2})?$`)

func FuzzParseMoney(f *testing.F) {
	for _, value := range []string{
		"120.00", "100", "0.01", "1e3", "+1", "-1.00", "1.005", ".5", "NaN", "999999999999999.99",
		"1000000000000000.00", "00.01", "1,00", "", "٣.٠٠",
	} {
		f.Add("USD", value)
		f.Add("JPY", value)
	}
	f.Add("XTS", "1.00")
	f.Fuzz(func(t *testing.T, currency, value string) {
		m, err := ParseMoney(currency, value)
		if err != nil {
			if m != (Money{}) {
				t.Fatalf("a refusal with an amount: %v", m)
			}
			return
		}
		if m.Minor <= 0 || m.Value() != value || !canonicalAmount.MatchString(value) {
			t.Fatalf("%q %q was read as %v", currency, value, m)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Money
		if err := json.Unmarshal(text, &back); err != nil || back != m {
			t.Fatalf("%s came back as %v, %v", text, back, err)
		}
	})
}

func FuzzDecodeCapture(f *testing.F) {
	for _, body := range []string{
		captureBody, renewedBody, authorizationBody, `{}`, `null`, `[]`, `{"id":`, `<html>`, "",
		with(captureBody, `"120.00"`, `120`), with(captureBody, `"up"`, `null`), with(captureBody, captureID, `\u0000`),
	} {
		f.Add([]byte(body))
	}
	asked := CaptureAuthorizationRequest{AuthorizationID: holdID, RequestID: requestID, InvoiceID: invoiceID, Amount: usd(12000)}
	f.Fuzz(func(t *testing.T, body []byte) {
		capture, failure := acceptCapture(answer{status: 201, body: body}, 200, 201)
		if failure != nil {
			if failure.Kind != KindUnreadable || failure.Outcome != OutcomeUnknown || capture != (Capture{}) {
				t.Fatalf("%v with %+v", failure, capture)
			}
			return
		}
		if !validID(capture.ID) || capture.Status == "" || capture.Amount.IsZero() || capture.Amount.Minor < 0 {
			t.Fatalf("taken: %+v", capture)
		}
		if captureStatus(string(capture.Status)) != capture.Status {
			t.Fatalf("a status that is not listed: %q", capture.Status)
		}
		if len(capture.Reason) > maxNameLength || utf8.RuneCountInString(capture.InvoiceID) > 255 {
			t.Fatalf("not bounded: %+v", capture)
		}
		if asked.compare(capture) == nil && capture.Amount != asked.Amount {
			t.Fatalf("success for another amount: %+v", capture)
		}
	})
}

func FuzzDecodeOrder(f *testing.F) {
	for _, body := range []string{orderBody, capturedOrderBody, `{}`, `{"purchase_units":[null]}`, `{"purchase_units":{}}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		order, failure := acceptOrder(answer{status: 200, body: body}, 200)
		if failure != nil {
			return
		}
		if !validID(order.ID) || order.Status == "" {
			t.Fatalf("taken: %+v", order)
		}
		for _, capture := range order.Captures {
			if !validID(capture.ID) || capture.OrderID != order.ID || capture.Amount.IsZero() {
				t.Fatalf("taken: %+v", capture)
			}
		}
	})
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_.-]*$`)

func FuzzDecodeError(f *testing.F) {
	for _, body := range []string{
		envelope("PAYER_CANNOT_PAY"), envelope("A", "B"), `{"error":"invalid_token","error_description":"x"}`,
		`{"name":"RATE_LIMIT_REACHED","details":null}`, `{"details":[null]}`, `{"details":{}}`, `<html>`, "", `"x"`,
	} {
		for _, status := range []int{400, 401, 409, 422, 500} {
			f.Add(status, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		for _, o := range operations {
			e := refusal(o.op, answer{status: status, body: body})
			if e.Outcome != outcomes[e.Kind] || e.Outcome == "" {
				t.Fatalf("%d: kind %q with outcome %q", status, e.Kind, e.Outcome)
			}
			if e.Kind == KindDeclined && status != 422 {
				t.Fatalf("%d is a decline", status)
			}
			if len(e.Issues) > maxIssues {
				t.Fatalf("%d issues", len(e.Issues))
			}
			for _, text := range append(e.Issues, e.Name, e.DebugID) {
				if len(text) > maxNameLength || !plain.MatchString(text) {
					t.Fatalf("not plain: %q", text)
				}
			}
			_ = e.Error()
		}
	})
}

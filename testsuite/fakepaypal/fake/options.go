package fake

import "time"

// Options describe the account and the world that a Server plays. The zero value is usable.
type Options struct {
	ClientID, ClientSecret string           // "demo" and "demo" when empty
	Clock                  func() time.Time // nil: time.Now
	StateFile              string           // journal that the state survives in; "" keeps it in memory only
	TokenTTL               time.Duration    // life of an access token; 0: nine hours

	Invoices        InvoiceRule   // what the account does about an invoice_id that was captured before; "": InvoicesFree
	OtherBody       OtherBodyRule // what a known request id with another request gets; "": OtherBodyFirst
	KeepRefusals    bool          // remember 4xx answers under their request id and replay them
	NoOverCapture   bool          // captures may not pass the hold's amount, as in PSD2 countries
	ReauthorizeOnce bool          // a second reauthorization of a hold is always too soon

	OrderLifetime  time.Duration // how long an uncaptured order is known after its approval; 0: three hours
	OrderIDsKept   time.Duration // how long an order's request ids are known; 0: six hours
	PaymentIDsKept time.Duration // how long request ids of the payments endpoints are known; 0: 45 days
	RequestsKept   int           // how many requests the log holds; 0: 4096. Counts are kept for all.
}

// InvoiceRule is the account's setting for invoice ids that come up again.
type InvoiceRule string

const (
	InvoicesFree  InvoiceRule = "allow"      // the same invoice may be captured again
	InvoicesTaken InvoiceRule = "refuse"     // refused when an earlier capture took money, or may still take it
	InvoicesEver  InvoiceRule = "refuse-any" // refused when there is any earlier capture, a declined one too
)

// OtherBodyRule says what happens when a request id comes back with another request.
// PayPal does not document it for captures; orders were seen to answer with the first result, other APIs to refuse.
type OtherBodyRule string

const (
	OtherBodyFirst OtherBodyRule = "first" // the first request's result, as if nothing were wrong
	OtherBody400   OtherBodyRule = "400"   // 400 DUPLICATE_REQUEST_ID
	OtherBody422   OtherBodyRule = "422"   // 422 PAYPAL_REQUEST_ID_PREVIOUSLY_USED
)

func (o Options) withDefaults() Options {
	setDefault(&o.ClientID, "demo")
	setDefault(&o.ClientSecret, "demo")
	setDefault(&o.TokenTTL, 9*time.Hour)
	setDefault(&o.Invoices, InvoicesFree)
	setDefault(&o.OtherBody, OtherBodyFirst)
	setDefault(&o.OrderLifetime, 3*time.Hour)
	setDefault(&o.OrderIDsKept, 6*time.Hour)
	setDefault(&o.PaymentIDsKept, 45*24*time.Hour)
	setDefault(&o.RequestsKept, 4096)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Package demo sets the stage of the demo on one machine: a Temporal dev server,
// the fake PayPal with a sample auction's holds, and a worker.
package demo

import (
	"bytes"
	_ "embed"
	"fmt"

	"gavel/starter/internal/lotfile"
	"gavel/testsuite/fakepaypal/fake"
)

//go:embed auction.json
var auction []byte

// What the sample's lots run into, by authorization.
const (
	lostAnswers  = "7BD1A2C3D4E5F6021" // emil's, lot 3
	declined     = "7BD1A2C3D4E5F6031" // gus's, lot 4
	voidedBefore = "7BD1A2C3D4E5F6052" // lou's, lot 6
)

// Story says what happens to the sample's lots, a line each.
var Story = []string{
	"1-oak-desk     ana pays; the holds of ben and cleo go back",
	"2-wall-clock   dora pays; two holds of earlier bids go back too (the lot's release list)",
	"3-silver-ring  PayPal takes emil's money and every answer is lost: the capture is found and adopted",
	"4-watercolour  gus's card is declined: his hold is voided first, then hana pays her own price",
	"5-tea-bowl     jun pays in yen, which has no decimals",
	"6-globe        kim pays; lou's hold was voided by someone else before",
}

// Sample is the sample auction, as a lot file's content.
func Sample() ([]lotfile.Entry, error) {
	return lotfile.Decode("the sample auction", auction)
}

// seed gives the sample's bidders their holds, and PayPal its bad moments.
func seed(paypal *fake.Server) error {
	if _, err := paypal.AddLots(bytes.NewReader(auction)); err != nil {
		return fmt.Errorf("the sample auction: %w", err)
	}
	lost := fake.Lose(fake.OpCaptureAuthorization, lostAnswers, fake.After)
	lost.Times = -1
	paypal.Script(lost, fake.Decline(fake.OpCaptureAuthorization, declined, "INSTRUMENT_DECLINED"))
	return paypal.SetHold(voidedBefore, "VOIDED", "")
}

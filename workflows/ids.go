package workflows

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// SettlementID is the workflow id of a lot's settlement: one lot, one id.
func SettlementID(auctionID, lotID string) string {
	return "settlement/" + auctionID + "/" + lotID
}

// OrphanVoidID is the workflow id of a release that outlives its settlement.
func OrphanVoidID(authorizationID string) string {
	return "orphan-void/" + authorizationID
}

// maxInvoiceID is the longest invoice_id that PayPal takes (Payments v2, capture request).
const maxInvoiceID = 127

// InvoiceID is the one invoice_id of a lot, whoever pays, so that an account
// that blocks duplicate invoices blocks a second charge for the lot by itself.
func InvoiceID(prefix, auctionID, lotID string) string {
	id := prefix + "/" + auctionID + "/" + lotID
	if len(id) <= maxInvoiceID {
		return id
	}
	return prefix + "/" + digest(auctionID, lotID)
}

// operation is what a request id stands for.
type operation string

const (
	operationCapture     operation = "capture"
	operationReauthorize operation = "reauthorize"
	operationVoid        operation = "void"
)

// requestID is the PayPal-Request-Id of one operation on one hold for one lot.
// It is computed, never drawn: whoever asks again asks under the same id, and
// PayPal answers with what the first request made.
func requestID(op operation, auctionID, lotID, authorizationID, amount string) string {
	return "gv1-" + digest(string(op), auctionID, lotID, authorizationID, amount)
}

// digest is 32 hexadecimal characters of the parts, kept apart by their lengths.
func digest(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "%d:%s", len(p), p)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:16])
}

// LotHash tells whether two inputs for one lot are the same input.
func LotHash(lot Lot) string {
	// A Lot is strings and lists of strings: it always marshals.
	body, _ := json.Marshal(lot)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

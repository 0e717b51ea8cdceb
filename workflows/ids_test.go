package workflows

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInvoiceID(t *testing.T) {
	assert.Equal(t, "gv1/spring-2026/17", InvoiceID("gv1", "spring-2026", "17"))

	long := strings.Repeat("x", 100)
	hashed := InvoiceID("gv1", long, long)
	assert.Regexp(t, `^gv1/[0-9a-f]{32}$`, hashed)
	assert.NotEqual(t, hashed, InvoiceID("gv1", long, long[:99]+"y"))

	fits := InvoiceID("gv1", long, strings.Repeat("y", 22))
	assert.Len(t, fits, 127, "127 characters stand as they are")
	assert.Contains(t, fits, "/"+long+"/")
}

func TestRequestIDsAreFixedAndApart(t *testing.T) {
	one := requestID(operationCapture, "spring", "17", "HOLD", "120.00 USD")
	assert.Equal(t, "gv1-c2eba07d189c503db0ad7f2b227e5597", one, "a changed id is a second request at PayPal")
	assert.LessOrEqual(t, len(one), 38)
	for name, other := range map[string]string{
		"operation":     requestID(operationVoid, "spring", "17", "HOLD", "120.00 USD"),
		"auction":       requestID(operationCapture, "sprin", "g17", "HOLD", "120.00 USD"),
		"lot":           requestID(operationCapture, "spring", "18", "HOLD", "120.00 USD"),
		"authorization": requestID(operationCapture, "spring", "17", "HOLD2", "120.00 USD"),
		"amount":        requestID(operationCapture, "spring", "17", "HOLD", "120.01 USD"),
		"currency":      requestID(operationCapture, "spring", "17", "HOLD", "120.00 EUR"),
	} {
		assert.NotEqual(t, one, other, "another %s is another request", name)
	}
}

func TestLotHash(t *testing.T) {
	assert.Equal(t, LotHash(lotOf("ana", "ben")), LotHash(lotOf("ana", "ben")))
	assert.NotEqual(t, LotHash(lotOf("ana", "ben")), LotHash(lotOf("ben", "ana")), "the rank is part of the input")
}

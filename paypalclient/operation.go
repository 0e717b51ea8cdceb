package paypalclient

// Operation names a call, in errors, logs and metrics.
type Operation string

// The operations of PayPal's API that the client knows.
const (
	OpToken                    Operation = "token"
	OpGetAuthorization         Operation = "get_authorization"
	OpCaptureAuthorization     Operation = "capture_authorization"
	OpVoidAuthorization        Operation = "void_authorization"
	OpReauthorizeAuthorization Operation = "reauthorize_authorization"
	OpGetCapture               Operation = "get_capture"
	OpGetOrder                 Operation = "get_order"
	OpCaptureOrder             Operation = "capture_order"
)

// MovesMoney reports whether the operation changes something at PayPal. Only such operations can leave a
// doubt behind.
func (op Operation) MovesMoney() bool {
	switch op {
	case OpCaptureAuthorization, OpVoidAuthorization, OpReauthorizeAuthorization, OpCaptureOrder:
		return true
	}
	return false
}

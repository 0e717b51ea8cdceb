package fake

import "time"

// Fault is one thing that goes wrong, or goes differently, with a call. Faults that match a call are used up in the
// order in which they were scripted; one that asks for nothing lets the call pass untouched. A call whose token is
// dead or whose request is malformed is refused before any fault is looked at.
type Fault struct {
	Operation Operation `json:"operation,omitempty"` // "" matches every endpoint but the token endpoint
	Resource  string    `json:"resource,omitempty"`  // id in the path; "" matches every one
	Times     int       `json:"times,omitempty"`     // how many calls; 0 is one, -1 is for ever
	When      When      `json:"when,omitempty"`      // on which side of the effect it happens; "" is Before

	Delay time.Duration `json:"-"`              // waits; in JSON "delay": "250ms"
	Gate  *Gate         `json:"-"`              // waits until the test lets go
	Late  bool          `json:"late,omitempty"` // a wait before the effect goes on when the client has left: the effect comes late

	Drop       bool           `json:"drop,omitempty"`        // the connection is reset in place of an answer
	Status     int            `json:"status,omitempty"`      // this answer in place of the true one
	Issues     []string       `json:"issues,omitempty"`      // its details, for a 4xx
	RetryAfter string         `json:"retry_after,omitempty"` // its Retry-After header, seconds or a date
	Shape      Shape          `json:"shape,omitempty"`       // how the body reaches the client
	Set        map[string]any `json:"set,omitempty"`         // values changed in the body: "amount.value": "1.00"
	Remove     []string       `json:"remove,omitempty"`      // values taken out of it: "details", "links.*.rel"

	Capture *Outcome `json:"capture,omitempty"` // what becomes of the capture that the call makes
}

// When says on which side of its effect a call is hit.
type When string

const (
	Before When = "before"
	After  When = "after"
)

// Shape is a way to spoil an answer's body.
type Shape string

const (
	ShapeHTML      Shape = "html"      // a proxy's error page
	ShapeEmpty     Shape = "empty"     // no body at all
	ShapeTruncated Shape = "truncated" // half of the JSON, as a complete HTTP answer
	ShapeCut       Shape = "cut"       // half of the JSON, then the connection is reset
	ShapeMinimal   Shape = "minimal"   // id, status and links only, whatever Prefer says
	ShapeOAuth     Shape = "oauth"     // {"error", "error_description"}, as a gateway answers a dead token
)

// Outcome is what becomes of a capture that PayPal accepts.
type Outcome struct {
	Status string `json:"status"`           // COMPLETED, PENDING, DECLINED, FAILED
	Reason string `json:"reason,omitempty"` // status_details.reason
	// Leaves is the status that the hold or order is left in; "" is the usual one.
	Leaves string `json:"leaves,omitempty"`
	// Then is what a PENDING capture turns into by itself once After has passed on the server's clock.
	Then  *Outcome      `json:"then,omitempty"`
	After time.Duration `json:"-"` // in JSON "after": "10m"
}

// replaces reports whether the client gets something made up instead of PayPal's own answer.
func (f *Fault) replaces() bool { return f.Drop || f.Status != 0 }

func (f *Fault) when() When {
	if f.When == After {
		return After
	}
	return Before
}

package workflows_test

import (
	"fmt"
	"net/http"
	"time"

	"gavel/testsuite/fakepaypal/fake"
	"gavel/workflows"
)

// scenario is one story that a settlement lives through: the lot, the account,
// and everything that goes wrong. It is plain data, so that a failing one can be
// printed and pasted into a test. Zero values are the quiet choice everywhere.
type scenario struct {
	Bids     []bidder
	Release  int // holds of the release list
	Currency string
	Fallback workflows.Fallback
	PassMax  time.Duration
	Renewals bool // holds past the honor period are renewed
	Attempts int  // of one request
	Account  fake.Options

	Faults []fault // at PayPal
	Losses []loss  // of activities
	Late   []late  // requests that reach PayPal after the process that sent them is gone
	Events []event
	Person []decision // answers to the reviews, one after the other

	// ClearAt is when PayPal, the switch and the workers work again.
	ClearAt time.Duration
}

// bidder is one bid and the hold behind it; amounts in the smallest unit.
type bidder struct {
	Price, Above int64 // the hold is for the price and what is above
	Age          time.Duration
	Unnamed      bool   // the lot does not name the order
	Status       string // of the hold when the scenario begins; "": CREATED
	Orderless    bool   // the hold belongs to no order
}

// anyHold stands for every bidder.
const anyHold = -1

// fault is something that goes wrong with the calls of one operation on one hold.
type fault struct {
	Op     fake.Operation
	Bidder int
	What   string // a name in faultTable
	Times  int    // -1: until ClearAt
	Issue  string // of "decline"
}

// call is the nth call of an operation on one bidder's hold, from 1.
type call struct {
	Op     fake.Operation
	Bidder int
	Nth    int
}

// loss is the nth run of an activity, which does not end: the process died
// before it did anything, or after it had done everything.
type loss struct {
	Activity string
	Nth      int
	Before   bool
}

// late is a call whose request takes effect only later.
type late struct {
	Call call
	By   time.Duration
}

// event is something that happens at a time, or when a call arrives.
type event struct {
	At     time.Duration
	On     call // where Nth is set
	Do     string
	Bidder int
}

// decision is what a person decides about a review.
type decision struct {
	After   time.Duration // since the alert
	Action  workflows.Action
	Capture string // "newest": the newest on a hold of the lot; else it is the id
	Signal  bool
	ID      string
}

func whole(op fake.Operation, id string) fake.Fault {
	return fake.Fault{Operation: op, Resource: id}
}

// faultTable makes faults by name.
var faultTable = map[string]func(op fake.Operation, id string) fake.Fault{
	"lost before":  func(op fake.Operation, id string) fake.Fault { return fake.Lose(op, id, fake.Before) },
	"lost after":   func(op fake.Operation, id string) fake.Fault { return fake.Lose(op, id, fake.After) },
	"500 before":   func(op fake.Operation, id string) fake.Fault { return fake.Break(op, id, fake.Before, 500) },
	"500 after":    func(op fake.Operation, id string) fake.Fault { return fake.Break(op, id, fake.After, 500) },
	"503 after":    func(op fake.Operation, id string) fake.Fault { return fake.Break(op, id, fake.After, 503) },
	"429":          func(op fake.Operation, id string) fake.Fault { return fake.Limit(op, id, "") },
	"429 for long": func(op fake.Operation, id string) fake.Fault { return fake.Limit(op, id, "3600") },
	"400": func(op fake.Operation, id string) fake.Fault {
		return fake.Refuse(op, id, 400, "INVALID_PARAMETER_VALUE")
	},
	"401": func(op fake.Operation, id string) fake.Fault { return fake.Refuse(op, id, 401) },
	"403": func(op fake.Operation, id string) fake.Fault { return fake.Refuse(op, id, 403, "PERMISSION_DENIED") },
	"404": func(op fake.Operation, id string) fake.Fault { return fake.Refuse(op, id, 404, "INVALID_RESOURCE_ID") },
	"408": func(op fake.Operation, id string) fake.Fault { return fake.Refuse(op, id, http.StatusRequestTimeout) },
	"409": func(op fake.Operation, id string) fake.Fault {
		return fake.Refuse(op, id, 409, "PREVIOUS_REQUEST_IN_PROGRESS")
	},
	"html":            func(op fake.Operation, id string) fake.Fault { return fake.Spoil(op, id, fake.ShapeHTML) },
	"empty":           func(op fake.Operation, id string) fake.Fault { return fake.Spoil(op, id, fake.ShapeEmpty) },
	"truncated":       func(op fake.Operation, id string) fake.Fault { return fake.Spoil(op, id, fake.ShapeTruncated) },
	"cut":             func(op fake.Operation, id string) fake.Fault { return fake.Spoil(op, id, fake.ShapeCut) },
	"minimal":         func(op fake.Operation, id string) fake.Fault { return fake.Spoil(op, id, fake.ShapeMinimal) },
	"another amount":  func(op fake.Operation, id string) fake.Fault { return edited(op, id, "amount.value", "1.00") },
	"another invoice": func(op fake.Operation, id string) fake.Fault { return edited(op, id, "invoice_id", "theirs") },
	"odd status":      func(op fake.Operation, id string) fake.Fault { return edited(op, id, "status", "SOMETHING_NEW") },
	"pending": func(op fake.Operation, id string) fake.Fault {
		return fake.Outcomes(op, id, "PENDING", "PENDING_REVIEW")
	},
	"pending, paid":    func(op fake.Operation, id string) fake.Fault { return pending(op, id, "COMPLETED", "") },
	"pending, denied":  func(op fake.Operation, id string) fake.Fault { return pending(op, id, "DECLINED", "") },
	"pending, failed":  func(op fake.Operation, id string) fake.Fault { return pending(op, id, "FAILED", "CREATED") },
	"declined capture": func(op fake.Operation, id string) fake.Fault { return fake.Outcomes(op, id, "DECLINED", "") },
	"failed capture":   func(op fake.Operation, id string) fake.Fault { return leaves(op, id, "FAILED", "CAPTURED") },
	"declined, voided": func(op fake.Operation, id string) fake.Fault { return leaves(op, id, "DECLINED", "VOIDED") },
	"empty, not done": func(op fake.Operation, id string) fake.Fault {
		return fake.Fault{Operation: op, Resource: id, Status: http.StatusCreated, Shape: fake.ShapeEmpty}
	},
	"void that lies": func(op fake.Operation, id string) fake.Fault {
		return fake.Fault{Operation: op, Resource: id, Status: http.StatusNoContent}
	},
}

func edited(op fake.Operation, id, field, value string) fake.Fault {
	f := whole(op, id)
	f.When, f.Set = fake.After, map[string]any{field: value}
	return f
}

func pending(op fake.Operation, id, then, left string) fake.Fault {
	f := fake.Outcomes(op, id, "PENDING", "PENDING_REVIEW")
	f.Capture.Then, f.Capture.After = &fake.Outcome{Status: then, Leaves: left}, 26*time.Hour
	return f
}

func leaves(op fake.Operation, id, status, left string) fake.Fault {
	f := fake.Outcomes(op, id, status, "")
	f.Capture.Leaves = left
	return f
}

// scripted is the fault as the fake takes it; id is the hold's or order's.
func (f fault) scripted(id string) fake.Fault {
	if f.What == "decline" {
		scripted := fake.Decline(f.Op, id, f.Issue)
		scripted.Times = f.Times
		return scripted
	}
	build, ok := faultTable[f.What]
	if !ok {
		panic(fmt.Sprintf("no fault %q", f.What))
	}
	scripted := build(f.Op, id)
	scripted.Times = f.Times
	return scripted
}

// lies tells whether the fault makes PayPal say what is not so: what a settlement
// believes then cannot be held against it everywhere.
func (f fault) lies() bool {
	switch {
	case f.What == "void that lies":
		return true
	case f.Op == fake.OpVoidAuthorization && f.What == "decline":
		return true
	default:
		return false
	}
}

func holdID(i int) string  { return fmt.Sprintf("HOLD%d", i) }
func orderID(i int) string { return fmt.Sprintf("ORDER%d", i) }
func spareID(i int) string { return fmt.Sprintf("SPARE%d", i) }

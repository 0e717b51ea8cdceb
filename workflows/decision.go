package workflows

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gavel/activities"
	"gavel/config/input"
)

// Action is what a person can decide about a settlement that needs one.
type Action string

const (
	// ActionRetry reads the truth and tries again under the same request id, with
	// a fresh unknown clock.
	ActionRetry Action = "retry"
	// ActionAdopt takes the named capture as the lot's.
	ActionAdopt Action = "adopt"
	// ActionNextBidder releases this bidder's hold, proves it, and goes on to the next.
	ActionNextBidder Action = "next-bidder"
	// ActionReleaseAll releases every hold; the lot ends unsold.
	ActionReleaseAll Action = "release-all"
	// ActionClose ends the settlement as it stands.
	ActionClose Action = "close"
)

// Actions are all that there are.
var Actions = []Action{ActionRetry, ActionAdopt, ActionNextBidder, ActionReleaseAll, ActionClose}

// Decision is what a person decided. It is the argument of DecisionSignal and
// DecisionUpdate.
type Decision struct {
	Action Action `json:"action"`
	// By and Reason are required: who decided, and why.
	By     string `json:"by"`
	Reason string `json:"reason"`
	// CaptureID is what ActionAdopt takes.
	CaptureID string `json:"capture_id,omitempty"`
	// DecisionID is optional: the same one twice counts once.
	DecisionID string `json:"decision_id,omitempty"`
}

// DecisionRecord is a decision that was sent, and when. Refused is why it had
// no effect; empty where it was carried out.
type DecisionRecord struct {
	Decision
	At      time.Time `json:"at"`
	Refused string    `json:"refused,omitempty"`
}

// Review is why a settlement waits for a person, since when, and what may be
// decided.
type Review struct {
	Reason  Reason    `json:"reason"`
	Since   time.Time `json:"since"`
	Actions []Action  `json:"actions"`
	// Taken are the captures that PayPal shows on the hold of the bid in turn.
	Taken []activities.SeenCapture `json:"taken,omitempty"`
	// Known are holds of other bidders on which PayPal shows money taken, or of
	// which it cannot say. Read is how many were looked at.
	Known []activities.SeenHold `json:"known,omitempty"`
	Read  int                   `json:"read,omitempty"`
}

// fitting are the actions that fit a review. Once the lot is paid, what is left
// is to release; a bid that has failed for certain leaves nothing to retry.
func fitting(reason Reason) []Action {
	switch reason {
	case ReasonLoserCaptured:
		return []Action{ActionRetry, ActionClose}
	case ReasonBidFailed:
		return []Action{ActionAdopt, ActionNextBidder, ActionReleaseAll, ActionClose}
	default:
		return Actions
	}
}

const (
	maxWords      = 1000 // characters of a decision's reason
	maxName       = 200  // characters of who decided, and of a decision id
	maxDecisions  = 20   // records that a settlement keeps
	maxKnownIDs   = 50   // decisions with an id that a settlement remembers
	maxKnownHolds = 50   // other holds that a person is told about
)

// unfit says why a decision cannot be taken for a review, or is empty. A nil
// review takes none.
func (d Decision) unfit(review *Review) string {
	if fault := d.fault(); fault != "" {
		return fault
	}
	switch {
	case review == nil:
		return "nothing waits for a decision here"
	case !slices.Contains(review.Actions, d.Action):
		return fmt.Sprintf("%s does not fit a review for %s: decide %s", d.Action, review.Reason, list(review.Actions))
	default:
		return ""
	}
}

// Validate returns what is wrong with the decision itself, whatever it is about,
// as an *input.Error whose Path is the JSON field; or nil.
func (d Decision) Validate() error {
	if err := d.check(); err != nil {
		return err
	}
	return nil
}

// fault says what is wrong with the decision itself.
func (d Decision) fault() string {
	if err := d.check(); err != nil {
		return err.Path + " " + err.Rule
	}
	return ""
}

func (d Decision) check() *input.Error {
	switch {
	case !slices.Contains(Actions, d.Action):
		return mistake("action", "must be %s, not %s", list(Actions), quote(string(d.Action)))
	case !plain(d.By, 1, maxName):
		return mistake("by", "must say who decides, in 1 to %d characters without control characters", maxName)
	case !plain(d.Reason, 1, maxWords):
		return mistake("reason", "must say why, in 1 to %d characters without control characters", maxWords)
	case !plain(d.DecisionID, 0, maxName):
		return mistake("decision_id", "must have at most %d characters and no control characters", maxName)
	case d.Action == ActionAdopt && !paypalIDPattern.MatchString(d.CaptureID):
		return mistake("capture_id", "must name the capture to adopt: 1 to 36 capital letters and digits")
	case d.Action != ActionAdopt && d.CaptureID != "":
		return mistake("capture_id", "goes with adopt only")
	default:
		return nil
	}
}

// plain text has this many characters, is not blank where it is required, and
// steers no terminal.
func plain(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return utf8.ValidString(text) && n >= least && n <= most &&
		(least == 0 || strings.TrimSpace(text) != "") && !strings.ContainsFunc(text, unicode.IsControl)
}

// bounded is the decision with its words cut to what a history should carry.
func (d Decision) bounded() Decision {
	d.Action = Action(cut(string(d.Action), maxName))
	d.By, d.Reason = cut(d.By, maxName), cut(d.Reason, maxWords)
	d.CaptureID, d.DecisionID = cut(d.CaptureID, maxName), cut(d.DecisionID, maxName)
	return d
}

func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "�")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// list joins actions as one would say them.
func list(actions []Action) string {
	words := make([]string, len(actions))
	for i, action := range actions {
		words[i] = string(action)
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

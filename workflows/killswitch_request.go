package workflows

import (
	"unicode"
	"unicode/utf8"

	"go.temporal.io/sdk/workflow"
)

const (
	maxSwitchBy     = 100
	maxSwitchReason = 300
)

// SwitchRequest is the argument of the kill switch's updates and signals.
type SwitchRequest struct {
	By string `json:"by"`
	// Reason is required for engaging; that of a release is only logged.
	Reason string `json:"reason,omitempty"`
}

// ValidateEngage returns the first mistake as an *input.Error, or nil.
func (r SwitchRequest) ValidateEngage() error {
	if r.Reason == "" {
		if err := r.ValidateRelease(); err != nil {
			return err
		}
		return mistake("reason", "must say why money calls are stopped")
	}
	return r.ValidateRelease()
}

// ValidateRelease returns the first mistake as an *input.Error, or nil.
func (r SwitchRequest) ValidateRelease() error {
	switch {
	case r.By == "":
		return mistake("by", "must say who asks for it")
	case !oneLine(r.By, maxSwitchBy):
		return mistake("by", "must be at most %d characters without control characters, not %s", maxSwitchBy, quote(r.By))
	case !oneLine(r.Reason, maxSwitchReason):
		return mistake("reason", "must be at most %d characters without control characters, not %s", maxSwitchReason, quote(r.Reason))
	}
	return nil
}

func oneLine(text string, most int) bool {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > most {
		return false
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			return false
		}
	}
	return true
}

func (k *killSwitch) signalled() bool { return k.engages.Len()+k.releases.Len() > 0 }

// takeSignals handles what was signalled. Nobody hears an answer to a signal, so
// that an unfit one is logged.
func (k *killSwitch) takeSignals() {
	k.takeAll(k.engages, SwitchRequest.ValidateEngage, k.engage)
	k.takeAll(k.releases, SwitchRequest.ValidateRelease, k.release)
}

func (k *killSwitch) takeAll(from workflow.ReceiveChannel, validate func(SwitchRequest) error, handle func(SwitchRequest)) {
	for {
		var request SwitchRequest
		if !from.ReceiveAsync(&request) {
			return
		}
		if err := validate(request); err != nil {
			k.logger.Error("an unfit signal was ignored", "signal", from.Name(), "error", err)
			continue
		}
		handle(request)
	}
}

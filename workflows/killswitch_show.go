package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// maxStopsDescribed keeps the Web UI's page readable.
const maxStopsDescribed = 20

// show writes the state where workers read it. Where that cannot be done the
// workflow task fails, so that nobody is told that the switch is on.
func (k *killSwitch) show() {
	if err := workflow.UpsertMemo(k.ctx, map[string]any{activities.MemoSwitch: k.SwitchState}); err != nil {
		panic("the kill switch cannot be shown: " + err.Error())
	}
	k.describe()
}

// describe renders the page that the Web UI shows of the switch.
func (k *killSwitch) describe() {
	var page strings.Builder
	if stop := k.Current(); stop != nil {
		fmt.Fprintf(&page, "### ON: no money call is sent\n\nSince %s, by %s: %s\n", instant(stop.From), cell(stop.By), cell(stop.Reason))
	} else {
		page.WriteString("### OFF: money calls may be sent\n")
	}
	if len(k.Stops) > 0 {
		page.WriteString("\n| from | to | by | reason | released by |\n| --- | --- | --- | --- | --- |\n")
	}
	for i := len(k.Stops) - 1; i >= max(0, len(k.Stops)-maxStopsDescribed); i-- {
		stop := k.Stops[i]
		fmt.Fprintf(&page, "| %s | %s | %s | %s | %s |\n", instant(stop.From), instant(stop.To), cell(stop.By), cell(stop.Reason), cell(stop.ReleasedBy))
	}
	workflow.SetCurrentDetails(k.ctx, page.String())
}

// instant is empty for a time that has not come.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

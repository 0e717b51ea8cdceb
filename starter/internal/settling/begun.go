package settling

import "gavel/workflows"

// maxHoldsShown is how many holds an outcome lists (see workflows.Outcome).
const maxHoldsShown = 500

// begun is the outcome of a settlement that was just started.
func begun(settlement Settlement) workflows.Outcome {
	lot := settlement.Entry.Lot
	outcome := workflows.Outcome{WorkflowID: settlement.WorkflowID, State: workflows.StateCapturing, Holds: []workflows.HoldStanding{}}
	for _, bid := range lot.Bids {
		outcome.Holds = append(outcome.Holds, open(bid.BidderID, bid.Hold))
	}
	for _, hold := range lot.Release {
		outcome.Holds = append(outcome.Holds, open("", hold))
	}
	if n := len(outcome.Holds); n > maxHoldsShown {
		outcome.Holds = outcome.Holds[:maxHoldsShown]
		outcome.HoldCounts = map[workflows.HoldOutcome]int{workflows.HoldOpen: n}
	}
	return outcome
}

func open(bidderID string, hold workflows.Hold) workflows.HoldStanding {
	return workflows.HoldStanding{BidderID: bidderID, AuthorizationID: hold.AuthorizationID, Outcome: workflows.HoldOpen}
}

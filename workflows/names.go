package workflows

import (
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
)

// TaskQueue is the queue that every worker of this program polls.
const TaskQueue = "gavel"

// ReleaseTaskQueue is where holds are released, so that a capture never waits
// for a slot behind thousands of releases.
const ReleaseTaskQueue = "gavel-release"

// SwitchTaskQueue is the kill switch's own queue, so that engaging it never
// waits behind settlements.
const SwitchTaskQueue = "gavel-switch"

// The names that operators and other programs use. They stand in histories and
// saved searches, so they never change.
const (
	SettlementType = "Settlement"
	OrphanVoidType = "OrphanVoid"
	KillSwitchType = "KillSwitch"
	StateQuery     = "state"
	// DecisionSignal and DecisionUpdate take a Decision about a review.
	DecisionSignal = "review-decision"
	DecisionUpdate = "decide-review"
	// EngageSwitch and ReleaseSwitch are updates, and signals, of the kill switch.
	EngageSwitch  = "engage"
	ReleaseSwitch = "release"
	// MemoLotHash is the memo field that holds LotHash of the lot.
	MemoLotHash = "gavel-lot-hash"
)

// The search attributes, all of type Keyword.
var (
	stateKey   = temporal.NewSearchAttributeKeyKeyword("GavelState")
	reasonKey  = temporal.NewSearchAttributeKeyKeyword("GavelReason")
	auctionKey = temporal.NewSearchAttributeKeyKeyword("GavelAuction")
	lotKey     = temporal.NewSearchAttributeKeyKeyword("GavelLot")
)

// SearchAttributeTypes are the search attributes that a namespace must have
// before anything can start there.
func SearchAttributeTypes() map[string]enumspb.IndexedValueType {
	types := map[string]enumspb.IndexedValueType{}
	for _, key := range []temporal.SearchAttributeKeyKeyword{stateKey, reasonKey, auctionKey, lotKey} {
		types[key.GetName()] = enumspb.INDEXED_VALUE_TYPE_KEYWORD
	}
	return types
}

// SearchAttributes are those of a settlement or an orphan's release as it stands.
func SearchAttributes(auctionID, lotID string, state State, reason Reason) temporal.SearchAttributes {
	return temporal.NewSearchAttributes(searchAttributeUpdates(auctionID, lotID, state, reason)...)
}

func searchAttributeUpdates(auctionID, lotID string, state State, reason Reason) []temporal.SearchAttributeUpdate {
	return []temporal.SearchAttributeUpdate{
		stateKey.ValueSet(string(state)),
		reasonKey.ValueSet(string(reason)),
		auctionKey.ValueSet(auctionID),
		lotKey.ValueSet(lotID),
	}
}

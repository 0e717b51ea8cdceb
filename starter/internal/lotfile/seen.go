package lotfile

import (
	"fmt"

	"gavel/config/input"
	"gavel/workflows"
)

// seen remembers where each lot and each authorization stood.
type seen struct {
	lots  map[string]Entry
	holds map[string]Entry
}

func newSeen() seen {
	return seen{lots: map[string]Entry{}, holds: map[string]Entry{}}
}

func (s seen) add(entry Entry) error {
	lot := entry.Lot
	id := workflows.SettlementID(lot.AuctionID, lot.LotID)
	if first, ok := s.lots[id]; ok {
		return entry.mistake("", fmt.Sprintf("lot %s of auction %s stands twice in the input, first in %s", lot.LotID, lot.AuctionID, first.place()))
	}
	s.lots[id] = entry
	for i, bid := range lot.Bids {
		if err := s.addHold(entry, fmt.Sprintf("bids[%d].hold.authorization_id", i), bid.Hold); err != nil {
			return err
		}
	}
	for i, hold := range lot.Release {
		if err := s.addHold(entry, fmt.Sprintf("release[%d].authorization_id", i), hold); err != nil {
			return err
		}
	}
	return nil
}

func (s seen) addHold(entry Entry, path string, hold workflows.Hold) error {
	if first, ok := s.holds[hold.AuthorizationID]; ok {
		return entry.mistake(path, fmt.Sprintf("authorization %s belongs to the lot in %s already: one authorization has one lot", hold.AuthorizationID, first.place()))
	}
	s.holds[hold.AuthorizationID] = entry
	return nil
}

// mistake is an error at a path within the entry.
func (e Entry) mistake(path, rule string) error {
	return &input.Error{Source: e.Source, Path: join(e.Path, path), Rule: rule}
}

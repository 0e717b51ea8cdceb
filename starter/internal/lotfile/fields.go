package lotfile

import (
	"fmt"

	"gavel/config/input"
	"gavel/workflows"
)

// fields are an object's known fields, each with what reads its value.
type fields map[string]func() *input.Error

func lotFields(r *reader, lot *workflows.Lot) fields {
	return fields{
		"auction_id": r.text(&lot.AuctionID),
		"lot_id":     r.text(&lot.LotID),
		"currency":   r.text(&lot.Currency),
		"fallback":   r.text((*string)(&lot.Fallback)),
		"bids": func() *input.Error {
			return r.array(func(i int) *input.Error {
				if err := r.limit(i, "bids"); err != nil {
					return err
				}
				var bid workflows.Bid
				_, err := r.object(bidFields(r, &bid))
				lot.Bids = append(lot.Bids, bid)
				return err
			})
		},
		"release": func() *input.Error {
			return r.array(func(i int) *input.Error {
				if err := r.limit(i, "holds"); err != nil {
					return err
				}
				var hold workflows.Hold
				_, err := r.object(holdFields(r, &hold))
				lot.Release = append(lot.Release, hold)
				return err
			})
		},
	}
}

func bidFields(r *reader, bid *workflows.Bid) fields {
	return fields{
		"bidder_id": r.text(&bid.BidderID),
		"price":     r.text(&bid.Price),
		"hold": func() *input.Error {
			_, err := r.object(holdFields(r, &bid.Hold))
			return err
		},
	}
}

func holdFields(r *reader, hold *workflows.Hold) fields {
	return fields{
		"authorization_id": r.text(&hold.AuthorizationID),
		"order_id":         r.text(&hold.OrderID),
		"amount":           r.text(&hold.Amount),
		"authorized_at":    r.text(&hold.AuthorizedAt),
	}
}

// limit stops reading a list that is too long before it fills the memory.
func (r *reader) limit(i int, of string) *input.Error {
	if i < workflows.MaxBids {
		return nil
	}
	return &input.Error{Path: r.parent(), Rule: fmt.Sprintf("must hold at most %d %s", workflows.MaxBids, of)}
}

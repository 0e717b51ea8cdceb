package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"gavel/activities"
)

// intent is the capture that the bid in turn calls for: the same for every try.
func (s *settlement) intent() activities.Intent {
	intent := s.intentOf(s.bid())
	intent.RenewedID = s.Turn.Renewal.ID
	charged := intent.AuthorizationID
	if intent.RenewedID != "" {
		charged = intent.RenewedID
	}
	intent.RequestID = requestID(operationCapture, s.lot.AuctionID, s.lot.LotID, charged, intent.Amount.String())
	return intent
}

// renewalIntent is the renewal of the hold of the bid in turn, for its price.
func (s *settlement) renewalIntent() activities.Intent {
	intent := s.intentOf(s.bid())
	intent.RequestID = requestID(operationReauthorize, s.lot.AuctionID, s.lot.LotID, intent.AuthorizationID, intent.Amount.String())
	return intent
}

// intentOf is what a bid stands for, without a call.
func (s *settlement) intentOf(bid Bid) activities.Intent {
	intent := activities.Intent{
		BidderID:        bid.BidderID,
		AuthorizationID: bid.Hold.AuthorizationID,
		OrderID:         bid.Hold.OrderID,
		Amount:          s.lot.price(bid),
		InvoiceID:       InvoiceID(s.policy.InvoicePrefix, s.lot.AuctionID, s.lot.LotID),
	}
	if at, err := time.Parse(time.RFC3339, bid.Hold.AuthorizedAt); err == nil {
		intent.AuthorizedAt = at
	}
	return intent
}

// renewBefore is when a hold must have been authorized to be renewed before it
// is captured; zero where it is captured as it is.
func (s *settlement) renewBefore() time.Time {
	if s.policy.NoRenewals || s.Turn.Renewal.Over {
		return time.Time{}
	}
	return workflow.Now(s.ctx).Add(-time.Duration(s.policy.HonorPeriod))
}

func (s *settlement) holdToRelease(h Hold) activities.HoldToRelease {
	return activities.HoldToRelease{
		AuthorizationID: h.AuthorizationID,
		RequestID:       requestID(operationVoid, s.lot.AuctionID, s.lot.LotID, h.AuthorizationID, ""),
	}
}

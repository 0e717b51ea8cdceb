package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// lot is the part of a lot that says which holds its bidders gave.
type lot struct {
	Lots     []lot     `json:"lots"`
	LotID    string    `json:"lot_id"`
	Currency string    `json:"currency"`
	Bids     []bid     `json:"bids"`
	Release  []lotHold `json:"release"`
}

type bid struct {
	Hold lotHold `json:"hold"`
}

type lotHold struct {
	AuthorizationID string    `json:"authorization_id"`
	OrderID         string    `json:"order_id"`
	Amount          string    `json:"amount"`
	AuthorizedAt    time.Time `json:"authorized_at"`
}

// AddLots adds a hold and its order for every bid, and for every hold to be released, of a lot file: one lot,
// {"lots": [...]}, or one lot a line. An order id that is left out is derived from the authorization. Holds that are
// known stay as they are, so that a file can be given again after a restart. It returns how many holds it read.
func (s *Server) AddLots(file io.Reader) (int, error) {
	in := json.NewDecoder(file)
	count := 0
	for number := 1; ; number++ {
		var l lot
		if err := in.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return count, fmt.Errorf("lot file, value %d: %w", number, err)
		}
		added, err := s.addLots(append(l.Lots, l))
		count += added
		if err != nil {
			return count, fmt.Errorf("lot file, value %d: %w", number, err)
		}
	}
	if count == 0 {
		return 0, errors.New("lot file: there is no hold in it")
	}
	return count, nil
}

func (s *Server) addLots(lots []lot) (int, error) {
	count := 0
	for _, l := range lots {
		holds := l.Release
		for _, b := range l.Bids {
			holds = append(holds, b.Hold)
		}
		for _, h := range holds {
			setDefault(&h.OrderID, orderIDFor(h.AuthorizationID))
			_, err := s.addHold(Hold{
				AuthorizationID: h.AuthorizationID, OrderID: h.OrderID, Currency: l.Currency, Amount: h.Amount, CreateTime: h.AuthorizedAt,
			})
			if err != nil {
				return count, fmt.Errorf("lot %q: %w", l.LotID, err)
			}
			count++
		}
	}
	return count, nil
}

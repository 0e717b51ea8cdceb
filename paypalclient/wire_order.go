package paypalclient

// wireOrder is what is read of an order (Orders v2 reference).
type wireOrder struct {
	ID            string `json:"id"`
	Status        string `json:"status"`
	Intent        string `json:"intent"`
	CreateTime    string `json:"create_time"`
	PurchaseUnits []struct {
		Amount    *Money `json:"amount"`
		InvoiceID string `json:"invoice_id"`
		Payments  struct {
			Authorizations []wirePayment `json:"authorizations"`
			Captures       []wirePayment `json:"captures"`
		} `json:"payments"`
	} `json:"purchase_units"`
}

// order reads an order with all its payments. One payment that cannot be read makes the whole unreadable,
// since a capture could hide in it.
func (w *wireOrder) order() (Order, error) {
	if !validID(w.ID) {
		return Order{}, unreadable("no id")
	}
	if w.Status == "" {
		return Order{}, unreadable("no status")
	}
	order := Order{
		ID:         w.ID,
		Status:     orderStatus(w.Status),
		Intent:     plainCode(w.Intent, maxNameLength),
		CreateTime: readTime(w.CreateTime),
	}
	if err := w.readPayments(&order); err != nil {
		return Order{}, err
	}
	if err := w.readAmount(&order); err != nil {
		return Order{}, err
	}
	if len(w.PurchaseUnits) == 1 {
		order.InvoiceID = w.PurchaseUnits[0].InvoiceID
	}
	if len(order.InvoiceID) > 4*255 || hasControl(order.InvoiceID) {
		return Order{}, unreadable("an invoice id that PayPal does not allow")
	}
	return order, nil
}

func (w *wireOrder) readPayments(order *Order) error {
	for i := range w.PurchaseUnits {
		payments := &w.PurchaseUnits[i].Payments
		for j := range payments.Authorizations {
			authorization, err := payments.Authorizations[j].authorization()
			if err == nil {
				err = belongs(&authorization.OrderID, w.ID)
			}
			if err != nil {
				return err
			}
			order.Authorizations = append(order.Authorizations, authorization)
		}
		for j := range payments.Captures {
			capture, err := payments.Captures[j].capture()
			if err == nil {
				err = belongs(&capture.OrderID, w.ID)
			}
			if err != nil {
				return err
			}
			order.Captures = append(order.Captures, capture)
		}
	}
	return nil
}

// belongs fills in the order of a payment that stands in it, and refuses one that names another.
func belongs(orderID *string, id string) error {
	if *orderID != "" && *orderID != id {
		return unreadable("a payment of another order")
	}
	*orderID = id
	return nil
}

// readAmount sums up the purchase units. If one lacks its amount, the order has none.
func (w *wireOrder) readAmount(order *Order) error {
	var sum Money
	for i := range w.PurchaseUnits {
		amount := w.PurchaseUnits[i].Amount
		if amount == nil || amount.IsZero() {
			return nil
		}
		if i == 0 {
			sum = *amount
			continue
		}
		var err error
		if sum, err = sum.Add(*amount); err != nil {
			return unreadable("purchase units that do not add up")
		}
	}
	order.Amount = sum
	return nil
}

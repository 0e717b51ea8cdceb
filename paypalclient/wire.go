package paypalclient

import (
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf8"
)

// unreadable says what is wrong with a body, in our own words.
type unreadable string

func (u unreadable) Error() string { return string(u) }

// wirePayment is what authorizations and captures have in common (Payments v2 reference).
type wirePayment struct {
	ID            string `json:"id"`
	Status        string `json:"status"`
	StatusDetails struct {
		Reason string `json:"reason"`
	} `json:"status_details"`
	Amount         *Money     `json:"amount"`
	InvoiceID      string     `json:"invoice_id"`
	FinalCapture   bool       `json:"final_capture"`
	CreateTime     string     `json:"create_time"`
	ExpirationTime string     `json:"expiration_time"`
	Links          []wireLink `json:"links"`
	Supplementary  struct {
		RelatedIDs struct {
			OrderID         string `json:"order_id"`
			AuthorizationID string `json:"authorization_id"`
		} `json:"related_ids"`
	} `json:"supplementary_data"`
}

type wireLink struct {
	Href string `json:"href"`
	Rel  string `json:"rel"`
}

// decodeJSON reads a whole body into v. A body that is not one JSON value for it is unreadable.
func decodeJSON(body []byte, v any) error {
	if json.Unmarshal(body, v) != nil {
		return unreadable("not the JSON that PayPal documents")
	}
	return nil
}

// check refuses a payment that lacks what every decision needs.
func (w *wirePayment) check() error {
	switch {
	case !validID(w.ID):
		return unreadable("no id")
	case w.Status == "":
		return unreadable("no status")
	case w.Amount == nil || w.Amount.IsZero():
		return unreadable("no amount")
	case utf8.RuneCountInString(w.InvoiceID) > 255 || hasControl(w.InvoiceID):
		return unreadable("an invoice id that PayPal does not allow")
	}
	return nil
}

func (w *wirePayment) authorization() (Authorization, error) {
	if err := w.check(); err != nil {
		return Authorization{}, err
	}
	order, err := w.related("orders", w.Supplementary.RelatedIDs.OrderID)
	return Authorization{
		ID:             w.ID,
		Status:         authorizationStatus(w.Status),
		Reason:         plainCode(w.StatusDetails.Reason, maxNameLength),
		Amount:         *w.Amount,
		InvoiceID:      w.InvoiceID,
		OrderID:        order,
		CreateTime:     readTime(w.CreateTime),
		ExpirationTime: readTime(w.ExpirationTime),
	}, err
}

func (w *wirePayment) capture() (Capture, error) {
	if err := w.check(); err != nil {
		return Capture{}, err
	}
	order, err := w.related("orders", w.Supplementary.RelatedIDs.OrderID)
	if err != nil {
		return Capture{}, err
	}
	hold, err := w.related("authorizations", w.Supplementary.RelatedIDs.AuthorizationID)
	return Capture{
		ID:              w.ID,
		Status:          captureStatus(w.Status),
		Reason:          plainCode(w.StatusDetails.Reason, maxNameLength),
		Amount:          *w.Amount,
		InvoiceID:       w.InvoiceID,
		AuthorizationID: hold,
		OrderID:         order,
		FinalCapture:    w.FinalCapture,
		CreateTime:      readTime(w.CreateTime),
	}, err
}

// related finds the id of the object of this collection that the payment hangs under: in the related ids, or
// in a link "up". Two that differ make the payment unreadable.
func (w *wirePayment) related(collection, id string) (string, error) {
	if id != "" && !validID(id) {
		return "", unreadable("a related id that PayPal does not allow")
	}
	for _, link := range w.Links {
		if link.Rel != "up" {
			continue
		}
		linked := linkedID(link.Href, collection)
		if linked == "" {
			continue
		}
		if id != "" && id != linked {
			return "", unreadable("related ids that contradict each other")
		}
		id = linked
	}
	return id, nil
}

// linkedID reads the id out of a link such as https://api-m.paypal.com/v2/checkout/orders/5O190127TN364715T.
func linkedID(href, collection string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	parent, id, ok := strings.Cut(u.Path, "/"+collection+"/")
	if !ok || parent == "" || !validID(id) {
		return ""
	}
	return id
}

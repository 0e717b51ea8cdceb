package fake

import "time"

// stamp writes times as PayPal does, in whole seconds.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

func link(href, rel, method string) any {
	return map[string]any{"href": href, "rel": rel, "method": method}
}

func statusDetails(body map[string]any, reason string) {
	if reason != "" {
		body["status_details"] = map[string]any{"reason": reason}
	}
}

func payee() map[string]any {
	return map[string]any{"email_address": "auctions@example.com", "merchant_id": "GAVELFAKE2345"}
}

func (h *hold) json(base string) map[string]any {
	self := base + "/v2/payments/authorizations/" + h.ID
	links := []any{link(self, "self", "GET")}
	if h.Status == "CREATED" || h.Status == "PARTIALLY_CAPTURED" {
		links = append(links, link(self+"/capture", "capture", "POST"))
		if h.Parent == "" {
			links = append(links, link(self+"/void", "void", "POST"), link(self+"/reauthorize", "reauthorize", "POST"))
		}
	}
	body := map[string]any{
		"id": h.ID, "status": h.Status, "amount": h.Amount.json(), "create_time": stamp(h.Created), "update_time": stamp(h.Updated),
		"expiration_time": stamp(h.Expires), "payee": payee(),
		"seller_protection": map[string]any{"status": "NOT_ELIGIBLE"},
	}
	statusDetails(body, h.Reason)
	if h.InvoiceID != "" {
		body["invoice_id"] = h.InvoiceID
	}
	if h.OrderID != "" {
		links = append(links, link(base+"/v2/checkout/orders/"+h.OrderID, "up", "GET"))
		body["supplementary_data"] = map[string]any{"related_ids": map[string]any{"order_id": h.OrderID}}
	}
	body["links"] = links
	return body
}

func (c *capture) json(base string) map[string]any {
	self := base + "/v2/payments/captures/" + c.ID
	body := map[string]any{
		"id": c.ID, "status": c.Status, "amount": c.Amount.json(), "final_capture": c.Final, "payee": payee(), "disbursement_mode": "INSTANT",
		"create_time": stamp(c.Created), "update_time": stamp(c.Updated),
		"seller_protection": map[string]any{"status": "NOT_ELIGIBLE"},
	}
	statusDetails(body, c.Reason)
	if c.InvoiceID != "" {
		body["invoice_id"] = c.InvoiceID
	}
	if c.settled() {
		body["seller_receivable_breakdown"] = map[string]any{"gross_amount": c.Amount.json(), "net_amount": c.Amount.json()}
	}
	links := []any{link(self, "self", "GET"), link(self+"/refund", "refund", "POST")}
	related := map[string]any{}
	if c.OrderID != "" {
		related["order_id"] = c.OrderID
	}
	if c.HoldID != "" {
		related["authorization_id"] = c.HoldID
		links = append(links, link(base+"/v2/payments/authorizations/"+c.HoldID, "up", "GET"))
	} else {
		links = append(links, link(base+"/v2/checkout/orders/"+c.OrderID, "up", "GET"))
	}
	body["supplementary_data"] = map[string]any{"related_ids": related}
	body["links"] = links
	return body
}

// settled reports whether PayPal has worked out what the seller receives.
func (c *capture) settled() bool {
	return c.Status == "COMPLETED" || c.Status == "PARTIALLY_REFUNDED" || c.Status == "REFUNDED"
}

func (s *Server) orderJSON(o *order, now time.Time, base string) map[string]any {
	unit := map[string]any{"reference_id": "default", "amount": o.Amount.json(), "payee": payee()}
	if o.InvoiceID != "" {
		unit["invoice_id"] = o.InvoiceID
	}
	payments := map[string]any{}
	var holds, captures []any
	for _, id := range o.Holds {
		holds = append(holds, s.book.Holds[id].at(now).json(base))
	}
	for _, id := range o.Captures {
		captures = append(captures, s.book.Captures[id].json(base))
	}
	if holds != nil {
		payments["authorizations"] = holds
	}
	if captures != nil {
		payments["captures"] = captures
	}
	if len(payments) > 0 {
		unit["payments"] = payments
	}
	self := base + "/v2/checkout/orders/" + o.ID
	links := []any{link(self, "self", "GET")}
	if o.Status == "APPROVED" {
		links = append(links, link(self+"/capture", "capture", "POST"))
	}
	return map[string]any{
		"id": o.ID, "intent": o.Intent, "status": o.Status, "purchase_units": []any{unit}, "links": links,
		"create_time": stamp(o.Created), "update_time": stamp(o.Updated),
	}
}

package fake

import (
	"net/http"
	"strings"
)

// refusal is PayPal saying no.
type refusal struct {
	Status  int      `json:"status"`
	Details []detail `json:"details,omitempty"`
	OAuth   string   `json:"-"` // an OAuth error code: the body then has that shape, and no name or details
}

// detail is one entry of an error's details. PayPal's description is left out: it is free text that may change.
type detail struct {
	Issue    string `json:"issue"`
	Field    string `json:"field,omitempty"`
	Value    string `json:"value,omitempty"`
	Location string `json:"location,omitempty"`
}

func refuse(status int, issues ...string) *refusal {
	r := &refusal{Status: status}
	for _, issue := range issues {
		r.Details = append(r.Details, detail{Issue: issue})
	}
	return r
}

func unprocessable(issue string) *refusal { return refuse(http.StatusUnprocessableEntity, issue) }

// unknownID is the answer for an id in the path that does not exist.
func unknownID(id string) *refusal {
	return &refusal{Status: http.StatusNotFound, Details: []detail{
		{Issue: "INVALID_RESOURCE_ID", Field: "id", Value: id, Location: "path"},
	}}
}

// inBody is a refusal of one field of the body.
func inBody(status int, issue, field, value string) *refusal {
	return &refusal{Status: status, Details: []detail{{Issue: issue, Field: field, Value: value, Location: "body"}}}
}

// envelope holds the name and message that PayPal's API description fixes for a status.
type envelope struct{ name, message string }

var envelopes = map[int]envelope{
	400: {"INVALID_REQUEST", "Request is not well-formed, syntactically incorrect, or violates schema."},
	401: {"AUTHENTICATION_FAILURE", "Authentication failed due to missing authorization header, or invalid authentication credentials."},
	403: {"NOT_AUTHORIZED", "Authorization failed due to insufficient permissions."},
	404: {"RESOURCE_NOT_FOUND", "The specified resource does not exist."},
	409: {"RESOURCE_CONFLICT", "The server has detected a conflict while processing this request."},
	415: {"UNSUPPORTED_MEDIA_TYPE", "The server does not support the request payload's media type."},
	422: {"UNPROCESSABLE_ENTITY", "The requested action could not be performed, semantically incorrect, or failed business validation."},
	429: {"RATE_LIMIT_REACHED", "Too many requests. Blocked due to rate limiting."},
	500: {"INTERNAL_SERVER_ERROR", "An internal server error occurred."},
	503: {"SERVICE_UNAVAILABLE", "Service Unavailable."},
}

// answer writes the refusal as PayPal would for this family of endpoints.
func (r *refusal) answer(c *call) *answer {
	if r.OAuth != "" {
		return &answer{status: r.Status, body: oauthError(r.OAuth)}
	}
	kind, ok := envelopes[r.Status]
	if !ok {
		text := http.StatusText(r.Status)
		kind = envelope{strings.ToUpper(strings.NewReplacer(" ", "_", "'", "").Replace(text)), text}
	}
	body := map[string]any{"name": kind.name, "message": kind.message, "debug_id": c.debugID}
	help := c.helpPage() + "#error-" + kind.name
	switch {
	case r.Status == http.StatusTooManyRequests:
		body["links"] = []any{}
	case r.Status == http.StatusServiceUnavailable:
		body["information_link"] = help
	default:
		body["links"] = []any{map[string]any{"href": help, "rel": "information_link"}}
	}
	if len(r.Details) > 0 && r.Status != http.StatusTooManyRequests && r.Status < 500 {
		body["details"] = r.detailsJSON()
	}
	return &answer{status: r.Status, body: body}
}

func (r *refusal) detailsJSON() []any {
	var list []any
	for _, d := range r.Details {
		entry := map[string]any{"issue": d.Issue}
		for key, value := range map[string]string{"field": d.Field, "value": d.Value, "location": d.Location} {
			if value != "" {
				entry[key] = value
			}
		}
		list = append(list, entry)
	}
	return list
}

var oauthDescriptions = map[string]string{
	"invalid_client":         "Client Authentication failed",
	"invalid_token":          "Access Token not found in cache",
	"unsupported_grant_type": "unsupported grant_type",
}

func oauthError(code string) map[string]any {
	return map[string]any{"error": code, "error_description": oauthDescriptions[code]}
}

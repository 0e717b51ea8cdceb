package paypalclient

import "slices"

// issueTable gives the fine codes of one operation their kinds.
type issueTable map[string]Kind

// issuesByOperation classifies every issue that PayPal publishes for an operation: in the OpenAPI
// descriptions of Payments v2 and Orders v2, on the error pages of the Payments v2 reference
// (https://developer.paypal.com/docs/api/payments/v2/), or that integrators saw in the sandbox. What is not
// in it is a class of its own: KindRejected, outcome unknown.
var issuesByOperation = map[Operation]issueTable{
	OpGetAuthorization:         table(lookupIssues),
	OpGetCapture:               table(lookupIssues),
	OpGetOrder:                 table(lookupIssues),
	OpCaptureAuthorization:     table(lookupIssues, callIssues, captureIssues),
	OpVoidAuthorization:        table(lookupIssues, callIssues, voidIssues),
	OpReauthorizeAuthorization: table(lookupIssues, callIssues, reauthorizeIssues),
	OpCaptureOrder:             table(lookupIssues, callIssues, captureOrderIssues, orderShapeIssues, orderSourceIssues),
}

// group is the issues of one kind.
type group map[Kind][]string

func table(groups ...group) issueTable {
	t := issueTable{}
	for _, g := range groups {
		for kind, issues := range g {
			for _, issue := range issues {
				t[issue] = kind
			}
		}
	}
	return t
}

// lookupIssues come with 403 and 404, on every operation.
var lookupIssues = group{
	KindForbidden: {"PERMISSION_DENIED", "PERMISSION_NOT_GRANTED"},
	KindNotFound:  {"INVALID_RESOURCE_ID"},
}

// callIssues come with 400, 401, 409 and 429, on every operation that moves money. A request id that PayPal
// holds against us was used for something else: the request must not be sent under another one before a
// person has looked.
var callIssues = group{
	KindInvalidRequest: {
		"INVALID_PARAMETER_VALUE", "MISSING_REQUIRED_PARAMETER", "INVALID_STRING_LENGTH",
		"INVALID_STRING_MAX_LENGTH", "INVALID_PARAMETER_SYNTAX", "MALFORMED_REQUEST_JSON",
		"INVALID_ARRAY_LENGTH", "PAYPAL_REQUEST_ID_REQUIRED",
	},
	KindAuthFailed:  {"INVALID_ACCOUNT_STATUS"},
	KindRejected:    {"PREVIOUS_REQUEST_IN_PROGRESS"},
	KindRateLimited: {"RATE_LIMIT_REACHED"},
	KindInvariant:   {"DUPLICATE_REQUEST_ID", "PAYPAL_REQUEST_ID_PREVIOUSLY_USED"},
}

// caution orders the kinds that an issue at 422 can have: where an answer lists several, the one that stands
// first is taken.
//
//   - An issue that proves nothing spoils the proof of all others.
//   - A charge that may exist somewhere goes before a fault of ours, a fault of ours before a charge on this
//     hold: that one the next reading finds in any case.
//   - A charge on this hold goes before a hold that is as it was, and that before a hold that is closed.
//   - A decline leaves the hold able to be charged later, so it is taken only when it stands alone.
var caution = []Kind{
	KindRejected,
	KindDuplicateInvoice,
	KindInvariant,
	KindInvalidRequest,
	KindAlreadyCaptured,
	KindNotNow,
	KindAlreadyVoided,
	KindExpired,
	KindDeclined,
}

// unprocessableKind is the kind of a 422. An issue that belongs to another status proves nothing here.
func unprocessableKind(op Operation, issues []string) Kind {
	most := len(caution) - 1
	for _, issue := range issues {
		kind, listed := issuesByOperation[op][issue]
		rank := slices.Index(caution, kind)
		if !listed || rank < 0 {
			return KindRejected
		}
		most = min(most, rank)
	}
	return caution[most]
}

// malformedKind is the kind of a 400: a fault of the request, unless it names one that weighs more.
func malformedKind(op Operation, issues []string) Kind {
	kind := KindInvalidRequest
	for _, issue := range issues {
		switch issuesByOperation[op][issue] {
		case KindDuplicateInvoice:
			return KindDuplicateInvoice
		case KindInvariant:
			kind = KindInvariant
		}
	}
	return kind
}

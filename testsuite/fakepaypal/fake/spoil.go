package fake

import (
	"strconv"
	"strings"
)

const proxyPage = "<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"

// spoil changes an answer's body as the fault says.
func (f *Fault) spoil(a *answer) *answer {
	if a.body != nil {
		for path, value := range f.Set {
			edit(a.body, strings.Split(path, "."), func(parent map[string]any, key string) { parent[key] = value })
		}
		for _, path := range f.Remove {
			edit(a.body, strings.Split(path, "."), func(parent map[string]any, key string) { delete(parent, key) })
		}
	}
	switch f.Shape {
	case ShapeHTML:
		a.raw, a.mediaType = []byte(proxyPage), "text/html"
	case ShapeEmpty:
		a.body = nil
	case ShapeTruncated:
		a.half = true
	case ShapeCut:
		a.half, a.reset = true, true
	case ShapeMinimal:
		a.body = minimal(a.body)
	case ShapeOAuth:
		a.body = oauthError("invalid_token")
	}
	return a
}

// edit finds the parents of a path and does something to the last step in each. A step is a name, a position in a
// list, or * for all of a list. Objects on the way are made where they are missing.
func edit(node any, path []string, do func(parent map[string]any, key string)) {
	switch at := node.(type) {
	case map[string]any:
		if len(path) == 1 {
			do(at, path[0])
			return
		}
		if at[path[0]] == nil {
			at[path[0]] = map[string]any{}
		}
		edit(at[path[0]], path[1:], do)
	case []any:
		for i, element := range at {
			if len(path) > 1 && (path[0] == "*" || path[0] == strconv.Itoa(i)) {
				edit(element, path[1:], do)
			}
		}
	}
}

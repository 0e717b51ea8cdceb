package fake

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// admin serves what only a fake has: seeding, the script of faults, the ledger. No credentials are asked for, so it
// belongs on loopback or inside a private network.
func (s *Server) admin() {
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"ok": true})
	})
	s.mux.HandleFunc("GET /_fake/ledger", func(w http.ResponseWriter, _ *http.Request) {
		ledger := s.Ledger()
		reply(w, http.StatusOK, struct {
			Ledger
			Violations []string `json:"violations"`
		}{ledger, append([]string{}, ledger.Check()...)})
	})
	s.mux.HandleFunc("GET /_fake/requests", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"counts": s.Counts(), "requests": s.Requests()})
	})
	s.mux.HandleFunc("GET /_fake/faults", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, append([]Fault{}, s.Unused()...))
	})
	s.mux.HandleFunc("DELETE /_fake/faults", func(w http.ResponseWriter, _ *http.Request) {
		s.ClearScript()
		reply(w, http.StatusOK, []Fault{})
	})
	s.post("/_fake/lots", func(r *http.Request, body []byte) (any, error) {
		holds, err := s.AddLots(bytes.NewReader(body))
		return map[string]any{"holds": holds}, err
	})
	s.post("/_fake/holds", func(_ *http.Request, body []byte) (any, error) { return each(body, s.addHold) })
	s.post("/_fake/orders", func(_ *http.Request, body []byte) (any, error) { return each(body, s.addOrder) })
	s.post("/_fake/faults", func(_ *http.Request, body []byte) (any, error) {
		faults, err := list[Fault](body)
		if err == nil {
			err = s.addFaults(faults)
		}
		return faults, err
	})
	s.adminState()
}

// adminState serves what changes the state behind the API's back.
func (s *Server) adminState() {
	s.post("/_fake/captures", func(_ *http.Request, body []byte) (any, error) {
		return each(body, func(t Taking) (map[string]any, error) {
			id, err := s.Take(t)
			return map[string]any{"capture_id": id}, err
		})
	})
	s.post("/_fake/captures/{id}", func(r *http.Request, body []byte) (any, error) {
		var resolution Resolution
		if err := strictJSON(body, &resolution); err != nil {
			return nil, err
		}
		return resolution, s.ResolveWith(r.PathValue("id"), resolution)
	})
	s.post("/_fake/forget", func(_ *http.Request, body []byte) (any, error) {
		var which struct {
			RequestIDs []string `json:"request_ids"` // empty: all of them
		}
		if err := strictJSON(body, &which); err != nil {
			return nil, err
		}
		return which, s.Forget(which.RequestIDs...)
	})
	s.post("/_fake/token/revoke", func(_ *http.Request, body []byte) (any, error) {
		var how struct {
			Again int `json:"again"` // how often the dead token is handed out again
		}
		if err := strictJSON(body, &how); err != nil {
			return nil, err
		}
		return how, s.RevokeToken(how.Again)
	})
}

// post serves one change. What it changed is on disk before the reply.
func (s *Server) post(path string, do func(r *http.Request, body []byte) (any, error)) {
	s.mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var result any
		if err == nil {
			result, err = do(r, body)
		}
		if err == nil {
			err = s.durable()
		}
		if err != nil {
			reply(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
			return
		}
		reply(w, http.StatusOK, result)
	})
}

func reply(w http.ResponseWriter, status int, body any) {
	text, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // a client that has left needs no answer
}

// each reads one object or a list and adds them one by one.
func each[T, R any](body []byte, add func(T) (R, error)) ([]R, error) {
	items, err := list[T](body)
	if err != nil {
		return nil, err
	}
	added := make([]R, 0, len(items))
	for _, item := range items {
		result, err := add(item)
		if err != nil {
			return added, err
		}
		added = append(added, result)
	}
	return added, nil
}

func list[T any](body []byte) ([]T, error) {
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		var items []T
		err := strictJSON(body, &items)
		return items, err
	}
	items := make([]T, 1)
	err := strictJSON(body, &items[0])
	return items, err
}

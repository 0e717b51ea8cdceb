package fake

import "slices"

// script is the list of faults that are still to come, in order.
type script struct{ faults []Fault }

// take uses up one of the first fault that fits.
func (s *script) take(op Operation, resource string) *Fault {
	for i := range s.faults {
		f := &s.faults[i]
		if !f.fits(op, resource) {
			continue
		}
		taken := *f
		if f.Times > 0 {
			f.Times--
		}
		if f.Times == 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return &taken
	}
	return nil
}

func (f *Fault) fits(op Operation, resource string) bool {
	if f.Operation == "" {
		return op != OpToken && (f.Resource == "" || f.Resource == resource)
	}
	return f.Operation == op && (f.Resource == "" || f.Resource == resource)
}

// Script adds faults to what is still to come. It panics on a fault that makes no sense, which is a mistake in the
// test.
func (s *Server) Script(faults ...Fault) {
	if err := s.addFaults(faults); err != nil {
		panic(err)
	}
}

func (s *Server) addFaults(faults []Fault) error {
	for i := range faults {
		if err := faults[i].check(); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		if f.Times == 0 {
			f.Times = 1
		}
		s.script.faults = append(s.script.faults, f)
	}
	return nil
}

// Unused are the faults that no call has met yet.
func (s *Server) Unused() []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.script.faults)
}

// ClearScript drops the faults that are still to come.
func (s *Server) ClearScript() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.faults = nil
}

func (s *Server) takeFault(c *call) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.script.take(c.op, c.resource)
}

package fake

import "sync"

// Gate holds the calls of a fault until a test lets them go, and tells the test when they are there.
type Gate struct {
	arrived, released, finished         chan struct{}
	arriveOnce, releaseOnce, finishOnce sync.Once
}

// NewGate returns a closed gate.
func NewGate() *Gate {
	return &Gate{arrived: make(chan struct{}), released: make(chan struct{}), finished: make(chan struct{})}
}

// Arrived is closed when the first call stands at the gate.
func (g *Gate) Arrived() <-chan struct{} { return g.arrived }

// Finished is closed when the first call that stood at the gate is over: its effect, if any, has taken place.
func (g *Gate) Finished() <-chan struct{} { return g.finished }

// Release opens the gate for good.
func (g *Gate) Release() { g.releaseOnce.Do(func() { close(g.released) }) }

func (g *Gate) arrive() { g.arriveOnce.Do(func() { close(g.arrived) }) }
func (g *Gate) finish() { g.finishOnce.Do(func() { close(g.finished) }) }

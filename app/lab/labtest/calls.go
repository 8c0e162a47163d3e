package labtest

import (
	"context"
	"slices"
	"sync"

	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// Calls records the calls of a view to its engine, by method.
type Calls struct {
	mu      sync.Mutex
	methods []string
	workers []int // number of the worker that answered each call, from 1
	started int
}

// Counted returns an engine with this number of workers, and the record of its calls.
func Counted(workers int) (*bridge.WorkerPool, *Calls) {
	calls := &Calls{}
	return bridge.NewPool(workers, bridge.Local(func() bridge.Server {
		calls.started++ // safe: the pool starts one worker at a time
		return &countedCalls{handler.New(nil), calls, calls.started}
	})), calls
}

type countedCalls struct {
	bridge.Server
	calls  *Calls
	number int
}

// Serve implements [bridge.Server].
func (c *countedCalls) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	c.calls.mu.Lock()
	c.calls.methods = append(c.calls.methods, string(call.Method))
	c.calls.workers = append(c.calls.workers, c.number)
	c.calls.mu.Unlock()
	c.Server.Serve(ctx, call, send)
}

// Since returns the methods of the calls so far, in order, and clears the record.
func (c *Calls) Since() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	methods := c.methods
	c.methods, c.workers = nil, nil
	return methods
}

// WorkerOf is the number of the worker that answered the first recorded call of a
// method; 0 for no such call.
func (c *Calls) WorkerOf(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.methods, method); i >= 0 {
		return c.workers[i]
	}
	return 0
}

// Other counts the calls whose method is not among methods.
func Other(calls []string, methods ...string) int {
	return len(slices.DeleteFunc(slices.Clone(calls), func(m string) bool { return slices.Contains(methods, m) }))
}

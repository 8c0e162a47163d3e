package labtest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// Calls are the calls that a view made to its engine, by their methods.
type Calls struct {
	mu      sync.Mutex
	methods []string
	workers []int // that answered them, from 1
	started int
}

// Counted returns an engine of so many workers and what is asked of it.
func Counted(workers int) (*bridge.Pool, *Calls) {
	calls := &Calls{}
	return bridge.NewPool(workers, bridge.Local(func() bridge.Server {
		calls.started++ // the pool starts one at a time
		return &counted{handler.New(nil), calls, calls.started}
	})), calls
}

type counted struct {
	bridge.Server
	calls  *Calls
	number int
}

// Serve implements [bridge.Server].
func (c *counted) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	c.calls.mu.Lock()
	c.calls.methods = append(c.calls.methods, string(call.Method))
	c.calls.workers = append(c.calls.workers, c.number)
	c.calls.mu.Unlock()
	c.Server.Serve(ctx, call, send)
}

// Since forgets the calls so far and returns them, in their order.
func (c *Calls) Since() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	methods := c.methods
	c.methods, c.workers = nil, nil
	return methods
}

// WorkerOf is the number of the worker that answered the first call of a method since
// then, 0 for none.
func (c *Calls) WorkerOf(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.methods, method); i >= 0 {
		return c.workers[i]
	}
	return 0
}

// Other counts the calls that are none of these methods.
func Other(calls []string, methods ...string) int {
	return len(slices.DeleteFunc(slices.Clone(calls), func(m string) bool { return slices.Contains(methods, m) }))
}

// Listed writes calls in one line.
func Listed(calls []string) string { return strings.Join(calls, ", ") }

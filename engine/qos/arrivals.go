package qos

import (
	"errors"
	"fmt"
	"io"

	"berth/engine/input/workload"
	"berth/engine/sim"
)

// arrivals reads a stream of requests in batches and checks their order.
type arrivals struct {
	source workload.Stream
	buffer [256]workload.Request
	next   int // index of the next request in the buffer
	filled int // number of requests in the buffer
	last   sim.Milliseconds
	count  uint32
	ended  bool
}

// peek returns the next request without consuming it, or nil at the end of the
// stream.
func (a *arrivals) peek() (*workload.Request, error) {
	if a.next < a.filled {
		return &a.buffer[a.next], nil
	}
	if a.ended {
		return nil, nil
	}
	n, err := a.source.Read(a.buffer[:])
	if errors.Is(err, io.EOF) {
		a.ended = true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a.next, a.filled = 0, n
	return a.peek()
}

// pop consumes the request that peek returned. It returns workload.ErrOrder if the request was
// submitted before its predecessor.
func (a *arrivals) pop() error {
	r := &a.buffer[a.next]
	if r.Submit < a.last {
		return fmt.Errorf("%w: request %d comes at %d ms, after one at %d ms", workload.ErrOrder, a.count+1, r.Submit, a.last)
	}
	a.last = r.Submit
	a.next++
	a.count++
	return nil
}

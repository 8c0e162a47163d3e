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
	unread []workload.Request // unread rest of the buffer
	last   sim.Milliseconds
	count  uint32
	ended  bool
}

// peek returns the next request without consuming it, or nil at the end of the
// stream.
func (a *arrivals) peek() (*workload.Request, error) {
	for len(a.unread) == 0 && !a.ended {
		n, err := a.source.Read(a.buffer[:])
		a.unread, a.ended = a.buffer[:n], errors.Is(err, io.EOF)
		if err != nil && !a.ended {
			return nil, err
		}
	}
	if len(a.unread) == 0 {
		return nil, nil
	}
	return &a.unread[0], nil
}

// pop consumes the request that peek returned. It returns workload.ErrOrder if the request was
// submitted before its predecessor.
func (a *arrivals) pop() error {
	r := &a.unread[0]
	if r.Submit < a.last {
		return fmt.Errorf("%w: request %d comes at %d ms, after one at %d ms", workload.ErrOrder, a.count+1, r.Submit, a.last)
	}
	a.last = r.Submit
	a.unread = a.unread[1:]
	a.count++
	return nil
}

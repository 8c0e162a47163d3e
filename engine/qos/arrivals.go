package qos

import (
	"errors"
	"fmt"
	"io"

	"berth/engine/sim"
	"berth/engine/workload"
)

// arrivals reads a source in batches.
type arrivals struct {
	source workload.Source
	buffer [256]workload.Request
	batch  []workload.Request
	last   sim.Time
	count  uint32
	ended  bool
}

// peek returns the next request, nil at the end.
func (a *arrivals) peek() (*workload.Request, error) {
	if len(a.batch) > 0 {
		return &a.batch[0], nil
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
	a.batch = a.buffer[:n]
	return a.peek()
}

// ErrOrder says that a trace is not in order of submission.
var ErrOrder = errors.New("the requests are not in order of submission")

func (a *arrivals) pop() error {
	r := &a.batch[0]
	if r.Submit < a.last {
		return fmt.Errorf("%w: request %d comes at %d ms, after one at %d ms", ErrOrder, a.count+1, r.Submit, a.last)
	}
	a.last = r.Submit
	a.batch = a.batch[1:]
	a.count++
	return nil
}

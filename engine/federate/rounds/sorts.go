package rounds

import (
	"encoding/binary"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// sorts partitions the working workers that have room by their state: the workers of a sort have
// the same free resources and, unless the costs are Quincy's, the same number of tasks.
type sorts struct {
	least   []cluster.Amount
	all     []sort
	live    []int32          // sorts that have workers, in no order
	unused  []int32          // free entries of all
	known   map[string]int32 // live sorts by key
	key     []byte
	of      []int32 // by worker: its sort, or none
	place   []int32 // by worker: its index in the sort
	changed []int32 // workers whose state may have changed
}

type sort struct {
	key     string
	workers []int32
	place   int32 // in live
}

func newSorts(m *federate.Model) sorts {
	n := m.Center.Workers()
	x := sorts{least: federate.Smallest(m.Load), known: map[string]int32{}, of: make([]int32, n), place: make([]int32, n)}
	for w := range int32(n) {
		x.of[w] = federate.None
		x.changed = append(x.changed, w)
	}
	return x
}

// refresh moves the workers that have changed to the sorts of their states.
func (s *scheduler) refresh() {
	x := &s.sorts
	for _, worker := range x.changed {
		free, number := s.Pool.Free(worker), int32(federate.None)
		if !s.Down(worker) && cluster.Covers(free, x.least) {
			x.key = x.key[:0]
			for _, amount := range free {
				x.key = binary.LittleEndian.AppendUint64(x.key, uint64(amount))
			}
			if s.costs != Quincy {
				x.key = binary.LittleEndian.AppendUint32(x.key, uint32(s.on[worker]))
			}
			number = x.number()
		}
		if number == x.of[worker] {
			continue
		}
		x.leave(worker)
		if x.of[worker] = number; number != federate.None {
			of := &x.all[number]
			x.place[worker] = int32(len(of.workers))
			of.workers = append(of.workers, worker)
		}
	}
	x.changed = x.changed[:0]
}

// number returns the sort with the current key, and adds it if it is new.
func (x *sorts) number() int32 {
	if number, known := x.known[string(x.key)]; known {
		return number
	}
	number := int32(len(x.all))
	if n := len(x.unused) - 1; n >= 0 {
		number, x.unused = x.unused[n], x.unused[:n]
	} else {
		x.all = append(x.all, sort{})
	}
	of := &x.all[number]
	of.key, of.place = string(x.key), int32(len(x.live))
	x.known[of.key] = number
	x.live = append(x.live, number)
	return number
}

// leave removes a worker from its sort, and the sort with its last worker.
func (x *sorts) leave(worker int32) {
	number := x.of[worker]
	if number == federate.None {
		return
	}
	of := &x.all[number]
	last := len(of.workers) - 1
	moved := of.workers[last]
	of.workers[x.place[worker]], x.place[moved] = moved, x.place[worker]
	if of.workers = of.workers[:last]; last > 0 {
		return
	}
	delete(x.known, of.key)
	end := len(x.live) - 1
	x.live[of.place] = x.live[end]
	x.all[x.live[end]].place = of.place
	x.live = x.live[:end]
	x.unused = append(x.unused, number)
}

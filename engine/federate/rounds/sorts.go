package rounds

import (
	"encoding/binary"

	"berth/engine/federate"
	"berth/engine/federate/central"
)

// sorts are the workers that work and have something free, by what they have: of a sort all
// have the same free, and the same number of tasks if that counts.
type sorts struct {
	model   *federate.Model
	pool    *central.Pool
	least   central.Smallest
	counts  bool // the number of tasks
	all     []sort
	live    []int32 // sorts with workers, in no order
	unused  []int32
	known   map[string]int32 // sorts with workers by what these have
	key     []byte
	of      []int32 // of each worker: its sort; none if there is none
	place   []int32 // of each worker, in its sort
	changed []int32 // workers that may be of another sort now
}

type sort struct {
	key     string
	workers []int32
	place   int32 // in live
}

func newSorts(m *federate.Model, pool *central.Pool, counts bool) sorts {
	n := m.Center.Workers()
	x := sorts{model: m, pool: pool, least: central.NewSmallest(m.Load), counts: counts, known: map[string]int32{}, of: make([]int32, n), place: make([]int32, n)}
	for w := range int32(n) {
		x.of[w] = none
		x.changed = append(x.changed, w)
	}
	return x
}

// change notes that a worker has other tasks than before, fails, or works again.
func (x *sorts) change(worker int32) { x.changed = append(x.changed, worker) }

// refresh takes up all changes; on is how many tasks each worker has.
func (x *sorts) refresh(on []int32) {
	for _, worker := range x.changed {
		free, number := x.pool.Free(worker), int32(none)
		if !x.model.Down(worker) && x.least.In(free) {
			x.key = x.key[:0]
			for _, amount := range free {
				x.key = binary.LittleEndian.AppendUint64(x.key, uint64(amount))
			}
			if x.counts {
				x.key = binary.LittleEndian.AppendUint32(x.key, uint32(on[worker]))
			}
			number = x.number()
		}
		if number == x.of[worker] {
			continue
		}
		x.leave(worker)
		if x.of[worker] = number; number != none {
			of := &x.all[number]
			x.place[worker] = int32(len(of.workers))
			of.workers = append(of.workers, worker)
		}
	}
	x.changed = x.changed[:0]
}

// number is that of the sort of the key, a new one if there is none.
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

// leave takes a worker out of its sort, which ends with its last one.
func (x *sorts) leave(worker int32) {
	number := x.of[worker]
	if number == none {
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

func sortsMemory(c *federate.Config) float64 {
	return federate.Bytes[[2]int32](c.Workers) + federate.BytesGrown[[2]int32](c.Workers) + federate.BytesGrown[[2]sort](min(c.Workers, 1<<16)) +
		federate.BytesGrown[int32](2*c.Workers)
}

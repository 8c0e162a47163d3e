package central

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// devices are the devices of all workers, where tasks may take a share of one. A task
// gets the device with the least free that has enough; of equal ones the first. Whole
// devices are the first ones that are free.
type devices struct {
	resource int
	free     []cluster.Amount // of each device, worker by worker
	first    []int32          // of each worker, its first device; the last is the end
	of       []int32          // of each task that has a share, its device
}

func newDevices(m *federate.Model) *devices {
	if m.Center.Devices < 0 {
		return nil
	}
	d := &devices{resource: m.Center.Devices, first: []int32{0}, of: make([]int32, len(m.Load.Durations))}
	for w := range int32(m.Center.Workers()) {
		n := m.Center.CapacityOf(w)[d.resource] / cluster.Unit
		d.free = append(d.free, slices.Repeat([]cluster.Amount{cluster.Unit}, int(n))...)
		d.first = append(d.first, int32(len(d.free)))
	}
	return d
}

// taken is what a device has free that a task has as a whole.
const taken cluster.Amount = -1

// room is the most that a device of a worker has free, and how much is free on devices
// that are free altogether.
func (d *devices) room(worker int32) (one, whole cluster.Amount) {
	for _, free := range d.free[d.first[worker]:d.first[worker+1]] {
		one = max(one, free)
		if free == cluster.Unit {
			whole += free
		}
	}
	return one, whole
}

// take takes for a task what it asks for, of a worker that has room.
func (d *devices) take(task, worker int32, amount cluster.Amount) {
	all, from := d.free[d.first[worker]:d.first[worker+1]], -1
	for i, free := range all {
		switch {
		case amount >= cluster.Unit && free == cluster.Unit:
			all[i] = taken
			amount -= cluster.Unit
		case free >= amount && (from < 0 || free < all[from]):
			from = i
		}
	}
	if amount > 0 {
		all[from] -= amount
		d.of[task] = d.first[worker] + int32(from)
	}
}

// give gives back what a task had. Those that are taken as a whole are all alike: which of
// them becomes free makes no difference.
func (d *devices) give(task, worker int32, amount cluster.Amount) {
	if amount > 0 && amount < cluster.Unit {
		d.free[d.of[task]] += amount
		return
	}
	all := d.free[d.first[worker]:d.first[worker+1]]
	for i := 0; amount > 0; i++ {
		if all[i] == taken {
			all[i] = cluster.Unit
			amount -= cluster.Unit
		}
	}
}

// deviceMemory is what devices take.
func deviceMemory(c *federate.Config, load *workload.Tasks) float64 {
	center := federate.NewCenter(c, load)
	if center.Devices < 0 {
		return 0
	}
	return federate.BytesGrown[cluster.Amount](int(center.Total[center.Devices]/cluster.Unit)) + federate.BytesGrown[int32](c.Workers) + federate.Bytes[int32](len(load.Durations))
}

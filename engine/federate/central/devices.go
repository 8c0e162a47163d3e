package central

import (
	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// devices are the devices of all workers, where tasks may take a share of one.
type devices struct {
	resource int
	free     cluster.Devices // worker by worker
	first    []int32         // of each worker, its first device; the last is the end
	of       []int32         // of each task that has a share, its device on its worker
}

func newDevices(m *federate.Model) *devices {
	if m.Center.Devices < 0 {
		return nil
	}
	d := &devices{resource: m.Center.Devices, first: []int32{0}, of: make([]int32, len(m.Load.Durations))}
	for w := range int32(m.Center.Workers()) {
		d.free = append(d.free, cluster.NewDevices(int(m.Center.CapacityOf(w)[d.resource]/cluster.Unit))...)
		d.first = append(d.first, int32(len(d.free)))
	}
	return d
}

// on are those of a worker.
func (d *devices) on(worker int32) cluster.Devices {
	return d.free[d.first[worker]:d.first[worker+1]]
}

// deviceMemory is what devices take.
func deviceMemory(c *federate.Config, load *workload.Tasks) float64 {
	center := federate.NewCenter(c, load)
	if center.Devices < 0 {
		return 0
	}
	return federate.BytesGrown[cluster.Amount](int(center.Total[center.Devices]/cluster.Unit)) + federate.BytesGrown[int32](c.Workers) + federate.Bytes[int32](len(load.Durations))
}

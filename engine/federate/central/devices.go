package central

import (
	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// devices are the devices of all workers; a task may take a share of one.
type devices struct {
	resource int
	free     cluster.Devices // all devices, worker by worker
	first    []int32         // by worker: its first device; the last entry is the number of devices
	of       []int32         // by task with a share: its device on its worker
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

// on returns the devices of a worker.
func (d *devices) on(worker int32) cluster.Devices {
	return d.free[d.first[worker]:d.first[worker+1]]
}

// deviceMemory returns the bytes of the devices.
func deviceMemory(c *federate.Config, load *workload.Tasks) float64 {
	center := federate.NewCenter(c, load)
	if center.Devices < 0 {
		return 0
	}
	return federate.BytesGrown[cluster.Amount](int(center.Total[center.Devices]/cluster.Unit)) + federate.BytesGrown[int32](c.Workers) + federate.Bytes[int32](len(load.Durations))
}

package federate

import (
	"berth/engine/cluster"
	"berth/engine/workload"
)

// devices are the devices of all workers; a task may take a share of one.
type devices struct {
	resource int
	free     cluster.Devices // all devices, worker by worker
	first    []int32         // by worker: its first device; the last entry is the number of devices
	of       []int32         // by task with a share: its device on its worker
}

func newDevices(c *Center, load *workload.Tasks) *devices {
	if c.Devices < 0 {
		return nil
	}
	d := &devices{resource: c.Devices, first: []int32{0}, of: make([]int32, len(load.Durations))}
	for w := range int32(c.Workers()) {
		d.free = append(d.free, cluster.NewDevices(int(c.CapacityOf(w)[d.resource]/cluster.Unit))...)
		d.first = append(d.first, int32(len(d.free)))
	}
	return d
}

// on returns the devices of a worker.
func (d *devices) on(worker int32) cluster.Devices {
	return d.free[d.first[worker]:d.first[worker+1]]
}

// deviceMemory returns the bytes of the devices.
func deviceMemory(c *Config, load *workload.Tasks) float64 {
	center := NewCenter(c, load)
	if center.Devices < 0 {
		return 0
	}
	return BytesGrown[cluster.Amount](int(center.Total[center.Devices]/cluster.Unit)) + BytesGrown[int32](c.Workers) + Bytes[int32](len(load.Durations))
}

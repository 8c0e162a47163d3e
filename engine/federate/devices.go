package federate

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/workload"
)

// devices tracks the devices of all workers if tasks request shares of a device. Otherwise it is
// nil, and devices are a resource like any other.
type devices struct {
	resource int
	on       []cluster.Devices // by worker
	of       []int32           // by task with a share: the index of its device on its worker
}

func newDevices(c *Center, load *workload.Tasks) *devices {
	if c.Devices < 0 {
		return nil
	}
	d := &devices{resource: c.Devices, of: make([]int32, len(load.Durations))}
	for w := range int32(c.Workers()) {
		d.on = append(d.on, cluster.NewDevices(int(c.CapacityOf(w)[d.resource]/cluster.Unit)))
	}
	return d
}

// ask converts a request to the quantities of a [Pool]: the request itself, then its share of one
// device and its whole devices. A request has a share or whole devices, not both.
func (d *devices) ask(request []cluster.Amount) []cluster.Amount {
	if d == nil {
		return request
	}
	amount := request[d.resource]
	if amount < cluster.Unit {
		return append(slices.Clone(request), amount, 0)
	}
	return append(slices.Clone(request), 0, amount)
}

// room sets the last two quantities of a worker, its free share and its free devices.
func (d *devices) room(worker int32, quantities []cluster.Amount) {
	if n := len(quantities); d != nil {
		quantities[n-2], quantities[n-1] = d.on[worker].Room()
	}
}

// add releases the devices of a task on a worker, or takes them if sign is −1.
func (d *devices) add(task, worker int32, request []cluster.Amount, sign cluster.Amount) {
	if sign < 0 {
		d.of[task] = int32(d.on[worker].Take(request[d.resource]))
	} else {
		d.on[worker].Give(request[d.resource], int(d.of[task]))
	}
}

// same reports whether the devices of two workers have the same room left.
func (d *devices) same(a, b int32) bool { return d == nil || slices.Equal(d.on[a], d.on[b]) }

// deviceMemory returns the bytes that devices take.
func deviceMemory(c *Config, load *workload.Tasks) float64 {
	center := NewCenter(c, load)
	if center.Devices < 0 {
		return 0
	}
	return Bytes[cluster.Amount](int(center.Total[center.Devices]/cluster.Unit)) + BytesGrown[cluster.Devices](c.Workers) + Bytes[int32](len(load.Durations))
}

// sharedResource returns the resource type that is counted in devices; −1 if no task requests a
// share of a device.
func sharedResource(load *workload.Tasks) int {
	devices := slices.Index(load.Resources, workload.GPUResource)
	if devices < 0 || !slices.ContainsFunc(load.Kinds, func(k workload.TaskKind) bool { return share(k.Request[devices]) }) {
		return -1
	}
	return devices
}

func share(amount cluster.Amount) bool { return amount > 0 && amount < cluster.Unit }

// checkRequests rejects requests for more than one device that are not a whole number of devices,
// if other tasks request shares.
func checkRequests(load *workload.Tasks) error {
	devices := sharedResource(load)
	for k := 0; devices >= 0 && k < len(load.Kinds); k++ {
		if amount := load.Kinds[k].Request[devices]; amount > cluster.Unit && amount%cluster.Unit != 0 {
			return diag.At("trace", partOfDevice, amount.Units(), workload.GPUResource)
		}
	}
	return nil
}

// roomFor returns the number of tasks of a kind that fit at once on an empty worker of a class.
func roomFor(class *WorkerClass, k *workload.TaskKind, devices int) cluster.Amount {
	room := cluster.Amount(math.MaxInt32)
	for r, amount := range k.Request {
		switch {
		case amount == 0:
		case r == devices && share(amount):
			room = min(room, class.Capacity[r]/cluster.Unit*(cluster.Unit/amount))
		default:
			room = min(room, class.Capacity[r]/amount)
		}
	}
	return room
}

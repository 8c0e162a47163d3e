package federate

import (
	"cmp"
	"math"

	"berth/engine/cluster"
	"berth/engine/input/workload"
)

// Center is the immutable description of the workers of a data centre.
type Center struct {
	GMs, LMs  int
	Resources int
	// Capacity is the capacity of every worker if all are alike. Otherwise it has, for each
	// resource type, the maximum over the workers; see [Center.CapacityOf].
	Capacity []cluster.Amount
	Total    []cluster.Amount // of all workers, by resource type
	Machines []uint64         // by worker: the set of constraints it satisfies; nil: every worker satisfies all
	// Devices is the resource type that is counted in devices, if some task requests a share of one
	// device; −1 otherwise.
	Devices int

	slowest, fastest float64 // speeds of workers
	workers          int
	classes          []WorkerClass
	classOf          []uint16 // by worker: index into classes; nil: all have the first class
}

// NewCenter returns the data centre of a configuration for a workload.
func NewCenter(c *Config, load *workload.Tasks) *Center {
	classes, count := c.classes()
	d := &Center{
		GMs: c.GMs, LMs: c.LMs, Resources: len(c.Capacity), Machines: c.Machines, Devices: sharedResource(load),
		Capacity: make([]cluster.Amount, len(c.Capacity)), Total: make([]cluster.Amount, len(c.Capacity)),
		workers: c.Workers, classes: classes, classOf: c.ClassOf,
	}
	for i, class := range classes {
		d.slowest, d.fastest = min(cmp.Or(d.slowest, class.Speed), class.Speed), max(d.fastest, class.Speed)
		for r, amount := range class.Capacity {
			d.Capacity[r] = max(d.Capacity[r], amount)
			d.Total[r] += amount * cluster.Amount(count[i])
		}
	}
	return d
}

// WorkersOf divides workers evenly over masters and returns the number for each master. Each of the
// first masters gets one worker of the remainder.
func WorkersOf(workers, masters int) []int {
	sizes := make([]int, masters)
	for i := range sizes {
		sizes[i] = workers / masters
		if i < workers%masters {
			sizes[i]++
		}
	}
	return sizes
}

// GMOfUser returns the GM that serves a user. Users are assigned to GMs in blocks: four users get
// the GMs 1, 2, 2, 3 of three (section VI-E of the Megha paper).
func GMOfUser(user, users, gms int) int32 {
	if users == 1 {
		return 0
	}
	return int32((2*user*(gms-1) + users - 1) / (2 * (users - 1)))
}

// Workers returns the number of workers.
func (d *Center) Workers() int { return d.workers }

func (d *Center) class(worker int32) *WorkerClass {
	if d.classOf == nil {
		return &d.classes[0]
	}
	return &d.classes[d.classOf[worker]]
}

// CapacityOf returns the capacity of a worker by resource type.
func (d *Center) CapacityOf(worker int32) []cluster.Amount { return d.class(worker).Capacity }

// Speed returns the speed of a worker: the running time of a task is its duration divided by the
// speed.
func (d *Center) Speed(worker int32) float64 { return d.class(worker).Speed }

// Room returns how many tasks of a kind an empty worker can run at once. It ignores constraints.
func (d *Center) Room(worker int32, k *workload.TaskKind) int {
	return int(roomFor(d.class(worker), k, d.Devices))
}

// together returns how many tasks of a kind can run at once in an empty data centre, on the workers
// that satisfy their constraints.
func (d *Center) together(k *workload.TaskKind) int32 {
	room := 0
	for w := range int32(d.workers) {
		if d.Satisfies(w, k.Constraints) {
			room = min(room+d.Room(w, k), math.MaxInt32)
		}
	}
	return int32(room)
}

// Satisfies reports whether a worker satisfies a set of constraints.
func (d *Center) Satisfies(worker int32, constraints uint64) bool {
	return d.Machines == nil || constraints&^d.Machines[worker] == 0
}

// Fits reports whether a task of this kind fits on some empty worker. capacity reports whether some
// worker has the capacity, regardless of constraints.
func (d *Center) Fits(k *workload.TaskKind) (fits, capacity bool) {
	room := make([]bool, len(d.classes))
	for i := range d.classes {
		room[i] = roomFor(&d.classes[i], k, d.Devices) > 0
		capacity = capacity || room[i]
	}
	for w := int32(0); capacity && int(w) < d.workers; w++ {
		if (d.classOf == nil || room[d.classOf[w]]) && d.Satisfies(w, k.Constraints) {
			return true, true
		}
	}
	return false, capacity
}

package federate

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/workload"
)

// Pool holds the free resources of every worker and finds the first worker with room for a task. It
// is a binary tree in which each node has the maximum of each quantity over its workers. The
// quantities are the resources and, if tasks take shares of devices, the two results of
// [cluster.Devices.Room].
type Pool struct {
	center    *Center
	load      *workload.Tasks
	down      func(worker int32) bool
	leaves    int // a power of two; node 1 is the root, and worker w is node leaves + w
	resources int // quantities per node
	devices   *devices
	asks      [][]cluster.Amount // by kind of task and quantity
	free      []cluster.Amount   // by worker and resource; failed workers included
	most      []cluster.Amount   // by node and quantity; negative for a failed worker
	satisfies []uint64           // by node: the union of the constraints that its workers with room satisfy; nil: all workers satisfy all
	smallest  []cluster.Amount   // see [Smallest]
	total     []cluster.Amount   // by quantity: free on all working workers
	gang      []Claim            // scratch: the claims of a gang
	watch     func(worker int32) // called after the free resources of a worker change; may be nil
	full      int32              // a kind of task for which no worker has room; −1: none known
}

// NewPool returns a pool of idle workers. down reports which of them have failed or left.
func NewPool(d *Center, load *workload.Tasks, down func(worker int32) bool) *Pool {
	n := d.Workers()
	p := &Pool{center: d, load: load, down: down, leaves: 1, resources: d.Resources, devices: newDevices(d, load), smallest: Smallest(load), full: -1}
	if p.devices != nil {
		p.resources += 2
	}
	p.total = make([]cluster.Amount, p.resources)
	for kind := range load.Kinds {
		p.asks = append(p.asks, p.devices.ask(load.Kinds[kind].Request))
	}
	for p.leaves < n {
		p.leaves *= 2
	}
	p.most = make([]cluster.Amount, 2*p.leaves*p.resources)
	for i := range p.most {
		p.most[i] = -1
	}
	if d.Machines != nil {
		p.satisfies = make([]uint64, 2*p.leaves)
	}
	for w := range n {
		p.free = append(p.free, d.CapacityOf(int32(w))...)
		p.refresh(int32(w))
	}
	return p
}

// Watch sets a function that is called whenever the free resources of a worker have changed, or the
// worker has failed or recovered.
func (p *Pool) Watch(changed func(worker int32)) { p.watch = changed }

// NewPool returns a pool of the idle workers of a run.
func (m *Model) NewPool() *Pool { return NewPool(m.Center, m.Load, m.Down) }

func (p *Pool) node(node int) []cluster.Amount {
	return cluster.Row(p.most, int32(node), p.resources)
}

// Free returns the free resources of a worker, even of a failed one. Callers must not change the
// slice.
func (p *Pool) Free(worker int32) []cluster.Amount {
	return cluster.Row(p.free, worker, p.center.Resources)
}

// Idle returns how many tasks fit on all working workers together. All tasks must have the same
// request.
func (p *Pool) Idle() int { return int(p.total[0] / p.Slot()) }

// Slot returns the amount of the first resource that each task takes. All tasks must have the same
// request.
func (p *Pool) Slot() cluster.Amount {
	if len(p.load.KindOf) == 0 {
		return cluster.Unit
	}
	return max(p.load.Kinds[p.load.KindOf[0]].Request[0], 1)
}

// refresh propagates the free resources of a worker up the tree.
func (p *Pool) refresh(worker int32) {
	leaf, down := p.node(p.leaves+int(worker)), p.down(worker)
	for r := range leaf {
		p.total[r] -= max(leaf[r], 0)
	}
	copy(leaf, p.Free(worker))
	p.devices.room(worker, leaf)
	for r := range leaf {
		if down {
			leaf[r] = -1
		}
		p.total[r] += max(leaf[r], 0)
	}
	if p.satisfies != nil {
		p.satisfies[p.leaves+int(worker)] = 0
		if !down && cluster.Covers(p.Free(worker), p.smallest) {
			p.satisfies[p.leaves+int(worker)] = p.center.Machines[worker]
		}
	}
	for node := (p.leaves + int(worker)) / 2; node >= 1 && p.gather(node); node /= 2 {
	}
	if p.watch != nil {
		p.watch(worker)
	}
}

// gather recomputes a node from its two children and reports whether it changed.
func (p *Pool) gather(node int) (changed bool) {
	to, a, b := p.node(node), p.node(2*node), p.node(2*node+1)
	for r := range to {
		most := max(a[r], b[r])
		changed = changed || to[r] != most
		to[r] = most
	}
	if p.satisfies != nil {
		all := p.satisfies[2*node] | p.satisfies[2*node+1]
		changed = changed || all != p.satisfies[node]
		p.satisfies[node] = all
	}
	return changed
}

// Take reserves the request of a task on the first worker that has room and satisfies the task's
// constraints. It returns the worker; −1 if there is none.
func (p *Pool) Take(task int32) int32 {
	kind := p.load.KindOf[task]
	if kind == p.full {
		return -1
	}
	worker := p.First(task)
	if worker < 0 {
		p.full = kind
		return -1
	}
	p.use(task, worker)
	return worker
}

// TakeOn reserves the request of a task on a worker. It returns false and reserves nothing if the
// worker has failed, lacks room or violates the task's constraints.
func (p *Pool) TakeOn(task, worker int32) bool {
	if !p.Fits(task, worker) {
		return false
	}
	p.use(task, worker)
	return true
}

// TakeAll reserves the requests of all claims on their workers, or of none. It returns false if one
// does not fit or if there are no claims.
func (p *Pool) TakeAll(claims []Claim) (ok bool) {
	for i, x := range claims {
		if !p.TakeOn(x.Task, x.Worker) {
			p.GiveAll(claims[:i])
			return false
		}
	}
	return len(claims) > 0
}

// TakeEach reserves the requests of the tasks [first, end), each on the first worker with room, or
// of none if one does not fit. The claims are valid until the next call.
func (p *Pool) TakeEach(first, end int32) (claims []Claim, ok bool) {
	p.gang = p.gang[:0]
	for task := first; task < end; task++ {
		worker := p.Take(task)
		if worker < 0 {
			p.GiveAll(p.gang)
			return nil, false
		}
		p.gang = append(p.gang, Claim{task, worker})
	}
	return p.gang, true
}

// GiveAll releases the resources of claims.
func (p *Pool) GiveAll(claims []Claim) {
	for _, x := range claims {
		p.Give(x.Task, x.Worker)
	}
}

// First returns the first worker that has room for a task and satisfies its constraints; −1 if no
// worker does.
func (p *Pool) First(task int32) int32 {
	return p.first(1, p.load.KindOf[task])
}

func (p *Pool) first(node int, kind int32) int32 {
	return p.find(node, p.asks[kind], p.load.Kinds[kind].Constraints)
}

// FirstOf is [Pool.First] restricted to the workers in [from, end).
func (p *Pool) FirstOf(task, from, end int32) int32 {
	for from < end {
		node, size := p.leaves+int(from), 1
		for node%2 == 0 && int(from)+2*size <= int(end) {
			node, size = node/2, 2*size
		}
		if worker := p.first(node, p.load.KindOf[task]); worker >= 0 {
			return worker
		}
		from += int32(size)
	}
	return -1
}

// Fits reports whether a worker works, has room for a task and satisfies its constraints.
func (p *Pool) Fits(task, worker int32) bool {
	return p.first(p.leaves+int(worker), p.load.KindOf[task]) >= 0
}

func (p *Pool) use(task, worker int32) {
	p.add(task, worker, -1)
	p.refresh(worker)
}

// add releases the request of a task on a worker, or takes it if sign is −1.
func (p *Pool) add(task, worker int32, sign cluster.Amount) {
	request := p.load.Kinds[p.load.KindOf[task]].Request
	cluster.Add(p.Free(worker), request, sign)
	if p.devices != nil {
		p.devices.add(task, worker, request, sign)
	}
}

// same reports whether two workers satisfy the same constraints and have the same free resources.
func (p *Pool) same(a, b int32) bool {
	machines := p.center.Machines
	return (machines == nil || machines[a] == machines[b]) && slices.Equal(p.Free(a), p.Free(b)) && p.devices.same(a, b)
}

// find returns the first worker below a node that has room for ask and satisfies the constraints;
// −1 if none does. With one resource and no constraints it never backtracks, because the maximum of
// a node is the amount of one of its workers.
func (p *Pool) find(node int, ask []cluster.Amount, constraints uint64) int32 {
	if !cluster.Covers(p.node(node), ask) || p.satisfies != nil && constraints&^p.satisfies[node] != 0 {
		return -1
	}
	if node >= p.leaves {
		return int32(node - p.leaves)
	}
	if worker := p.find(2*node, ask, constraints); worker >= 0 {
		return worker
	}
	return p.find(2*node+1, ask, constraints)
}

// Give releases the resources of a task that was on a worker.
func (p *Pool) Give(task, worker int32) {
	p.add(task, worker, 1)
	p.Changed(worker)
}

// Changed updates the tree after a worker has gained resources, failed or recovered.
func (p *Pool) Changed(worker int32) {
	p.refresh(worker)
	if p.full >= 0 && p.first(p.leaves+int(worker), p.full) >= 0 {
		p.full = -1
	}
}

// May reports whether the tasks [first, end) request no more than all workers together have free,
// which is a necessary condition for starting them at once.
func (p *Pool) May(first, end int32) bool {
	kinds := p.load.KindOf[first:end]
	for r, left := range p.total {
		if p.devices != nil && r == p.resources-2 {
			continue // the largest free shares of the workers cannot be summed
		}
		for _, kind := range kinds {
			left -= p.asks[kind][r]
			if left < 0 {
				return false
			}
		}
	}
	return true
}

// Smallest returns for each resource the smallest request of any task. A worker with less of any
// resource has no room for any task.
func Smallest(load *workload.Tasks) (least []cluster.Amount) {
	for i, kind := range load.Kinds {
		if i == 0 {
			least = slices.Clone(kind.Request)
		}
		for r, amount := range kind.Request {
			least[r] = min(least[r], amount)
		}
	}
	return least
}

// PoolMemory returns an upper estimate of the bytes of a pool.
func PoolMemory(c *Config, load *workload.Tasks) float64 {
	largest := int32(0)
	if len(load.Jobs) > 0 {
		largest = slices.MaxFunc(load.Jobs, func(a, b workload.TaskJob) int { return int(a.Count - b.Count) }).Count
	}
	nodes := 4 * c.Workers
	return deviceMemory(c, load) + Bytes[cluster.Amount]((nodes+c.Workers)*(len(c.Capacity)+2)+len(load.Kinds)*(len(c.Capacity)+2)) + Bytes[uint64](nodes) + BytesGrown[Claim](int(largest))
}

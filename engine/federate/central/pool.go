package central

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// Pool holds the free resources of every worker and finds the first worker with room for a task. It
// is a binary tree: each node holds the maximum of each quantity over its workers. The quantities
// are the resources and, if tasks take shares of devices, the two results of
// [cluster.Devices.Room].
type Pool struct {
	model     *federate.Model
	leaves    int // a power of two; node 1 is the root, and worker w is node leaves + w
	resources int // quantities per node
	devices   *devices
	asks      [][]cluster.Amount // by kind of task and quantity
	free      []cluster.Amount   // by worker and resource; failed workers included
	most      []cluster.Amount   // by node and quantity; negative for a failed worker
	satisfies []uint64           // by node: the constraints satisfied by its workers that may have room for some task; nil: all satisfy all
	smallest  []cluster.Amount
	total     []cluster.Amount // by quantity: free on all workers that work
	gang      []federate.Claim // scratch: the claims of a gang
	full      int32            // a kind of task for which no worker has room; −1: no such kind is known
}

// NewPool returns a pool of idle workers.
func NewPool(m *federate.Model) *Pool {
	n := m.Center.Workers()
	p := &Pool{model: m, leaves: 1, resources: m.Center.Resources, devices: newDevices(m), smallest: Smallest(m.Load), full: -1}
	if p.devices != nil {
		p.resources += 2
	}
	p.total = make([]cluster.Amount, p.resources)
	for kind := range m.Load.Kinds {
		p.asks = append(p.asks, p.ask(m.Load.Kinds[kind].Request))
	}
	for p.leaves < n {
		p.leaves *= 2
	}
	p.most = make([]cluster.Amount, 2*p.leaves*p.resources)
	for i := range p.most {
		p.most[i] = -1
	}
	if m.Center.Machines != nil {
		p.satisfies = make([]uint64, 2*p.leaves)
	}
	for w := range n {
		p.free = append(p.free, m.Center.CapacityOf(int32(w))...)
		p.refresh(int32(w))
	}
	return p
}

// ask returns a request by quantity. Its amount of devices counts as a share of one device or as
// whole devices.
func (p *Pool) ask(request []cluster.Amount) []cluster.Amount {
	if p.devices == nil {
		return request
	}
	ask := make([]cluster.Amount, p.resources)
	copy(ask, request)
	if amount := request[p.devices.resource]; amount < cluster.Unit {
		ask[p.resources-2] = amount
	} else {
		ask[p.resources-1] = amount
	}
	return ask
}

func (p *Pool) node(node int) []cluster.Amount {
	return cluster.Row(p.most, int32(node), p.resources)
}

// Free returns the free resources of a worker, even of a failed one. Callers must not change the
// slice.
func (p *Pool) Free(worker int32) []cluster.Amount {
	return cluster.Row(p.free, worker, p.model.Center.Resources)
}

// Idle returns the number of tasks that fit on all working workers. All tasks must ask for the
// same.
func (p *Pool) Idle() int { return int(p.total[0] / p.slot()) }

// slot returns the amount of the first resource that each task takes. All tasks must ask for the
// same.
func (p *Pool) slot() cluster.Amount {
	load := p.model.Load
	if len(load.KindOf) == 0 {
		return cluster.Unit
	}
	return max(load.Kinds[load.KindOf[0]].Request[0], 1)
}

// refresh propagates the free resources of a worker up the tree.
func (p *Pool) refresh(worker int32) {
	leaf, down := p.node(p.leaves+int(worker)), p.model.Down(worker)
	for r := range leaf {
		p.total[r] -= max(leaf[r], 0)
	}
	copy(leaf, p.Free(worker))
	if p.devices != nil {
		leaf[p.resources-2], leaf[p.resources-1] = p.devices.on(worker).Room()
	}
	for r := range leaf {
		if down {
			leaf[r] = -1
		}
		p.total[r] += max(leaf[r], 0)
	}
	if p.satisfies != nil {
		p.satisfies[p.leaves+int(worker)] = 0
		if !down && cluster.Covers(p.Free(worker), p.smallest) {
			p.satisfies[p.leaves+int(worker)] = p.model.Center.Machines[worker]
		}
	}
	for node := (p.leaves + int(worker)) / 2; node >= 1 && p.gather(node); node /= 2 {
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

// take reserves the request of a task on the first worker that has room and satisfies the task's
// constraints, and returns the worker; −1 if no worker does.
func (p *Pool) take(task int32) int32 {
	kind := p.model.Load.KindOf[task]
	if kind == p.full {
		return -1
	}
	k := &p.model.Load.Kinds[kind]
	worker := p.find(1, p.asks[kind], k.Constraints)
	if worker < 0 {
		p.full = kind
		return -1
	}
	p.use(task, worker)
	return worker
}

// TakeOn reserves the request of a task on a worker that has room and satisfies its constraints. It
// returns false for other workers.
func (p *Pool) TakeOn(task, worker int32) bool {
	if !p.Fits(task, worker) {
		return false
	}
	p.use(task, worker)
	return true
}

// TakeAll reserves the requests of all claims on their workers, or of none. It returns false if one
// does not fit or claims is empty.
func (p *Pool) TakeAll(claims []federate.Claim) (ok bool) {
	for i, x := range claims {
		if !p.TakeOn(x.Task, x.Worker) {
			for _, taken := range claims[:i] {
				p.Give(taken.Task, taken.Worker)
			}
			return false
		}
	}
	return len(claims) > 0
}

// First returns the first worker that has room for a task and satisfies its constraints; −1 if no
// worker does.
func (p *Pool) First(task int32) int32 {
	kind := p.model.Load.KindOf[task]
	return p.find(1, p.asks[kind], p.model.Load.Kinds[kind].Constraints)
}

// FirstOf is [Pool.First] restricted to the workers in [from, end).
func (p *Pool) FirstOf(task, from, end int32) int32 {
	kind := p.model.Load.KindOf[task]
	ask, constraints := p.asks[kind], p.model.Load.Kinds[kind].Constraints
	for from < end {
		node, size := p.leaves+int(from), 1
		for node%2 == 0 && int(from)+2*size <= int(end) {
			node, size = node/2, 2*size
		}
		if worker := p.find(node, ask, constraints); worker >= 0 {
			return worker
		}
		from += int32(size)
	}
	return -1
}

// Fits reports whether a worker works, has room for a task and satisfies its constraints.
func (p *Pool) Fits(task, worker int32) bool {
	kind := p.model.Load.KindOf[task]
	return p.find(p.leaves+int(worker), p.asks[kind], p.model.Load.Kinds[kind].Constraints) >= 0
}

func (p *Pool) use(task, worker int32) {
	request := p.model.Kind(task).Request
	cluster.Add(p.Free(worker), request, -1)
	if p.devices != nil {
		p.devices.of[task] = int32(p.devices.on(worker).Take(request[p.devices.resource]))
	}
	p.refresh(worker)
}

// find returns the first worker below a node that has room for ask and satisfies the constraints;
// −1 if none does. With one resource and no constraints it never backtracks, because a node with
// enough has a worker with enough.
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
	request := p.model.Kind(task).Request
	cluster.Add(p.Free(worker), request, 1)
	if p.devices != nil {
		p.devices.on(worker).Give(request[p.devices.resource], int(p.devices.of[task]))
	}
	p.Changed(worker)
}

// Changed updates the tree after a worker has gained resources, has failed or works again.
func (p *Pool) Changed(worker int32) {
	p.refresh(worker)
	if p.full >= 0 && p.find(p.leaves+int(worker), p.asks[p.full], p.model.Load.Kinds[p.full].Constraints) >= 0 {
		p.full = -1
	}
}

// May reports whether the tasks [first, end) ask for no more than all workers together have free,
// which is necessary to start them at once.
func (p *Pool) May(first, end int32) bool {
	kinds := p.model.Load.KindOf[first:end]
	for r, left := range p.total {
		if p.devices != nil && r == p.resources-2 {
			continue // the largest free shares of the workers do not add up
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

// Smallest returns the smallest request of any task for each resource: a worker with less of
// anything has no room for any task.
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

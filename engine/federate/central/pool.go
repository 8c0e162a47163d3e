package central

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// Pool knows what every worker has free, and finds the first one with room for a task
// in a tree whose nodes have the most that any of their workers has. Where tasks take
// shares of devices, two more quantities are those of [cluster.Devices.Room].
type Pool struct {
	model     *federate.Model
	leaves    int // a power of two; node 1 is the root, and worker w is node leaves + w
	resources int // quantities of a node
	devices   *devices
	asks      [][]cluster.Amount // of each kind of task, by quantity
	free      []cluster.Amount   // of each worker by resource, whether it works or not
	most      []cluster.Amount   // of each node by quantity; less than 0 of a worker that has failed
	satisfies []uint64           // the constraints of a node's workers that may have room for some task; nil: all
	smallest  Smallest
	total     []cluster.Amount // free on all workers that work, by quantity
	gang      []federate.Claim // scratch: the workers of a gang
	full      int32            // a kind of task that no worker has room for; -1: none is known
}

// NewPool returns a pool of idle workers.
func NewPool(m *federate.Model) *Pool {
	n := m.Center.Workers()
	p := &Pool{model: m, leaves: 1, resources: m.Center.Resources, devices: newDevices(m), smallest: NewSmallest(m.Load), full: -1}
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

// ask is a request by quantity: a share is of one device, the rest of whole ones.
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
	at := node * p.resources
	return p.most[at : at+p.resources : at+p.resources]
}

// Free is what a worker has free of each resource, whether it works or not. It is not to be
// changed.
func (p *Pool) Free(worker int32) []cluster.Amount { return p.of(worker) }

func (p *Pool) of(worker int32) []cluster.Amount {
	n := p.model.Center.Resources
	at := int(worker) * n
	return p.free[at : at+n : at+n]
}

// Idle is how many tasks all workers that work have room for, where all ask for the same.
func (p *Pool) Idle() int { return int(p.total[0] / p.slot()) }

// slot is what each task takes of the first resource, where all ask for the same.
func (p *Pool) slot() cluster.Amount {
	load := p.model.Load
	if len(load.KindOf) == 0 {
		return cluster.Unit
	}
	return max(load.Kinds[load.KindOf[0]].Request[0], 1)
}

// refresh takes what a worker has free up into the tree.
func (p *Pool) refresh(worker int32) {
	leaf, down := p.node(p.leaves+int(worker)), p.model.Down(worker)
	for r := range leaf {
		p.total[r] -= max(leaf[r], 0)
	}
	copy(leaf, p.of(worker))
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
		if !down && p.smallest.In(p.of(worker)) {
			p.satisfies[p.leaves+int(worker)] = p.model.Center.Machines[worker]
		}
	}
	for node := (p.leaves + int(worker)) / 2; node >= 1 && p.gather(node); node /= 2 {
	}
}

// gather makes a node of the two below it, and says whether it has changed.
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

// take takes what a task asks for from the first worker that has it free and satisfies
// its constraints; -1 if there is none.
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

// TakeOn takes what a task asks for from a worker, if that has it free and satisfies its
// constraints.
func (p *Pool) TakeOn(task, worker int32) bool {
	if !p.Fits(task, worker) {
		return false
	}
	p.use(task, worker)
	return true
}

// TakeAll takes what some tasks ask for, if every worker has it free; ok is false for none.
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

// First is the first worker that has free what a task asks for, and satisfies its
// constraints; -1 if there is none.
func (p *Pool) First(task int32) int32 {
	kind := p.model.Load.KindOf[task]
	return p.find(1, p.asks[kind], p.model.Load.Kinds[kind].Constraints)
}

// FirstOf is [Pool.First] of the workers from one on, before another.
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

// Fits says whether a worker does, and works.
func (p *Pool) Fits(task, worker int32) bool {
	kind := p.model.Load.KindOf[task]
	return p.find(p.leaves+int(worker), p.asks[kind], p.model.Load.Kinds[kind].Constraints) >= 0
}

func (p *Pool) use(task, worker int32) {
	request, free := p.model.Kind(task).Request, p.of(worker)
	for r, amount := range request {
		free[r] -= amount
	}
	if p.devices != nil {
		p.devices.of[task] = int32(p.devices.on(worker).Take(request[p.devices.resource]))
	}
	p.refresh(worker)
}

// find looks for a worker below a node. With one resource and without constraints every
// node that has enough leads to one.
func (p *Pool) find(node int, ask []cluster.Amount, constraints uint64) int32 {
	most := p.node(node)
	for r, amount := range ask {
		if most[r] < amount {
			return -1
		}
	}
	if p.satisfies != nil && constraints&^p.satisfies[node] != 0 {
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

// Give gives back what a task of a worker had.
func (p *Pool) Give(task, worker int32) {
	request, free := p.model.Kind(task).Request, p.of(worker)
	for r, amount := range request {
		free[r] += amount
	}
	if p.devices != nil {
		p.devices.on(worker).Give(request[p.devices.resource], int(p.devices.of[task]))
	}
	p.Changed(worker)
}

// Changed takes up what a worker has more than before.
func (p *Pool) Changed(worker int32) {
	p.refresh(worker)
	if p.full >= 0 && p.find(p.leaves+int(worker), p.asks[p.full], p.model.Load.Kinds[p.full].Constraints) >= 0 {
		p.full = -1
	}
}

// May reports whether the tasks ask for no more than is free on all workers together.
func (p *Pool) May(first, end int32) bool {
	kinds := p.model.Load.KindOf[first:end]
	for r, left := range p.total {
		if p.devices != nil && r == p.resources-2 {
			continue // the most of one device of each
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

// Smallest is the least that any task asks for, by resource.
type Smallest []cluster.Amount

// NewSmallest returns that of a workload.
func NewSmallest(load *workload.Tasks) (s Smallest) {
	for i, kind := range load.Kinds {
		if i == 0 {
			s = slices.Clone(kind.Request)
		}
		for r, amount := range kind.Request {
			s[r] = min(s[r], amount)
		}
	}
	return s
}

// In reports whether some task may have room in what is free.
func (s Smallest) In(free []cluster.Amount) bool {
	for r, amount := range free {
		if amount < s[r] {
			return false
		}
	}
	return true
}

package central

import (
	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// Pool knows what every worker has free, and finds the first one with room for a task
// in a tree whose nodes have the most that any of their workers has.
type Pool struct {
	model     *federate.Model
	leaves    int // a power of two; node 1 is the root, and worker w is node leaves + w
	resources int
	free      []cluster.Amount // of each worker, whether it works or not
	most      []cluster.Amount // of each node by resource; less than 0 of a worker that has failed
	satisfies []uint64         // the constraints of a node's workers that have anything free; nil: all
	total     []cluster.Amount // free on all workers that work
	gang      []int32          // scratch: the workers of a gang
}

// NewPool returns a pool of idle workers.
func NewPool(m *federate.Model) *Pool {
	n := m.Center.Workers()
	p := &Pool{model: m, leaves: 1, resources: m.Center.Resources, total: make([]cluster.Amount, m.Center.Resources)}
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
		p.free = append(p.free, m.Center.Capacity...)
		p.refresh(int32(w))
	}
	return p
}

func (p *Pool) node(node int) []cluster.Amount {
	at := node * p.resources
	return p.most[at : at+p.resources : at+p.resources]
}

func (p *Pool) of(worker int32) []cluster.Amount {
	at := int(worker) * p.resources
	return p.free[at : at+p.resources : at+p.resources]
}

// Idle is how much of the first resource is free on all workers that work.
func (p *Pool) Idle() int { return int(p.total[0] / cluster.Unit) }

// refresh takes what a worker has free up into the tree.
func (p *Pool) refresh(worker int32) {
	free, leaf := p.of(worker), p.node(p.leaves+int(worker))
	some := false
	for r := range leaf {
		p.total[r] -= max(leaf[r], 0)
		leaf[r] = free[r]
		if p.model.Down(worker) {
			leaf[r] = -1
		}
		p.total[r] += max(leaf[r], 0)
		some = some || leaf[r] > 0
	}
	if p.satisfies != nil {
		p.satisfies[p.leaves+int(worker)] = 0
		if some {
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
// its constraints; −1 if there is none.
func (p *Pool) take(k *workload.TaskKind) int32 {
	worker := p.find(1, k)
	if worker >= 0 {
		free := p.of(worker)
		for r, amount := range k.Request {
			free[r] -= amount
		}
		p.refresh(worker)
	}
	return worker
}

// find looks for a worker below a node. With one resource and without constraints every
// node that has enough leads to one.
func (p *Pool) find(node int, k *workload.TaskKind) int32 {
	most := p.node(node)
	for r, amount := range k.Request {
		if most[r] < amount {
			return -1
		}
	}
	if p.satisfies != nil && k.Constraints&^p.satisfies[node] != 0 {
		return -1
	}
	if node >= p.leaves {
		return int32(node - p.leaves)
	}
	if worker := p.find(2*node, k); worker >= 0 {
		return worker
	}
	return p.find(2*node+1, k)
}

// give gives back what a task of a worker had.
func (p *Pool) give(worker int32, request []cluster.Amount) {
	free := p.of(worker)
	for r, amount := range request {
		free[r] += amount
	}
	p.refresh(worker)
}

// may reports whether the tasks ask for no more than is free on all workers together.
func (p *Pool) may(load *workload.Tasks, first, end int32) bool {
	for r, left := range p.total {
		for _, kind := range load.KindOf[first:end] {
			left -= load.Kinds[kind].Request[r]
			if left < 0 {
				return false
			}
		}
	}
	return true
}

package exact

import (
	"cmp"
	"container/heap"
	"slices"
)

// valued is a cluster for a job, with the lower bound that results from the choice.
type valued struct {
	cluster int32
	bound   float64
}

// ascending sorts clusters by their bounds.
func ascending(values []valued) []valued {
	slices.SortFunc(values, func(a, b valued) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), cmp.Compare(a.cluster, b.cluster))
	})
	return values
}

// node is an unexplored subtree: the placements of its parent with one more job on one of its
// clusters.
type node struct {
	bound  float64 // lower bound of all its placements
	parent *parent // nil for the root
	job    int32
	number int // index into the clusters of the parent
	born   int // number of earlier nodes: among equal bounds the last node comes first
}

// parent is the state that siblings share: the placed jobs, the remaining clusters of the others,
// and the prices of the bound.
type parent struct {
	stand    []assignment
	left     []uint64
	prices   [][]float64
	clusters []int32 // for the job it branches on, in the order tried
	open     int     // children not visited yet
}

// frontier holds the unexplored nodes, the one with the lowest bound first. That bound holds for
// the whole problem. When the parents use too much memory, the search continues depth first: the
// children of a node come next, until its subtree is done.
type frontier struct {
	nodes []node // heap by bound
	below []node // stack, visited before nodes
	born  int
	kept  int           // number of figures stored in parents
	spare [][][]float64 // prices of finished parents, for reuse
}

// mostKept limits the figures stored in parents to 64 MB.
const mostKept = 8 << 20

func (f *frontier) Len() int { return len(f.nodes) }
func (f *frontier) Less(i, j int) bool {
	a, b := &f.nodes[i], &f.nodes[j]
	return a.bound < b.bound || a.bound == b.bound && a.born > b.born
}
func (f *frontier) Swap(i, j int) { f.nodes[i], f.nodes[j] = f.nodes[j], f.nodes[i] }
func (f *frontier) Push(n any)    { f.nodes = append(f.nodes, n.(node)) }
func (f *frontier) Pop() any {
	n := f.nodes[len(f.nodes)-1]
	f.nodes = f.nodes[:len(f.nodes)-1]
	return n
}

// explore visits all nodes below the limit and raises the bound of the whole problem.
func (m *minimizer) explore() {
	m.open = frontier{nodes: []node{{bound: m.result.Bound}}, spare: m.open.spare}
	mark := len(m.log)
	for f := &m.open; len(f.nodes)+len(f.below) > 0 && !m.over; {
		var n node
		if last := len(f.below) - 1; last >= 0 {
			n, f.below = f.below[last], f.below[:last]
		} else {
			n = heap.Pop(f).(node)
			m.bound(min(n.bound, m.enough()))
		}
		if n.bound < m.enough() {
			if m.enter(n) {
				m.look(n)
			}
			m.back(mark)
		}
		m.leave(n.parent)
	}
}

// enter restores the state of a node's parent and puts the node's job. It returns false if that
// leaves a job without a cluster.
func (m *minimizer) enter(n node) bool {
	p := n.parent
	if p == nil {
		return true
	}
	m.transfer(m.bounds.prices(), p.prices)
	for _, a := range p.stand {
		if m.put(a.job, int(a.cluster), 0) >= 0 {
			return false
		}
	}
	m.did(2 * len(p.left))
	for j := range int32(m.jobs) {
		for c := m.next(j, 0); c >= 0 && m.at[j] < 0; c = m.next(j, c+1) {
			if p.left[int(j)*m.words+c/64]>>(c%64)&1 == 0 && !m.take(j, c) {
				return false
			}
		}
	}
	for _, c := range p.clusters[:n.number] {
		if m.refuseTwins(n.job, int(c), nil) >= 0 {
			return false
		}
	}
	return m.put(n.job, int(p.clusters[n.number]), 0) < 0 && m.consistent() < 0
}

// leave counts a visited child, and frees the parent after the last one.
func (m *minimizer) leave(p *parent) {
	if p == nil {
		return
	}
	if p.open--; p.open == 0 {
		m.open.kept -= p.size()
		m.open.spare = append(m.open.spare, p.prices)
	}
}

// size returns the number of figures stored in a parent.
func (p *parent) size() int {
	n := len(p.left) + len(p.stand)
	for _, of := range p.prices {
		n += len(of)
	}
	return n
}

// look computes the bound of a node and adds its children.
func (m *minimizer) look(n node) {
	if !m.narrow(n) || m.over {
		return
	}
	if m.placed == m.jobs {
		m.found(m.p, m.at)
		return
	}
	p := &parent{left: slices.Clone(m.left)}
	for j, c := range m.at {
		if c >= 0 {
			p.stand = append(p.stand, assignment{int32(j), c})
		}
	}
	m.branch(n, p)
	if p.open = len(p.clusters); p.open > 0 {
		p.prices = m.snapshot()
		m.open.kept += p.size()
	}
}

// branch adds a child for each remaining cluster of a job, and only one for several identical
// clusters. If the bound uses knapsacks alone, it dives into the first child: under a near limit,
// dives find placements that the local search misses.
func (m *minimizer) branch(n node, p *parent) {
	job, full := m.bounds.branchOn(), m.open.kept >= m.keeps
	dives := m.bounds == bounding(m.relaxation)
	for _, v := range m.bounds.valuesOf(job, nil) {
		if v.bound >= m.enough() {
			break
		}
		m.did(2*m.jobs + 30)
		if m.twin(int(v.cluster), p.clusters) {
			continue
		}
		m.open.born++
		child := node{max(v.bound, n.bound), p, job, len(p.clusters), m.open.born}
		if p.clusters = append(p.clusters, v.cluster); full || dives && len(p.clusters) == 1 {
			m.open.below = append(m.open.below, child)
		} else {
			heap.Push(&m.open, child)
		}
	}
	if full {
		slices.Reverse(m.open.below[len(m.open.below)-len(p.clusters):])
	}
}

// snapshot copies the current prices, into spare memory if there is some.
func (m *minimizer) snapshot() (copied [][]float64) {
	if n := len(m.open.spare); n > 0 {
		copied, m.open.spare = m.open.spare[n-1], m.open.spare[:n-1]
	}
	for i, of := range m.bounds.prices() {
		m.did(len(of) / 2)
		if len(copied) == i {
			copied = append(copied, nil)
		}
		copied[i] = append(copied[i][:0], of...)
	}
	return copied
}

// narrow computes the bound of a node and removes clusters that cannot improve the best placement.
// It returns false if the node cannot contain a better placement.
func (m *minimizer) narrow(n node) bool {
	evaluations, patience := m.bounds.atNode(n.parent == nil)
	for {
		if !m.settle() {
			return false
		}
		if n.parent != nil {
			m.bounded++
		}
		bound := m.bounds.improve(evaluations, m.enough(), patience)
		if n.parent == nil {
			m.bound(min(bound, m.enough())) // clusters of more expensive placements may have been removed, so the bound can be no higher
		}
		if m.over || bound >= m.enough() {
			return false
		}
		before := len(m.log)
		if !m.bounds.fix(m.enough()) || m.consistent() >= 0 {
			return false
		}
		if m.placed == m.jobs || len(m.log)-before < 2*(1+m.jobs/20) {
			return m.settle()
		}
	}
}

package kube

import (
	"encoding/binary"
	"slices"
)

// search tries every way to place the pods of groups.
//
// Without spread and affinity constraints, the order of placement does not matter: the search
// places the groups in a fixed order and the pods of a group in node order, and tries only one of
// several equivalent nodes. With such constraints, feasibility depends on the pods already placed,
// so any group may be next. The search then visits each set of placed pods once, however it was
// reached.
type search struct {
	*partial
	order   []int
	steps   int
	ordered bool            // the order of placement matters
	seen    map[string]bool // sets of placed pods visited by an ordered search
	limit   int
	work    int  // comparisons of nodes so far
	short   bool // a limit was reached
}

// Further limits of a search: comparisons of nodes, and bytes of visited sets.
const (
	maxWork = 50_000_000
	maxSeen = 20_000_000
)

func newSearch(p *Packer, order []int) *search {
	x := &search{partial: p.begin(), order: order, limit: p.steps}
	for _, g := range order {
		if a := p.table(g).asked; !p.loose[g] && len(a.spread)+len(a.with) > 0 {
			x.ordered = true
		}
	}
	if x.ordered {
		x.seen = map[string]bool{}
		x.limit = min(x.limit, maxSeen/max(1, len(order)*len(p.state.Nodes)))
	}
	return x
}

// run reports whether it found a packing, which the state then contains, and whether the search was
// exhaustive.
func (x *search) run() (found, whole bool) {
	if x.ordered {
		found = x.anyNext()
	} else {
		found = x.next(0, 0)
	}
	return found, !x.short && !x.unsure
}

// step counts a step and reports false if a limit is reached.
func (x *search) step() bool {
	if x.steps == x.limit || x.work > maxWork {
		x.short = true
		return false
	}
	x.steps++
	return true
}

// next places the groups from position at in the order on. It places the first of them only on its
// possible nodes from position from on.
func (x *search) next(at, from int) bool {
	for at < len(x.order) && x.number[x.order[at]] == x.groups[x.order[at]].Pods {
		at, from = at+1, 0
	}
	if at == len(x.order) {
		return true
	}
	g := x.order[at]
	nodes := x.table(g).nodes
	for i := from; i < len(nodes); i++ {
		n := int(nodes[i])
		if x.room(g, n, 1) == 0 || x.tried(g, nodes[from:i], n) {
			continue
		}
		if !x.step() {
			return false
		}
		x.put(g, n, 1)
		if x.next(at, i) {
			return true
		}
		x.put(g, n, -1)
		if x.short {
			return false
		}
	}
	return false
}

// tried reports whether an earlier node is equivalent to node n for the group.
func (x *search) tried(g int, before []int32, n int) bool {
	if x.count(n, g) > 0 {
		return false
	}
	x.work += len(before)
	return slices.ContainsFunc(before, func(m int32) bool { return x.alike(g, int(m), n) })
}

// alike reports whether two nodes are equivalent: equal free resources, pods and
// domains, and open to the same groups. Neither may have a pod of group g.
func (x *search) alike(g, m, n int) bool {
	if slices.ContainsFunc(x.columns, func(r int) bool { return x.state.free(m, r) != x.state.free(n, r) }) ||
		x.shared.free != nil && !slices.Equal(x.shared.free[m], x.shared.free[n]) ||
		slices.ContainsFunc(x.apart, func(t *Topology) bool { return t.Domain[m] != t.Domain[n] }) {
		return false
	}
	for _, h := range x.order {
		t := x.table(h)
		if t.binds || t.open[m] != t.open[n] || x.count(m, h) != x.count(n, h) {
			return false
		}
	}
	return x.count(m, g) == 0
}

// anyNext places one pod of any group, then the rest.
func (x *search) anyNext() bool {
	if key := x.key(); x.seen[key] {
		return false
	} else {
		x.seen[key] = true
	}
	done := true
	for _, g := range x.order {
		if x.number[g] == x.groups[g].Pods {
			continue
		}
		done = false
		for _, n := range x.table(g).nodes {
			if !x.takes(g, int(n)) {
				continue
			}
			if !x.step() {
				return false
			}
			x.put(g, int(n), 1)
			if x.anyNext() {
				return true
			}
			x.put(g, int(n), -1)
			if x.short {
				return false
			}
		}
	}
	return done
}

// key encodes the set of placed pods: the number of pods of each group on each node.
func (x *search) key() string {
	var key []byte
	for n := range x.placed {
		for _, g := range x.order {
			key = binary.AppendUvarint(key, uint64(x.count(n, g)))
		}
	}
	return string(key)
}

package packing

import (
	"encoding/binary"
	"slices"
)

// search tries every way to put the pods of groups on nodes, one after the other.
//
// Where neither spread nor affinity plays a part, the order of the pods says nothing:
// groups come one after the other, the pods of a group on nodes in their order,
// and of nodes that are alike one is tried. With spread or affinity the scheduler
// looks at what stands when a pod comes, so any group may be next; what stands is
// then looked at once, however it came to be.
type search struct {
	*state
	order   []int
	steps   int
	ordered bool            // any group may be next
	seen    map[string]bool // what stood, of an ordered search
	limit   int
	work    int  // comparisons of nodes
	short   bool // the steps did not do
}

// What a search may take beside its steps: comparisons of nodes, and bytes for what
// stood.
const (
	maxWork = 50_000_000
	maxSeen = 20_000_000
)

func newSearch(p *Packer, order []int) *search {
	x := &search{state: p.newState(order), order: order, limit: p.steps}
	for _, g := range order {
		if t := p.table(g); !p.loose[g] && (len(t.spread) > 0 || t.with != nil) {
			x.ordered = true
		}
	}
	if x.ordered {
		x.seen = map[string]bool{}
		x.limit = min(x.limit, maxSeen/max(1, len(order)*len(p.free)))
	}
	return x
}

// run reports whether it found a packing, which then stands, and whether it has
// looked at everything.
func (x *search) run() (found, whole bool) {
	if x.ordered {
		found = x.anyNext()
	} else {
		found = x.next(0, 0)
	}
	return found, !x.short && !x.unsure
}

// step counts a pod; it reports false when there may be no more.
func (x *search) step() bool {
	if x.steps == x.limit || x.work > maxWork {
		x.short = true
		return false
	}
	x.steps++
	return true
}

// next places the pods of the groups from one on, of that group on nodes from one
// on.
func (x *search) next(at, from int) bool {
	for at < len(x.order) && x.on[x.order[at]] == x.groups[x.order[at]].Pods {
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

// tried says whether an earlier node without a pod of the group is like node n: same
// room, same pods, same domains, and open to the same groups.
func (x *search) tried(g int, before []int32, n int) bool {
	if x.count(n, g) > 0 {
		return false
	}
	x.work += len(before)
	return slices.ContainsFunc(before, func(m int32) bool { return x.alike(g, int(m), n) })
}

func (x *search) alike(g, m, n int) bool {
	if !slices.Equal(x.free[m], x.free[n]) || !x.likeGPUs(m, n) {
		return false
	}
	for at := 1; at < len(x.placed); at++ {
		if domain := x.topologies[at].domain; domain[m] != domain[n] {
			return false
		}
	}
	for _, h := range x.order {
		t := x.table(h)
		if t.binds || (t.refused[m] == "") != (t.refused[n] == "") || x.count(m, h) != x.count(n, h) {
			return false
		}
	}
	return x.count(m, g) == 0
}

// anyNext places a pod of any group next.
func (x *search) anyNext() bool {
	if key := x.key(); x.seen[key] {
		return false
	} else {
		x.seen[key] = true
	}
	done := true
	for _, g := range x.order {
		if x.on[g] == x.groups[g].Pods {
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

// key is what stands: the pods of each group on each node.
func (x *search) key() string {
	var key []byte
	for n := range x.placed[0] {
		for _, g := range x.order {
			key = binary.AppendUvarint(key, uint64(x.count(n, g)))
		}
	}
	return string(key)
}

package cluster

import "math"

// Index finds, among hosts at positions 0 to n−1, the host with the highest score that has room for
// a demand; of equal scores, the lowest position. It is a segment tree in which each node holds the
// largest free amounts below it and the host with the highest score. That host usually has room;
// otherwise the search skips whole subtrees.
type Index struct {
	first int // number of leaves; the leaf of position p is node first + p
	nodes []node
}

// node summarises the hosts below it.
type node struct {
	cpu, memory Amount
	both        Amount // maximum over the hosts of min(cpu, memory)
	score       float64
	best        int32 // first leaf with this score
}

// absent is the free amount of a missing host; no demand fits.
const absent = -1

// NewIndex returns an index for n hosts, all of them missing.
func NewIndex(n int) *Index {
	first := 1
	for first < n {
		first *= 2
	}
	x := &Index{first: first, nodes: make([]node, 2*first)}
	for i := range x.nodes {
		x.nodes[i] = node{absent, absent, absent, math.Inf(-1), int32(i)}
	}
	return x
}

// Set sets the free amounts and the score of the host at a position. It takes O(log n) time.
func (x *Index) Set(position int, cpu, memory Amount, score float64) {
	i := x.first + position
	up := node{cpu, memory, min(cpu, memory), score, int32(i)}
	x.nodes[i] = up
	for i > 1 {
		other := &x.nodes[i^1]
		up.cpu, up.memory, up.both = max(up.cpu, other.cpu), max(up.memory, other.memory), max(up.both, other.both)
		if other.score > up.score || other.score == up.score && other.best < up.best {
			up.score, up.best = other.score, other.best
		}
		i /= 2
		n := &x.nodes[i]
		if n.score == up.score && n.best == up.best && n.cpu == up.cpu && n.memory == up.memory && n.both == up.both {
			return
		}
		*n = up
	}
}

// Remove removes the host at a position.
func (x *Index) Remove(position int) { x.Set(position, absent, absent, math.Inf(-1)) }

// Best returns the position of the best host that has room and for which accept returns true; −1 if
// there is none. A nil accept accepts all hosts. It usually takes O(log n) time, but O(n) if the
// demand fits many hosts in only one resource, or if accept refuses many hosts.
func (x *Index) Best(cpu, memory Amount, accept func(position int) bool) int {
	found, score := -1, math.Inf(-1)
	var stack [64]int // nodes to visit; it grows by at most one per level
	stack[0] = 1
	for top := 0; top >= 0; {
		i := stack[top]
		top--
		n := &x.nodes[i]
		if n.cpu < cpu || n.memory < memory || n.both < min(cpu, memory) || n.score < score || n.score == score && int(n.best) > found {
			continue
		}
		if leaf := &x.nodes[n.best]; leaf.cpu >= cpu && leaf.memory >= memory && (accept == nil || accept(int(n.best)-x.first)) {
			found, score = int(n.best), n.score
			continue
		}
		if i >= x.first {
			continue
		}
		first, second := 2*i, 2*i+1
		if x.nodes[first].score < x.nodes[second].score {
			first, second = second, first
		}
		stack[top+1], stack[top+2] = second, first
		top += 2
	}
	return max(found-x.first, -1)
}

package cluster

import "math"

// Index finds, among hosts at positions 0 … n−1, the one with the highest
// score that has room for a demand; of equal scores the lowest position. It is
// a segment tree whose nodes know the largest free amounts and the largest
// score below them, so that whole ranges are passed over.
type Index struct {
	first int // number of leaves: the leaf of position p is node first + p
	nodes []node
}

// node sums up the hosts below it.
type node struct {
	cpu, memory Amount
	score       float64
}

// absent is a host that is not there: no demand fits.
var absent = node{-1, -1, math.Inf(-1)}

// NewIndex returns an index of n hosts, none of which is there yet.
func NewIndex(n int) *Index {
	first := 1
	for first < n {
		first *= 2
	}
	x := &Index{first: first, nodes: make([]node, 2*first)}
	for i := range x.nodes {
		x.nodes[i] = absent
	}
	return x
}

// Set says what is free at a position and what score it has. O(log n).
func (x *Index) Set(position int, cpu, memory Amount, score float64) {
	i := x.first + position
	x.nodes[i] = node{cpu, memory, score}
	for i > 1 {
		i /= 2
		a, b := &x.nodes[2*i], &x.nodes[2*i+1]
		up := node{max(a.cpu, b.cpu), max(a.memory, b.memory), max(a.score, b.score)}
		if x.nodes[i] == up {
			return
		}
		x.nodes[i] = up
	}
}

// Remove says that there is no host at a position.
func (x *Index) Remove(position int) { x.Set(position, absent.cpu, absent.memory, absent.score) }

// Best returns the position of the best host with room that accept takes, -1
// if there is none; a nil accept takes all. Usually O(log n); it can be O(n)
// where the free amounts of many hosts fit in one resource only, or accept
// refuses many.
func (x *Index) Best(cpu, memory Amount, accept func(position int) bool) int {
	s := search{Index: x, cpu: cpu, memory: memory, accept: accept, best: -1, score: math.Inf(-1)}
	s.visit(1, 0, x.first)
	return s.best
}

type search struct {
	*Index
	cpu, memory Amount
	accept      func(int) bool
	best        int
	score       float64
}

// visit searches the positions from start on below node i, width of them.
func (s *search) visit(i, start, width int) {
	for {
		n := &s.nodes[i]
		if n.cpu < s.cpu || n.memory < s.memory || n.score < s.score || n.score == s.score && start > s.best {
			return
		}
		if width == 1 {
			if s.accept == nil || s.accept(start) {
				s.best, s.score = start, n.score
			}
			return
		}
		width /= 2
		left, right := 2*i, 2*i+1
		if s.nodes[left].score >= s.nodes[right].score {
			s.visit(left, start, width)
			i, start = right, start+width
		} else {
			s.visit(right, start+width, width)
			i = left
		}
	}
}

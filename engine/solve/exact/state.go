package exact

import (
	"math"
	"math/bits"

	"berth/engine/solve"
)

// maxCells limits jobs × clusters and dependencies × clusters, because each stores a figure.
const maxCells = 2 << 20

// fits reports whether a problem is small enough for these tables.
func fits(p *solve.Problem) bool {
	return p.Jobs*p.Clusters <= maxCells && len(p.Dependencies)*p.Clusters <= maxCells
}

// state is a partial placement with its cost and the remaining clusters of each job. All changes
// are logged, so that they can be undone in reverse order.
type state struct {
	meter
	p                     *solve.Problem
	jobs, clusters        int
	words                 int         // number of 64-bit words in a set of clusters
	cost                  []float64   // by job and cluster: a_jc
	amount                [][]float64 // by resource, then by job and cluster
	start                 []int32     // by job, into the next two
	neighbour, dependency []int32
	compatible            [][]uint64 // by 2·dependency (+1 for B) and cluster of that job: the set of clusters allowed for the other job; computed on demand
	equal                 []int32    // by cluster: the first identical one
	alike                 []int32    // by job: the first identical one

	at     []int32     // by job: its cluster, -1 if unplaced
	left   []uint64    // by job: the set of remaining clusters
	size   []int32     // by job: the number of remaining clusters
	row    []float64   // by job and cluster: cost with the links to placed jobs
	room   [][]float64 // by resource and cluster: free capacity
	lanes  [][]float64 // by element of p.Lanes and lane: free capacity
	tally  *solve.Tallies
	held   []int32   // by cluster: number of jobs on it
	open   []float64 // by job: total weight of its dependencies on unplaced jobs
	placed int
	total  float64 // cost of the placed jobs with the links between them

	log   []undo
	way   []int32
	queue []int32 // jobs that lost clusters since the last consistent
	dirty []bool  // by job: whether it is in queue

	// why has, for each cluster removed from a job, the set of levels that caused it; nil if no
	// search needs reasons.
	why    []uint64
	levels int     // number of 64-bit words in a set of levels
	level  []int32 // by job: the level at which it was put
}

type undo struct {
	kind  changeKind
	index int32
	old   uint64
}

type changeKind uint8

const (
	changedAt changeKind = iota
	changedLeft
	changedSize
	changedRow
	changedRoom // index: resource·clusters + cluster
	changedLane
	changedHeld
	changedOpen
	changedPlaced
	changedTotal
	changedTally // index: job; old: its cluster
)

func newState(p *solve.Problem) *state {
	p = p.Filled()
	s := &state{
		meter: meter{budget: math.MaxInt64}, p: p, jobs: p.Jobs, clusters: p.Clusters, words: (p.Clusters + 63) / 64,
		cost: p.Cost.Dense(p.Jobs, p.Clusters), at: make([]int32, p.Jobs), size: make([]int32, p.Jobs),
		held: make([]int32, p.Clusters), open: make([]float64, p.Jobs), dirty: make([]bool, p.Jobs), level: make([]int32, p.Jobs),
		compatible: make([][]uint64, 2*len(p.Dependencies)*p.Clusters),
	}
	s.left = make([]uint64, p.Jobs*s.words)
	for _, r := range p.Resources {
		s.room = append(s.room, append([]float64(nil), r.Capacity...))
		s.amount = append(s.amount, r.Amount.Dense(p.Jobs, p.Clusters))
	}
	for _, l := range p.Lanes {
		s.lanes = append(s.lanes, append([]float64(nil), l.Capacity...))
	}
	s.tally = solve.NewTallies(p.Jobs, p.Counters)
	for j := range p.Jobs {
		s.at[j] = -1
		for c := range p.Clusters {
			if p.Allowed(j, c) && s.tally.Refuses(int32(j), int32(c)) < 0 {
				s.left[j*s.words+c/64] |= 1 << (c % 64)
				s.size[j]++
			}
		}
	}
	s.row = append([]float64(nil), s.cost...)
	s.start, s.neighbour, s.dependency = p.Neighbours()
	for _, d := range p.Dependencies {
		s.open[d.A] += d.Weight
		s.open[d.B] += d.Weight
	}
	s.did(20*len(s.cost)*(1+len(s.room)) + 30*len(p.Dependencies))
	s.equal, s.alike = equalClusters(s), equalJobs(s)
	return s
}

// pairCost returns the cost of a dependency with the given job on cluster at and its other job on
// cluster other.
func (s *state) pairCost(dependency int32, job int32, at, other int) float64 {
	if s.p.Dependencies[dependency].A == job {
		return s.p.PairCost(int(dependency), at, other)
	}
	return s.p.PairCost(int(dependency), other, at)
}

// allows returns the set of clusters that a dependency allows for the other job if the given job is
// on cluster at.
func (s *state) allows(dependency, job int32, at int) []uint64 {
	side := 2 * int(dependency)
	if s.p.Dependencies[dependency].A != job {
		side++
	}
	set := s.compatible[side*s.clusters+at]
	if set == nil {
		s.did(10 * s.clusters)
		set = make([]uint64, s.words)
		for c := range s.clusters {
			if !math.IsInf(s.pairCost(dependency, job, at, c), 1) {
				set[c/64] |= 1 << (c % 64)
			}
		}
		s.compatible[side*s.clusters+at] = set
	}
	return set
}

func (s *state) has(job int32, c int) bool { return s.left[int(job)*s.words+c/64]>>(c%64)&1 != 0 }

// next returns the first remaining cluster of a job, starting at from; -1 if there is none.
func (s *state) next(job int32, from int) int {
	for w := from / 64; w < s.words; w++ {
		set := s.left[int(job)*s.words+w]
		if w == from/64 {
			set &= ^uint64(0) << (from % 64)
		}
		if set != 0 {
			return w*64 + bits.TrailingZeros64(set)
		}
	}
	return -1
}

func (s *state) note(kind changeKind, index int, old uint64) {
	s.log = append(s.log, undo{kind, int32(index), old})
}

// back undoes all changes since the log had length mark.
func (s *state) back(mark int) {
	s.did(3 * (len(s.log) - mark))
	for i := len(s.log) - 1; i >= mark; i-- {
		c := &s.log[i]
		switch c.kind {
		case changedAt:
			s.at[c.index] = int32(c.old)
		case changedLeft:
			s.left[c.index] = c.old
		case changedSize:
			s.size[c.index] = int32(c.old)
		case changedRow:
			s.row[c.index] = math.Float64frombits(c.old)
		case changedRoom:
			s.room[int(c.index)/s.clusters][int(c.index)%s.clusters] = math.Float64frombits(c.old)
		case changedLane:
			s.lanes[c.index>>24][c.index&(1<<24-1)] = math.Float64frombits(c.old)
		case changedHeld:
			s.held[c.index] = int32(c.old)
		case changedOpen:
			s.open[c.index] = math.Float64frombits(c.old)
		case changedPlaced:
			s.placed = int(c.old)
		case changedTotal:
			s.total = math.Float64frombits(c.old)
		case changedTally:
			s.tally.Remove(c.index, int32(c.old))
		}
	}
	s.log = s.log[:mark]
	for _, j := range s.queue {
		s.dirty[j] = false
	}
	s.queue = s.queue[:0]
}

// take removes a cluster from a job. It returns false if that was the last one.
func (s *state) take(job int32, c int) bool {
	s.did(10)
	at := int(job)*s.words + c/64
	s.note(changedLeft, at, s.left[at])
	s.note(changedSize, int(job), uint64(s.size[job]))
	s.left[at] &^= 1 << (c % 64)
	s.size[job]--
	if !s.dirty[job] {
		s.dirty[job] = true
		s.queue = append(s.queue, job)
	}
	return s.size[job] > 0
}

// reason returns the set of levels that caused the removal of a cluster from a job. Callers may
// write to it.
func (s *state) reason(job int32, c int) []uint64 {
	at := (int(job)*s.clusters + c) * s.levels
	return s.why[at : at+s.levels]
}

// put puts a job on one of its remaining clusters, and removes from other jobs the clusters that
// this rules out. It returns a job that has no cluster left, or -1.
func (s *state) put(job int32, c int, level int) (empty int32) {
	s.did(60 + 10*(len(s.room)+int(s.start[job+1]-s.start[job])))
	s.note(changedAt, int(job), uint64(uint32(s.at[job])))
	s.note(changedPlaced, 0, uint64(s.placed))
	s.note(changedTotal, 0, math.Float64bits(s.total))
	s.note(changedHeld, c, uint64(s.held[c]))
	s.at[job], s.level[job] = int32(c), int32(level)
	s.placed++
	s.held[c]++
	s.total += s.row[int(job)*s.clusters+c]
	for r := range s.room {
		s.note(changedRoom, r*s.clusters+c, math.Float64bits(s.room[r][c]))
		s.room[r][c] -= s.amount[r][int(job)*s.clusters+c]
	}
	for i := s.start[job]; i < s.start[job+1]; i++ {
		other, k := s.neighbour[i], s.dependency[i]
		if s.at[other] >= 0 {
			if !s.cross(k, c, int(s.at[other])) {
				return job
			}
			continue
		}
		s.note(changedOpen, int(other), math.Float64bits(s.open[other]))
		s.open[other] -= s.p.Dependencies[k].Weight
		if empty := s.restrict(other, job, k, c); empty >= 0 {
			return empty
		}
	}
	if empty := s.fill(c); empty >= 0 || s.tally == nil {
		return empty
	}
	return s.count(job, c)
}

// count counts a placed job and removes the clusters that its counters then rule out. It returns a
// job that has no cluster left, or -1.
func (s *state) count(job int32, c int) (empty int32) {
	s.tally.Place(job, int32(c))
	s.note(changedTally, int(job), uint64(c))
	empty = -1
	s.tally.Sharing(job, func(counter int, other int32, refuses func(cluster int) bool) bool {
		if s.at[other] >= 0 {
			return true
		}
		s.did(20 * int(s.size[other]))
		for c := s.next(other, 0); c >= 0; c = s.next(other, c+1) {
			if !refuses(c) {
				continue
			}
			if s.why != nil {
				s.blameCounter(other, c, counter)
			}
			if !s.take(other, c) {
				empty = other
				return false
			}
		}
		return true
	})
	return empty
}

// blameCounter records the placed jobs of a counter as the reason for a removed cluster.
func (s *state) blameCounter(job int32, c, counter int) {
	set := s.reason(job, c)
	clear(set)
	for _, other := range s.p.Counters[counter].Jobs {
		if s.at[other] >= 0 {
			add(set, s.level[other])
		}
	}
}

// restrict removes the clusters of a neighbour that its dependency on a placed job rules out, and
// adds the price of the link to the others. It returns the neighbour if it has no cluster left, or
// -1.
func (s *state) restrict(other, job, dependency int32, at int) int32 {
	allowed := s.allows(dependency, job, at)
	s.did(s.words + 15*int(s.size[other]))
	for c := s.next(other, 0); c >= 0; c = s.next(other, c+1) {
		if allowed[c/64]>>(c%64)&1 == 0 {
			if s.why != nil {
				set := s.reason(other, c)
				clear(set)
				add(set, s.level[job])
			}
			if !s.take(other, c) {
				return other
			}
			continue
		}
		cell := int(other)*s.clusters + c
		s.note(changedRow, cell, math.Float64bits(s.row[cell]))
		s.row[cell] += s.pairCost(dependency, job, at, c)
	}
	return -1
}

// fill removes a cluster from the jobs that no longer fit there. It returns a job that has no
// cluster left, or -1.
func (s *state) fill(c int) int32 {
	s.did(4 * len(s.room) * s.jobs)
	for r := range s.room {
		for j := range int32(s.jobs) {
			if s.at[j] >= 0 || !(s.amount[r][int(j)*s.clusters+c] > s.room[r][c]) || !s.has(j, c) {
				continue
			}
			if s.why != nil {
				set := s.reason(j, c)
				clear(set)
				s.did(s.levels + s.jobs)
				for other, at := range s.at {
					if int(at) == c && s.amount[r][other*s.clusters+c] > 0 {
						add(set, s.level[other])
					}
				}
			}
			if !s.take(j, c) {
				return j
			}
		}
	}
	return -1
}

// cross takes the bandwidth of a dependency from the lanes between two clusters. It returns
// false if a lane has too little left.
func (s *state) cross(dependency int32, a, b int) bool {
	for i := range s.p.Lanes {
		l := &s.p.Lanes[i]
		if l.Amount[dependency] == 0 {
			continue
		}
		s.way = l.Between(s.way[:0], a, b, s.clusters)
		s.did(5 * (1 + len(s.way)))
		for _, lane := range s.way {
			s.note(changedLane, i<<24|int(lane), math.Float64bits(s.lanes[i][lane]))
			s.lanes[i][lane] -= l.Amount[dependency]
			if s.lanes[i][lane] < 0 {
				return false
			}
		}
	}
	return true
}

// consistent removes the clusters of a job that would leave a neighbour without a cluster (arc
// consistency), until nothing changes. It returns a job that has no cluster left, or -1. If the
// search must end, it may return early.
func (s *state) consistent() (empty int32) {
	for len(s.queue) > 0 && s.goOn() {
		job := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		s.dirty[job] = false
		if s.at[job] >= 0 {
			continue
		}
		mine := s.left[int(job)*s.words : (int(job)+1)*s.words]
		for i := s.start[job]; i < s.start[job+1]; i++ {
			other, k := s.neighbour[i], s.dependency[i]
			if s.at[other] >= 0 {
				continue
			}
			s.did(5 + s.words + (8+s.words)*int(s.size[other]))
			for c := s.next(other, 0); c >= 0; c = s.next(other, c+1) {
				if meet(s.allows(k, other, c), mine) {
					continue
				}
				if s.why != nil {
					s.blame(other, c, job, k)
				}
				if !s.take(other, c) {
					return other
				}
			}
		}
	}
	return -1
}

// consistentAll is consistent for all jobs, not only for those that lost clusters.
func (s *state) consistentAll() (empty int32) {
	for j := range int32(s.jobs) {
		s.queue, s.dirty[j] = append(s.queue, j), true
	}
	return s.consistent()
}

// blame records why a neighbour does not support a cluster: the union of the reasons for the
// removal of each supporting cluster.
func (s *state) blame(other int32, c int, job, dependency int32) {
	set := s.reason(other, c)
	clear(set)
	allowed := s.allows(dependency, other, c)
	s.did(s.levels + 2*s.clusters*(1+s.levels))
	for support := range s.clusters {
		if allowed[support/64]>>(support%64)&1 != 0 {
			unite(set, s.reason(job, support))
		}
	}
}

func meet(a, b []uint64) bool {
	for i := range a {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

func add(set []uint64, level int32) { set[level/64] |= 1 << (level % 64) }

func unite(set, other []uint64) {
	for i := range set {
		set[i] |= other[i]
	}
}

package exact

import (
	"cmp"
	"slices"

	"berth/engine/solve"
)

// Answer is the answer to whether a placement exists.
type Answer int

const (
	Unknown Answer = iota // the steps ran out
	Yes
	No
)

// restartAfter is the number of assignments before the first restart. Each later run gets half as
// many more.
const restartAfter = 200

// Feasible searches for any placement in at most the given number of steps. cluster is nil unless
// the answer is Yes; taken is the number of steps used.
func Feasible(p *solve.Problem, steps int64) (cluster []int32, a Answer, taken int64) {
	if !fits(p) {
		return nil, Unknown, 0
	}
	s := newState(p)
	s.budget = steps
	f := newFeasibility(s)
	if f == nil {
		return nil, Unknown, 0
	}
	cluster, a = f.run()
	return cluster, a, f.steps()
}

// feasibility is a running search for any placement.
type feasibility struct {
	*state
	weight   []float64    // by job: 1 plus the number of times it was left without a cluster
	conflict [][]uint64   // by level: the set of levels involved in its failure
	broad    bool         // the last conflict involves all levels, because its cause was not recorded
	order    [][]int32    // by level: the clusters in the order tried
	score    []float64    // by cluster, scratch of values
	decided  []assignment // by level
	learnt

	tries, until int64 // assignments made, and the number at which this run stops
	restart      int64 // length of the first run, in assignments
	stopped      bool
}

// newFeasibility prepares a search. It returns nil if the problem is too large to record reasons.
func newFeasibility(s *state) *feasibility {
	if s.levels = s.jobs/64 + 1; s.jobs*s.clusters*s.levels > 8*maxCells {
		return nil
	}
	f := &feasibility{state: s, weight: make([]float64, s.jobs), score: make([]float64, s.clusters)}
	s.why = make([]uint64, s.jobs*s.clusters*s.levels)
	f.in, f.longest, f.restart = make([][]int32, s.jobs*s.clusters), longestLearnt, restartAfter
	for j := range f.weight {
		f.weight[j] = 1
	}
	f.conflict, f.order = make([][]uint64, s.jobs+1), make([][]int32, s.jobs+1)
	for level := range f.conflict {
		f.conflict[level] = make([]uint64, s.levels)
	}
	return f
}

func (f *feasibility) run() ([]int32, Answer) {
	if slices.Contains(f.size, 0) {
		return nil, No
	}
	if f.consistentAll() >= 0 {
		return nil, No
	}
	for run := f.restart; ; run += run / 2 {
		mark := len(f.log)
		f.until, f.stopped = f.tries+run, false
		switch {
		case f.search(0):
			return slices.Clone(f.at), Yes
		case !f.stopped:
			return nil, No
		case f.over:
			return nil, Unknown
		}
		f.back(mark)
		if f.remove() >= 0 {
			return nil, No
		}
	}
}

// search places the remaining jobs. If it fails, the conflict of the level is the set of levels
// involved.
func (f *feasibility) search(level int) bool {
	if f.placed == f.jobs {
		return true
	}
	job := f.choose()
	mine := f.conflict[level]
	clear(mine)
	f.explain(mine, job)
	if !f.enough() {
		for l := range int32(level) {
			add(mine, l)
		}
		return false
	}
	for i, c := range f.values(job, level) {
		if f.tries >= f.until || !f.goOn() {
			f.stopped = true
			return false
		}
		if f.twin(int(c), f.order[level][:i]) {
			continue
		}
		f.tries++
		mark := len(f.log)
		f.decided = append(f.decided[:level], assignment{job, c})
		if f.try(job, int(c), level) {
			if f.search(level + 1) {
				return true
			}
			if f.stopped {
				return false
			}
			f.back(mark)
			if theirs := f.conflict[level+1]; theirs[level/64]>>(level%64)&1 == 0 {
				copy(mine, theirs) // this level is not involved, so every cluster fails here
				return false
			}
		} else {
			f.back(mark)
		}
		theirs := f.conflict[level+1]
		theirs[level/64] &^= 1 << (level % 64)
		unite(mine, theirs)
		if empty := f.refuseTwins(job, int(c), theirs); empty >= 0 {
			f.explain(mine, empty)
			break
		}
	}
	if len(f.order[level]) > 1 {
		f.decided = f.decided[:level]
		f.learn(mine)
	}
	return false
}

// try puts a job on a cluster. If that leaves another job without a cluster, try returns false and
// stores the conflict at the next level.
func (f *feasibility) try(job int32, c, level int) bool {
	f.broad = false
	empty := f.put(job, c, level)
	if empty == job {
		f.broad = true // lanes do not record reasons
	}
	theirs := f.conflict[level+1]
	clear(theirs)
	if empty < 0 {
		var whole []assignment
		if empty, whole = f.recall(job, c); whole != nil {
			for _, a := range whole {
				add(theirs, f.level[a.job])
			}
			return false
		}
	}
	if empty < 0 {
		empty = f.consistent()
	}
	if empty < 0 {
		return true
	}
	f.weight[empty]++
	for l := range int32(level + 1) {
		if f.broad {
			add(theirs, l)
		}
	}
	if !f.broad {
		f.explain(theirs, empty)
	}
	return false
}

// explain adds the levels that removed clusters from a job.
func (f *feasibility) explain(levels []uint64, job int32) {
	f.did((2 + f.levels) * f.clusters)
	for c := range f.clusters {
		if !f.has(job, c) {
			unite(levels, f.reason(job, c))
		}
	}
}

// choose returns the job with the fewest remaining clusters relative to its weight. A job with at
// most one comes first.
func (f *feasibility) choose() int32 {
	best, least := int32(-1), 0.
	f.did(2 * f.jobs)
	for j := range int32(f.jobs) {
		if f.at[j] >= 0 {
			continue
		}
		if f.size[j] <= 1 {
			return j
		}
		if key := float64(f.size[j]) / f.weight[j]; best < 0 || key < least {
			best, least = j, key
		}
	}
	return best
}

// values returns the remaining clusters of a job: clusters of its neighbours first, then by free
// capacity.
func (f *feasibility) values(job int32, level int) []int32 {
	order := f.order[level][:0]
	f.did(f.words + int(f.size[job])*(30+10*len(f.room)) + 3*int(f.start[job+1]-f.start[job]))
	for c := f.next(job, 0); c >= 0; c = f.next(job, c+1) {
		order = append(order, int32(c))
		f.score[c] = 0
		for r := range f.room {
			if all := f.p.Resources[r].Capacity[c]; all > 0 {
				f.score[c] += f.room[r][c] / all / float64(len(f.room))
			}
		}
	}
	for i := f.start[job]; i < f.start[job+1]; i++ {
		if at := f.at[f.neighbour[i]]; at >= 0 && f.has(job, int(at)) {
			f.score[at] += 2
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(f.score[b], f.score[a]) })
	f.order[level] = order
	return order
}

// twin reports whether a cluster is empty and an identical empty one was tried before.
func (s *state) twin(c int, tried []int32) bool {
	if s.held[c] > 0 {
		return false
	}
	s.did(2 * len(tried))
	for _, t := range tried {
		if s.equal[t] == s.equal[c] && s.held[t] == 0 {
			return true
		}
	}
	return false
}

// enough reports whether the total free capacity suffices for the unplaced jobs.
func (s *state) enough() bool {
	for r := range s.room {
		s.did(s.clusters + s.jobs)
		var wanted, left float64
		for _, room := range s.room[r] {
			left += room
		}
		for j := range int32(s.jobs) {
			if s.at[j] >= 0 {
				continue
			}
			s.did(s.words + 8*int(s.size[j]))
			least := s.amount[r][int(j)*s.clusters+s.next(j, 0)]
			for c := s.next(j, 0); c >= 0; c = s.next(j, c+1) {
				least = min(least, s.amount[r][int(j)*s.clusters+c])
			}
			wanted += least
		}
		if wanted > left*(1+1e-12) {
			return false
		}
	}
	return true
}

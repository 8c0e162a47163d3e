package exact

import "slices"

type assignment struct{ job, cluster int32 }

// learnt has sets of assignments that no placement contains together (nogoods; Katsirelos and
// Bacchus 2005). They do not depend on the current assignments, so they survive a restart (Lecoutre
// et al. 2007).
type learnt struct {
	sets    [][]assignment
	single  []assignment // sets of one assignment, to be removed at the root
	in      [][]int32    // by job and cluster: indices of the sets that contain it
	longest int          // largest number of assignments in a set
}

// mostLearnt and longestLearnt limit the number of sets and their size, because large sets rarely
// rule anything out.
const mostLearnt, longestLearnt = 20_000, 12

// learn stores the assignments of the given levels as a set, unless there are too many.
func (f *feasibility) learn(levels []uint64) {
	var set []assignment
	f.did(300 + 2*len(f.decided))
	for level := len(f.decided) - 1; level >= 0; level-- {
		if levels[level/64]>>(level%64)&1 == 0 {
			continue
		}
		if len(set) == f.longest {
			return
		}
		set = append(set, f.decided[level])
	}
	if len(set) == 1 {
		f.single = append(f.single, set[0])
	}
	if len(set) < 2 || len(f.sets) == mostLearnt {
		return
	}
	for _, a := range set {
		cell := int(a.job)*f.clusters + int(a.cluster)
		f.in[cell] = append(f.in[cell], int32(len(f.sets)))
	}
	f.sets = append(f.sets, set)
}

// remove removes the assignments in single, at the root. It returns a job that has no cluster left,
// or -1.
func (f *feasibility) remove() (empty int32) {
	f.did(10 * len(f.single))
	for _, a := range f.single {
		if !f.has(a.job, int(a.cluster)) {
			continue
		}
		clear(f.reason(a.job, int(a.cluster)))
		if !f.take(a.job, int(a.cluster)) {
			return a.job
		}
	}
	f.single = f.single[:0]
	return f.consistent()
}

// recall removes the assignments that learnt sets rule out after a job was put. It returns a job
// that has no cluster left, or -1. whole is a set whose assignments have all been made, or nil.
func (f *feasibility) recall(job int32, c int) (empty int32, whole []assignment) {
	made := func(a assignment) bool { return f.at[a.job] == a.cluster }
	for _, n := range f.in[int(job)*f.clusters+c] {
		set := f.sets[n]
		f.did(10 + 4*len(set))
		open := slices.IndexFunc(set, func(a assignment) bool { return !made(a) })
		if open < 0 {
			return -1, set
		}
		last := set[open]
		if f.at[last.job] >= 0 || !f.has(last.job, int(last.cluster)) || slices.ContainsFunc(set[open+1:], func(a assignment) bool { return !made(a) }) {
			continue
		}
		f.because(set, last)
		if !f.take(last.job, int(last.cluster)) {
			return last.job, nil
		}
	}
	return -1, nil
}

// because records a set as the reason for a removed assignment.
func (f *feasibility) because(set []assignment, refused assignment) {
	reason := f.reason(refused.job, int(refused.cluster))
	clear(reason)
	for _, a := range set {
		if a != refused {
			add(reason, f.level[a.job])
		}
	}
}

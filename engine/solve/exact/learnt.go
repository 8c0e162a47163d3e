package exact

// assignment is a job on a cluster.
type assignment struct{ job, cluster int32 }

// learnt has sets of assignments that no placement contains together (Katsirelos and Bacchus
// 2005), independent of the assignments at the time, so they outlive a restart (Lecoutre et al.
// 2007). The first two of each set are watched (Moskewicz et al. 2001): as long as neither is
// made, the set refuses nothing.
type learnt struct {
	sets    [][]assignment
	single  []assignment // those that are alone in their set
	watch   [][]int32    // by job and cluster: the sets that watch it
	longest int          // how many assignments a set has at most
}

// mostLearnt and longestLearnt bound how many sets are kept, and how large: large
// ones seldom refuse anything.
const mostLearnt, longestLearnt = 20_000, 12

// learn keeps the assignments of some levels as a set, and watches the two deepest.
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
	for _, a := range set[:2] {
		cell := f.cell(a)
		f.watch[cell] = append(f.watch[cell], int32(len(f.sets)))
	}
	f.sets = append(f.sets, set)
}

// remove removes the assignments that no placement has, at the root. It returns a job that has
// no cluster left, or -1.
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

func (f *feasibility) cell(a assignment) int { return int(a.job)*f.clusters + int(a.cluster) }

func (f *feasibility) stands(a assignment) bool { return f.at[a.job] == a.cluster }

// recall removes the assignments that learnt sets forbid after a job was put. It returns a job
// that has no cluster left, or -1, and a set whose assignments have all been made, or nil.
func (f *feasibility) recall(job int32, c int) (empty int32, whole []assignment) {
	cell := int(job)*f.clusters + c
	kept := f.watch[cell][:0]
	empty = -1
	f.did(20 * len(f.watch[cell]))
	for i, n := range f.watch[cell] {
		if f.move(n, cell) {
			continue
		}
		kept = append(kept, n)
		set := f.sets[n]
		other := set[0]
		if f.cell(other) == cell {
			other = set[1]
		}
		switch {
		case f.stands(other):
			whole = set
		case f.at[other.job] >= 0 || !f.has(other.job, int(other.cluster)):
			continue
		default:
			f.because(set, other)
			if !f.take(other.job, int(other.cluster)) {
				empty = other.job
			}
		}
		if whole != nil || empty >= 0 {
			kept = append(kept, f.watch[cell][i+1:]...)
			break
		}
	}
	f.watch[cell] = kept
	return empty, whole
}

// move makes a set watch another open assignment instead of one. It returns false if all others
// have been made.
func (f *feasibility) move(n int32, cell int) bool {
	set := f.sets[n]
	at := 0
	if f.cell(set[1]) == cell {
		at = 1
	}
	f.did(20 + 15*len(set))
	for i := 2; i < len(set); i++ {
		if !f.stands(set[i]) {
			set[at], set[i] = set[i], set[at]
			to := f.cell(set[at])
			f.watch[to] = append(f.watch[to], n)
			return true
		}
	}
	return false
}

// because records a set as the reason for a refused assignment.
func (f *feasibility) because(set []assignment, refused assignment) {
	reason := f.reason(refused.job, int(refused.cluster))
	clear(reason)
	for _, a := range set {
		if a != refused {
			add(reason, f.level[a.job])
		}
	}
}

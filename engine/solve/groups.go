package solve

// groups has all sets of jobs that are connected by dependencies and whose total amount is at most
// size, each once (enumerated by the ESU algorithm, Wernicke 2006). They form a tree: a set is its
// parent plus one job. The savings within any set of jobs are the sum over its connected parts, so
// a bound by job that holds for these groups holds for all sets.
type groups struct {
	parent []int32   // -1 for a single job
	job    []int32   // the job that the parent lacks
	inside []float64 // total weight of its dependencies on jobs of the parent
	size   []float64 // total amount
	after  []int32   // the first group after its subtree
}

// mostGroups and mostGrouped limit the number of groups and of jobs.
const (
	mostGroups  = 1 << 20
	mostGrouped = 256
)

// newGroups enumerates the groups; ok is false if there are too many groups or jobs.
func newGroups(g *neighbours, weight []float64, size float64) (*groups, bool) {
	if g.p.Jobs > mostGrouped {
		return nil, false
	}
	f := grouping{groups: &groups{}, g: g, weight: weight, most: size * (1 + tolerance), seen: make([]bool, g.p.Jobs), in: make([]bool, g.p.Jobs)}
	for j := range int32(g.p.Jobs) {
		f.first = j
		if weight[j] <= f.most {
			f.seen[j] = true // also for groups that start from later jobs
			f.grow(-1, j, 0)
		}
	}
	return f.groups, len(f.job) <= mostGroups
}

// grouping is the state of the enumeration.
type grouping struct {
	*groups
	g      *neighbours
	weight []float64
	most   float64
	first  int32   // the lowest job of the groups being built
	next   []int32 // stack: jobs that may extend the current group, after those of its ancestors
	seen   []bool  // by job: in the current group, adjacent to it, or excluded
	in     []bool  // by job: in the current group
}

// grow adds the group parent + j and all groups that extend it. next[from:] has the jobs of the
// parent that may still be added.
func (f *grouping) grow(parent, j int32, from int) {
	if len(f.job) > mostGroups {
		return
	}
	at := int32(len(f.job))
	size, inside := f.weight[j], 0.0
	if parent >= 0 {
		size += f.size[parent]
	}
	begin := len(f.next)
	f.next = append(f.next, f.next[from:]...)
	fresh := len(f.next)
	for i := f.g.start[j]; i < f.g.start[j+1]; i++ {
		k := f.g.job[i]
		if f.in[k] {
			inside += f.g.p.Dependencies[f.g.number[i]].Weight
		}
		if k > f.first && !f.seen[k] {
			f.seen[k] = true
			f.next = append(f.next, k)
		}
	}
	f.parent, f.job, f.inside, f.size = append(f.parent, parent), append(f.job, j), append(f.inside, inside), append(f.size, size)
	f.after = append(f.after, 0)
	f.in[j] = true
	for i := begin; i < len(f.next); i++ {
		if k := f.next[i]; size+f.weight[k] <= f.most {
			end := len(f.next)
			f.grow(at, k, i+1)
			f.next = f.next[:end]
		}
	}
	f.in[j] = false
	for _, k := range f.next[fresh:] {
		f.seen[k] = false
	}
	f.next = f.next[:begin]
	f.after[at] = int32(len(f.job))
}

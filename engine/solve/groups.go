package solve

// groups are all connected sets of jobs, by dependencies, that fit together into a size (each
// found once, as in Wernicke's ESU algorithm, 2006). They form a tree: a set is its parent with
// one job more. The savings within any set of jobs are the sum over its connected parts, so
// figures by job that cover these groups cover all sets.
type groups struct {
	parent []int32   // -1 for a single job
	job    []int32   // the one that the parent has not
	inside []float64 // the weights of its dependencies on jobs of the parent
	size   []float64
	after  []int32 // the first group that does not grow from this one
}

// mostGroups and mostGrouped bound how many groups there may be, and jobs.
const (
	mostGroups  = 1 << 20
	mostGrouped = 256
)

// newGroups lists the groups, false if there are too many.
func newGroups(g *neighbours, weight []float64, size float64) (*groups, bool) {
	if g.p.Jobs > mostGrouped {
		return nil, false
	}
	f := grouping{groups: &groups{}, g: g, weight: weight, most: size * (1 + tolerance), seen: make([]bool, g.p.Jobs), in: make([]bool, g.p.Jobs)}
	for j := range int32(g.p.Jobs) {
		f.first = j
		if weight[j] <= f.most {
			f.seen[j] = true // by later ones, too
			f.grow(-1, j, 0)
		}
	}
	return f.groups, len(f.job) <= mostGroups
}

// grouping builds groups.
type grouping struct {
	*groups
	g      *neighbours
	weight []float64
	most   float64
	first  int32
	next   []int32 // jobs beside the group at hand, and those before it
	seen   []bool  // by job: it is in the group, beside it, or was left out
	in     []bool
}

// grow adds a parent with one job more, and all groups that grow from it; from is the first job
// that may be added.
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

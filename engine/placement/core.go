package placement

import (
	"cmp"
	"context"
	"slices"

	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// CoreKind is the kind of a member of a conflict set.
type CoreKind string

const (
	CoreJob        CoreKind = "job"        // with its requests
	CoreCluster    CoreKind = "cluster"    // with its remaining capacity
	CoreRange      CoreKind = "range"      // the set of jobs that a cluster never takes
	CoreDependency CoreKind = "dependency" // between two jobs, with its bounds
	CoreRule       CoreKind = "rule"       // a rule that counts jobs
)

// CoreMember is one of the jobs, clusters and constraints that conflict. Relaxing a
// job drops every constraint that mentions it; relaxing a cluster's capacity gives it
// room for everything, relaxing its range lets it take every job, and relaxing a
// dependency lets its two jobs run anywhere.
type CoreMember struct {
	Kind  CoreKind
	Index int // of the job, cluster, dependency or counter
	Text  string
}

// Limits of the search for a conflict set. A larger problem gets no conflict set. If a question
// exceeds its steps, the member in question stays.
const (
	coreCells = 200_000   // jobs × clusters
	coreSteps = 100_000   // of one feasibility question
	coreWork  = 500_000   // steps of all questions together
	corePairs = 256 << 20 // bytes for the pairs of clusters
)

// Conflict is a small set of jobs, clusters and constraints that provably contradict each other.
// Core is empty if none was found. Minimal is true if every member was tested: without any one of
// them, the others are satisfiable.
type Conflict struct {
	Core     []CoreMember
	CoreText string // the core in one sentence
	Minimal  bool
}

// conflict computes the conflict set on the first call and caches it, unless ctx was cancelled.
func (p *Problem) conflict(ctx context.Context) Conflict {
	if p.compiled.conflict != nil {
		return *p.compiled.conflict
	}
	var c Conflict
	c.Core, c.Minimal = p.core(ctx)
	c.CoreText = p.coreText(c.Core)
	c.Minimal = c.Minimal && p.capacity.options.Nodes == nil // nodes may refuse jobs that fit by amounts
	if ctx.Err() == nil {
		p.compiled.conflict = &c
	}
	return c
}

func (p *Problem) core(ctx context.Context) (core []CoreMember, minimal bool) {
	d, f := p.deployment, p.capacity.federation
	if d.Jobs().Len()*f.Clusters().Len() > coreCells || PairMemory(d, f) > corePairs {
		return nil, false
	}
	s := &coreSearch{ctx: ctx, problem: p, whole: p.Assignment(), minimal: true}
	members, size := s.shortage(), 1
	if members == nil {
		members = s.all()
		size = (len(members) + 1) / 2
	}
	if s.feasible(members) != exact.No {
		return nil, false
	}
	for ; ; size = (size + 1) / 2 {
		members = s.without(members, size)
		if size <= 1 {
			break
		}
	}
	for i := range members {
		members[i].Text = p.inWords(members[i], members)
	}
	return members, s.minimal
}

// coreSearch removes members as long as the remaining ones conflict.
type coreSearch struct {
	ctx     context.Context
	problem *Problem
	whole   *solve.Problem
	work    int64 // steps
	minimal bool
}

// all lists all possible members in the order in which without tries to drop them: rules,
// dependencies, ranges, capacities, jobs.
func (s *coreSearch) all() (all []CoreMember) {
	add := func(kind CoreKind, n int) {
		for i := range n {
			if kind != CoreRange || slices.ContainsFunc(s.jobs(), func(j int) bool { return s.whole.Forbids(j, i) }) {
				all = append(all, CoreMember{Kind: kind, Index: i})
			}
		}
	}
	add(CoreRule, len(s.whole.Counters))
	add(CoreDependency, len(s.whole.Dependencies))
	add(CoreRange, s.whole.Clusters)
	add(CoreCluster, s.whole.Clusters)
	add(CoreJob, s.whole.Jobs)
	return all
}

// shortage returns all clusters and the fewest jobs that together request more of a resource than
// the clusters have left; nil if no resource is short.
func (s *coreSearch) shortage() (members []CoreMember) {
	p := s.problem
	r, _, left := p.short()
	if r < 0 {
		return nil
	}
	for c := range s.whole.Clusters {
		members = append(members, CoreMember{Kind: CoreCluster, Index: c})
	}
	jobs, wanted := s.jobs(), 0.0
	slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(p.least(r, b), p.least(r, a)) })
	for _, j := range jobs {
		if wanted <= left {
			wanted += p.least(r, j)
			members = append(members, CoreMember{Kind: CoreJob, Index: j})
		}
	}
	return members
}

func (s *coreSearch) jobs() []int {
	jobs := make([]int, s.whole.Jobs)
	for j := range jobs {
		jobs[j] = j
	}
	return jobs
}

// without drops groups of size members as long as the remaining ones conflict.
func (s *coreSearch) without(members []CoreMember, size int) []CoreMember {
	for from := 0; from < len(members); {
		to := min(from+size, len(members))
		rest := slices.Concat(members[:from], members[to:])
		switch s.feasible(rest) {
		case exact.No:
			members = rest
			continue
		case exact.Unknown:
			s.minimal = s.minimal && size > 1
		}
		from = to
	}
	return members
}

// feasible decides whether all given members can be satisfied together.
func (s *coreSearch) feasible(members []CoreMember) exact.Answer {
	if s.work > coreWork || s.ctx.Err() != nil {
		return exact.Unknown
	}
	p := s.relaxed(members)
	cluster, answer, steps := exact.Feasible(p, coreSteps)
	s.work += steps
	if answer == exact.Yes && p.Check(cluster) != nil {
		return exact.Unknown // Check refuses it because of rounding
	}
	return answer
}

// roomy is a capacity that exceeds the sum of all requests.
const roomy = 1e200

// relaxed returns the problem that has only the given members.
func (s *coreSearch) relaxed(members []CoreMember) *solve.Problem {
	w, x := s.whole, s.byKind(members)
	p := &solve.Problem{Jobs: len(x.jobs), Clusters: w.Clusters, Links: w.Links}
	for r := range w.Resources {
		resource := solve.Resource{Amount: solve.Matrix{Cells: make([]float64, len(x.jobs)*w.Clusters)}, Capacity: slices.Clone(w.Resources[r].Capacity)}
		for i, j := range x.jobs {
			for c := range w.Clusters {
				resource.Amount.Cells[i*w.Clusters+c] = w.Amount(r, j, c)
			}
		}
		for c, tight := range x.tight {
			if !tight {
				resource.Capacity[c] = roomy
			}
		}
		p.Resources = append(p.Resources, resource)
	}
	at := slices.Repeat([]int32{-1}, w.Jobs)
	for i, j := range x.jobs {
		at[j] = int32(i)
		for c, ranged := range x.ranged {
			if ranged && w.Forbids(j, c) {
				p.Forbid(i, c)
			}
		}
	}
	s.dependencies(p, x.dependencies, at)
	for _, m := range x.rules {
		s.counter(p, w.Counters[m.Index], at)
	}
	return p
}

// kinds groups the members of a conflict set by kind.
type kinds struct {
	jobs, dependencies []int
	rules              []CoreMember
	tight, ranged      []bool // by cluster: whether its capacity, or its range, is a member
}

func (s *coreSearch) byKind(members []CoreMember) kinds {
	k := kinds{tight: make([]bool, s.whole.Clusters), ranged: make([]bool, s.whole.Clusters)}
	for _, m := range members {
		switch m.Kind {
		case CoreJob:
			k.jobs = append(k.jobs, m.Index)
		case CoreCluster:
			k.tight[m.Index] = true
		case CoreRange:
			k.ranged[m.Index] = true
		case CoreDependency:
			k.dependencies = append(k.dependencies, m.Index)
		case CoreRule:
			k.rules = append(k.rules, m)
		}
	}
	return k
}

// counter adds a rule, restricted to its jobs in the conflict set. Restricting a skew or a minimum
// number of classes could make the rule stricter, so these count only if all their jobs are
// members.
func (s *coreSearch) counter(p *solve.Problem, c solve.Counter, at []int32) {
	jobs, home := c.Jobs, c.Home
	c.Jobs, c.Home = nil, nil
	for i, j := range jobs {
		if at[j] < 0 {
			continue
		}
		c.Jobs = append(c.Jobs, at[j])
		if home != nil {
			c.Home = append(c.Home, home[i])
		}
	}
	if len(c.Jobs) > 0 && (c.Skew < 0 && c.Least == 0 || len(c.Jobs) == len(jobs)) {
		p.Counters = append(p.Counters, c)
	}
}

// dependencies adds the member dependencies whose two jobs are also members.
func (s *coreSearch) dependencies(p *solve.Problem, members []int, at []int32) {
	var kept []int
	for _, k := range members {
		if d := s.whole.Dependencies[k]; at[d.A] >= 0 && at[d.B] >= 0 {
			p.Dependencies = append(p.Dependencies, solve.Dependency{A: at[d.A], B: at[d.B], Weight: d.Weight})
			kept = append(kept, k)
		}
	}
	p.Limits, p.Lanes = s.whole.LinksOf(kept)
}

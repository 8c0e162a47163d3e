package placement

import (
	"math"

	"sort"
)

// Binding is a dependency whose bound keeps a job from a cheaper cluster. If the bound were Needed
// instead of Bound, Job could move to Cluster and save Saves while all other jobs stay.
type Binding struct {
	Jobs    [2]string // DOT ids of its two jobs
	What    string    // the bounded figure: "latency" or another label of links
	Bound   float64
	Needed  float64
	Unit    string
	Job     string // the job that would move
	Cluster string
	Saves   float64
}

// mostBindingCells is the largest jobs × clusters for which bindings are computed.
const mostBindingCells = 5_000_000

// Bindings returns the binding dependencies, largest saving first. It returns nil if dependencies
// consume bandwidth, if the problem is too large or if the clusters have no prices.
func (e *Stander) Bindings() []Binding {
	g := e.general
	if !e.problem.Priced() || len(g.Lanes) > 0 || g.Jobs*g.Clusters > mostBindingCells {
		return nil
	}
	best := map[int32]Binding{}
	for job := range e.cluster {
		at := int(e.cluster[job])
		_, _, now := e.onlyBroken(job, at)
		for c := range g.Clusters {
			if c == at || g.NodeCost(job, c) >= now || !e.fits(job, c, -1) {
				continue
			}
			k, b, cost := e.onlyBroken(job, c)
			b.Saves = now - cost
			if k < 0 || b.Saves <= tiny*now || b.Saves <= best[k].Saves || !e.standsAt(job, c) {
				continue
			}
			p := e.problem
			jobs, ends := p.deployment.Jobs(), g.Dependencies[k]
			b.Jobs = [2]string{jobs.ID(int(ends.A)), jobs.ID(int(ends.B))}
			b.Job, b.Cluster = jobs.ID(job), p.capacity.federation.Clusters().ID(c)
			best[k] = b
		}
	}
	all := []Binding{}
	for k := range int32(len(g.Dependencies)) {
		if b, ok := best[k]; ok {
			all = append(all, b)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[j].Saves < all[i].Saves })
	return all
}

// standsAt reports whether the counting rules and the nodes still accept the placement after a job
// moves to cluster c.
func (e *Stander) standsAt(job, c int) bool {
	at := e.cluster[job]
	e.cluster[job] = int32(c)
	stands := e.problem.stands(e.cluster)
	e.cluster[job] = at
	return stands
}

// onlyBroken computes the cost of a job on cluster c. If exactly one bound of its dependencies
// breaks there, it also returns that dependency and a Binding with both bounds; otherwise broken is
// -1.
func (e *Stander) onlyBroken(job, c int) (broken int32, b Binding, cost float64) {
	neighbours, dependencies := e.problem.deployment.Neighbours(job)
	broken, cost = -1, e.general.NodeCost(job, c)
	for i, k := range dependencies {
		to := int(e.cluster[neighbours[i]])
		cost += e.problem.LinkCost(int(k), c, to)
		if math.IsInf(cost, 1) {
			return -1, b, cost
		}
		if c == to {
			continue
		}
		for x, constraint := range e.problem.limited {
			if e.problem.spans(x, int(k), c, to) {
				continue
			}
			found := constraint.between(c, to)
			if broken >= 0 || math.IsInf(found, 1) {
				return -1, b, cost
			}
			broken = k
			b = Binding{What: constraint.demand.Name, Bound: units(constraint.sign * e.general.Limits[x].Bound[k]), Needed: units(constraint.sign * found), Unit: constraint.supply.Fields[constraint.supplyField].Unit}
		}
	}
	return broken, b, cost
}

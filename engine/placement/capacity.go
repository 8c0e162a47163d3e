package placement

import (
	"maps"
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/rule"
)

// resource is a demand of jobs together with the cluster label that supplies it.
type resource struct {
	demand, supply *graph.LabelType
	request        int // the demand's field that consumes supply; -1 if none does
	amount, price  int // fields of supply; -1 if it has none

	parts, clusters float64 // total amount of all clusters, and how many clusters have the resource
}

func newResource(t *graph.LabelType) resource {
	r := resource{demand: t, supply: t.Host(), request: -1, amount: -1, price: t.Host().Price()}
	for _, c := range t.Comparisons {
		if c.Consumes {
			r.request, r.amount = t.Field(c.Demand), r.supply.Field(c.Supply)
		}
	}
	return r
}

func (r *resource) mean() float64 { return r.parts / max(1, r.clusters) }

// CapacityOptions are the options of [NewCapacity].
type CapacityOptions struct {
	ConsumeBandwidth bool        // a dependency between two clusters uses up the bandwidth of the links on its path
	Nodes            Nodes       // packs pods on the nodes of clusters; nil if only total amounts count
	Rules            []rule.Rule // of the scenario; they apply to every deployment in addition to its own
	MaxMoves         *int        // limit on jobs that leave their current cluster; nil for no limit
}

// Capacity is the remaining capacity of a federation. [Capacity.Commit] reduces it.
type Capacity struct {
	federation *graph.Federation
	resources  []resource  // every demand that a job may have, in the registry's order
	free       [][]float64 // by resource, by cluster: parts; 0 if the cluster lacks the resource
	links      *links
	options    CapacityOptions
	standing   [][]Occupant                  // by cluster: the jobs of deployments committed before; empty without Nodes
	taken      map[*linkConstraint][]float64 // by given link: parts left after the deployments committed before
	priced     bool                          // all clusters have prices
}

// NewCapacity returns the full capacity of a federation, before any deployment.
func NewCapacity(f *graph.Federation, o CapacityOptions) *Capacity {
	c := &Capacity{federation: f, taken: map[*linkConstraint][]float64{}, links: newLinks(f, o), options: o, priced: len(f.Unpriced()) == 0}
	for _, t := range graph.Labels(graph.Job) {
		if t.Kind != graph.Demand {
			continue
		}
		r, free := newResource(t), make([]float64, f.Clusters().Len())
		if r.amount >= 0 {
			for j, amount := range f.Clusters().Column(r.supply, r.amount) {
				if !math.IsNaN(amount) {
					free[j] = parts(amount)
					r.parts += free[j]
					r.clusters++
				}
			}
		}
		c.resources, c.free = append(c.resources, r), append(c.free, free)
	}
	return c
}

// Federation returns the federation that the capacity belongs to.
func (c *Capacity) Federation() *graph.Federation { return c.federation }

// Free returns the free amount of a resource on each cluster, in units. The resource is named by
// its supply label ("cpu"); an unknown name yields nil.
func (c *Capacity) Free(supply string) []float64 {
	at := slices.IndexFunc(c.resources, func(r resource) bool { return r.supply.Name == supply })
	if at < 0 {
		return nil
	}
	left := slices.Clone(c.free[at])
	for j := range left {
		left[j] = units(left[j])
	}
	return left
}

// Clone returns a copy. Commits to one do not affect the other.
func (c *Capacity) Clone() *Capacity {
	clone := *c
	clone.free = cloneAll(c.free)
	clone.taken = maps.Clone(c.taken)
	clone.standing = slices.Clone(c.standing)
	return &clone
}

// left returns the free amount of each given link in parts; nil if dependencies do not use this
// figure up.
func (c *Capacity) left(k *linkConstraint) []float64 {
	if left, ok := c.taken[k]; ok {
		return left
	}
	return k.whole
}

// Commit subtracts a placement from the capacity before the next deployment. The free amounts of c
// must be the same as when p was made. A solution without a complete placement subtracts nothing.
func (c *Capacity) Commit(p *Problem, s Solution) {
	if !s.Complete() {
		return
	}
	c.stand(p.deployment, s.Cluster)
	m := p.NewAttempt(s.Order)
	m.follow(s.Cluster, len(s.Order))
	for r, free := range m.free {
		c.free[p.demands[r].index] = free
	}
	for i, k := range p.limited {
		if m.links[i] != nil {
			c.taken[k] = m.links[i]
		}
	}
}

func cloneAll(rows [][]float64) [][]float64 {
	clone := make([][]float64, len(rows))
	for i := range rows {
		clone[i] = slices.Clone(rows[i])
	}
	return clone
}

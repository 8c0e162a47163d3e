package placement

import (
	"maps"
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/rule"
)

// resource is a demand of jobs and the label of clusters that hosts it.
type resource struct {
	demand, supply *graph.LabelType
	request        int // the demand's field that is consumed, -1 if none is
	amount, price  int // the supply's fields, -1 as above

	parts, clusters float64 // that all clusters have together, and how many clusters have any
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
	ConsumeBandwidth bool        // each dependency that crosses a link takes its bandwidth
	Nodes            Nodes       // has the last word on what a cluster takes; nil: amounts have it
	Rules            []rule.Rule // of every deployment, beside its own
	MaxMoves         *int        // of jobs that stand somewhere now; nil: all may
}

// Capacity is the remaining capacity of a federation.
type Capacity struct {
	federation *graph.Federation
	resources  []resource  // every demand that a job may have, in the registry's order
	free       [][]float64 // by resource, by cluster: parts; 0 where it has none
	links      *links
	options    CapacityOptions
	standing   [][]Occupant                  // by cluster: of the deployments that were placed before
	taken      map[*linkConstraint][]float64 // by given link: parts that are left after earlier deployments
	priced     bool                          // the prices of all clusters are known
}

// NewCapacity returns the whole capacity of a federation.
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

// Federation returns the graph whose capacity this is.
func (c *Capacity) Federation() *graph.Federation { return c.federation }

// Free returns the free amount of a resource by cluster, given the name of its supply label
// ("cpu"); nil if the name is unknown.
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

// Clone returns a copy that can be used up independently.
func (c *Capacity) Clone() *Capacity {
	clone := *c
	clone.free = cloneAll(c.free)
	clone.taken = maps.Clone(c.taken)
	clone.standing = slices.Clone(c.standing)
	return &clone
}

// left returns the free amount of each given link, in parts; nil where dependencies use up nothing.
func (c *Capacity) left(k *linkConstraint) []float64 {
	if left, ok := c.taken[k]; ok {
		return left
	}
	return k.whole
}

// Commit takes a placement out of the capacity, for the deployments that follow, if as
// much is left as the problem has; a solution that is not a placement takes nothing.
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

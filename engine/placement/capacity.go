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
}

// resources lists every demand a job may have, in the registry's order.
func resources() []resource {
	var all []resource
	for _, t := range graph.Labels(graph.Job) {
		if t.Kind != graph.Demand {
			continue
		}
		r := resource{demand: t, supply: t.Host(), request: -1, amount: -1, price: t.Host().Price()}
		for _, c := range t.Comparisons {
			if c.Consumes {
				r.request, r.amount = t.Field(c.Demand), r.supply.Field(c.Supply)
			}
		}
		all = append(all, r)
	}
	return all
}

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
	resources  []resource
	free       [][]float64 // by resource, by cluster: parts; 0 where it has none
	whole      []whole     // by resource
	links      *links
	nodes      Nodes
	standing   [][]Occupant                  // by cluster: of the deployments that were placed before
	taken      map[*linkConstraint][]float64 // by given link: parts that are left after earlier deployments
	priced     bool                          // the prices of all clusters are known
	rules      []rule.Rule
	maxMoves   int // -1 for any
}

// whole is the total of a resource over all clusters that have it.
type whole struct{ parts, clusters float64 }

func (w whole) mean() float64 { return w.parts / max(1, w.clusters) }

// NewCapacity returns the whole capacity of a federation.
func NewCapacity(f *graph.Federation, o CapacityOptions) *Capacity {
	c := &Capacity{federation: f, taken: map[*linkConstraint][]float64{}, resources: resources(), links: newLinks(f, o), nodes: o.Nodes, priced: len(f.Unpriced()) == 0, rules: o.Rules, maxMoves: -1}
	if o.MaxMoves != nil {
		c.maxMoves = *o.MaxMoves
	}
	for _, r := range c.resources {
		free, whole := amounts(f.Clusters(), r)
		c.free = append(c.free, free)
		c.whole = append(c.whole, whole)
	}
	return c
}

func amounts(clusters *graph.Elements, r resource) (free []float64, all whole) {
	free = make([]float64, clusters.Len())
	if r.amount < 0 {
		return free, all
	}
	for j, amount := range clusters.Column(r.supply, r.amount) {
		if !math.IsNaN(amount) {
			free[j] = parts(amount)
			all.parts += free[j]
			all.clusters++
		}
	}
	return free, all
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

// left returns what is left of each given link, in parts; nil where dependencies use up nothing.
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

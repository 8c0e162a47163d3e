package kube

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// DefaultSteps is the default limit of a search, counted in pods placed on nodes.
const DefaultSteps = 20_000

// Packer packs groups onto one cluster. It can be used any number of times.
type Packer struct {
	cluster *Cluster
	groups  []Group
	more    [][]int       // by given group: indexes of the groups split off from it
	given   int           // number of given and evicted groups
	state   *ClusterState // contains the occupants and, during a question, the placed pods
	columns []int         // indexes of the resources that groups mention
	tables  []*table
	steps   int

	shared shared
	apart  []*Topology // topologies of affinity and anti-affinity by a label
	loose  []bool      // by group: affinity and spread are suspended for the current question
}

// table holds the facts about a group beside the occupants.
type table struct {
	*class
	open   []bool      // by node: it may accept a pod
	nodes  []int32     // open nodes
	single []*Topology // topologies whose domains take at most one pod of the group
}

// NewPacker prepares a cluster for groups. Evicted groups of the cluster are always
// packed, too. steps limits each search; 0 means DefaultSteps.
func NewPacker(c *Cluster, groups []Group, steps int) *Packer {
	p := &Packer{cluster: c, groups: append(slices.Clone(groups), c.Evicted...), steps: cmp.Or(steps, DefaultSteps)}
	p.given, p.more = len(p.groups), make([][]int, len(p.groups))
	for g := range p.given {
		parts := c.variants(p.groups[g])
		p.groups[g] = parts[0]
		for _, part := range parts[1:] {
			p.more[g] = append(p.more[g], len(p.groups))
			p.groups = append(p.groups, part)
		}
	}
	names := map[string]bool{Pods: true}
	for _, g := range p.groups {
		for resource := range g.Shape.Requests {
			names[resource] = true
		}
	}
	resources := slices.Sorted(maps.Keys(names))
	p.state = c.occupied(resources...)
	p.state.mostAsked = math.MaxInt
	for _, resource := range resources {
		p.columns = append(p.columns, p.state.number[resource])
	}
	p.state.volumes = NewBinder(&p.state.objects, false) // volumes of running pods are bound
	p.shareGPUs()
	p.tables = make([]*table, len(p.groups))
	p.loose = make([]bool, len(p.groups))
	for _, g := range p.groups {
		for _, a := range slices.Concat(g.Shape.With, g.Shape.AntiAffinity) {
			p.divide(p.state.topology(a.Key))
		}
	}
	return p
}

// divide adds a topology by a label.
func (p *Packer) divide(t *Topology) {
	if t.Key != "" && !slices.Contains(p.apart, t) {
		p.apart = append(p.apart, t)
	}
}

// table returns the facts about a group. Call it for a group before any pods are placed, because
// the facts describe only the occupants.
func (p *Packer) table(g int) *table {
	if p.tables[g] != nil {
		return p.tables[g]
	}
	s := p.groups[g].Shape
	t := &table{class: p.state.class(s), open: make([]bool, len(p.state.Nodes))}
	a := p.state.ask(t.class)
	for n := range p.state.Nodes {
		if f := &a.fixed[n]; t.barred == "" && f.why == "" && f.volumes == "" && a.ports.at(n) == 0 && a.misplaced(n, true) == "" {
			t.open[n] = true
			t.nodes = append(t.nodes, int32(n))
		}
	}
	if s.collides(s) {
		t.single = append(t.single, a.ports.Topology)
	}
	for i := range s.AntiAffinity {
		if s.AntiAffinity[i].Chooses(s, s) {
			t.single = append(t.single, a.apart[i].Topology)
		}
	}
	for _, other := range a.unwelcome {
		p.divide(other.Topology)
	}
	p.tables[g] = t
	return t
}

package packing

import (
	"cmp"
	"maps"
	"slices"
)

// DefaultSteps is the default limit of a search, counted in pods placed on nodes.
const DefaultSteps = 20_000

// Packer packs groups onto one cluster. It can be used any number of times.
type Packer struct {
	cluster   *Cluster
	groups    []Group
	more      [][]int // by given group: indexes of the groups split off from it
	given     int     // number of given and evicted groups
	resources []string
	occupants []Running // running pods and missing daemons
	free      [][]int64 // by node and resource: free beside the occupants
	tables    []*table  // by group, computed on first use
	steps     int

	shared     []shared
	topologies []*Topology // topologies of affinity and anti-affinity; the first has each node as a domain
	loose      []bool      // by group, in the current question: affinity and spread are suspended
}

// table holds the facts about a group that do not depend on other placed pods.
type table struct {
	shape   *Shape
	need    []int64
	refused []string // by node: reason why it never accepts a pod; "" if it may
	late    []bool   // by node: the reason comes from a filter after the one for resources
	nodes   []int32  // nodes without a refusal
	aparts  []apart
	with    *with
	spread  []spread
	claims  []claimed
	binds   bool // its pods have claims that wait for volumes
}

// spread is a spread constraint evaluated on one cluster.
type spread struct {
	Spread
	domain []int32 // domain by node; -1 if its pods do not count
	among  []int32 // domain by node, also for nodes whose pods do not count; -1 if outside of all domains
	base   []int   // by domain: running pods that count
	counts []bool  // by group: its pods count
	self   int     // 1 if the constraint counts the pod itself
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
			names[resource] = names[resource] || g.Shape.Amount(resource) > 0
		}
	}
	p.resources = slices.Sorted(maps.Keys(names))
	p.occupants = c.Occupants()
	p.free = c.left(p.resources, p.occupants)
	p.shareGPUs()
	p.tables = make([]*table, len(p.groups))
	p.loose = make([]bool, len(p.groups))
	p.topology("")
	for _, g := range p.groups {
		for _, a := range slices.Concat(g.Shape.With, g.Shape.AntiAffinity) {
			p.topology(a.Key)
		}
	}
	return p
}

// unlimited is the pod capacity of a node that does not state one.
const unlimited = 1 << 60

// left returns the free amounts by node and resource beside the given pods.
func (c *Cluster) left(resources []string, occupants []Running) [][]int64 {
	free := make([][]int64, len(c.Nodes))
	for n := range c.Nodes {
		free[n] = make([]int64, len(resources))
		for r, resource := range resources {
			free[n][r] = c.Nodes[n].Amount(resource)
		}
	}
	for _, pod := range occupants {
		for r, resource := range resources {
			free[pod.Node][r] -= pod.Shape.Amount(resource)
		}
	}
	return free
}

// Occupants returns the running pods and, for each daemon, one pod on every node that
// accepts it and has none yet.
func (c *Cluster) Occupants() []Running {
	there := map[Owner]map[int]bool{}
	for _, pod := range c.Running {
		if pod.Owner.Kind == "DaemonSet" {
			if there[pod.Owner] == nil {
				there[pod.Owner] = map[int]bool{}
			}
			there[pod.Owner][pod.Node] = true
		}
	}
	all := slices.Clip(c.Running)
	for _, d := range c.Daemons {
		for n := range c.Nodes {
			if !there[d.Owner][n] && d.Shape.Takes(&c.Nodes[n]) {
				all = append(all, Running{Name: d.Owner.Name, Shape: d.Shape, Node: n, Owner: d.Owner})
			}
		}
	}
	return all
}

// Amount returns a pod's demand for a resource.
func (s *Shape) Amount(resource string) int64 {
	if _, ok := vendorOf(resource); ok {
		return s.Requests.Amount(resource)
	}
	return s.Asks(resource)
}

// Left returns the free amounts by node and resource, including closed nodes.
func (c *Cluster) Left(resources ...string) [][]int64 { return c.left(resources, c.Occupants()) }

// Takes reports whether a node accepts pods of the shape by taints, selectors and
// affinity, if it has room and does not leave.
func (s *Shape) Takes(n *Node) bool {
	stays := *n
	stays.Closed = ""
	return s.Refusal(&stays) == ""
}

// Room returns the total free resources of all nodes that accept pods, minus the
// demand of evicted pods.
func (c *Cluster) Room() Resources {
	names := map[string]bool{}
	for i := range c.Nodes {
		for resource := range c.Nodes[i].Allocatable {
			names[resource] = true
		}
	}
	resources := slices.Sorted(maps.Keys(names))
	room := Resources{}
	for _, resource := range resources {
		room[resource] = 0
	}
	for n, free := range c.left(resources, c.Occupants()) {
		for r, resource := range resources {
			if c.Nodes[n].open() && free[r] > 0 && free[r] < unlimited {
				room[resource] += free[r]
			}
		}
	}
	for _, g := range c.Evicted {
		for _, resource := range resources {
			room[resource] = max(0, room[resource]-int64(g.Pods)*g.Shape.Amount(resource))
		}
	}
	return room
}

func (p *Packer) table(g int) *table {
	if p.tables[g] != nil {
		return p.tables[g]
	}
	s := p.groups[g].Shape
	t := &table{shape: s, refused: make([]string, len(p.cluster.Nodes)), need: make([]int64, len(p.resources)), late: make([]bool, len(p.cluster.Nodes))}
	for r, resource := range p.resources {
		t.need[r] = s.Amount(resource)
	}
	for n := range p.cluster.Nodes {
		t.refused[n] = s.Refusal(&p.cluster.Nodes[n])
	}
	p.portsTaken(s, t)
	p.claims(s, t)
	p.unlabelled(s, t)
	t.with = p.with(s, t)
	p.runningApart(s, t)
	t.aparts = p.aparts(s)
	for n, why := range t.refused {
		if why == "" {
			t.nodes = append(t.nodes, int32(n))
		}
	}
	for _, c := range s.Spread {
		t.spread = append(t.spread, p.spread(s, c))
	}
	p.tables[g] = t
	return t
}

// portsTaken refuses the nodes on which a running pod occupies a host port of the
// shape.
func (p *Packer) portsTaken(s *Shape, t *table) {
	for i := range p.occupants {
		if n := p.occupants[i].Node; t.refused[n] == "" && s.Collides(p.occupants[i].Shape) {
			t.refused[n] = NoPorts
		}
	}
}

// unlabelled refuses the nodes outside of the domains of a spread constraint.
func (p *Packer) unlabelled(s *Shape, t *table) {
	for n := range p.cluster.Nodes {
		if t.refused[n] == "" && !s.labelled(&p.cluster.Nodes[n]) {
			t.refused[n], t.late[n] = MissingDomain, true
		}
	}
}

// labelled reports whether a node has the labels of all spread constraints.
func (s *Shape) labelled(n *Node) bool {
	return !slices.ContainsFunc(s.Spread, func(c Spread) bool { _, ok := n.Labels[c.Key]; return !ok })
}

// spread evaluates a constraint. Its domains consist of the nodes that CountsNode
// accepts, including closed nodes.
func (p *Packer) spread(s *Shape, c Spread) spread {
	x := spread{Spread: c, domain: make([]int32, len(p.cluster.Nodes)), among: make([]int32, len(p.cluster.Nodes)), counts: make([]bool, len(p.groups))}
	number := map[string]int32{}
	for n := range p.cluster.Nodes {
		node := &p.cluster.Nodes[n]
		x.domain[n] = -1
		if !s.CountsNode(&c, s.Spread, node) {
			continue
		}
		value := node.Labels[c.Key]
		if _, known := number[value]; !known {
			number[value] = int32(len(number))
		}
		x.domain[n] = number[value]
	}
	for n := range x.among {
		x.among[n] = -1
		if value, labelled := p.cluster.Nodes[n].Labels[c.Key]; labelled {
			if d, known := number[value]; known {
				x.among[n] = d
			}
		}
	}
	x.base = make([]int, len(number))
	for _, pod := range p.occupants {
		if d := x.domain[pod.Node]; d >= 0 && !pod.Ends && s.Counts(&c, pod.Shape) {
			x.base[d]++
		}
	}
	for h := range p.groups {
		x.counts[h] = s.Counts(&c, p.groups[h].Shape)
	}
	if c.Selector.Matches(s.Labels) {
		x.self = 1
	}
	return x
}

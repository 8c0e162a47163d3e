package packing

import (
	"cmp"
	"maps"
	"slices"
)

// DefaultSteps is how many pods a search may put on nodes before it gives up.
const DefaultSteps = 20_000

// Packer packs groups onto one cluster, any number of times.
type Packer struct {
	cluster   *Cluster
	groups    []Group
	resources []string
	free      [][]int64 // by node, by resource: what pods and daemons leave
	tables    []*table  // by group, made when first asked for
	steps     int

	topologies []topology // that affinity and anti-affinity go by; the first is that of the nodes themselves
	loose      []bool     // by group, in the question under way: it need not hold that others are near or spread
}

// table is what is known of a group before any is placed.
type table struct {
	need    []int64
	refused []string // by node: why it never takes one; "" if it may
	late    []bool   // by node: that is said by a filter behind that of the resources
	nodes   []int32  // that may
	aparts  []apart
	with    *with
	spread  []spread
}

// spread is a constraint on one cluster.
type spread struct {
	Spread
	domain []int32 // by node, -1 where its pods do not count
	base   []int   // by domain: pods that are there
	counts []bool  // by group
	self   int
}

// NewPacker prepares a cluster for some groups. Groups that have lost their nodes are
// always packed. steps bounds each search, 0 means DefaultSteps.
func NewPacker(c *Cluster, groups []Group, steps int) *Packer {
	p := &Packer{cluster: c, groups: append(slices.Clone(groups), c.Evicted...), steps: cmp.Or(steps, DefaultSteps)}
	names := map[string]bool{Pods: true}
	for _, g := range p.groups {
		for resource, amount := range g.Shape.Requests {
			names[resource] = names[resource] || amount > 0
		}
	}
	p.resources = slices.Sorted(maps.Keys(names))
	p.free = c.left(p.resources)
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

// unlimited stands for pods of a node that does not say how many it takes.
const unlimited = 1 << 60

// left returns what each node has left of some resources beside the pods that run
// on it and the daemons that are not among them.
func (c *Cluster) left(resources []string) [][]int64 {
	free := make([][]int64, len(c.Nodes))
	for n := range c.Nodes {
		free[n] = make([]int64, len(resources))
		for r, resource := range resources {
			amount, known := c.Nodes[n].Allocatable[resource]
			if resource == Pods && !known {
				amount = unlimited
			}
			free[n][r] = amount
		}
	}
	there := map[Owner]map[int]bool{}
	take := func(n int, s *Shape) {
		for r, resource := range resources {
			free[n][r] -= s.amount(resource)
		}
	}
	for _, pod := range c.Running {
		take(pod.Node, pod.Shape)
		if pod.Owner.Kind == "DaemonSet" {
			if there[pod.Owner] == nil {
				there[pod.Owner] = map[int]bool{}
			}
			there[pod.Owner][pod.Node] = true
		}
	}
	for _, d := range c.Daemons { // they tolerate that a node is closed
		for n := range c.Nodes {
			if !there[d.Owner][n] && d.Shape.Takes(&c.Nodes[n]) {
				take(n, d.Shape)
			}
		}
	}
	return free
}

// amount is what a pod takes of a resource.
func (s *Shape) amount(resource string) int64 {
	if resource == Pods {
		return 1
	}
	return s.Requests[resource]
}

// Left returns what each node has left of some resources, closed ones too.
func (c *Cluster) Left(resources ...string) [][]int64 { return c.left(resources) }

// Takes says whether a node may take pods of the shape, if it has room: by taints,
// selectors and affinity.
func (s *Shape) Takes(n *Node) bool {
	_, tainted := s.untolerated(n)
	return !tainted && s.wants(n)
}

// Room returns what all nodes that take pods have left together, less what pods
// need that have lost their node.
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
	for n, free := range c.left(resources) {
		for r, resource := range resources {
			if c.Nodes[n].Closed == "" && free[r] > 0 && free[r] < unlimited {
				room[resource] += free[r]
			}
		}
	}
	for _, g := range c.Evicted {
		for _, resource := range resources {
			room[resource] = max(0, room[resource]-int64(g.Pods)*g.Shape.amount(resource))
		}
	}
	return room
}

func (p *Packer) table(g int) *table {
	if p.tables[g] != nil {
		return p.tables[g]
	}
	s := p.groups[g].Shape
	t := &table{refused: make([]string, len(p.cluster.Nodes)), need: make([]int64, len(p.resources)), late: make([]bool, len(p.cluster.Nodes))}
	for r, resource := range p.resources {
		t.need[r] = s.amount(resource)
	}
	for n := range p.cluster.Nodes {
		t.refused[n] = s.refuses(&p.cluster.Nodes[n])
		t.late[n] = t.refused[n] == missingDomain
	}
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

// spread finds the domains of a constraint: nodes that have the labels of all
// constraints of the pod and that it might be on, closed ones too.
func (p *Packer) spread(s *Shape, c Spread) spread {
	x := spread{Spread: c, domain: make([]int32, len(p.cluster.Nodes)), counts: make([]bool, len(p.groups))}
	number := map[string]int32{}
	for n := range p.cluster.Nodes {
		node := &p.cluster.Nodes[n]
		x.domain[n] = -1
		_, tainted := s.untolerated(node)
		labelled := !slices.ContainsFunc(s.Spread, func(c Spread) bool { _, ok := node.Labels[c.Key]; return !ok })
		if !labelled || !c.IgnoreAffinity && !s.wants(node) || c.HonorTaints && tainted {
			continue
		}
		value := node.Labels[c.Key]
		if _, known := number[value]; !known {
			number[value] = int32(len(number))
		}
		x.domain[n] = number[value]
	}
	x.base = make([]int, len(number))
	for _, pod := range p.cluster.Running {
		if d := x.domain[pod.Node]; d >= 0 && c.counts(s, pod.Shape) {
			x.base[d]++
		}
	}
	for h := range p.groups {
		x.counts[h] = c.counts(s, p.groups[h].Shape)
	}
	if c.counts(s, s) {
		x.self = 1
	}
	return x
}

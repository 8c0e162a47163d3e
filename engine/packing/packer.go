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
	more      [][]int // by group as given: those that it was divided into besides
	given     int     // groups, and those that have lost their nodes
	resources []string
	standing  []Running // what runs, and daemons
	free      [][]int64 // by node, by resource: what these leave
	tables    []*table  // by group, made when first asked for
	steps     int

	shared     []shared
	topologies []topology // that affinity and anti-affinity go by; the first is that of the nodes themselves
	loose      []bool     // by group, in the question under way: it need not hold that others are near or spread
}

// table is what is known of a group before any is placed.
type table struct {
	shape   *Shape
	need    []int64
	refused []string // by node: why it never takes one; "" if it may
	late    []bool   // by node: that is said by a filter behind that of the resources
	nodes   []int32  // that may
	aparts  []apart
	with    *with
	spread  []spread
	claims  []claimed
	binds   bool // its pods have claims that wait for volumes
}

// spread is a constraint on one cluster.
type spread struct {
	Spread
	domain []int32 // by node, -1 where its pods do not count
	among  []int32 // by node: the domain of its label, whether its pods count or not; -1 of none
	base   []int   // by domain: pods that are there
	counts []bool  // by group
	self   int
}

// NewPacker prepares a cluster for some groups. Groups that have lost their nodes are
// always packed. steps bounds each search, 0 means DefaultSteps.
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
	p.standing = c.standing()
	p.free = c.left(p.resources, p.standing)
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

// unlimited stands for pods of a node that does not say how many it takes.
const unlimited = 1 << 60

// left returns what each node has left of some resources beside the pods on it.
func (c *Cluster) left(resources []string, standing []Running) [][]int64 {
	free := make([][]int64, len(c.Nodes))
	for n := range c.Nodes {
		free[n] = make([]int64, len(resources))
		for r, resource := range resources {
			free[n][r] = c.Nodes[n].Amount(resource)
		}
	}
	for _, pod := range standing {
		for r, resource := range resources {
			free[pod.Node][r] -= pod.Shape.Amount(resource)
		}
	}
	return free
}

// standing returns what runs on the nodes, and a pod of each daemon on those nodes that
// take it and where none of it runs yet.
func (c *Cluster) standing() []Running {
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

// Amount is what a pod takes of a resource.
func (s *Shape) Amount(resource string) int64 {
	if _, ok := vendorOf(resource); ok {
		return s.Requests.Amount(resource)
	}
	return s.Asks(resource)
}

// Left returns what each node has left of some resources, closed ones too.
func (c *Cluster) Left(resources ...string) [][]int64 { return c.left(resources, c.standing()) }

// Takes says whether a node may take pods of the shape, if it has room and stays: by
// taints, selectors and affinity.
func (s *Shape) Takes(n *Node) bool {
	stays := *n
	stays.Closed = ""
	return s.Refusal(&stays) == ""
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
	for n, free := range c.left(resources, c.standing()) {
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

// portsTaken refuses the nodes on which what runs has taken a port of the pod.
func (p *Packer) portsTaken(s *Shape, t *table) {
	for i := range p.standing {
		if n := p.standing[i].Node; t.refused[n] == "" && s.Collides(p.standing[i].Shape) {
			t.refused[n] = NoPorts
		}
	}
}

// unlabelled refuses the nodes that are in no domain of a spread constraint.
func (p *Packer) unlabelled(s *Shape, t *table) {
	for n := range p.cluster.Nodes {
		if t.refused[n] == "" && !s.labelled(&p.cluster.Nodes[n]) {
			t.refused[n], t.late[n] = MissingDomain, true
		}
	}
}

// labelled says whether a node has the labels of all spread constraints.
func (s *Shape) labelled(n *Node) bool {
	return !slices.ContainsFunc(s.Spread, func(c Spread) bool { _, ok := n.Labels[c.Key]; return !ok })
}

// spread finds the domains of a constraint: nodes that have the labels of all
// constraints of the pod and that it might be on, closed ones too.
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
	for _, pod := range p.standing {
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

package kube

import (
	"maps"
	"math"
	"slices"

	"berth/engine/kube/score"
)

// class holds the data that pods of one shape share in a state.
type class struct {
	shape    *Shape
	need     []int64
	attaches []attached // volumes that a node attaches for its pods
	binds    bool       // its pods have claims that may need an existing volume
	lacking  []string   // requested resources that no node has
	barred   string     // scheduler's reason in the claims why no node accepts the pods; "" if some may
	assumed  [2]int64   // CPU and memory that one of its pods adds to a node's scores
	scored   [2]int64   // CPU and memory of a pod to schedule in its own NodeResourcesFit score
	counted  []counted  // tallies that count pods of the class
	asked    *asked     // data for scheduling its pods; nil until needed

	honouring *class // the class with nodeTaintsPolicy Honor in its constraints; nil until needed
}

// counted is a tally that counts pods of a class with a weight.
type counted struct {
	in     *tally
	weight int64
	always bool // includes pods being deleted
}

// tally counts pods by the domains of a topology.
type tally struct {
	*Topology
	within []bool // by node: its pods count; nil: all nodes
	count  []int64
	sum    int64
	least  int64 // of a spread: its minimum count, unless stale
	stale  bool  // pods have been added since least was computed
}

func (t *tally) add(n int, weight int64) {
	if t.within != nil && !t.within[n] {
		return
	}
	if d := t.Domain[n]; d >= 0 {
		t.count[d] += weight
		t.sum += weight
		t.stale = true
	}
}

// at returns the count in the domain of a node; 0 if the node is in no domain.
func (t *tally) at(n int) int64 {
	if d := t.Domain[n]; d >= 0 {
		return t.count[d]
	}
	return 0
}

// asked has the occupants' effect on a class, which filters and scores need: facts about the pods
// on the nodes. It is computed on first use and then updated whenever a pod is added or removed.
type asked struct {
	fixed     []fixed  // by node
	tied      []tied   // claims of the class for one pod or, if strict, for pods on one node
	ports     *tally   // pods with conflicting host ports
	apart     []*tally // by anti-affinity term: pods that it selects
	unwelcome []*tally // by topology: pods whose anti-affinity selects the class
	with      []*tally // by affinity term: pods that all terms select
	self      bool     // the class's own affinity selects it
	spread    []spread // DoNotSchedule
	soft      []spread // ScheduleAnyway
	likes     []*tally // by topology: weights of preferred pod affinity
	fits      []bool   // by node: enough resources, and no fixed reason against it
	score     []int64  // by node: scores that do not depend on other nodes
	upTo      int      // fits and score are current up to this index in State.changed
	weights   []float64
	raw       []int64 // by node: scratch memory for scores before normalization
	uses      []score.Use
}

// tied is a claim that only the pods on one node can use.
type tied struct {
	*tally // pods that use it
	name   string
	onePod bool // ReadWriteOncePod: only one pod
}

// fixed holds facts about a class on a node that do not depend on other pods.
type fixed struct {
	why            string // message of an early filter that rejects the node; "" if none does
	volumes        string // message of the volume filter, which comes later
	taints, wanted int64  // raw scores
	image          int64
}

// spread is a topology spread constraint in a state.
type spread struct {
	Spread
	tally
	there []bool // by domain: has a node that counts
	self  int64  // 1 if the constraint counts the pod itself
}

// class returns the class of a shape, creating it if necessary.
func (s *ClusterState) class(shape *Shape) *class {
	if c := s.known[shape]; c != nil {
		return c
	}
	c := &class{shape: shape, binds: s.objects.binds(shape), barred: s.objects.barred(shape), need: make([]int64, len(s.resources)), attaches: s.objects.attaches(shape)}
	for r, name := range s.resources {
		if c.need[r] = shape.asks(name); s.strict {
			c.need[r] = shape.Amount(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(shape.Requests)) {
		if _, known := s.number[name]; !known && shape.Requests[name] > 0 {
			c.lacking = append(c.lacking, name)
		}
	}
	c.assumed, c.scored = shape.Assumed()
	s.known[shape] = c
	for _, other := range s.asked {
		s.countIn(c, other)
	}
	s.classes = append(s.classes, c)
	return c
}

// maxAsked limits the number of classes with scheduling data, which needs memory for
// every node.
const maxAsked = 256

// forget discards the scheduling data of all classes.
func (s *ClusterState) forget() {
	s.asked = nil
	for _, c := range s.classes {
		c.asked, c.counted = nil, nil
	}
}

// ask returns the scheduling data of a class, computing it if necessary.
func (s *ClusterState) ask(c *class) *asked {
	if c.asked != nil {
		return c.asked
	}
	if len(s.asked) == s.mostAsked {
		s.forget()
	}
	s.asked = append(s.asked, c)
	a := &asked{fixed: make([]fixed, len(s.Nodes)), fits: make([]bool, len(s.Nodes)), score: make([]int64, len(s.Nodes)), raw: make([]int64, len(s.Nodes)), upTo: -1}
	c.asked = a
	for n := range s.Nodes {
		a.fixed[n] = s.fixedOf(c.shape, &s.Nodes[n])
	}
	a.ports = s.tally("")
	for i := range c.shape.Uses {
		u := &c.shape.Uses[i]
		modes := s.objects.claim(u).Modes
		if onePod := modes&ReadWriteOncePod != 0; !u.Each && (onePod || s.strict && modes == ReadWriteOnce) {
			a.tied = append(a.tied, tied{s.tally(""), u.Name, onePod})
		}
	}
	for i := range c.shape.AntiAffinity {
		a.apart = append(a.apart, s.tally(c.shape.AntiAffinity[i].Key))
	}
	for i := range c.shape.With {
		a.with = append(a.with, s.tally(c.shape.With[i].Key))
	}
	a.self = c.shape.Seeks(c.shape)
	for _, x := range c.shape.Spread {
		a.spread = append(a.spread, s.spreadOf(c.shape, x, c.shape.Spread))
	}
	if p := c.shape.Prefers; p != nil {
		for _, x := range p.Spread {
			one := s.spreadOf(c.shape, x, p.Spread)
			if x.Key == HostName {
				one.within = nil // the scheduler counts pods on all nodes if the domains are hosts
			}
			a.soft = append(a.soft, one)
		}
	}
	for _, other := range s.classes {
		s.countIn(other, c)
	}
	return a
}

// fixedOf computes the facts about a shape on a node.
func (s *ClusterState) fixedOf(shape *Shape, n *Node) fixed {
	f := fixed{why: shape.Refusal(n), volumes: s.objects.Unreachable(shape, n), wanted: shape.wishes(n)}
	_, f.taints = Untolerated(n.Taints, shape.Tolerations)
	if p := shape.Prefers; p != nil && len(n.Images) > 0 {
		var bytes int64
		for _, image := range p.Images {
			if size, there := n.Images[image]; there {
				bytes += int64(float64(size) * (float64(s.images[image]) / float64(len(s.Nodes))))
			}
		}
		f.image = score.Image(bytes, len(p.Images))
	}
	return f
}

// HostName is the label with the name of a node.
const HostName = "kubernetes.io/hostname"

// spreadOf prepares constraint x among all constraints of a shape. It counts the
// nodes that [Shape.CountsNode] accepts.
func (s *ClusterState) spreadOf(shape *Shape, x Spread, all []Spread) spread {
	out := spread{Spread: x, tally: *s.tally(x.Key)}
	out.within, out.there = make([]bool, len(s.Nodes)), make([]bool, out.Count)
	for n := range s.Nodes {
		if out.Domain[n] >= 0 && shape.CountsNode(&x, all, &s.Nodes[n]) {
			out.within[n], out.there[out.Domain[n]] = true, true
		}
	}
	if x.Selector.Matches(shape.Labels) {
		out.self = 1
	}
	return out
}

// lowest returns the minimum count over the domains, or 0 if there are fewer than
// MinDomains.
func (x *spread) lowest() int64 {
	if !x.stale {
		return x.least
	}
	domains, least := 0, int64(math.MaxInt64)
	for d, there := range x.there {
		if there {
			domains++
			least = min(least, x.count[d])
		}
	}
	if domains < x.MinDomains || domains == 0 {
		least = 0
	}
	x.least, x.stale = least, false
	return least
}

// countIn finds the tallies of class of that count the pods of c. It registers c with these tallies
// and adds the running pods of c to them.
func (s *ClusterState) countIn(c, of *class) {
	a, before := of.asked, len(c.counted)
	add := func(t *tally, weight int64, always bool) {
		if weight != 0 {
			c.counted = append(c.counted, counted{t, weight, always})
		}
	}
	if of.shape.collides(c.shape) {
		add(a.ports, 1, true)
	}
	for _, x := range a.tied {
		if slices.ContainsFunc(c.shape.Uses, func(u Use) bool { return u.Name == x.name && !u.Each }) {
			add(x.tally, 1, true)
		}
	}
	for i := range of.shape.AntiAffinity {
		if of.shape.AntiAffinity[i].Chooses(of.shape, c.shape) {
			add(a.apart[i], 1, true)
		}
	}
	if of.shape.Seeks(c.shape) {
		for _, t := range a.with {
			add(t, 1, true)
		}
	}
	for _, all := range [][]spread{a.spread, a.soft} {
		for i := range all {
			if of.shape.Counts(&all[i].Spread, c.shape) {
				add(&all[i].tally, 1, false)
			}
		}
	}
	for i := range c.shape.AntiAffinity {
		if x := &c.shape.AntiAffinity[i]; x.Chooses(c.shape, of.shape) {
			add(s.shared(&a.unwelcome, x.Key), 1, true)
		}
	}
	s.likings(c, of, add)
	s.recount(c, c.counted[before:])
}

// hardWeight is the weight in scores of a running pod's required affinity
// (hardPodAffinityWeight).
const hardWeight = 1

// likings registers class c with the tallies of preferred affinity between c and of, in both
// directions. Pods of class of are being scheduled.
func (s *ClusterState) likings(c, of *class, add func(*tally, int64, bool)) {
	likes := &of.asked.likes
	each := func(shape, other *Shape) {
		p := shape.Prefers
		if p == nil {
			return
		}
		for i := range p.Near {
			if x := &p.Near[i]; x.Chooses(shape, other) {
				add(s.shared(likes, x.Key), x.Weight, true)
			}
		}
	}
	each(of.shape, c.shape)
	each(c.shape, of.shape)
	for i := range c.shape.With {
		if x := &c.shape.With[i]; x.Chooses(c.shape, of.shape) {
			add(s.shared(likes, x.Key), hardWeight, true)
		}
	}
}

// tally returns an empty tally over the topology of a label.
func (s *ClusterState) tally(key string) *tally {
	t := s.topology(key)
	return &tally{Topology: t, count: make([]int64, t.Count)}
}

// shared returns the tally of a topology in a list, adding it if necessary.
func (s *ClusterState) shared(all *[]*tally, key string) *tally {
	for _, t := range *all {
		if t.Key == key {
			return t
		}
	}
	*all = append(*all, s.tally(key))
	return (*all)[len(*all)-1]
}

// recount counts the running pods of a class in new tallies.
func (s *ClusterState) recount(c *class, fresh []counted) {
	if len(fresh) == 0 {
		return
	}
	for n, pods := range s.pods {
		for _, p := range pods {
			if p.class != c {
				continue
			}
			for _, x := range fresh {
				if x.always || !p.Ending {
					x.in.add(n, x.weight)
				}
			}
		}
	}
}

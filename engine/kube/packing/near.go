package packing

import "slices"

// Topology partitions nodes into domains by a label.
type Topology struct {
	Key    string  // "": each node is a domain
	Domain []int32 // by node; -1 without the label
	Count  int
}

// NewTopology returns the domains of nodes.
func NewTopology(key string, nodes []Node) *Topology {
	t := &Topology{Key: key, Domain: make([]int32, len(nodes))}
	number := map[string]int32{}
	for n := range nodes {
		value, labelled := nodes[n].Labels[key]
		switch d, known := number[value]; {
		case key == "":
			t.Domain[n] = int32(n)
		case !labelled:
			t.Domain[n] = -1
			continue
		case known:
			t.Domain[n] = d
			continue
		default:
			t.Domain[n] = int32(t.Count)
			number[value] = t.Domain[n]
		}
		t.Count++
	}
	return t
}

// topology returns the index of the topology of a label, creating it if necessary.
// Index 0 is the topology in which each node is a domain.
func (p *Packer) topology(key string) int {
	at := slices.IndexFunc(p.topologies, func(t *Topology) bool { return t.Key == key })
	if at < 0 {
		at = len(p.topologies)
		p.topologies = append(p.topologies, NewTopology(key, p.cluster.Nodes))
	}
	return at
}

// apart excludes a group from the domains of a topology with pods of certain groups.
type apart struct {
	at     int    // index of the topology
	groups []bool // by group: to be avoided
	why    string
}

// aparts collects the exclusions that result from ports and from the anti-affinity of
// the shape and of all groups.
func (p *Packer) aparts(s *Shape) []apart {
	var all []apart
	add := func(key string, h int, why string) {
		at := p.topology(key)
		i := slices.IndexFunc(all, func(x apart) bool { return x.at == at && x.why == why })
		if i < 0 {
			i = len(all)
			all = append(all, apart{at, make([]bool, len(p.groups)), why})
		}
		all[i].groups[h] = true
	}
	for h := range p.groups {
		other := p.groups[h].Shape
		if s.Collides(other) {
			add("", h, NoPorts)
		}
		for i := range s.AntiAffinity {
			if s.AntiAffinity[i].Chooses(s, other) {
				add(s.AntiAffinity[i].Key, h, TooNear)
			}
		}
	}
	for h := range p.groups {
		other := p.groups[h].Shape
		for i := range other.AntiAffinity {
			if other.AntiAffinity[i].Chooses(other, s) {
				add(other.AntiAffinity[i].Key, h, Unwelcome)
			}
		}
	}
	return all
}

// runningApart refuses the nodes in domains of running pods that the shape's
// anti-affinity selects, or whose anti-affinity selects the shape.
func (p *Packer) runningApart(s *Shape, t *table) {
	near, by := map[int][]bool{}, map[int][]bool{} // by topology, by domain
	mark := func(in map[int][]bool, a *Near, n int) {
		at := p.topology(a.Key)
		if in[at] == nil {
			in[at] = make([]bool, p.topologies[at].Count)
		}
		if d := p.topologies[at].Domain[n]; d >= 0 {
			in[at][d] = true
		}
	}
	for i := range p.occupants {
		pod := &p.occupants[i]
		for k := range s.AntiAffinity {
			if s.AntiAffinity[k].Chooses(s, pod.Shape) {
				mark(near, &s.AntiAffinity[k], pod.Node)
			}
		}
		for k := range pod.Shape.AntiAffinity {
			if pod.Shape.AntiAffinity[k].Chooses(pod.Shape, s) {
				mark(by, &pod.Shape.AntiAffinity[k], pod.Node)
			}
		}
	}
	p.close(near, t, TooNear)
	p.close(by, t, Unwelcome)
}

// close refuses the nodes in the given domains, by topology.
func (p *Packer) close(domains map[int][]bool, t *table, why string) {
	for at, closed := range domains {
		for n, d := range p.topologies[at].Domain {
			if d >= 0 && closed[d] && t.refused[n] == "" {
				t.refused[n], t.late[n] = why, true
			}
		}
	}
}

// with is the required pod affinity of a group, evaluated on one cluster.
type with struct {
	at     []int   // topology index by term
	base   [][]int // by term and domain: running pods that all terms select
	any    bool    // some running pod in a domain is selected by all terms
	counts []bool  // by group: its pods are selected by all terms
	self   bool    // the group's own pods are selected by all terms
}

// with evaluates the required pod affinity of a shape, nil if it has none, and
// refuses the nodes without the labels of its topologies.
func (p *Packer) with(s *Shape, t *table) *with {
	if len(s.With) == 0 {
		return nil
	}
	w := &with{counts: make([]bool, len(p.groups)), self: s.Seeks(s)}
	for h := range p.groups {
		w.counts[h] = s.Seeks(p.groups[h].Shape)
	}
	for i := range s.With {
		at := p.topology(s.With[i].Key)
		w.at, w.base = append(w.at, at), append(w.base, make([]int, p.topologies[at].Count))
		for n, d := range p.topologies[at].Domain {
			if d < 0 && t.refused[n] == "" {
				t.refused[n], t.late[n] = Alone, true
			}
		}
	}
	for i := range p.occupants {
		pod := &p.occupants[i]
		if !s.Seeks(pod.Shape) {
			continue
		}
		for i, at := range w.at {
			if d := p.topologies[at].Domain[pod.Node]; d >= 0 {
				w.base[i][d]++
				w.any = true
			}
		}
	}
	return w
}

// apart reports whether placed pods exclude a group from a node for the given reason,
// or for any reason if it is "".
func (s *partial) apart(t *table, n int, why string) bool {
	for i := range t.aparts {
		a := &t.aparts[i]
		if d := s.topologies[a.at].Domain[n]; d >= 0 && (why == "" || why == a.why) && s.anyOf(a.at, d, a.groups) {
			return true
		}
	}
	return false
}

// anyOf reports whether a domain has placed pods of the given groups.
func (s *partial) anyOf(at int, domain int32, groups []bool) bool {
	for h, pods := range s.placed[at][domain] {
		if pods > 0 && groups[h] {
			return true
		}
	}
	return false
}

// alone reports whether the required affinity of a group rules out a node now. If no
// selected pod exists anywhere, a pod that selects itself may be the first.
func (s *partial) alone(g, n int) bool {
	w := s.table(g).with
	if !s.held(g) {
		return false
	}
	for i, at := range w.at {
		d := s.topologies[at].Domain[n]
		if d < 0 || w.base[i][d] == 0 && !s.anyOf(at, d, w.counts) {
			return d < 0 || !w.self || w.any || s.sought(w)
		}
	}
	return false
}

// sought reports whether any placed pod is selected by an affinity.
func (s *partial) sought(w *with) bool {
	for _, at := range w.at {
		for d := range s.placed[at] {
			if s.anyOf(at, int32(d), w.counts) {
				return true
			}
		}
	}
	return false
}

// Leans reports whether a pod of shape s may depend on pods of shape o being placed:
// its affinity or its spread constraints select them.
func (s *Shape) Leans(o *Shape) bool {
	return s.Seeks(o) || slices.ContainsFunc(s.Spread, func(c Spread) bool { return s.Counts(&c, o) })
}

// loosen suspends affinity and spread for groups that lean on groups to be placed
// later.
func (p *Packer) loosen(groups, later []int) {
	clear(p.loose)
	for _, g := range groups {
		p.loose[g] = slices.ContainsFunc(later, func(h int) bool { return g != h && p.groups[g].Shape.Leans(p.groups[h].Shape) })
	}
}

// held reports whether pod affinity currently constrains a group.
func (p *Packer) held(g int) bool { return p.table(g).with != nil && !p.loose[g] }

// within returns an upper bound of the number of pods of a group, given the room of
// each node. It accounts for anti-affinity among the group's own pods, for claims,
// and, if no other group to be packed is selected by it, for the group's affinity.
func (p *Packer) within(g int, groups, room []int) int {
	t := p.table(g)
	most := 0
	for _, pods := range room {
		most += pods
	}
	for i := range t.aparts {
		if a := &t.aparts[i]; a.groups[g] { // one pod per domain
			most = min(most, p.byDomain(a.at, room, func(all, pods, _ int) int { return all + min(pods, 1) }))
		}
	}
	for i := range t.claims {
		switch c := &t.claims[i]; {
		case c.onePod && c.node >= 0:
			most = 0
		case c.onePod:
			most = min(most, 1)
		case c.node < 0: // all pods on one node
			most = min(most, slices.Max(room))
		}
	}
	w := t.with
	if !p.held(g) || slices.ContainsFunc(groups, func(h int) bool { return h != g && w.counts[h] }) {
		return most
	}
	for i, at := range w.at {
		base := w.base[i]
		most = min(most, p.byDomain(at, room, func(all, pods, d int) int {
			switch {
			case base[d] > 0:
				return all + pods
			case !w.any && w.self: // all pods in one domain
				return max(all, pods)
			}
			return all
		}))
	}
	return most
}

// byDomain sums the room of nodes by domain, combines the sums with add, and adds the
// room of nodes without a domain.
func (p *Packer) byDomain(at int, room []int, add func(all, pods, domain int) int) int {
	t := p.topologies[at]
	sum, free := make([]int, t.Count), 0
	for n, d := range t.Domain {
		if d < 0 {
			free += room[n]
		} else {
			sum[d] += room[n]
		}
	}
	all := 0
	for d, pods := range sum {
		all = add(all, pods, d)
	}
	return all + free
}

// maxFirst limits the number of domains that firsts returns.
const maxFirst = 16

// firsts returns, as sets of nodes, the domains with the most room for groups with
// required affinity. Filling one of them first brings these pods together.
func (p *Packer) firsts(groups []int) [][]bool {
	type domain struct {
		at, number, room int
	}
	var all []domain
	s := p.newState(nil)
	for _, g := range groups {
		if !p.held(g) {
			continue
		}
		for _, at := range p.tables[g].with.at {
			rooms := make([]domain, p.topologies[at].Count)
			for _, n := range p.tables[g].nodes {
				d := p.topologies[at].Domain[n]
				rooms[d] = domain{at, int(d), rooms[d].room + s.room(g, int(n), p.groups[g].Pods)}
			}
			all = append(all, slices.DeleteFunc(rooms, func(d domain) bool { return d.room == 0 })...)
		}
	}
	slices.SortStableFunc(all, func(a, b domain) int { return b.room - a.room })
	var sets [][]bool
	for _, d := range all[:min(len(all), maxFirst)] {
		set := make([]bool, len(p.free))
		for n, number := range p.topologies[d.at].Domain {
			set[n] = int(number) == d.number
		}
		sets = append(sets, set)
	}
	return sets
}

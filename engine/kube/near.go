package kube

import "slices"

// Topology partitions nodes into domains by a label.
type Topology struct {
	Key    string  // "": each node is a domain
	Domain []int32 // by node; -1 without the label
	Count  int
}

// newTopology numbers the values of the label key as domains. Without a key, each node is a domain.
func newTopology(key string, nodes []Node) *Topology {
	t := &Topology{Key: key, Domain: make([]int32, len(nodes))}
	number := map[string]int32{}
	for n := range nodes {
		value, labelled := nodes[n].Labels[key]
		d, known := number[value]
		switch {
		case key != "" && !labelled:
			d = -1
		case key == "" || !known:
			d = int32(t.Count)
			number[value] = d
			t.Count++
		}
		t.Domain[n] = d
	}
	return t
}

// Leans reports whether a pod of shape s may depend on pods of shape o that are not placed yet,
// because its affinity or its spread constraints select them.
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
func (p *Packer) held(g int) bool { return len(p.table(g).asked.with) > 0 && !p.loose[g] }

// alone reports whether the required affinity of a group rules out a node now.
func (s *partial) alone(g, n int) bool { return s.held(g) && s.table(g).asked.alone(n, false) }

// within returns an upper bound of the number of pods of a group, given the room of each node. It
// accounts for anti-affinity among the group's own pods and for claims. It also accounts for the
// group's affinity, unless that selects another group to be packed.
func (p *Packer) within(g int, groups, room []int) int {
	t := p.table(g)
	most := 0
	for _, pods := range room {
		most += pods
	}
	for _, one := range t.single {
		most = min(most, one.combine(room, func(all, pods, _ int) int { return all + min(pods, 1) }))
	}
	for _, x := range t.asked.tied {
		switch {
		case x.onePod && x.sum > 0:
			most = 0
		case x.onePod:
			most = min(most, 1)
		case x.sum == 0: // all pods on one node
			most = min(most, slices.Max(room))
		}
	}
	if !p.held(g) || slices.ContainsFunc(groups, func(h int) bool { return h != g && t.shape.Seeks(p.groups[h].Shape) }) {
		return most
	}
	any := slices.ContainsFunc(t.asked.with, func(t *tally) bool { return t.sum > 0 })
	for _, with := range t.asked.with {
		most = min(most, with.combine(room, func(all, pods, d int) int {
			switch {
			case with.count[d] > 0:
				return all + pods
			case !any && t.asked.self: // all pods in one domain
				return max(all, pods)
			}
			return all
		}))
	}
	return most
}

// combine sums the room of nodes by domain and combines the sums with add. It adds the room of
// nodes without a domain.
func (t *Topology) combine(room []int, add func(all, pods, domain int) int) int {
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

// firsts returns the domains with the most room for groups with required affinity, each as the set
// of its nodes. If the packer fills one of these domains first, pods with affinity end up together.
func (p *Packer) firsts(groups []int) (sets [][]bool) {
	type domain struct {
		of           *tally
		number, room int
	}
	var all []domain
	s := p.begin()
	for _, g := range groups {
		if !p.held(g) {
			continue
		}
		for _, with := range p.tables[g].asked.with {
			rooms := make([]domain, with.Count)
			for _, n := range p.tables[g].nodes {
				d := with.Domain[n]
				rooms[d] = domain{with, int(d), rooms[d].room + s.room(g, int(n), p.groups[g].Pods)}
			}
			all = append(all, slices.DeleteFunc(rooms, func(d domain) bool { return d.room == 0 })...)
		}
	}
	slices.SortStableFunc(all, func(a, b domain) int { return b.room - a.room })
	for _, d := range all[:min(len(all), maxFirst)] {
		set := make([]bool, len(p.state.Nodes))
		for n, number := range d.of.Domain {
			set[n] = int(number) == d.number
		}
		sets = append(sets, set)
	}
	return sets
}

package packing

import (
	"slices"

	"berth/engine/cluster"
)

// partial is a partial packing.
type partial struct {
	*Packer
	free    [][]int64
	placed  [][][]int32       // by topology and domain: number of pods by group; nil for a domain without pods
	first   []bool            // by node: fill before others; nil: no preference
	on      []int             // by group: number of placed pods
	in      map[*spread][]int // for constraints of the packed groups, by domain: pods that count
	users   map[string]user   // users of claims by claim name
	volumes *Binder           // volumes for claims that wait for one

	unsure  bool // a search for an assignment of GPU shares gave up
	wanted  []cluster.Amount
	devices cluster.Devices
}

// newState returns a packing without placed pods for some groups.
func (p *Packer) newState(groups []int) *partial {
	s := &partial{Packer: p, free: make([][]int64, len(p.free)), placed: make([][][]int32, len(p.topologies)), on: make([]int, len(p.groups)), in: map[*spread][]int{}}
	for n := range p.free {
		s.free[n] = slices.Clone(p.free[n])
	}
	for at := range p.topologies {
		s.placed[at] = make([][]int32, p.topologies[at].Count)
	}
	s.volumes = NewBinder(&p.cluster.Objects, false)
	for _, g := range groups {
		for i := range p.table(g).spread {
			x := &p.tables[g].spread[i]
			s.in[x] = slices.Clone(x.base)
		}
	}
	return s
}

func (s *partial) put(g, n, pods int) {
	for r, need := range s.table(g).need {
		s.free[n][r] -= need * int64(pods)
	}
	for at, placed := range s.placed {
		d := s.topologies[at].Domain[n]
		if d < 0 {
			continue
		}
		if placed[d] == nil {
			placed[d] = make([]int32, len(s.groups))
		}
		placed[d][g] += int32(pods)
	}
	s.on[g] += pods
	s.use(s.table(g), n, pods)
	for x, in := range s.in {
		if d := x.domain[n]; d >= 0 && x.counts[g] {
			in[d] += pods
		}
	}
}

// room returns how many more pods of a group, up to most, a node can take by
// resources, claims, ports, anti-affinity and GPUs.
func (s *partial) room(g, n, most int) int {
	t := s.table(g)
	for r, need := range t.need {
		if need > 0 {
			most = min(most, int(max(0, s.free[n][r])/need))
		}
	}
	if most > 0 && (s.apart(t, n, "") || s.unclaimed(t, n) != "") {
		return 0
	}
	for i := range t.claims {
		if t.claims[i].onePod {
			most = min(most, 1)
		}
	}
	for i := range t.aparts {
		if a := &t.aparts[i]; a.groups[g] && s.topologies[a.at].Domain[n] >= 0 {
			most = min(most, 1)
		}
	}
	if t.binds {
		most = s.volumes.Room(t.shape, &s.cluster.Nodes[n], most)
	}
	return s.fit(g, n, most)
}

// skewed reports whether one more pod on a node would violate a spread constraint.
func (s *partial) skewed(x *spread, n int) bool {
	in, least, there := s.in[x], 0, 0
	if len(in) >= x.MinDomains {
		least = slices.Min(in)
	}
	if d := x.among[n]; d >= 0 {
		there = in[d]
	}
	return there+x.self-least > x.MaxSkew
}

// takes reports whether a node accepts one more pod of a group now.
func (s *partial) takes(g, n int) bool {
	return s.table(g).refused[n] == "" && s.room(g, n, 1) == 1 && s.unspread(g, n) == "" && !s.alone(g, n)
}

// count returns the number of placed pods of a group on a node.
func (s *partial) count(n, g int) int32 {
	if s.placed[0][n] == nil {
		return 0
	}
	return s.placed[0][n][g]
}

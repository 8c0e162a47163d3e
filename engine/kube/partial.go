package kube

import (
	"cmp"

	"berth/engine/cluster"
)

// partial is a partial packing: the pods placed so far for one question. They are in the state of
// the Packer until [partial.clear] removes them.
type partial struct {
	*Packer
	placed [][]int32 // by node: number of pods by group; nil without pods
	number []int     // by group: number of placed pods
	first  []bool    // by node: fill before others; nil: no preference

	unsure  bool // a search for an assignment of GPU shares gave up
	wanted  []cluster.Amount
	devices cluster.Devices
}

// begin returns a packing without placed pods.
func (p *Packer) begin() *partial {
	return &partial{Packer: p, placed: make([][]int32, len(p.state.Nodes)), number: make([]int, len(p.groups))}
}

func (s *partial) clear() {
	for n, by := range s.placed {
		for g, pods := range by {
			if pods > 0 {
				s.put(g, n, -int(pods))
			}
		}
	}
}

func (s *partial) put(g, n, pods int) {
	t := s.table(g)
	s.state.add(t.class, n, int64(pods), false)
	if s.placed[n] == nil {
		s.placed[n] = make([]int32, len(s.groups))
	}
	s.placed[n][g] += int32(pods)
	s.number[g] += pods
	for i := 0; t.binds && i < max(pods, -pods); i++ {
		if node := &s.state.Nodes[n]; pods > 0 {
			s.state.volumes.Bind(t.shape, node)
		} else {
			s.state.volumes.Release(t.shape, node)
		}
	}
}

// room returns how many more pods of a group, up to most, a node can take by
// resources, claims, ports, anti-affinity and GPUs.
func (s *partial) room(g, n, most int) int {
	t := s.table(g)
	for r, need := range t.need {
		if need > 0 {
			most = min(most, int(max(0, s.state.free(n, r))/need))
		}
	}
	if most > 0 && (t.asked.ports.at(n) > 0 || t.asked.repelled(n) != "" || s.state.lacksVolume(t.class, n) != "" || t.asked.elsewhere(n) != "") {
		return 0
	}
	for _, x := range t.asked.tied {
		if x.onePod {
			most = min(most, 1)
		}
	}
	for _, one := range t.single {
		if one.Domain[n] >= 0 {
			most = min(most, 1)
		}
	}
	if t.binds {
		most = s.state.volumes.Room(t.shape, &s.state.Nodes[n], most)
	}
	return s.fit(g, n, most)
}

// takes reports whether an open node accepts one more pod of a group now.
func (s *partial) takes(g, n int) bool {
	return s.room(g, n, 1) == 1 && s.misplaced(g, n) == ""
}

// misplaced returns the message of the first filter about other pods that rejects an open
// node for one more pod of a group; "" if the node passes.
func (s *partial) misplaced(g, n int) string {
	return s.table(g).asked.misplaced(n, s.loose[g])
}

// count returns the number of placed pods of a group on a node.
func (s *partial) count(n, g int) int32 {
	if s.placed[n] == nil {
		return 0
	}
	return s.placed[n][g]
}

// why returns the message of the first filter of kube-scheduler that rejects one more pod of a
// group on a node now. It returns several messages if more than one resource is insufficient, and
// nil if the node passes.
func (s *partial) why(g, n int) []string {
	t := s.table(g)
	if short := s.state.full(t.class, n); short != nil {
		return short
	}
	if s.fit(g, n, 1) == 0 {
		return []string{noGPU}
	}
	if why := cmp.Or(s.state.lacksVolume(t.class, n), s.misplaced(g, n), t.asked.elsewhere(n)); why != "" {
		return []string{why}
	}
	return nil
}

package kube

// claimed is a claim that limits where the pods of a group can run because other pods
// use it.
type claimed struct {
	name   string
	onePod bool
	node   int // node of a running pod that uses it; -1 if none does
}

// claims returns the claims of a shape that tie pods to the node of their other users.
func (p *Packer) claims(s *Shape) (all []claimed) {
	for i := range s.Uses {
		c := p.cluster.claim(&s.Uses[i])
		if u, onePod := &s.Uses[i], c.Modes&ReadWriteOncePod != 0; (c.Modes == ReadWriteOnce || onePod) && !u.Each {
			all = append(all, claimed{u.Name, onePod, p.usedOn(u.Name)})
		}
	}
	return all
}

// usedOn returns the node of a running pod that uses a claim, or -1.
func (p *Packer) usedOn(claim string) int {
	for _, pod := range p.occupants {
		for _, u := range pod.Shape.Uses {
			if u.Name == claim && !u.Each {
				return pod.node
			}
		}
	}
	return -1
}

// user is the node on which placed pods use a claim, and their number.
type user struct{ node, pods int }

// unclaimed returns the reason why the claims of a group keep one more pod off a
// node, or "". kube-scheduler ignores ReadWriteOnce and may choose a second node,
// where the pod waits for its volume for ever; this check rejects such nodes.
func (s *partial) unclaimed(t *table, n int) string {
	for i := range t.claims {
		c := &t.claims[i]
		used := s.users[c.name]
		switch {
		case c.onePod && (c.node >= 0 || used.pods > 0):
			return InUse
		case c.node >= 0 && c.node != n || used.pods > 0 && used.node != n:
			return attachedTo
		}
	}
	if t.binds && s.state.volumes.Room(t.shape, &s.state.Nodes[n], 1) == 0 {
		return NotFound
	}
	return ""
}

// use records that pods of a group were added to a node, or removed if the number is
// negative.
func (s *partial) use(t *table, n, pods int) {
	for i := range t.claims {
		name := t.claims[i].name
		u := s.users[name]
		if u.pods == 0 {
			u.node = n
		}
		u.pods += pods
		s.users[name] = u
	}
	for range max(pods, -pods) {
		switch node := &s.state.Nodes[n]; {
		case !t.binds:
			return
		case pods > 0:
			s.state.volumes.Bind(t.shape, node)
		default:
			s.state.volumes.Release(t.shape, node)
		}
	}
}

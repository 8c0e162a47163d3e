package packing

// claimed is a claim that limits where the pods of a group can run because other pods
// use it.
type claimed struct {
	name   string
	onePod bool
	node   int // node of a running pod that uses it; -1 if none does
}

// claims refuses the nodes on which a pod cannot use its volumes, and records the
// claims that tie pods to the node of their other users.
func (p *Packer) claims(s *Shape, t *table) {
	refuse := func(n int, why string) {
		if t.refused[n] == "" && why != "" {
			t.refused[n], t.late[n] = why, true
		}
	}
	barred := p.cluster.Barred(s)
	for n := range p.cluster.Nodes {
		refuse(n, barred)
	}
	for i := range s.Uses {
		c := p.cluster.claim(&s.Uses[i])
		for n := range p.cluster.Nodes {
			refuse(n, p.cluster.unreachable(&c, &p.cluster.Nodes[n]))
		}
		if u, onePod := &s.Uses[i], c.Modes&ReadWriteOncePod != 0; (c.Modes == ReadWriteOnce || onePod) && !u.Each {
			t.claims = append(t.claims, claimed{u.Name, onePod, p.usedOn(u.Name)})
		}
	}
	t.binds = p.cluster.Binds(s)
}

// usedOn returns the node of a running pod that uses a claim, or -1.
func (p *Packer) usedOn(claim string) int {
	for i := range p.occupants {
		for _, u := range p.occupants[i].Shape.Uses {
			if u.Name == claim && !u.Each {
				return p.occupants[i].Node
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
	if t.binds && s.volumes.Room(t.shape, &s.cluster.Nodes[n], 1) == 0 {
		return NotFound
	}
	return ""
}

// use records that pods of a group were added to a node, or removed if the number is
// negative.
func (s *partial) use(t *table, n, pods int) {
	for i := range t.claims {
		if s.users == nil {
			s.users = map[string]user{}
		}
		name := t.claims[i].name
		u := s.users[name]
		if u.pods == 0 {
			u.node = n
		}
		u.pods += pods
		s.users[name] = u
	}
	for range max(pods, -pods) {
		switch node := &s.cluster.Nodes[n]; {
		case !t.binds:
			return
		case pods > 0:
			s.volumes.Bind(t.shape, node)
		default:
			s.volumes.Release(t.shape, node)
		}
	}
}

package packing

// claimed is a claim that the pods of a group share with others.
type claimed struct {
	name   string
	onePod bool
	node   int // on which what runs uses it, -1 for none
}

// claims refuses the nodes on which a pod cannot have its volumes, and notes which of
// these keep it where others are that use them.
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

// usedOn returns a node on which what runs uses a claim, -1 if nothing does.
func (p *Packer) usedOn(claim string) int {
	for i := range p.standing {
		for _, u := range p.standing[i].Shape.Uses {
			if u.Name == claim && !u.Each {
				return p.standing[i].Node
			}
		}
	}
	return -1
}

// user is where pods that were put on nodes use a claim, and how many.
type user struct{ node, pods int }

// unclaimed says why the claims of a group keep one more pod off a node, "" if they do
// not. The scheduler does not look at ReadWriteOnce, and puts a pod on another node, where
// it waits for ever for its volume; this does.
func (s *state) unclaimed(t *table, n int) string {
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

// use notes that so many pods of a group more are on a node.
func (s *state) use(t *table, n, pods int) {
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

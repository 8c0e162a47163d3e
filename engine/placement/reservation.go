package placement

// reservation keeps the bandwidth that dependencies take of the links they cross, if the
// scenario counts it. The free bandwidth depends on jobs that are not neighbours, so a row of
// costs cannot hold it: rows take links as unused, and the bandwidth is checked when a candidate
// is put.
type reservation struct {
	problem *Problem
	left    [][]float64 // by link constraint, by given link: parts; nil where not consumed
	log     []taken
	start   []int32 // by depth: where its entries in the log begin
	legs    []int   // of the path at hand
}

type taken struct {
	constraint, link int32
	before           float64
}

// newReservation returns nil where nothing is consumed.
func newReservation(p *Problem) *reservation {
	for _, k := range p.capacity.links.constraints {
		if k.consumed {
			return &reservation{problem: p, left: cloneAll(p.capacity.bandwidth), start: make([]int32, p.deployment.Jobs().Len())}
		}
	}
	return nil
}

// take charges the links between cluster j and the neighbours placed before a depth. If a link
// has too little left, it takes nothing and returns false.
func (v *reservation) take(m *Attempt, depth, j int) bool {
	if v == nil {
		return true
	}
	v.start[depth] = int32(len(v.log))
	for _, k := range m.before(depth) {
		if !v.charge(int(k.dependency), j, int(m.cluster[k.job])) {
			v.giveBack(depth)
			return false
		}
	}
	return true
}

// charge takes the bounds of one dependency from each leg of the path.
func (v *reservation) charge(dependency, a, b int) bool {
	v.legs, _ = v.problem.capacity.federation.Path(v.legs[:0], a, b)
	for i, bound := range v.problem.bound(dependency) {
		if v.left[i] == nil || bound != bound {
			continue
		}
		for _, link := range v.legs {
			left := v.left[i][link]
			if !(bound <= left) {
				return false
			}
			v.log = append(v.log, taken{int32(i), int32(link), left})
			v.left[i][link] = left - bound
		}
	}
	return true
}

func (v *reservation) giveBack(depth int) {
	if v == nil {
		return
	}
	for i := len(v.log) - 1; i >= int(v.start[depth]); i-- {
		t := v.log[i]
		v.left[t.constraint][t.link] = t.before
	}
	v.log = v.log[:v.start[depth]]
}

// Commit takes a placement out of the capacity, for the deployments that follow, if as
// much is left as the problem has; a solution that is not a placement takes nothing.
func (c *Capacity) Commit(p *Problem, s Solution) {
	if !s.Complete() {
		return
	}
	c.stand(p.deployment, s.Cluster)
	m := p.NewAttempt(s.Order)
	for _, job := range s.Order {
		m.stand(int(s.Cluster[job]))
	}
	for r, free := range m.free {
		c.free[p.demands[r].index] = free
	}
	if m.links != nil {
		c.bandwidth = m.links.left
	}
}

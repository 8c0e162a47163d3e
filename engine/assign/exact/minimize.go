package exact

import (
	"cmp"
	"context"
	"math"
	"slices"

	"berth/engine/assign"
)

// Result is what [Minimize] came to. Cluster is nil without a placement. If it is
// Proved, no placement costs less than Cost except the rounding of sums, or there
// is none; else none costs less than Bound.
type Result struct {
	Cluster     []int32
	Cost, Bound float64
	Proved      bool
	Steps       int64
	Trace       []Improvement
}

// Improvement is a better placement or bound after so many steps; Cost is +Inf
// before the first placement.
type Improvement struct {
	Steps       int64
	Cost, Bound float64
}

// Rounding is in relation to a cost what sums of costs in another order may differ
// by; placements that are cheaper by less are not looked for.
const Rounding = 1e-10

// Minimize looks for a placement of least cost, from one that is known or nil, in
// at most so many steps. Progress, if there is one, is told each improvement, and
// now and then how far it is, with the best placement so far.
func Minimize(ctx context.Context, p *assign.Problem, start []int32, steps int64, progress func(i Improvement, best []int32)) Result {
	m := &minimizer{
		progress: progress, limit: math.Inf(1),
		result: Result{Cost: math.Inf(1), Bound: math.Inf(-1)},
	}
	if start != nil {
		m.found(p, start)
	}
	if !fits(p) {
		m.bound(assign.Bound(p))
		return m.result
	}
	if start == nil {
		cluster, answer, taken := Feasible(ctx, p, steps/feasibleShare)
		m.first, m.result.Steps = taken, taken
		switch answer {
		case No:
			m.result.Proved, m.result.Bound = true, math.Inf(1)
			m.endsAgain()
			return m.result
		case Yes:
			m.found(p, cluster)
		}
	}
	s := newState(p)
	s.ctx, s.budget, s.look = ctx, steps-m.first, m.report
	m.prepare(s)
	m.root()
	m.result.Steps = m.soFar()
	switch {
	case m.over:
		m.result.Steps = m.first + min(m.seen, m.budget)
	case m.result.Proved:
		m.endsAgain()
	}
	return m.result
}

// feasibleShare is the part of the steps that looking for a first placement may take.
const feasibleShare = 4

// endsAgain has the steps say with how many, and one more, the search ends again.
func (m *minimizer) endsAgain() {
	m.result.Steps = max(m.result.Steps, feasibleShare*(m.first+1)-1)
}

// prepare works out what is needed of a problem.
func (m *minimizer) prepare(s *state) {
	s.did(2*len(s.cost) + len(s.p.Dependencies) + 2*len(s.p.Links.Pair) + 2*len(s.p.Links.Leg))
	m.relaxation = newRelaxation(s)
	m.dominance = newDominance(s)
	m.whole = wholeCosts(s)
	m.dearest = dearest(s)
}

// minimizer goes through the tree.
type minimizer struct {
	*relaxation
	first    int64 // steps, for a first placement
	progress func(Improvement, []int32)
	result   Result
	whole    bool    // all costs are whole numbers
	limit    float64 // placements that cost this or more are not looked for yet
	dearest  float64 // more than any placement costs
	levels   []levelOf

	dominance dominance
}

// levelOf keeps what a level needs again after its children.
type levelOf struct {
	price  []float64
	values []valued
	order  []int32
}

// valued is a cluster for a job with a bound on what follows.
type valued struct {
	cluster int32
	bound   float64
}

// wholeCosts says whether all placements cost a whole number.
func wholeCosts(s *state) bool {
	is := func(all []float64) bool {
		return !slices.ContainsFunc(all, func(v float64) bool { return v != math.Trunc(v) && !math.IsInf(v, 1) })
	}
	for _, d := range s.p.Dependencies {
		if d.Weight != math.Trunc(d.Weight) {
			return false
		}
	}
	return is(s.cost) && is(s.p.Links.Pair) && is(s.p.Links.Leg) && is(s.p.Flat.Pair) && is(s.p.Flat.Leg)
}

// dearest is more than any placement can cost.
func dearest(s *state) float64 {
	var sum float64
	for j := range int32(s.jobs) {
		var most float64
		for c := s.next(j, 0); c >= 0; c = s.next(j, c+1) {
			most = max(most, s.cost[int(j)*s.clusters+c])
		}
		sum += most
	}
	link, flat := dearestLink(&s.p.Links), dearestLink(&s.p.Flat)
	for _, d := range s.p.Dependencies {
		sum += float64(d.Weight*link) + flat
	}
	return float64(sum*(1+1e-9)) + 1
}

func dearestLink(l *assign.Links) float64 { return max(2*largest(l.Leg), largest(l.Pair)) }

// largest returns the largest of some figures that is finite, 0 for none.
func largest(figures []float64) float64 {
	var most float64
	for _, v := range figures {
		if !math.IsInf(v, 1) {
			most = max(most, v)
		}
	}
	return most
}

// found takes a placement if it is the best so far.
func (m *minimizer) found(p *assign.Problem, cluster []int32) {
	if m.relaxation != nil {
		m.did(20 * (p.Jobs*(1+len(p.Resources)) + len(p.Dependencies)))
	}
	node, link := p.Costs(cluster)
	if node+link < m.result.Cost && p.Check(cluster) == nil {
		m.result.Cluster, m.result.Cost = slices.Clone(cluster), node+link
		m.tell()
	}
}

// bound takes a bound of the whole problem if it is the best so far.
func (m *minimizer) bound(bound float64) {
	bound = min(bound, m.result.Cost)
	if bound > m.result.Bound {
		m.result.Bound = bound
		m.tell()
	}
}

func (m *minimizer) tell() {
	m.result.Trace = append(m.result.Trace, m.now())
	m.report()
}

// soFar is how many steps were done, of those that may be.
func (m *minimizer) soFar() int64 {
	if m.relaxation == nil {
		return m.first
	}
	return m.first + min(m.steps(), m.budget)
}

func (m *minimizer) now() Improvement {
	i := Improvement{m.soFar(), m.result.Cost, m.result.Bound}
	if math.IsInf(i.Bound, -1) {
		i.Bound = 0
	}
	return i
}

func (m *minimizer) report() {
	if m.progress != nil {
		m.progress(m.now(), m.result.Cluster)
	}
}

// enough is the bound at which nothing below a node is of interest.
func (m *minimizer) enough() float64 {
	if m.whole && m.result.Cost < 1e12 {
		return min(m.limit, m.result.Cost-1+1e-6)
	}
	return min(m.limit, m.result.Cost*(1-Rounding))
}

const (
	rootEvaluations = 3000
	nodeEvaluations = 10
	rootPatience    = 20

	firstLimit = 5e-5 // above the bound, in relation to it
	tinyLimit  = 1e-6
	smallTree  = 500 // evaluations, below which the limit rises faster
)

// root goes through the tree under a limit just above the bound of the whole, and
// where no placement is below that, again under one twice as far away: a tree
// under a limit is small, and good prices need a good limit.
func (m *minimizer) root() {
	for j := range int32(m.jobs) {
		m.queue, m.dirty[j] = append(m.queue, j), true
	}
	if m.consistent() >= 0 {
		m.result.Proved, m.result.Bound = true, math.Inf(1)
		return
	}
	m.costs()
	for j := range int32(m.jobs) {
		m.price[j] = m.cheapest(j)
	}
	m.approach()
	base, above := m.result.Bound, max(firstLimit*m.result.Bound, tinyLimit)
	if m.whole {
		above = max(above, 1)
	}
	for last := false; !last && !m.over; {
		m.limit = base + above
		if m.whole {
			m.limit = math.Floor(m.limit) + 1e-6
		}
		above *= 2
		if m.limit <= m.result.Bound {
			continue
		}
		if m.limit > (base+m.result.Cost)/2 { // there are few between
			m.limit = math.Inf(1)
		}
		last = m.limit >= m.dearest
		mark, begun := len(m.log), m.rounds
		m.node(0, rootEvaluations, 6)
		m.back(mark)
		last = last || m.result.Cost*(1-Rounding) <= m.limit
		if m.over {
			break
		}
		m.bound(min(m.limit, m.result.Cost))
		if m.rounds-begun < smallTree {
			above *= 2
		}
	}
	if !m.over {
		m.result.Proved = true
		if m.result.Cluster == nil {
			m.result.Bound = math.Inf(1)
		}
	}
}

// scale is the distance that the bound and the best placement are to be closed
// over, as far as it is known.
func (m *minimizer) scale() float64 {
	if math.IsInf(m.result.Cost, 1) {
		return max(m.result.Bound, m.dearest/100)
	}
	return max(m.result.Bound/100, m.result.Cost-m.result.Bound)
}

// approach finds good prices for the whole: they are moved towards a limit that
// comes nearer when it turns out to be too far.
func (m *minimizer) approach() {
	m.bound(m.evaluate())
	for away := float64(0.02*m.scale()) + tinyLimit; away > max(tinyLimit*m.result.Bound, m.scale()/1e3) && m.result.Bound < m.dearest && !m.over; {
		m.limit = m.result.Bound + away
		bound := m.improve(rootEvaluations, m.enough(), rootPatience)
		switch risen := bound - m.result.Bound; {
		case bound >= m.result.Cost*(1-Rounding):
			return
		case bound >= m.limit:
			away *= 2
		case risen < away/10:
			away /= 4
		}
		m.bound(bound)
	}
}

// cheapest is what a job costs at least.
func (m *minimizer) cheapest(j int32) float64 {
	least := math.Inf(1)
	for c := m.next(j, 0); c >= 0; c = m.next(j, c+1) {
		least = min(least, m.lessCost[int(j)*m.clusters+c])
	}
	return least
}

// node goes through all that is left at a level.
func (m *minimizer) node(level, evaluations, patience int) {
	if len(m.levels) <= level {
		m.levels = append(m.levels, levelOf{price: make([]float64, m.jobs)})
	}
	if !m.narrow(level, evaluations, patience) || m.over {
		return
	}
	if m.placed == m.jobs {
		m.found(m.p, m.at)
		return
	}
	job := m.branchOn()
	l := &m.levels[level]
	l.values, l.order = m.valuesOf(job, l.values[:0]), l.order[:0]
	m.did(5 * m.jobs)
	copy(l.price, m.kept)
	for i := 0; i < len(m.levels[level].values); i++ {
		l := &m.levels[level]
		v := l.values[i]
		if v.bound >= m.enough() {
			break
		}
		m.did(2 * m.jobs)
		if m.twin(int(v.cluster), l.order) {
			continue
		}
		l.order = append(l.order, v.cluster)
		mark := len(m.log)
		copy(m.price, l.price)
		if m.put(job, int(v.cluster), 0) < 0 && m.consistent() < 0 {
			m.node(level+1, nodeEvaluations, 4)
		}
		if m.over {
			return
		}
		m.back(mark)
		if m.likewise(job, int(v.cluster), nil) >= 0 {
			return
		}
	}
}

// narrow bounds what is left and takes away what cannot be cheaper than the best
// placement. It reports false if nothing is left.
func (m *minimizer) narrow(level, evaluations, patience int) bool {
	for {
		if !m.settle() || m.dominance.dominated() {
			return false
		}
		m.costs()
		bound := m.improve(evaluations, m.enough(), patience)
		if level == 0 {
			m.bound(min(bound, m.enough())) // what costs more was taken away
		}
		if m.over || bound >= m.enough() {
			return false
		}
		before := len(m.log)
		if !m.fix() || m.consistent() >= 0 {
			return false
		}
		if m.placed == m.jobs || len(m.log)-before < 2*(1+m.jobs/20) {
			return m.settle()
		}
	}
}

// settle puts the jobs that have one cluster left. It reports false if that leaves
// one without any.
func (m *minimizer) settle() bool {
	for again := true; again; {
		again = false
		m.did(2 * m.jobs)
		for j := range int32(m.jobs) {
			if m.at[j] >= 0 || m.size[j] != 1 {
				continue
			}
			again = true
			if m.put(j, m.next(j, 0), 0) >= 0 || m.consistent() >= 0 {
				return false
			}
		}
	}
	return true
}

// fix takes away the clusters on which a job makes the bound too dear. It reports
// false if that leaves one without any, or the search has to end.
func (m *minimizer) fix() bool {
	bound := m.evaluate() // at the best prices
	slack := m.enough() - bound
	without := make([]float64, m.jobs) // what it adds that a job stands nowhere it does
	for c := range m.clusters {
		if !m.goOn() {
			return false
		}
		for i := range m.sets[c] {
			if it := &m.sets[c][i]; it.picked {
				without[it.job] += max(0, m.value[c]-m.excluding(c, i, m.value[c]-slack))
			}
		}
	}
	for c := range m.clusters {
		m.did(2 * m.jobs)
		for j := range int32(m.jobs) {
			if m.at[j] >= 0 || !m.has(j, c) {
				continue
			}
			if !m.goOn() {
				return false
			}
			if m.dearer(j, c, without[j], slack) >= slack && !m.take(j, c) {
				return false
			}
		}
	}
	return true
}

// dearer is by how much the bound rises at least when a job stands on a cluster
// and nowhere else; from slack on it need not be exact.
func (m *minimizer) dearer(j int32, c int, without, slack float64) float64 {
	m.did(20 + len(m.sets[c]))
	at := slices.IndexFunc(m.sets[c], func(i item) bool { return i.job == j })
	if at >= 0 && m.sets[c][at].picked {
		return without - max(0, m.value[c]-m.excluding(c, at, m.value[c]-slack))
	}
	profit := m.price[j] - m.lessCost[int(j)*m.clusters+c]
	rest := m.excluding2(c, at, m.rooms[c]-m.size1(j, c), m.value[c]-profit-slack+without)
	return without + m.value[c] - profit - rest
}

// excluding bounds the knapsack of a cluster without one of its items.
func (m *minimizer) excluding(c, except int, threshold float64) float64 {
	return m.excluding2(c, except, m.rooms[c], threshold)
}

func (m *minimizer) excluding2(c, except int, room, threshold float64) float64 {
	if value := m.linear(m.sets[c], except, room); value <= threshold || len(m.room) > 1 {
		return value
	}
	items := m.sets[c]
	if except >= 0 {
		m.did(2 * len(items))
		items = slices.Concat(items[:except], items[except+1:])
	}
	return m.solve(items, room, max(0, threshold))
}

// branchOn returns the job on which the relaxation is least agreed.
func (m *minimizer) branchOn() int32 {
	m.did(5 * m.jobs)
	best, least := int32(-1), math.Inf(1)
	for j := range int32(m.jobs) {
		if m.at[j] >= 0 {
			continue
		}
		key := float64(4 * m.size[j])
		if m.count[j] == 1 {
			key += 2
		}
		key -= m.open[j] / (1 + math.Abs(m.open[j]))
		if key < least {
			best, least = j, key
		}
	}
	return best
}

// valuesOf lists the clusters left to a job, by the bound of each.
func (m *minimizer) valuesOf(job int32, values []valued) []valued {
	bound := m.evaluate()
	for c := m.next(job, 0); c >= 0; c = m.next(job, c+1) {
		values = append(values, valued{int32(c), bound + m.dearerLinear(job, c)})
	}
	slices.SortFunc(values, func(a, b valued) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), cmp.Compare(a.cluster, b.cluster))
	})
	return values
}

// dearerLinear is as dearer, by linear knapsacks and without those on the job's own
// cluster.
func (m *minimizer) dearerLinear(j int32, c int) float64 {
	m.did(50 + len(m.sets[c]))
	at := slices.IndexFunc(m.sets[c], func(i item) bool { return i.job == j })
	if at >= 0 && m.sets[c][at].picked {
		return 0
	}
	profit := m.price[j] - m.lessCost[int(j)*m.clusters+c]
	return max(0, m.value[c]-profit-m.linear(m.sets[c], at, m.rooms[c]-m.size1(j, c)))
}

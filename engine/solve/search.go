package solve

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/stats"
)

// Search improves a placement step by step, by annealing at the shadow prices of
// a [Bounder]: with the price of what it takes in the cost of a job, each job by
// itself goes where it is cheapest, and the search has to bring the loads to the
// rooms at as little regret as it can. How much a load that is off its room
// counts rises in the course of a round; overload, and pairs of clusters that a
// dependency cannot span, cost more than they can save in the end.
//
// What it does next depends on the problem, the prices and the seed alone, so
// that more steps never end with a worse placement.
type Search struct {
	p *Problem
	g *neighbours

	jobs, clusters, resources int

	reduced []float64   // at [job·clusters + cluster]: a_jc + Σ price·w_jcr, +Inf where not allowed; nil if too many
	byJob   [][]float64 // by resource: amounts that are the same everywhere, else nil
	amount  [][]float64 // by resource, at [job·clusters + cluster]: other amounts, nil if too many
	room    []float64   // by cluster and resource
	value   []float64   // as above: the shadow price
	excess  []float64   // as above: what a unit too much is held to cost

	// Where a job may go, the most promising first: the clusters
	// target[first[job]:first[job+1]], with the regret of each.
	first  []int32
	target []int32
	regret []float64
	reach  []int32 // by job: how many of them are tried at the present temperature
	common []int32 // where any job may go, instead, if there are too many for a table

	cluster []int32
	member  [][]int32 // by cluster
	place   []int32   // by job: its place there
	load    []float64 // by cluster and resource
	cost    float64   // of nodes and links
	over    int       // loads over their room
	broken  int       // dependencies that cannot span their clusters
	lanes   laneLoads

	best     []int32
	bestCost float64 // +Inf without a placement

	random Random
	steps  int64 // done
	end    int64 // of what was asked for so far
	round  int   // from 0
	level  int   // within it, from 1
	left   int64 // steps of the level

	heat                       float64 // the temperature at which a round starts
	urgency                    float64 // by how much less costs count while there is no placement
	temperature, tight, strict float64 // at the present level
	window                     float64 // as above: the regret that is looked at
	block                      block
}

const (
	levels     = 64  // of temperature, in a round
	candidates = 128 // that a job has at most,
	few        = 16  // and where there are too many jobs and clusters for a table
)

// NewSearch begins a search from a placement, or an attempt at one (-1 for jobs
// that have no cluster), at the best prices of a bounder. Every job must be
// allowed somewhere.
func NewSearch(b *Bounder, start []int32, seed uint64) *Search {
	p := b.p
	s := &Search{
		p: p, g: newNeighbours(p), jobs: p.Jobs, clusters: p.Clusters, resources: len(p.Resources),
		value: slices.Clone(b.best), urgency: 1, random: Random((seed+1)*0x9e3779b97f4a7c15 | 1), bestCost: math.Inf(1),
		cluster: make([]int32, p.Jobs), place: make([]int32, p.Jobs), reach: make([]int32, p.Jobs),
		member: make([][]int32, p.Clusters),
	}
	s.amounts()
	s.targets(b)
	s.prices()
	s.lanes = newLaneLoads(p)
	s.block.taken, s.block.strains = make([][2][width]float64, s.resources), make([]strain, 2*s.resources)
	s.best = slices.Clone(start)
	for j, c := range start {
		if c < 0 {
			s.best[j] = s.target[s.first[j]]
		}
	}
	s.reset()
	return s
}

// amounts lays out what jobs take and what clusters have.
func (s *Search) amounts() {
	p := s.p
	s.room = make([]float64, s.clusters*s.resources)
	s.load = make([]float64, len(s.room))
	s.byJob, s.amount = make([][]float64, s.resources), make([][]float64, s.resources)
	for r := range p.Resources {
		m := &p.Resources[r].Amount
		switch {
		case m.byJob() != nil:
			s.byJob[r] = m.byJob()
		case s.jobs*s.clusters <= denseCells:
			s.amount[r] = m.Dense(s.jobs, s.clusters)
		}
		whole := m.Whole(s.jobs)
		for c, capacity := range p.Resources[r].Capacity {
			s.room[c*s.resources+r] = RoomOf(capacity, whole)
		}
	}
}

// RoomOf is how far a capacity can be filled: sums that are not exact keep off it.
func RoomOf(capacity float64, exact bool) float64 {
	if exact {
		return capacity
	}
	return capacity * (1 - tolerance)
}

// Whole reports whether all figures are whole, and sums of so many exact.
func (m *Matrix) Whole(jobs int) bool {
	largest := 0.0
	most := func(figures []float64) float64 {
		high := 0.0
		for _, v := range figures {
			high = max(high, v)
			if v != math.Trunc(v) {
				high = math.Inf(1)
			}
		}
		return high
	}
	if m.Cells != nil {
		largest = most(m.Cells)
	}
	for _, t := range m.Terms {
		product := 1.0
		for _, factor := range [2][]float64{t.ByJob, t.ByCluster} {
			if factor != nil {
				product *= most(factor)
			}
		}
		largest += product
	}
	return largest*float64(jobs) < 1<<53
}

// targets ranks the clusters for each job by what they cost at shadow prices.
func (s *Search) targets(b *Bounder) {
	type option struct {
		cluster int32
		cost    float64
	}
	if s.jobs*s.clusters <= denseCells {
		s.reduced = make([]float64, s.jobs*s.clusters)
		for at := range s.reduced {
			s.reduced[at] = s.reducedAt(int32(at/s.clusters), int32(at%s.clusters))
		}
	}
	kept := few
	if s.reduced != nil {
		kept = candidates
	}
	kept = min(kept, s.clusters)
	best := make([]option, s.jobs*kept)
	count := make([]int, s.jobs)
	regret := make([]float64, s.clusters) // in all
	for c := range s.clusters {
		for j, cost := range b.priced(c, b.best) {
			regret[c] += min(cost, math.MaxFloat64/float64(s.jobs))
			row := best[j*kept : (j+1)*kept]
			at := count[j]
			if math.IsInf(cost, 1) || at == kept && cost >= row[at-1].cost {
				continue
			}
			count[j] = min(at+1, kept)
			for at = min(at, kept-1); at > 0 && row[at-1].cost > cost; at-- {
				row[at] = row[at-1]
			}
			row[at] = option{int32(c), cost}
		}
	}
	if s.reduced == nil {
		s.common = s.useful(regret)
	}
	s.first = make([]int32, 1, s.jobs+1)
	for j := range s.jobs {
		row := best[j*kept:][:count[j]]
		for _, o := range row {
			s.target = append(s.target, o.cluster)
			s.regret = append(s.regret, o.cost-row[0].cost)
		}
		s.first = append(s.first, int32(len(s.target)))
	}
}

// useful returns the clusters that are regretted least, until they have half as
// much again as the jobs take of each resource.
func (s *Search) useful(regret []float64) []int32 {
	order := make([]int32, s.clusters)
	for c := range order {
		order[c] = int32(c)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(regret[a], regret[b]) })
	enough := min(candidates, s.clusters)
	for r := range s.resources {
		var wanted float64
		for j := range s.jobs {
			wanted += float64(1.5 * s.take(r, int32(j), order[0]))
		}
		n := 0
		for ; n < len(order) && wanted > 0; n++ {
			wanted -= s.room[int(order[n])*s.resources+r]
		}
		enough = max(enough, n)
	}
	return order[:enough]
}

// prices sets how much overload counts, and the heat: what is at stake when one
// job moves.
func (s *Search) prices() {
	var regret, count, price float64
	for j := range s.jobs {
		for _, v := range s.regret[s.first[j]:min(s.first[j]+8, s.first[j+1])] {
			regret += v
			count++
		}
	}
	for k, d := range s.p.Dependencies {
		a, b := s.target[s.first[d.A]], s.target[s.first[d.B]]
		if a == b {
			b = s.target[min(s.first[d.B]+1, s.first[d.B+1]-1)]
		}
		if cost := s.p.PairCost(k, int(a), int(b)); !math.IsInf(cost, 1) {
			price += cost
		}
	}
	price /= max(1, float64(len(s.p.Dependencies)))
	s.heat = float64(regret/max(1, count)/4) + float64(2*price)
	s.heat = cmp.Or(s.heat, 1)
	s.excess = make([]float64, len(s.room))
	for r := range s.resources {
		var sum, count, amount float64
		for at := r; at < len(s.value); at += s.resources {
			if s.value[at] > 0 {
				sum += s.value[at]
				count++
			}
		}
		for j := range s.jobs {
			amount += s.take(r, int32(j), s.target[s.first[j]])
		}
		least := 0.0
		if amount > 0 {
			least = s.heat * float64(s.jobs) / amount
		}
		for at := r; at < len(s.value); at += s.resources {
			s.excess[at] = s.value[at] + max(sum/max(1, count), least)
		}
	}
}

// reducedAt is what a job costs on a cluster at the shadow prices.
func (s *Search) reducedAt(j, c int32) float64 {
	if !s.p.Allowed(int(j), int(c)) {
		return math.Inf(1)
	}
	cost := s.p.NodeCost(int(j), int(c))
	for r := range s.resources {
		cost += float64(s.value[int(c)*s.resources+r] * s.p.Amount(r, int(j), int(c)))
	}
	return cost
}

func (s *Search) costAt(j, c int32) float64 {
	if s.reduced != nil {
		return s.reduced[int(j)*s.clusters+int(c)]
	}
	return s.reducedAt(j, c)
}

func (s *Search) take(r int, j, c int32) float64 {
	switch {
	case s.byJob[r] != nil:
		return s.byJob[r][j]
	case s.amount[r] != nil:
		return s.amount[r][int(j)*s.clusters+int(c)]
	}
	return s.p.Amount(r, int(j), int(c))
}

// reset goes back to the best placement, or to where the search began.
func (s *Search) reset() {
	for c := range s.member {
		s.member[c] = s.member[c][:0]
	}
	for j, c := range s.best {
		s.cluster[j] = c
		s.place[j] = int32(len(s.member[c]))
		s.member[c] = append(s.member[c], int32(j))
	}
	s.recount()
	s.remember()
}

// recount works out from scratch what moves keep up to date.
func (s *Search) recount() {
	clear(s.load)
	s.cost, s.over, s.broken = 0, 0, 0
	for j, c := range s.cluster {
		s.cost += s.p.NodeCost(j, int(c))
		for r := range s.resources {
			s.load[int(c)*s.resources+r] += s.take(r, int32(j), c)
		}
	}
	for at, load := range s.load {
		if load > s.room[at] {
			s.over++
		}
	}
	s.lanes.clear()
	for k, d := range s.p.Dependencies {
		a, b := s.cluster[d.A], s.cluster[d.B]
		if cost := s.p.PairCost(k, int(a), int(b)); math.IsInf(cost, 1) {
			s.broken++
		} else {
			s.cost += cost
		}
		s.lanes.add(k, a, b, 1)
	}
}

// remember keeps a placement that is better than the best.
func (s *Search) remember() {
	if s.over+s.broken+s.lanes.over == 0 && (math.IsInf(s.bestCost, 1) || s.cost < float64(s.bestCost*(1-1e-10))) {
		s.bestCost = s.cost
		copy(s.best, s.cluster)
	}
}

// put takes a job to a cluster, links aside.
func (s *Search) put(j, to int32) {
	from := s.cluster[j]
	s.cost += s.costAt(j, to) - s.costAt(j, from)
	for r := range s.resources {
		s.shift(int(from)*s.resources+r, -s.take(r, j, from))
		s.shift(int(to)*s.resources+r, s.take(r, j, to))
	}
	s.cluster[j] = to
	m := s.member[from]
	last := m[len(m)-1]
	m[s.place[j]], s.place[last] = last, s.place[j]
	s.member[from] = m[:len(m)-1]
	s.place[j] = int32(len(s.member[to]))
	s.member[to] = append(s.member[to], j)
}

// shift changes a load.
func (s *Search) shift(at int, by float64) {
	s.cost -= float64(s.value[at] * by)
	if s.load[at] > s.room[at] {
		s.over--
	}
	s.load[at] += by
	if s.load[at] > s.room[at] {
		s.over++
	}
}

// Run makes a number of steps: in one, some ways to share jobs between two
// clusters are compared.
func (s *Search) Run(steps int64) {
	s.end += steps
	for s.steps < s.end {
		if s.left <= 0 {
			s.cool()
		}
		before := s.steps
		s.turn()
		s.left -= s.steps - before
	}
}

// turn tries to take a job somewhere promising or, one time in eight, to one of
// those that it depends on.
func (s *Search) turn() {
	s.steps++
	x := s.random.Next()
	j := int32(x & math.MaxUint32 * uint64(s.jobs) >> 32)
	kind, x := x>>32&7, x>>35
	var to int32
	if s.common != nil {
		to = s.common[x*uint64(len(s.common))>>29]
	} else {
		to = s.target[s.first[j]+int32(x*uint64(s.reach[j])>>29)]
	}
	if lo, hi := s.g.start[j], s.g.start[j+1]; kind == 0 && lo < hi {
		to = s.cluster[s.g.job[lo+int32(x*uint64(hi-lo)>>29)]]
	}
	if to != s.cluster[j] && s.costAt(j, to) <= math.MaxFloat64 {
		s.steps += s.share(j, to)
	}
}

// cool begins the next level of temperature, and after the last one the next
// round.
func (s *Search) cool() {
	if s.level == levels {
		s.level = 0
		s.round++
		s.urgency = 1
		if math.IsInf(s.bestCost, 1) {
			s.urgency = float64(int(1) << min(s.round, 20))
		}
	}
	if s.level == 0 && !math.IsInf(s.bestCost, 1) {
		s.reset()
	} else {
		s.recount()
	}
	r := s.plan()
	f := float64(s.level) / (levels - 1)
	s.temperature = geometric(s.heat*r.from, s.heat*r.to, f) * s.urgency
	s.tight = geometric(r.tight, 1, f)
	s.strict = s.tight * geometric(1, 64, f) * s.urgency
	s.window = float64(6*s.temperature) + s.heat
	s.left = max(1, r.steps/levels)
	s.level++
	for j := range s.reach {
		lo, hi := s.first[j], s.first[j+1]
		n := lo
		for n < hi && s.regret[n] <= s.window {
			n++
		}
		s.reach[j] = max(n-lo, min(2, hi-lo))
	}
}

// plan is how a round goes: the temperatures that it begins and ends with, in
// relation to the heat, how much a load off its room counts at first, and how many
// steps there are.
type plan struct {
	from, to, tight float64
	steps           int64
}

// plan returns the plan of the present round: a short one first, then longer ones
// that loosen the best placement and pull it tight again. Links are settled by
// cooling; without them, loads are, and what is tight needs warmth to move: most
// rounds warm up.
func (s *Search) plan() plan {
	moves := Unit(s.jobs, s.clusters)
	switch {
	case s.round > 0 && math.IsInf(s.bestCost, 1):
		return plan{1, 0.1, 0.02, moves}
	case s.round > 0:
		moves *= 4
	}
	if len(s.p.Dependencies) == 0 && s.round%4 > 0 {
		return plan{0.2, 0.5, 0.02, moves}
	}
	return plan{0.3, 0.05, 0.05, moves}
}

// Unit is how many steps suit the size of a problem: those of a first round.
func Unit(jobs, clusters int) int64 {
	return 1 + int64(jobs)*int64(min(3500, 100*clusters))
}

// geometric goes from a to b as f goes from 0 to 1.
func geometric(a, b, f float64) float64 { return a * stats.Exp2(f*stats.Log2(b/a)) }

// Offer gives the search a placement to go on from, if it is better than the best
// one and no more than that changes: it takes it up when it next cools down.
func (s *Search) Offer(cluster []int32, cost float64) {
	if cost < float64(s.bestCost*(1-1e-10)) || math.IsInf(s.bestCost, 1) {
		s.bestCost = cost
		copy(s.best, cluster)
	}
}

// Best returns the best placement and what it costs, nil before there is one.
func (s *Search) Best() (cluster []int32, cost float64) {
	if math.IsInf(s.bestCost, 1) {
		return nil, s.bestCost
	}
	return s.best, s.bestCost
}

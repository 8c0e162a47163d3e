package improve

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/stats"
)

// walking anneals through states, round after round. Each round starts at the best placement of its
// lineage. The penalty of a kind of constraint rises while some are violated, and falls while all
// are satisfied.
//
// If pairs of clusters bind, a step moves one job, moves two jobs that depend on each other, or
// exchanges two. Otherwise, it redistributes jobs between two clusters at the shadow prices of a
// [solve.Bounder]. At these prices, each job alone goes to its cheapest cluster, and the walk fits
// the loads to the capacities at little extra cost. In the course of a round, free capacity is
// charged an increasing fraction of its price, until the energy is the cost plus the penalties.
type walking struct {
	*state
	contest
	binding bool

	rounds, level int
	end           int64 // value of work at which the level ends
	plan          plan
	heat          float64 // typical change of cost when one job moves
	temperature   float64
	window        float64   // largest extra cost of jobs that are redistributed
	reach         [][]int32 // by job: the clusters within the window

	penalties []float64 // by kind: pairs, rooms by resource, counters
	looks     int       // number of looks since penalties last changed
	offences  []int     // by kind: number of looks at which it was violated
}

// plan is the course of a round.
type plan struct {
	hot, cold float64 // first and last temperature, in heats
	free      float64 // fraction of its price that free capacity costs at the start
	work      int64
}

// lineages is the number of lineages if pairs of clusters bind.
const lineages = 16

// levels is the number of temperature levels in a round.
const levels = 64

func newWalking(s *state, start []int32, binding bool) *walking {
	x := &walking{state: s, binding: binding, reach: s.allowed}
	x.first, x.size = start, 1
	if binding {
		x.size = lineages
	}
	if s.tables() {
		x.reach = make([][]int32, s.jobs)
	}
	x.penalties = make([]float64, 1+s.resources+len(s.counters))
	x.offences = make([]int, len(x.penalties))
	return x
}

func (x *walking) share(s *Search) int64 {
	if !s.placed() && x.tables() {
		return 0
	}
	return turn(x.jobs)
}

func (x *walking) run(s *Search, steps int64) int64 {
	if x.rounds == 0 {
		x.prepare(s)
	}
	before := x.work
	for x.work-before < steps*stepWork {
		for x.work >= x.end {
			x.cool(s)
		}
		for range 10 {
			if x.step() {
				x.present(s)
			}
		}
		x.look()
	}
	return (x.work - before) / stepWork
}

// prepare sets the shadow prices and the heat.
func (x *walking) prepare(s *Search) {
	for at := range x.value {
		if !x.binding {
			x.value[at] = s.bounder.Price(at/x.resources, at%x.resources)
		}
	}
	if x.heat = max(x.regret(), x.link); !x.binding {
		x.heat = float64(x.regret()/4) + float64(2*x.link)
	}
	x.heat = cmp.Or(x.heat, 1)
	fill(x.penalties, x.heat)
}

// regret returns the mean extra cost, at the shadow prices, of a job's next-cheapest clusters
// relative to its cheapest.
func (s *state) regret() (regret float64) {
	const few = 8
	var count float64
	cost := make([]float64, 0, s.clusters)
	for j := 0; j < s.jobs; j += 1 + s.jobs/sampledJobs {
		cost = cost[:0]
		for _, c := range s.allowed[j] {
			cost = append(cost, s.node(int32(j), c)+s.levy(int32(j), c))
		}
		slices.Sort(cost)
		for _, v := range cost[:min(few, len(cost))] {
			regret += v - cost[0]
			count++
		}
	}
	return regret / max(1, count)
}

// again repairs the last placement of a round and starts the next round.
func (x *walking) again(s *Search) {
	if x.rounds > 0 && x.tables() {
		x.repair(x.cluster)
		for range repairSteps * x.jobs {
			if !x.mend() {
				x.line().keep(x.cluster, x.total)
				s.take(x.cluster)
				break
			}
		}
	}
	x.contest.next(s.best, s.cost)
	x.plan = x.course()
	x.rounds++
	x.level = 0
	x.begin(x.line().best)
	x.worth = 1
}

// course returns the plan of the next round.
func (x *walking) course() plan {
	work := round(x.jobs, x.clusters) * stepWork
	if x.rounds > 0 {
		work *= 4
	}
	if x.binding {
		hot := 0.2
		if x.line().cost > math.MaxFloat64 { // hot enough to move jobs to other regions
			hot = 0.5
		}
		return plan{hot, 1. / 30, 1, 100_000 * int64(x.jobs) * x.length}
	}
	if len(x.p.Dependencies) == 0 && x.rounds%4 > 0 { // tight loads need a higher temperature to move
		return plan{0.2, 0.5, 0.02, work}
	}
	return plan{0.3, 0.05, 0.05, work}
}

// cool starts the next level, or the next round.
func (x *walking) cool(s *Search) {
	if x.level == levels || x.rounds == 0 {
		x.again(s)
	}
	f := float64(x.level) / (levels - 1)
	x.level++
	x.end = x.work + x.plan.work/levels
	x.temperature = float64(x.heat * geometric(x.plan.hot, x.plan.cold, f))
	x.window = float64(6*x.temperature) + x.heat
	free := geometric(x.plan.free, 1, f)
	for at, value := range x.value {
		x.slack[at] = float64(free * value)
	}
	x.penalise()
	if !x.binding && x.tables() {
		x.limit()
	}
}

// geometric interpolates geometrically from a (f = 0) to b (f = 1).
func geometric(a, b, f float64) float64 { return a * stats.Exp2(f*stats.Log2(b/a)) }

// limit sets reach to the clusters within the window of each job's cheapest one.
func (x *walking) limit() {
	for j := range int32(x.jobs) {
		least := math.Inf(1)
		for _, c := range x.allowed[j] {
			least = min(least, x.paid(j, c))
		}
		x.reach[j] = x.reach[j][:0]
		for _, c := range x.allowed[j] {
			if x.paid(j, c) <= least+x.window {
				x.reach[j] = append(x.reach[j], c)
			}
		}
	}
	x.work += 4 * int64(len(x.pay))
}

// step draws a move or none, with the probabilities that the energies imply at the temperature. It
// returns whether a job has moved.
func (x *walking) step() bool {
	j, kind, near := int32(x.random.below(x.jobs)), x.random.below(16), int32(-1)
	if lo, hi := x.start[j], x.start[j+1]; lo < hi {
		near = x.neighbour[lo+int32(x.random.below(int(hi-lo)))]
	}
	if !x.binding {
		to := x.reach[j][x.random.below(len(x.reach[j]))]
		if kind < 2 && near >= 0 {
			to = x.cluster[near]
		}
		x.work += 20
		return to != x.cluster[j] && x.node(j, to) <= math.MaxFloat64 && x.shareOut(j, to, x.window, x.temperature)
	}
	x.seek(-float64(x.temperature*gumbel[x.random.next()>>52]), x.temperature)
	switch {
	case kind < 3:
		x.swaps(j)
	case kind < 6 && near >= 0:
		x.together(j, near)
	default:
		x.alone(j)
	}
	if x.found.j < 0 {
		return false
	}
	x.apply(x.found)
	return true
}

// gumbel has quantiles of the Gumbel distribution. The move that minimizes its energy minus this
// noise is distributed as a Boltzmann distribution at temperature 1 (the Gumbel-max trick;
// Maddison, Tarlow, Minka 2014).
var gumbel = func() (q [4096]float64) {
	for i := range q {
		q[i] = -stats.Log(-stats.Log((float64(i) + 0.5) / float64(len(q))))
	}
	return q
}()

// present keeps a placement that is better than the best of the lineage, or of the search.
func (x *walking) present(s *Search) {
	if line := x.line(); x.total < float64(line.cost*(1-1e-10)) && x.keeps() {
		line.keep(x.cluster, x.total)
		if x.total < float64(s.cost*(1-1e-10)) {
			node, link := x.p.Costs(x.cluster)
			x.total = node + link // removes the rounding errors of many moves
			s.take(x.cluster)
			x.work += 20 * int64(x.jobs)
		}
	}
}

// look records which kinds of constraints are violated. After some looks, it raises the penalty of
// kinds that were violated most of the time and lowers the penalty of kinds that were mostly
// satisfied.
func (x *walking) look() {
	for kind := range x.offences {
		if x.offends(kind) {
			x.offences[kind]++
		}
	}
	const enough, factor = 8, 1.1
	if x.looks++; x.looks < enough {
		return
	}
	for kind, broken := range x.offences {
		switch {
		case 4*broken > 3*enough:
			x.penalties[kind] *= factor
		case 2*broken < enough:
			x.penalties[kind] /= factor
		}
		// The maximum exceeds the saving of any violated dependency, even of a job with many.
		x.penalties[kind] = min(max(x.penalties[kind], x.heat/100), 1000*x.heat)
	}
	x.looks = 0
	clear(x.offences)
	x.penalise()
}

// offends reports whether a constraint of a kind is violated.
func (x *walking) offends(kind int) bool {
	switch q := kind - 1; {
	case q < 0:
		return len(x.broken.all) > 0
	case q < x.resources:
		return slices.ContainsFunc(x.full.all, func(at int32) bool { return int(at)%x.resources == q })
	default:
		return x.counters[q-x.resources].excess() > 0
	}
}

// penalise sets the penalties of all constraints from the penalties of their kinds.
func (x *walking) penalise() {
	x.pair = x.penalties[0]
	for at := range x.price {
		x.price[at] = x.penalties[1+at%x.resources]
	}
	copy(x.toll, x.penalties[1+x.resources:])
}

package exact

import (
	"math"
	"slices"

	"berth/engine/solve"
)

// pairs combines the bound of a network with the knapsacks of the clusters: the price that a job
// pays on a cluster in the network is its profit in the knapsack there (Lagrangian decomposition,
// Guignard and Kim 1987). For any prices, the bound of the network minus the value of the knapsacks
// is a bound.
type pairs struct {
	*network
	direction []float64   // by job and cluster: smoothed subgradient of pay
	choice    []int32     // by job: its cheapest cluster
	crowd     [][]float64 // by resource, job and cluster: smoothed subgradient of press
	best      [][]float64 // the prices of the best bound
	swept     int         // number of placed jobs at the last fix, -1 if the prices have changed since
	rest      float64     // value of the knapsacks at the last fix, plus the rounding error
	fresh     bool        // nothing has been improved yet
	sum       float64     // of the least costs of the jobs
}

func newPairs(x *relaxation) *pairs {
	n := newNetwork(x)
	x.allowed = pairNodes
	x.all = append([][]float64{n.pay, n.moved[0], n.moved[1]}, n.press...)
	return &pairs{
		network: n, direction: make([]float64, len(n.pay)), choice: make([]int32, x.jobs),
		crowd: copies(n.press), best: copies(x.all),
	}
}

func copies(all [][]float64) (copied [][]float64) {
	for _, of := range all {
		copied = append(copied, slices.Clone(of))
	}
	return copied
}

// looking is the work of a sweep in addition to improving the network.
type looking int

const (
	nothing looking = iota
	choosing
	fixing
)

// begin derives the prices of jobs from the bound of package solve.
func (x *pairs) begin() {
	x.fresh = true
	b := solve.NewBounder(x.p)
	for range firstSteps {
		if b.Settled() {
			break
		}
		b.Step()
	}
	x.did(firstSteps * len(x.cost) * 2)
	for at := range x.pay {
		for r := range x.amount {
			x.pay[at] += float64(b.Price(at%x.clusters, r) * x.amount[r][at])
		}
		x.price[at/x.clusters] = 0
	}
}

const firstSteps = 200

// sweep visits all jobs, in order or in reverse, and sums their least costs. It returns false if a
// job has no cluster left.
func (x *pairs) sweep(from side, look looking, slack float64) bool {
	x.sum = 0
	before := 0.0
	if look == fixing {
		for _, v := range x.lowest {
			before += v
		}
	}
	for i := range x.order {
		j := x.order[i]
		if from == after {
			j = x.order[len(x.order)-1-i]
		}
		old := x.lowest[j]
		if !x.collect(j, from) {
			return false
		}
		switch look {
		case choosing:
			x.choose(j)
		case fixing:
			before += x.lowest[j] - old
			if x.at[j] < 0 && !x.strike(j, before, slack) {
				return false
			}
		}
		x.hand(j, from)
		x.sum += x.lowest[j]
	}
	return true
}

// choose records the cheapest cluster of the current job.
func (x *pairs) choose(j int32) {
	least := math.Inf(1)
	for _, c := range x.list {
		if v := x.unary[c]; v < least {
			x.choice[j], least = c, v
		}
	}
}

// strike removes the clusters on which the current job would raise the bound to enough. It returns
// false if none is left.
func (x *pairs) strike(j int32, sum, enough float64) bool {
	for _, c := range x.list {
		if sum+x.unary[c]+x.dearerLinear(j, int(c)) >= enough && !x.take(j, int(c)) {
			return false
		}
	}
	return true
}

// evaluate returns the bound at the current prices, after a sweep forward and one back.
func (x *pairs) evaluate() float64 {
	x.swept = -1
	if !x.sweep(before, nothing, 0) || !x.sweep(after, choosing, 0) {
		return math.Inf(1)
	}
	worth := x.knapsacks()
	return x.sum - worth - x.slip(worth)
}

// slip returns the rounding error of a bound with knapsacks of this value.
func (x *pairs) slip(worth float64) float64 {
	return float64(worth*1e-13*float64(10+x.clusters)) + float64(x.slips*x.scale)
}

// knapsacks returns the value of the knapsacks of all clusters.
func (x *pairs) knapsacks() (worth float64) {
	for at, v := range x.pay {
		x.lessCost[at] = -v
	}
	for c := range x.clusters {
		x.fillItems(c)
		x.value[c] = x.solveCluster(c, x.sets[c], x.rooms[c], 0)
		for i := range x.sets[c] {
			x.sets[c][i].picked = x.knapsack.best[i]
		}
		worth += x.value[c]
	}
	return worth
}

const (
	hoped           = 0.4  // fraction of the gap to enough that one step at a node is expected to close
	pairEvaluations = 100  // per node
	pairPatience    = 6    // per node
	betweenChecks   = 6    // evaluations at a node between two checks
	leastRise       = 8    // a check expects at least 1/leastRise of the gap to enough to be closed
	pairNodes       = 1000 // limit on the nodes of one knapsack
)

// improve moves the prices along subgradients, with a step length that assumes the bound can rise
// to a certain level.
func (x *pairs) improve(evaluations int, enough float64, patience int) float64 {
	best, start := math.Inf(-1), math.Inf(-1)
	since := 0
	x.halt()
	level := 0.0
	for n := range evaluations {
		bound := x.evaluate()
		if n == 0 {
			start = bound
			level = hoped * (enough - bound)
			if x.fresh || math.IsInf(enough, 1) {
				level = 0.02 * math.Abs(bound)
			}
			x.fresh = false
		}
		x.rounds++
		since++
		if bound > best {
			if bound > best+float64(level/4) {
				since = 0
				level *= 1.5
			}
			best = bound
			x.transfer(x.best, x.all)
		}
		if best >= enough || !x.goOn() {
			break
		}
		if evaluations <= pairEvaluations && n%betweenChecks == betweenChecks-1 {
			if best-start < (enough-best)/leastRise {
				break // the bound will not reach enough
			}
			start = best
		}
		if since > patience {
			since, level = 0, level/2
			x.transfer(x.all, x.best)
			x.halt()
			if level < 1e-6*math.Abs(best) {
				break
			}
		}
		if !x.move(best + level - bound) {
			break
		}
	}
	if !math.IsInf(best, 0) {
		x.transfer(x.all, x.best)
	}
	return best
}

func (x *pairs) prices() [][]float64 { return x.all }

func (x *pairs) atNode(bool) (evaluations, patience int) { return pairEvaluations, pairPatience }

// agreed is the squared norm of the subgradient below which jobs and knapsacks agree. mostPaid
// limits prices, because larger prices would magnify rounding errors.
const agreed, mostPaid = 1e-6, 1e12

// move changes the prices so that the bound would rise by the given amount. It returns false if
// jobs and knapsacks agree.
func (x *pairs) move(by float64) bool {
	for i := range x.direction {
		x.direction[i] *= 0.7
	}
	for j, c := range x.choice {
		if x.at[j] < 0 {
			x.direction[j*x.clusters+int(c)]++
		}
	}
	for c := range x.sets {
		for i := range x.sets[c] {
			if it := &x.sets[c][i]; it.picked {
				x.direction[int(it.job)*x.clusters+c]--
			}
		}
	}
	norm := x.crowded()
	for i, g := range x.direction {
		if x.pay[i] == 0 && g < 0 {
			g, x.direction[i] = 0, 0
		}
		norm += float64(g * g)
	}
	if norm < agreed {
		return false
	}
	step := by / norm
	for r, crowd := range x.crowd {
		for i, g := range crowd {
			if g != 0 {
				x.press[r][i] = min(mostPaid, max(0, x.press[r][i]+float64(step*g)))
			}
		}
	}
	for i, g := range x.direction {
		if g != 0 {
			x.pay[i] = min(mostPaid, max(0, x.pay[i]+float64(step*g)))
		}
	}
	x.did(5 * len(x.pay))
	return true
}

// crowded updates the subgradient of press from the capacity that neighbours take next to each job,
// and returns its squared norm.
func (x *pairs) crowded() (norm float64) {
	for r, crowd := range x.crowd {
		for i := range crowd {
			crowd[i] *= 0.7
		}
		part := x.part[r]
		for j, c := range x.choice {
			at := j*x.clusters + int(c)
			sum := max(0, 1-part[at])
			for i := x.start[j]; i < x.start[j+1]; i++ {
				other := x.neighbour[i]
				if x.choice[other] == c && x.first[x.dependency[i]] {
					sum -= part[int(other)*x.clusters+int(c)]
				}
			}
			crowd[at] -= sum
		}
		for i, g := range crowd {
			if x.press[r][i] == 0 && g < 0 {
				g, crowd[i] = 0, 0
			}
			norm += float64(g * g)
		}
		x.did(4*len(crowd) + 4*len(x.neighbour))
	}
	return norm
}

func (x *pairs) halt() {
	clear(x.direction)
	for _, crowd := range x.crowd {
		clear(crowd)
	}
}

// fix removes the clusters on which a job would raise the bound to enough.
func (x *pairs) fix(enough float64) bool {
	if !x.sweep(before, nothing, 0) {
		return false
	}
	worth := x.knapsacks()
	x.rest = worth + x.slip(worth)
	x.swept = x.placed
	return x.sweep(after, fixing, enough+x.rest)
}

// branchOn returns the job with the fewest remaining clusters relative to its number of unplaced
// neighbours.
func (x *pairs) branchOn() int32 {
	best, least := int32(-1), math.Inf(1)
	x.did(5*x.jobs + 4*len(x.neighbour))
	for j := range int32(x.jobs) {
		if x.at[j] >= 0 {
			continue
		}
		free := 0
		for _, other := range x.neighbour[x.start[j]:x.start[j+1]] {
			if x.at[other] < 0 {
				free++
			}
		}
		key := float64(x.size[j]) / float64(1+free)
		if key < least {
			best, least = j, key
		}
	}
	return best
}

func (x *pairs) valuesOf(job int32, values []valued) []valued {
	if x.swept != x.placed { // otherwise the sweep of fix is still valid
		if !x.sweep(before, nothing, 0) || !x.sweep(after, nothing, 0) {
			return values
		}
		worth := x.knapsacks()
		x.rest = worth + x.slip(worth)
	}
	sum := x.sum - x.lowest[job]
	if !x.collect(job, both) {
		return values
	}
	sum += x.lowest[job] - x.rest
	for _, c := range x.list {
		values = append(values, valued{c, sum + x.unary[c] + x.dearerLinear(job, int(c))})
	}
	return ascending(values)
}

package exact

import (
	"math"
	"math/bits"
	"slices"

	"berth/engine/solve"
)

// relaxation lets each job use any number of clusters, and charges a price for each cluster more or
// less than one. This leaves a knapsack for each cluster. The sum of prices minus the values of the
// knapsacks is a bound for any prices.
type relaxation struct {
	*state
	price, direction []float64   // by job
	all              [][]float64 // the prices that children start from
	kept             []float64   // the prices of the best bound
	count            []int32     // by job: number of clusters that picked it
	lessCost         []float64   // by job and cluster: lower bound of the cost of an unplaced job there, with all links
	leg              []float64   // by cluster: its share of the price of each of its links; see [solve.Problem.Legs]
	least            []float64   // scratch of smallest
	heaviest         float64     // largest total weight of dependencies between two jobs
	unit             float64     // greatest common divisor of all amounts of the only resource; 0 if there is none

	sets   [][]item  // by cluster, at the last evaluated prices
	rooms  []float64 // by cluster: capacity of its knapsack
	value  []float64 // by cluster
	rounds int       // evaluations in improve
	room1  []float64 // by resource: free capacity of the current cluster
	here   int       // the current cluster
	knapsack

	// A knapsack combines several resources into one, in a blend that makes the bound as tight as
	// possible (surrogate relaxation, Glover 1968).
	blend blend
}

func newRelaxation(s *state) *relaxation {
	x := &relaxation{
		state: s, price: make([]float64, s.jobs), direction: make([]float64, s.jobs), kept: make([]float64, s.jobs),
		count: make([]int32, s.jobs), lessCost: make([]float64, len(s.cost)), leg: legs(s),
		sets: make([][]item, s.clusters), rooms: make([]float64, s.clusters), value: make([]float64, s.clusters),
		room1: make([]float64, len(s.room)),
	}
	x.all = [][]float64{x.price}
	x.effort, x.allowed = &s.meter, mostNodes
	if len(s.room) > 1 {
		x.fits, x.pick = x.fitsHere, x.pickHere
	}
	x.blend = newBlend(s)
	s.did(10*len(s.cost) + len(s.p.Links.Pair))
	if len(s.amount) == 1 {
		x.unit = solve.Divisor(s.amount[0])
	}
	between := map[[2]int32]float64{}
	for _, d := range s.p.Dependencies {
		ends := [2]int32{min(d.A, d.B), max(d.A, d.B)}
		between[ends] += d.Weight
		x.heaviest = max(x.heaviest, between[ends])
	}
	return x
}

// legs returns the leg of each cluster, 0 where links are free or missing.
func legs(s *state) []float64 {
	own := make([]float64, s.clusters)
	for c, leg := range s.p.Legs() {
		if !math.IsInf(leg, 1) {
			own[c] = leg
		}
	}
	return own
}

// begin sets the price of each job to its least cost.
func (x *relaxation) begin() {
	x.costs()
	for j := range int32(x.jobs) {
		least := math.Inf(1)
		for c := x.next(j, 0); c >= 0; c = x.next(j, c+1) {
			least = min(least, x.lessCost[int(j)*x.clusters+c])
		}
		x.price[j] = least
	}
}

func (x *relaxation) prices() [][]float64 { return x.all }

func (x *relaxation) atNode(root bool) (evaluations, patience int) {
	if root {
		return rootEvaluations, 6
	}
	return nodeEvaluations, 4
}

// costs updates the least costs of the unplaced jobs. They include the links to placed jobs, and a
// leg for each other dependency, except for as many jobs as could share the cluster.
func (x *relaxation) costs() {
	smallest := x.smallest()
	for j := range int32(x.jobs) {
		if x.at[j] >= 0 {
			continue
		}
		x.did(x.words + x.costOfRow(j))
		for c := x.next(j, 0); c >= 0; c = x.next(j, c+1) {
			cell := int(j)*x.clusters + c
			x.lessCost[cell] = x.row[cell]
			if x.open[j] <= 0 || x.leg[c] == 0 {
				continue
			}
			beside := math.Inf(1)
			if len(x.room) > 0 {
				beside = fitting(smallest, x.room[0][c]-x.amount[0][cell])
			}
			if apart := x.open[j] - float64(x.heaviest*beside); apart > 0 {
				x.lessCost[cell] += float64(x.leg[c] * apart)
			}
		}
	}
}

// costOfRow returns the work, in units of the meter, that updating the costs of a job takes.
func (x *relaxation) costOfRow(j int32) int {
	if x.open[j] <= 0 {
		return 5 * int(x.size[j])
	}
	return int(x.size[j]) * (10 + 5*bits.Len(uint(x.jobs)))
}

// smallest returns the prefix sums of the unplaced jobs' least amounts of the first resource, in
// ascending order.
func (x *relaxation) smallest() []float64 {
	if len(x.room) == 0 || len(x.p.Dependencies) == 0 {
		return nil
	}
	sums := x.least[:0]
	x.did(10 * x.jobs * bits.Len(uint(x.jobs)))
	for j := range int32(x.jobs) {
		if x.at[j] >= 0 {
			continue
		}
		x.did(x.words + 5*int(x.size[j]))
		least := math.Inf(1)
		for c := x.next(j, 0); c >= 0; c = x.next(j, c+1) {
			least = min(least, x.amount[0][int(j)*x.clusters+c])
		}
		sums = append(sums, least)
	}
	slices.Sort(sums)
	for i := 1; i < len(sums); i++ {
		sums[i] += sums[i-1]
	}
	x.least = sums
	return sums
}

// fitting returns how many of some amounts fit, given their prefix sums.
func fitting(sums []float64, room float64) float64 {
	at, _ := slices.BinarySearchFunc(sums, room*(1+1e-12), func(sum, room float64) int {
		if sum <= room {
			return -1 // also if sums are equal: further amounts of 0 fit
		}
		return 1
	})
	return float64(at)
}

// evaluate returns the bound at the current prices and counts the clusters that pick each job.
func (x *relaxation) evaluate() float64 {
	bound, all := x.total, math.Abs(x.total)
	clear(x.count)
	x.did(3 * x.jobs)
	for j, price := range x.price {
		if x.at[j] < 0 {
			bound += price
			all += math.Abs(price)
		}
	}
	for c := range x.clusters {
		x.fillItems(c)
		x.value[c] = x.solveCluster(c, x.sets[c], x.rooms[c], 0)
		for i := range x.sets[c] {
			item := &x.sets[c][i]
			item.picked = x.best[i]
			if item.picked {
				x.count[item.job]++
			}
		}
		bound -= x.value[c]
		all += x.value[c]
	}
	return bound - float64(all*1e-13*float64(10+x.clusters))
}

// fillItems lists the jobs whose price exceeds their cost on a cluster, and sets the capacity of
// its knapsack.
func (x *relaxation) fillItems(c int) {
	set := x.sets[c][:0]
	x.did(2 * x.jobs)
	x.rooms[c] = math.Inf(1)
	if len(x.room) == 1 {
		x.rooms[c] = math.Floor(x.room[0][c]/x.unit + 1e-9)
		if x.unit == 0 {
			x.rooms[c] = x.room[0][c]
		}
	} else if len(x.room) > 1 {
		x.rooms[c] = 1 + 1e-12
	}
	for j := range int32(x.jobs) {
		if x.at[j] >= 0 || !x.has(j, c) {
			continue
		}
		if profit := x.price[j] - x.lessCost[int(j)*x.clusters+c]; profit > 0 {
			set = append(set, item{profit: profit, size: x.size1(j, c), job: j})
		}
	}
	x.did(len(set) * (5 + 10*len(x.room) + 8*bits.Len(uint(len(set)))))
	sortItems(set)
	x.sets[c] = set
}

// size1 returns the size of a job in the knapsack of a cluster.
func (x *relaxation) size1(j int32, c int) float64 {
	cell := int(j)*x.clusters + c
	if len(x.room) == 1 {
		if x.unit > 0 {
			return math.Round(x.amount[0][cell] / x.unit)
		}
		return x.amount[0][cell]
	}
	var size float64
	share := x.blend.of(c)
	for r := range x.room {
		if amount := x.amount[r][cell]; amount > 0 {
			size += float64(share[r] * (amount / x.room[r][c]))
		}
	}
	return size
}

func (x *relaxation) solveCluster(c int, items []item, room, threshold float64) float64 {
	if len(x.room) > 1 {
		x.did(len(items) * 5 * len(x.room))
		x.blend.adjust(x.state, c, items, room)
		x.here = c
		for r := range x.room {
			x.room1[r] = x.room[r][c]
		}
	}
	return x.solve(items, room, threshold)
}

// fitsHere reports whether the current cluster has room for a job in all resources.
func (x *relaxation) fitsHere(j int32) bool {
	for r := range x.room1 {
		if x.amount[r][int(j)*x.clusters+x.here] > x.room1[r] {
			return false
		}
	}
	return true
}

// pickHere takes the amounts of a job from the current cluster, or returns them if back is set.
func (x *relaxation) pickHere(j int32, back bool) {
	for r := range x.room1 {
		if amount := x.amount[r][int(j)*x.clusters+x.here]; back {
			x.room1[r] += amount
		} else {
			x.room1[r] -= amount
		}
	}
}

// improve moves the prices along subgradients for at most the given number of evaluations, or until
// the bound reaches enough. It returns the best bound and restores its prices.
func (x *relaxation) improve(evaluations int, enough float64, patience int) float64 {
	best, before := math.Inf(-1), math.Inf(-1)
	theta, since := 1., 0
	x.costs()
	clear(x.direction)
	for n := range evaluations {
		if n%4 == 3 {
			if evaluations <= nodeEvaluations && best-before < (enough-best)/6 {
				break // the bound will not reach enough
			}
			before = best
		}
		bound := x.evaluate()
		if bound > best {
			if bound > best+float64(1e-4*math.Abs(enough-best)) {
				since = 0
			}
			best = bound
			copy(x.kept, x.price)
		}
		if best >= enough || !x.goOn() {
			break
		}
		x.rounds++
		x.did(8 * x.jobs)
		since++
		if since > patience {
			since, theta = 0, theta/2
			copy(x.price, x.kept)
			if theta < 1e-3 {
				break
			}
		}
		var norm float64
		for j := range x.direction {
			if x.at[j] < 0 {
				x.direction[j] = float64(1-x.count[j]) + float64(0.8*x.direction[j])
				norm += float64(x.direction[j] * x.direction[j])
			}
		}
		if norm == 0 {
			break
		}
		target := enough
		if math.IsInf(target, 1) {
			target = bound + max(1, float64(0.05*math.Abs(bound)))
		}
		step := theta * (target - bound) / norm
		for j := range x.price {
			if x.at[j] < 0 {
				x.price[j] += float64(step * x.direction[j])
			}
		}
	}
	copy(x.price, x.kept)
	return best
}

package solve

import (
	"math"
	"slices"
)

// packing raises the bound with the exact saving of jobs on one cluster, which a [Bounder] only
// estimates. For each cluster it chooses among the groups of jobs that fit there, each with its
// exact cost, so that every job is chosen once and no capacity is exceeded. This is the linear
// program of Dantzig and Wolfe (1960), in which a group may be chosen fractionally and several
// times. The simplex method with generated columns finds the dual prices of jobs and capacities.
// Any job prices give a valid bound once the price of each cluster is so high that no group is
// worth more than it pays.
type packing struct {
	b       *Bounder
	all     *groups
	most    float64   // the largest capacity that groups were listed for
	offer   []float64 // by job: upper end of the range of its price
	width   float64   // half the length of that range
	highest []float64 // by job: the range never moves above it

	clusters []packed
	rows     int
	least    float64 // groups whose worth exceeds their price by at most this are ignored
	worked   int64
	looked   int64       // worked at the last call of goOn
	goOn     func() bool // see [Bounder.Tighten]
	value    []float64   // by group, scratch for one cluster
	load     []float64   // by group, scratch: the amount of the first resource

	simplex
	best    []float64 // prices with the highest bound
	reached float64   // that bound
}

// packed is a cluster where some job costs less than its highest price.
type packed struct {
	cluster int
	row     int         // the first row of its resources
	cost    []float64   // by job, with the legs of all its links
	taken   [][]float64 // by resource and job, relative to the capacity
	saved   float64     // saving per weight of a dependency within the cluster
	groups  bool        // if false, its groups are single jobs, and cost includes the estimated saving
}

const (
	mostRows   = 512
	mostRounds = 64
	tenable    = 1e-6 // of the mean job price: tolerance for the worth of a group above its price
)

// Tighten raises the bound by packing groups of jobs, unless there are too many groups. It returns
// the number of table cells that it visited, and stops when they reach cells. It calls goOn
// regularly; if that returns false, the bound stays unchanged and ok is false.
func (b *Bounder) Tighten(cells int64, goOn func() bool) (worked int64, ok bool) {
	p := b.p
	if b.leg == nil || len(p.Resources) == 0 || b.columns == nil || p.Jobs > mostGrouped || math.IsInf(b.bound, 0) {
		return 0, true
	}
	copy(b.price, b.best)
	b.evaluate()
	x := packing{b: b, goOn: goOn, reached: math.Inf(-1)}
	x.list()
	if x.all != nil && x.offers() <= mostRows && x.width > 0 {
		x.best = x.first()
		if !x.run(cells) {
			return 0, false
		}
	}
	b.bound = max(b.bound, x.reached)
	return x.worked, true
}

// lookAfter is the number of cells between two calls of goOn.
const lookAfter = 1 << 20

// interrupted calls goOn if lookAfter cells were visited since the last call.
func (x *packing) interrupted() bool {
	if x.worked-x.looked < lookAfter {
		return false
	}
	x.looked = x.worked
	return !x.goOn()
}

const (
	shrinkings = 6
	shrunk     = 0.9
	mostWidths = 4
)

// list enumerates the groups up to the largest cluster capacity, and shrinks that size while there
// are too many.
func (x *packing) list() {
	b := x.b
	g, weight := newNeighbours(b.p), leastAmounts(b.p, 0)
	for _, c := range b.p.Resources[0].Capacity {
		x.most = max(x.most, c)
	}
	for range shrinkings {
		all, ok := newGroups(g, weight, x.most)
		x.worked += 8 * int64(len(all.job))
		if ok {
			x.all = all
			x.value, x.load = make([]float64, len(all.job)), make([]float64, len(all.job))
			return
		}
		x.most *= shrunk
	}
}

// offers sets the price range of each job and lists the clusters that some job can afford. It
// returns the number of rows of the program.
func (x *packing) offers() int {
	b, p := x.b, x.b.p
	for j, c := range b.choice { // half of the mean cost of a link
		if leg := b.leg[c]; !math.IsInf(leg, 1) {
			x.width += float64(leg*b.degree[j]) / float64(2*len(p.Dependencies))
		}
	}
	x.offer = make([]float64, p.Jobs)
	x.highest = make([]float64, p.Jobs)
	for j := range x.offer {
		x.offer[j] = b.least[j] + x.width
		x.highest[j] = b.least[j] + float64(mostWidths*x.width)
	}
	x.rows = p.Jobs
	for c := range p.Clusters {
		k := packed{cluster: c, row: x.rows, groups: p.Resources[0].Capacity[c] <= x.most, cost: make([]float64, p.Jobs)}
		p.Cost.addColumn(k.cost, c, p.Clusters, 1)
		interests := false
		for j := range k.cost {
			if !p.Allowed(j, c) {
				k.cost[j] = math.Inf(1)
			}
			interests = interests || k.cost[j] < x.highest[j]
		}
		if !interests {
			continue
		}
		if leg := b.leg[c]; !k.groups {
			copy(k.cost, b.columns[c])
		} else if leg > 0 && !math.IsInf(leg, 1) {
			AddProducts(k.cost, b.degree, leg)
			k.saved = 2 * leg
		}
		for r := range p.Resources {
			taken := make([]float64, p.Jobs)
			if capacity := p.Resources[r].Capacity[c]; capacity > 0 {
				p.Resources[r].Amount.addColumn(taken, c, p.Clusters, 1/capacity)
			}
			k.taken = append(k.taken, taken)
		}
		x.rows += len(k.taken)
		x.clusters = append(x.clusters, k)
	}
	return x.rows
}

// run solves the program, adding columns in each round, until it has visited the given number of
// cells. It returns false if it was interrupted.
func (x *packing) run(cells int64) bool {
	x.simplex = newSimplex(x.rows)
	x.least = 0
	for j := range x.offer {
		x.least += tenable * x.offer[j] / float64(len(x.offer))
		x.columns = append(x.columns, column{rows: []int32{int32(j)}, entries: []float64{-1}, gain: -2 * x.width})
	}
	price := slices.Clone(x.best)
	for round := range mostRounds {
		worth, found := 0.0, false
		for i := range x.clusters {
			k := &x.clusters[i]
			if x.interrupted() {
				return false
			}
			density, more := x.scan(k, price)
			worth += x.worth(k, price, density)
			found = found || more
		}
		x.raise(price, worth)
		if x.worked >= cells || round > 0 && !found && !x.moved() {
			return true
		}
		for x.worked < cells && x.pivot(x.least) {
			x.worked += int64(x.rows * x.rows / 4)
			if x.interrupted() {
				return false
			}
		}
		for row, v := range x.price {
			price[row] = max(0, v)
		}
	}
	return true
}

// first returns the prices of the Bounder, which generate the first columns.
func (x *packing) first() []float64 {
	b := x.b
	price := make([]float64, x.rows)
	for j, offer := range x.offer {
		price[j] = (offer - b.least[j]) / 2
	}
	for i := range x.clusters {
		k := &x.clusters[i]
		for r := range k.taken {
			price[k.row+r] = b.best[k.cluster*len(k.taken)+r] * b.p.Resources[r].Capacity[k.cluster]
		}
	}
	return price
}

// moved shifts the price ranges whose price has reached an end. It returns false if no range moved.
func (x *packing) moved() bool {
	by := make([]float64, len(x.offer))
	moved := false
	for j := range by {
		switch u := x.price[j]; {
		case u < 1e-3*x.width && x.offer[j]+x.width <= x.highest[j]:
			by[j], moved = x.width, true
		case u > 1.999*x.width:
			by[j], moved = -x.width, true
		}
		x.offer[j] += by[j]
		x.best[j] += by[j]
	}
	for i := range x.columns {
		c := &x.columns[i]
		if c.entries[0] > 0 {
			for e, row := range c.rows {
				if int(row) < len(by) {
					c.gain += float64(c.entries[e] * by[row])
				}
			}
		}
	}
	x.reprice()
	return moved
}

// scan adds to the program, for each first job, the group that gains most at the present prices of
// a cluster. density is the highest worth per amount: raising the first price of the cluster by it
// leaves no group with a positive worth.
func (x *packing) scan(k *packed, price []float64) (density float64, found bool) {
	net := make([]float64, len(k.cost)) // by job
	for j, cost := range k.cost {
		net[j] = x.offer[j] - price[j] - cost
		for r := range k.taken {
			net[j] -= float64(price[k.row+r] * k.taken[r][j])
		}
	}
	g := x.all
	density = math.Inf(-1)
	v := view{room: x.b.p.Resources[0].Capacity[k.cluster] * (1 + tolerance), grouped: k.groups, value: x.value, load: x.load}
	for at := 0; at < len(g.job); at = int(g.after[at]) {
		best, dense, looked := g.weigh(at, v, net, k.taken[0], k.saved, x.least, density)
		density = dense
		x.worked += int64(looked)
		if best >= 0 {
			x.add(k, int32(best))
			found = true
		}
	}
	return density, found
}

// worth returns the value of a cluster's capacity at the present prices, after its first price is
// raised until no group is worth more than it pays.
func (x *packing) worth(k *packed, price []float64, density float64) (sum float64) {
	for r := range k.taken {
		sum += price[k.row+r]
	}
	if len(k.taken) > 1 && density <= 0 {
		return sum
	}
	return sum + max(0, price[k.row]+density) - price[k.row]
}

// raise keeps the prices if they give the highest bound so far. It subtracts an upper limit on the
// rounding error.
func (x *packing) raise(price []float64, worth float64) {
	var sum float64
	for j, v := range x.offer {
		sum += v - price[j]
	}
	size := math.Abs(sum) + worth
	bound := sum - worth - float64(size*float64(x.rows+64)*0x1p-49)
	if bound > x.reached {
		x.reached = bound
		copy(x.best, price)
	}
}

// add adds a group on a cluster to the program as a column.
func (x *packing) add(k *packed, at int32) {
	var c column
	amounts := make([]float64, len(k.taken))
	for ; at >= 0; at = x.all.parent[at] {
		j := x.all.job[at]
		c.rows, c.entries = append(c.rows, j), append(c.entries, 1)
		c.gain += x.offer[j] - k.cost[j] + float64(k.saved*x.all.inside[at])
		for r := range amounts {
			amounts[r] += k.taken[r][j]
		}
	}
	for r, v := range amounts {
		c.rows, c.entries = append(c.rows, int32(k.row+r)), append(c.entries, v)
	}
	x.columns = append(x.columns, c)
}

package exact

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"berth/engine/solve"
)

// network is the problem without capacities: a weighted constraint network of jobs and
// dependencies. Each dependency transfers parts of its cost to its two jobs, by cluster, so that
// its remaining cost stays non-negative. For any transfers, the sum of the least costs of all jobs
// is a bound. Sweeps over the jobs, forward and backward, improve it: each job takes as much as
// possible from the dependencies on earlier jobs, and passes its cost above its least on to the
// dependencies on later jobs (Kolmogorov 2006 and 2015).
type network struct {
	*relaxation
	matrix [][]float64  // by dependency: its cost at [a·clusters + b], +Inf where ruled out; dependencies of one kind share it
	order  []int32      // jobs in an order in which most follow a neighbour
	rank   []int32      // by job: its index in order
	pay    []float64    // by job and cluster: price there in addition to the cost
	press  [][]float64  // by resource, job and cluster: price per room that its neighbours fill there
	part   [][]float64  // by resource, job and cluster: the fraction of the room that the job takes
	first  []bool       // by dependency: no earlier one joins the same jobs
	moved  [2][]float64 // for A and B, by dependency and cluster: the cost transferred to that job
	lowest []float64    // by job: its least cost

	unary  []float64 // by cluster: the current job's cost above its least
	list   []int32   // remaining clusters of the current job
	others []int32   // remaining clusters of the neighbour
	there  []float64 // costs transferred to the neighbour there
	scale  float64   // largest absolute figure in the bound
	slips  float64   // rounding error of the bound relative to scale
}

// mostPairs limits the stored costs of pairs of clusters, over all kinds of dependencies.
const mostPairs = 12 << 20

// pairable reports whether a problem has dependencies but not too many pairs of clusters.
func pairable(p *solve.Problem) bool {
	kinds := map[string]bool{}
	for k := range p.Dependencies {
		if kinds[kindOf(p, k)] = true; len(kinds)*p.Clusters*p.Clusters > mostPairs {
			return false
		}
	}
	return len(kinds) > 0
}

// kindOf returns equal keys for dependencies that cost the same between any two clusters.
func kindOf(p *solve.Problem, dependency int) string {
	bits := func(key []byte, v float64) []byte { return binary.LittleEndian.AppendUint64(key, math.Float64bits(v)) }
	key := bits(nil, p.Dependencies[dependency].Weight)
	for i := range p.Limits {
		key = bits(key, p.Limits[i].Bound[dependency])
	}
	return string(key)
}

func newNetwork(x *relaxation) *network {
	s, deps := x.state, len(x.p.Dependencies)
	n := &network{
		relaxation: x, rank: make([]int32, s.jobs), pay: make([]float64, len(s.cost)), lowest: make([]float64, s.jobs),
		unary: make([]float64, s.clusters), there: make([]float64, s.clusters),
		moved: [2][]float64{make([]float64, deps*s.clusters), make([]float64, deps*s.clusters)},
	}
	n.tabulate()
	n.arrange()
	for r, amount := range s.amount {
		part := make([]float64, len(amount))
		for at, v := range amount {
			if all := s.p.Resources[r].Capacity[at%s.clusters]; v > 0 && all > 0 {
				part[at] = v / all
			}
		}
		n.part, n.press = append(n.part, part), append(n.press, make([]float64, len(amount)))
	}
	for j := range s.jobs {
		degree := float64(s.start[j+1] - s.start[j])
		n.slips += float64((degree+4)*(degree+4)) + 8
	}
	n.slips = (n.slips + float64(8*deps)) * 0x1p-51
	return n
}

// tabulate fills matrix and first.
func (n *network) tabulate() {
	known := map[string][]float64{}
	seen := map[[2]int32]bool{}
	for k, d := range n.p.Dependencies {
		kind := kindOf(n.p, k)
		if known[kind] == nil {
			known[kind] = n.costsOf(k)
		}
		n.matrix = append(n.matrix, known[kind])
		ends := [2]int32{min(d.A, d.B), max(d.A, d.B)}
		n.first = append(n.first, !seen[ends])
		seen[ends] = true
	}
}

func (n *network) costsOf(dependency int) []float64 {
	m := make([]float64, n.clusters*n.clusters)
	n.did(30 * len(m))
	for at := range m {
		a, b := at/n.clusters, at%n.clusters
		if m[at] = n.p.PairCost(dependency, a, b); a == b {
			m[at] = math.Inf(1) // handled separately, because the cluster may not have room for both jobs
		} else if m[at] <= math.MaxFloat64 {
			n.scale = max(n.scale, m[at])
		}
	}
	return m
}

// arrange orders the jobs depth first, starting from the job with the most dependencies.
func (n *network) arrange() {
	seen := make([]bool, n.jobs)
	var visit func(j int32)
	visit = func(j int32) {
		seen[j] = true
		n.rank[j] = int32(len(n.order))
		n.order = append(n.order, j)
		for i := n.start[j]; i < n.start[j+1]; i++ {
			if k := n.neighbour[i]; !seen[k] {
				visit(k)
			}
		}
	}
	first := make([]int32, n.jobs)
	for j := range first {
		first[j] = int32(j)
	}
	slices.SortStableFunc(first, func(a, b int32) int {
		return cmp.Compare(n.start[b+1]-n.start[b], n.start[a+1]-n.start[a])
	})
	for _, j := range first {
		if !seen[j] {
			visit(j)
		}
	}
}

// shares returns the costs that a dependency has transferred to the given job and to the other one.
func (n *network) shares(job, k int32) (mine, theirs []float64) {
	from := int(k) * n.clusters
	a, b := n.moved[0][from:from+n.clusters], n.moved[1][from:from+n.clusters]
	if n.p.Dependencies[k].A == job {
		return a, b
	}
	return b, a
}

// clustersOf lists the remaining clusters of a job, or its own cluster if it is placed.
func (n *network) clustersOf(list []int32, j int32) []int32 {
	if at := n.at[j]; at >= 0 {
		return append(list[:0], at)
	}
	list = list[:0]
	for c := n.next(j, 0); c >= 0; c = n.next(j, c+1) {
		list = append(list, int32(c))
	}
	return list
}

// side selects some of a job's dependencies by the order of jobs.
type side int

const (
	before side = iota // on jobs before it
	after
	both
)

func (n *network) on(j, other int32, which side) bool {
	return which == both || (n.rank[other] < n.rank[j]) == (which == before)
}

// collect lets a job take as much as possible from the dependencies on one side. It computes the
// least cost of the job and, by cluster, the cost above it. It removes clusters that a dependency
// does not support, and returns false if none is left.
func (n *network) collect(j int32, which side) bool {
	n.list = n.clustersOf(n.list, j)
	u, base := n.unary, int(j)*n.clusters
	stands := n.at[j] >= 0
	for _, c := range n.list {
		u[c] = n.cost[base+int(c)]
		if !stands {
			u[c] += n.pay[base+int(c)]
			n.scale = max(n.scale, n.pay[base+int(c)])
		}
		for r, press := range n.press {
			if v := press[base+int(c)]; v > 0 {
				n.scale = max(n.scale, v)
				u[c] -= float64(v * max(0, 1-n.part[r][base+int(c)]))
			}
		}
		n.scale = max(n.scale, math.Abs(u[c]))
	}
	for i := n.start[j]; i < n.start[j+1]; i++ {
		k, other := n.dependency[i], n.neighbour[i]
		mine, theirs := n.shares(j, k)
		if n.on(j, other, which) {
			n.pull(j, other, k, mine, theirs)
		} else {
			n.add(mine)
		}
	}
	least, kept := math.Inf(1), n.list[:0]
	for _, c := range n.list {
		switch {
		case u[c] <= math.MaxFloat64:
			least = min(least, u[c])
			kept = append(kept, c)
		case stands || !n.take(j, int(c)):
			return false
		}
	}
	n.list = kept
	for _, c := range n.list {
		u[c] -= least
	}
	n.lowest[j] = least
	n.did(20 + 10*len(n.list))
	return true
}

func (n *network) add(mine []float64) {
	u := n.unary
	n.did(5 + 4*len(n.list))
	for _, c := range n.list {
		v := mine[c]
		u[c] += v
		n.scale = max(n.scale, math.Abs(v))
	}
}

// pull transfers the remaining cost of a dependency to job j.
func (n *network) pull(j, other, k int32, mine, theirs []float64) {
	matrix := n.matrix[k]
	n.others = n.clustersOf(n.others, other)
	for i, d := range n.others {
		n.there[i] = theirs[d]
	}
	n.did(30 + 8*len(n.others) + len(n.list)*(10+2*len(n.others)))
	for _, c := range n.list {
		least := leastOf(matrix[int(c)*n.clusters:(int(c)+1)*n.clusters], n.others, n.there)
		if v := n.beside(j, other, k, int(c)) - theirs[c]; v < least && n.stay(j, other, int(c)) {
			least = v
		}
		n.unary[c] += least
		if least > math.MaxFloat64 {
			least = 0
		}
		mine[c] = least
		n.scale = max(n.scale, math.Abs(least))
	}
}

// leastOf returns the least cost in a row over the other job's clusters, minus the cost transferred
// there.
//
//go:noinline
func leastOf(row []float64, list []int32, moved []float64) float64 {
	least := math.Inf(1)
	moved = moved[:len(list)]
	for i, d := range list {
		if v := row[d] - moved[i]; v < least {
			least = v
		}
	}
	return least
}

// beside returns the price that two jobs pay for sharing cluster c.
func (n *network) beside(j, other, k int32, c int) (sum float64) {
	if !n.first[k] {
		return 0
	}
	a, b := int(j)*n.clusters+c, int(other)*n.clusters+c
	for r, press := range n.press {
		sum += float64(press[a]*n.part[r][b]) + float64(press[b]*n.part[r][a])
	}
	return sum
}

// stay reports whether two jobs may share a cluster, ignoring other jobs.
func (n *network) stay(j, other int32, c int) bool {
	if at := n.at[other]; at >= 0 || n.at[j] >= 0 {
		return n.may(j, c) && n.may(other, c)
	}
	if !n.has(other, c) {
		return false
	}
	for r := range n.room {
		both := n.amount[r][int(j)*n.clusters+c] + n.amount[r][int(other)*n.clusters+c]
		if both > n.room[r][c]+float64(1e-9*n.p.Resources[r].Capacity[c]) {
			return false
		}
	}
	return true
}

// may reports whether a job is on a cluster or may be put there.
func (n *network) may(j int32, c int) bool {
	if at := n.at[j]; at >= 0 {
		return int(at) == c
	}
	return n.has(j, c)
}

// hand passes the cost of a job above its least on to the dependencies on the other side. Call it
// after collect.
func (n *network) hand(j int32, from side) {
	out := 0
	for i := n.start[j]; i < n.start[j+1]; i++ {
		if !n.on(j, n.neighbour[i], from) {
			out++
		}
	}
	if out == 0 {
		return
	}
	part := 1 / float64(max(out, int(n.start[j+1]-n.start[j])-out))
	n.did(out * (10 + 3*len(n.list)))
	for i := n.start[j]; i < n.start[j+1]; i++ {
		if n.on(j, n.neighbour[i], from) {
			continue
		}
		mine, _ := n.shares(j, n.dependency[i])
		for _, c := range n.list {
			mine[c] -= float64(part * n.unary[c])
		}
	}
}

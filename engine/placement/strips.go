package placement

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/solve"
	"berth/engine/stats"
)

// With fewer jobs or clusters, sorting the clusters costs more than it saves. Tests lower both.
var minStripJobs, minStripClusters = 32, 256

// strips divides the clusters of a star, sorted by the cost of a mean job, into about √N strips of
// √N clusters. Within a strip, clusters are sorted by the free amount of the scarcest resource,
// most first. The lowest price of each resource and the shortest leg in a strip give a lower bound
// on the cost of a job there, and affinity by the scarcest resource falls along the strip. So the
// heuristic evaluates only a few clusters.
type strips struct {
	clusters []int32     // strip by strip
	place    []int32     // by cluster: its index in clusters
	size     int         // of a strip; the last may be smaller
	scarce   int         // the demand by which clusters in a strip are sorted
	price    [][]float64 // by demand, by strip: the lowest
	leg      []float64   // by strip: the lowest price of a leg
	cost     []float64   // by strip, scratch: lower bound for the current job
}

// newStrips returns nil if strips do not apply or would not pay off.
func newStrips(p *Problem, free [][]float64) *strips {
	n := p.capacity.federation.Clusters().Len()
	if p.capacity.federation.Center() < 0 || p.form.Cost.Cells != nil || len(p.demands) == 0 || len(p.y) < minStripJobs || n < minStripClusters {
		return nil
	}
	v := &strips{clusters: make([]int32, n), place: make([]int32, n), scarce: p.scarcest(), size: int(math.Sqrt(float64(n)))}
	for j := range v.clusters {
		v.clusters[j] = int32(j)
	}
	cost, left := p.meanCost(), free[v.scarce]
	slices.SortFunc(v.clusters, func(j, k int32) int { return cmp.Compare(cost[j], cost[k]) })
	v.cost = make([]float64, (n+v.size-1)/v.size)
	for strip := range v.cost {
		slices.SortFunc(v.strip(strip), func(j, k int32) int { return cmp.Compare(left[k], left[j]) })
	}
	for at, j := range v.clusters {
		v.place[j] = int32(at)
	}
	v.leg = v.least(p.capacity.links.price.legs.legs, func(int) bool { return false })
	for r := range p.demands {
		v.price = append(v.price, v.least(p.demands[r].price, func(j int) bool { return p.lacking(r, j) }))
	}
	return v
}

// scarcest returns the demand with the highest requests relative to the total capacity.
func (p *Problem) scarcest() int {
	scarce, greatest := 0, 0.0
	for r := range p.demands {
		m := &p.demands[r]
		if part := stats.Mean(m.need) / m.parts; part > greatest {
			scarce, greatest = r, part
		}
	}
	return scarce
}

// meanCost returns the cost of a mean job on each cluster, with the legs of a mean number of
// dependencies.
func (p *Problem) meanCost() []float64 {
	cost := make([]float64, p.capacity.federation.Clusters().Len())
	for r := range p.demands {
		solve.AddProducts(cost, p.demands[r].price, stats.Mean(p.demands[r].w))
	}
	degree := 2 * float64(p.deployment.Dependencies().Len()) / float64(len(p.y))
	solve.AddProducts(cost, p.capacity.links.price.legs.legs, degree)
	return cost
}

func (v *strips) strip(strip int) []int32 {
	return v.clusters[strip*v.size : min((strip+1)*v.size, len(v.clusters))]
}

// least returns the smallest value of a column in each strip, among clusters that have the
// resource.
func (v *strips) least(column []float64, lacking func(cluster int) bool) []float64 {
	all := make([]float64, len(v.cost))
	for strip := range all {
		all[strip] = math.Inf(1)
		for _, j := range v.strip(strip) {
			if !lacking(int(j)) {
				all[strip] = min(all[strip], column[j])
			}
		}
	}
	return all
}

// changed moves a cluster within its strip after its free amount changed.
func (v *strips) changed(free [][]float64, cluster int32) {
	if v == nil {
		return
	}
	left, at := free[v.scarce], int(v.place[cluster])
	first := at / v.size * v.size
	end := min(first+v.size, len(v.clusters))
	for ; at > first && left[v.clusters[at-1]] < left[cluster]; at-- {
		v.put(at, v.clusters[at-1])
	}
	for ; at < end-1 && left[v.clusters[at+1]] > left[cluster]; at++ {
		v.put(at, v.clusters[at+1])
	}
	v.put(at, cluster)
}

func (v *strips) put(at int, cluster int32) {
	v.clusters[at], v.place[cluster] = cluster, int32(at)
}

// bound fills cost with a lower bound for the clusters of each strip. The bound does not hold for
// the clusters of the job's neighbours, where one dependency costs nothing; next evaluates these
// one by one.
func (v *strips) bound(s *search, job int32, neighbours []tie) {
	clear(v.cost)
	for r := range s.problem.demands {
		if m := &s.problem.demands[r]; m.carries[job] {
			solve.AddProducts(v.cost, v.price[r], m.w[job])
		}
	}
	for _, k := range neighbours {
		addLegs(v.cost, v.cost, v.leg, s.problem.capacity.links.price.row(int(s.cluster[k.job])).own)
	}
}

// next returns the first cluster of PA after another one. The result equals that of
// [heuristic.next] without strips.
func (v *strips) next(s *search, after candidate) candidate {
	l := look{search: s, job: s.order[s.step], after: after, best: noCandidate, bestCost: math.NaN(), limit: math.Inf(1)}
	l.neighbours = s.before(s.step)
	for _, k := range l.neighbours {
		l.at(s.cluster[k.job])
	}
	v.bound(s, l.job, l.neighbours)
	d, free := &s.problem.demands[v.scarce], s.free[v.scarce]
	for strip, cost := range v.cost {
		for _, j := range v.strip(strip) {
			excess := s.problem.relative(v.scarce, max(0, d.y[l.job]-free[j]))
			if free[j] < d.need[l.job] || cost*leastGrowth(s.phi*excess) > l.limit {
				break
			}
			l.at(j)
		}
	}
	return l.best
}

// look evaluates clusters in any order and keeps the first in PA after the candidate after.
type look struct {
	*search
	job             int32
	neighbours      []tie // placed before the job
	after, best     candidate
	bestCost, bestT float64 // cost and exponent of the best key
	limit           float64 // a cluster with a higher cost over affinity cannot be better
}

func (l *look) at(j int32) {
	cost := l.costBeside(l.neighbours, l.job, int(j))
	if cost > l.limit {
		return // affinity is at most 1, so no affinity makes up for the cost
	}
	t := float64(l.phi * l.excess(l.job, int(j)))
	if cost*leastGrowth(t) > l.limit || cost == l.bestCost && t == l.bestT && j > l.best.cluster {
		return
	}
	found := candidate{stats.Log(cost) + t, j}
	if found.precedes(l.best.key, l.best.cluster) && l.after.precedes(found.key, j) && l.fits(l.job, int(j)) {
		l.best, l.bestCost, l.bestT, l.limit = found, cost, t, found.limit()
	}
}

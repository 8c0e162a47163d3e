package solve

import (
	"cmp"
	"math"
	"slices"
)

// shares bounds the saving of dependencies within one cluster of a given size. For any set of jobs
// that fits, the total weight of the dependencies within the set is at most the sum of byJob over
// the set, minus once.
type shares struct {
	byJob []float64
	once  float64
}

// tolerance exceeds the rounding error of sums of amounts.
const tolerance = 1e-9

// classes is the number of cluster sizes for which shares are computed.
const classes = 8

// togetherness has the shares by class of cluster size.
type togetherness struct {
	shares []shares
	class  []int32 // by cluster
}

// newTogetherness divides the clusters into classes by capacity of the first resource and computes
// the shares for the largest cluster of each class.
func newTogetherness(p *Problem) togetherness {
	t := togetherness{class: make([]int32, p.Clusters)}
	g := newNeighbours(p)
	if len(p.Resources) == 0 || p.Clusters == 0 {
		t.shares = []shares{g.byDegree(nil, math.Inf(1))}
		return t
	}
	// weight is the least amount of the first resource that each job takes on any cluster.
	weight, capacity := leastAmounts(p, 0), p.Resources[0].Capacity
	order := make([]int32, p.Clusters)
	for c := range order {
		order[c] = int32(c)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(capacity[a], capacity[b]) })
	for k := range classes {
		from, to := k*len(order)/classes, (k+1)*len(order)/classes
		if from == to {
			continue
		}
		for _, c := range order[from:to] {
			t.class[c] = int32(len(t.shares))
		}
		t.shares = append(t.shares, g.best(weight, capacity[order[to-1]]))
	}
	return t
}

func leastAmounts(p *Problem, resource int) []float64 {
	m := &p.Resources[resource].Amount
	least := make([]float64, p.Jobs)
	for j := range least {
		least[j] = math.Inf(1)
		for c := range p.Clusters {
			least[j] = min(least[j], m.At(j, c, p.Clusters))
			if m.byJob() != nil {
				break
			}
		}
	}
	return least
}

// neighbours is the graph of the dependencies; see [Problem.Neighbours].
type neighbours struct {
	start  []int32
	job    []int32
	number []int32 // number of the dependency
	p      *Problem
}

func newNeighbours(p *Problem) *neighbours {
	g := &neighbours{p: p}
	g.start, g.job, g.number = p.Neighbours()
	return g
}

// best returns the shares with the lower total.
func (g *neighbours) best(weight []float64, size float64) shares {
	a, b := g.byDegree(weight, size), g.byForest(weight, size)
	if total(a) <= total(b) {
		return a
	}
	return b
}

// total sums the shares over all jobs, as if four jobs shared each cluster.
func total(s shares) float64 {
	var sum float64
	for _, v := range s.byJob {
		sum += v - float64(s.once/4)
	}
	return sum
}

// byDegree splits each dependency equally between its two jobs. A job counts only its heaviest
// dependencies, as many as there are other jobs that fit on the same cluster.
func (g *neighbours) byDegree(weight []float64, size float64) shares {
	s := shares{byJob: make([]float64, g.p.Jobs)}
	sorted := slices.Sorted(slices.Values(weight))
	var beside []float64
	with := make([]float64, g.p.Jobs) // by job: total weight of its dependencies with j
	for j := range s.byJob {
		beside = beside[:0]
		others := g.job[g.start[j]:g.start[j+1]]
		for i, k := range others {
			with[k] += g.p.Dependencies[g.number[int(g.start[j])+i]].Weight
		}
		for _, k := range others {
			if with[k] > 0 && (weight == nil || weight[j]+weight[k] <= size*(1+tolerance)) {
				beside = append(beside, with[k])
			}
			with[k] = 0
		}
		slices.Sort(beside)
		slices.Reverse(beside)
		most := len(beside)
		if weight != nil {
			most = min(most, fitting(sorted, float64(size*(1+tolerance))-weight[j]))
		}
		for _, w := range beside[:most] {
			s.byJob[j] += float64(w / 2)
		}
	}
	return s
}

// fitting returns how many amounts, in ascending order, fit into a size together.
func fitting(sorted []float64, size float64) int {
	for i, w := range sorted {
		size -= w
		if size < 0 {
			return i
		}
	}
	return len(sorted)
}

// byForest assumes that no cycle of dependencies fits on the cluster. Then the dependencies within
// a set that fits form a forest: each job has at most one dependency on its parent, and a root has
// none. Dependencies that would close a cycle that fits are split equally instead.
func (g *neighbours) byForest(weight []float64, size float64) shares {
	s := shares{byJob: make([]float64, g.p.Jobs), once: math.Inf(1)}
	f := newForest(g, weight, size)
	heaviest := make([]float64, g.p.Jobs)
	for k, d := range g.p.Dependencies {
		switch {
		case weight[d.A]+weight[d.B] > size*(1+tolerance):
		case f.add(int32(k)):
			heaviest[d.A], heaviest[d.B] = max(heaviest[d.A], d.Weight), max(heaviest[d.B], d.Weight)
			s.once = min(s.once, d.Weight)
		default:
			s.byJob[d.A] += float64(d.Weight / 2)
			s.byJob[d.B] += float64(d.Weight / 2)
		}
	}
	if math.IsInf(s.once, 1) {
		s.once = 0
	}
	for j := range s.byJob {
		s.byJob[j] += max(heaviest[j], s.once)
	}
	return s
}

// forest collects dependencies so that no jobs that fit together form a cycle.
type forest struct {
	g      *neighbours
	weight []float64
	size   float64
	kept   []bool    // by dependency
	way    []float64 // by job: the lowest total weight of a path to it, including both ends
	queue  []int32
}

func newForest(g *neighbours, weight []float64, size float64) *forest {
	f := &forest{g: g, weight: weight, size: size, kept: make([]bool, len(g.p.Dependencies)), way: make([]float64, g.p.Jobs)}
	for j := range f.way {
		f.way[j] = math.Inf(1)
	}
	return f
}

// add keeps a dependency unless a path of kept ones between its jobs fits into the size.
func (f *forest) add(dependency int32) bool {
	d := &f.g.p.Dependencies[dependency]
	f.queue = append(f.queue[:0], d.A)
	f.way[d.A] = f.weight[d.A]
	for at := 0; at < len(f.queue); at++ {
		j := f.queue[at]
		for i := f.g.start[j]; i < f.g.start[j+1]; i++ {
			k := f.g.job[i]
			way := f.way[j] + f.weight[k]
			if !f.kept[f.g.number[i]] || way >= f.way[k] || way > f.size*(1+tolerance) {
				continue
			}
			f.way[k] = way
			f.queue = append(f.queue, k)
		}
	}
	f.kept[dependency] = math.IsInf(f.way[d.B], 1)
	for _, j := range f.queue {
		f.way[j] = math.Inf(1)
	}
	return f.kept[dependency]
}

package solve

import (
	"cmp"
	"math"
	"slices"
)

// shares bound the saving of dependencies with both jobs on one cluster of a given size: the
// weights of the dependencies within any set of jobs that fits are at most the sum of byJob over
// the set, minus once.
type shares struct {
	byJob []float64
	once  float64
}

// tolerance exceeds the rounding error of sums of amounts.
const tolerance = 1e-9

// classes is the number of cluster sizes with shares of their own.
const classes = 8

// togetherness has the shares for each cluster.
type togetherness struct {
	shares []shares
	class  []int32 // by cluster
}

// newTogetherness sorts the clusters by capacity of the first resource and computes the shares
// for the largest cluster of each class.
func newTogetherness(p *Problem) togetherness {
	t := togetherness{class: make([]int32, p.Clusters)}
	g := newNeighbours(p)
	if len(p.Resources) == 0 || p.Clusters == 0 {
		t.shares = []shares{g.byDegree(nil, math.Inf(1))}
		return t
	}
	// What a job takes at least of any cluster, of the resource at hand.
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

// neighbours is the graph of the dependencies.
type neighbours struct {
	start  []int32
	job    []int32
	number []int32 // of the dependency
	p      *Problem
}

func newNeighbours(p *Problem) *neighbours {
	g := &neighbours{p: p}
	g.start, g.job, g.number = p.Neighbours()
	return g
}

// best returns the shares whose sum over all jobs is less.
func (g *neighbours) best(weight []float64, size float64) shares {
	a, b := g.byDegree(weight, size), g.byForest(weight, size)
	if total(a) <= total(b) {
		return a
	}
	return b
}

// total weighs shares as if clusters took four jobs each.
func total(s shares) float64 {
	var sum float64
	for _, v := range s.byJob {
		sum += v - float64(s.once/4)
	}
	return sum
}

// byDegree: each dependency gives half its weight to each of its jobs. Of a job at most the
// heaviest count, to as many other jobs as fit beside it.
func (g *neighbours) byDegree(weight []float64, size float64) shares {
	s := shares{byJob: make([]float64, g.p.Jobs)}
	sorted := slices.Sorted(slices.Values(weight))
	var beside []float64
	with := make([]float64, g.p.Jobs) // by job: all dependencies on it
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

// fitting returns how many of some amounts in ascending order fit into a size.
func fitting(sorted []float64, size float64) int {
	for i, w := range sorted {
		size -= w
		if size < 0 {
			return i
		}
	}
	return len(sorted)
}

// byForest: if no cycle of dependencies fits into the cluster, the dependencies within a set
// that fits are a forest. Each job then has at most one dependency on its parent, and a root has
// none. Dependencies that would close such a cycle are shared by halves.
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

// forest keeps dependencies that close no cycle of jobs that fit together.
type forest struct {
	g      *neighbours
	weight []float64
	size   float64
	kept   []bool    // by dependency
	way    []float64 // by job: the weight of the lightest way there, with both ends
	queue  []int32
}

func newForest(g *neighbours, weight []float64, size float64) *forest {
	f := &forest{g: g, weight: weight, size: size, kept: make([]bool, len(g.p.Dependencies)), way: make([]float64, g.p.Jobs)}
	for j := range f.way {
		f.way[j] = math.Inf(1)
	}
	return f
}

// add keeps a dependency unless there is a way between its jobs that fits.
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

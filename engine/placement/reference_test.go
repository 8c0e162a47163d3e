package placement_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"testing"

	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
	"berth/engine/stats"
)

// reference is the heuristic as printed in the thesis: recursive, with one CPU label and decimal
// amounts of any length, and with whole matrices that are copied and recomputed at every step. The
// incremental heuristic must agree with it.
type reference struct {
	d                      *graph.Deployment
	f                      *graph.Federation
	a                      float64
	free, y                []*big.Rat
	order                  []int
	cluster                []int
	expansions, backtracks int
	exhausted              bool
}

const referenceBudget = 20_000

func (r *reference) request(i int) float64 {
	return r.d.Jobs().Values(graph.Lookup(graph.Job, "cpuOffloading"), i)[0]
}

func (r *reference) cpu(j int) []float64 {
	return r.f.Clusters().Values(graph.Lookup(graph.Cluster, "cpu"), j)
}

func (r *reference) linkCost(dependency, a, b int) float64 {
	if a == b {
		return 0
	}
	cost, ok := r.f.Figure(graph.Lookup(graph.Link, "latency"), 1, a, b)
	traffic := r.d.Dependencies().Values(graph.Lookup(graph.Dependency, "traffic"), dependency)
	legs, _ := r.f.Path(nil, a, b)
	if !ok || traffic == nil {
		return cost
	}
	var tariff float64
	for _, leg := range legs {
		if price := r.f.Links().Values(graph.Lookup(graph.Link, "traffic"), leg); price != nil {
			tariff += price[0]
		}
	}
	return cost + traffic[0]*tariff
}

func (r *reference) run() bool {
	n, clusters := r.d.Jobs().Len(), r.f.Clusters().Len()
	cm := make([][]float64, n)
	var wanted, left big.Rat
	for j := range clusters {
		r.free = append(r.free, placementtest.Decimal(r.cpu(j)[0]))
		left.Add(&left, r.free[j])
	}
	for i := range n {
		request := placementtest.Decimal(r.request(i))
		wanted.Add(&wanted, request)
		y := new(big.Rat).Set(request)
		neighbours, _ := r.d.Neighbours(i)
		for _, k := range neighbours {
			y.Add(y, placementtest.Decimal(r.request(int(k))))
		}
		r.y = append(r.y, y)
		r.order = append(r.order, i)
		r.cluster = append(r.cluster, -1)
		for j := range clusters {
			cm[i] = append(cm[i], r.request(i)*r.cpu(j)[1])
		}
	}
	sort.SliceStable(r.order, func(a, b int) bool { return r.y[r.order[a]].Cmp(r.y[r.order[b]]) > 0 })
	return wanted.Cmp(&left) <= 0 && r.schedule(0, cm)
}

func (r *reference) schedule(step int, cm [][]float64) bool {
	if step == len(r.order) {
		return true
	}
	if r.expansions == referenceBudget {
		r.exhausted = true
		return false
	}
	r.expansions++
	i := r.order[step]
	type entry struct {
		key     float64
		cluster int
	}
	var pa []entry
	for j := range r.free {
		if r.hosts(i, j) {
			excess, _ := new(big.Rat).Sub(r.y[i], r.free[j]).Float64()
			pa = append(pa, entry{stats.Log(cm[i][j]) + r.a*max(0, excess), j})
		}
	}
	sort.SliceStable(pa, func(a, b int) bool { return pa[a].key < pa[b].key })
	for _, e := range pa {
		saved := r.free[e.cluster]
		r.free[e.cluster] = new(big.Rat).Sub(saved, placementtest.Decimal(r.request(i)))
		r.cluster[i] = e.cluster
		if r.schedule(step+1, r.updated(cm, i, e.cluster)) {
			return true
		}
		if r.exhausted {
			return false
		}
		r.free[e.cluster], r.cluster[i] = saved, -1
		r.backtracks++
	}
	return false
}

func (r *reference) hosts(i, j int) bool {
	job, c := r.d.Jobs().Values(graph.Lookup(graph.Job, "cpuOffloading"), i), r.cpu(j)
	if placementtest.Decimal(job[0]).Cmp(r.free[j]) > 0 || job[0] < c[2] || job[0] > c[3] || job[1] < c[4] || job[1] > c[5] {
		return false
	}
	for k, m := range r.cluster {
		if m < 0 || !r.d.HasEdgeBetween(int64(i), int64(k)) {
			continue
		}
		latency, ok := placementtest.Figure(r.f, graph.Lookup(graph.Link, "latency"), 0, j, m)
		if bound := placementtest.Decimal(r.bound(i, k)); !ok || latency.Cmp(bound) > 0 {
			return false
		}
	}
	return true
}

func (r *reference) bound(i, k int) float64 {
	jobs, dependencies := r.d.Neighbours(i)
	at := slices.Index(jobs, int32(k))
	return r.d.Dependencies().Values(graph.Lookup(graph.Dependency, "latency"), int(dependencies[at]))[0]
}

func (r *reference) updated(cm [][]float64, i, m int) [][]float64 {
	next := slices.Clone(cm)
	jobs, dependencies := r.d.Neighbours(i)
	for t, k := range jobs {
		next[k] = slices.Clone(cm[k])
		for j := range next[k] {
			next[k][j] += r.linkCost(int(dependencies[t]), j, m)
		}
	}
	return next
}

// The incremental search takes exactly the same steps as the printed one.
func TestHeuristicIsTheThesiss(t *testing.T) {
	ways := []struct {
		name string
		take func() (undo func())
	}{
		{"rows kept", func() func() { return func() {} }},
		{"rows shared", func() func() { return placement.SetRowBudget(0) }},
		{"strips", func() func() { return placement.SetStripsFrom(0, 0) }},
	}
	backtracked, infeasible := 0, 0
	for _, shape := range placementtest.Shapes {
		if shape.Memory || shape.Bandwidth {
			continue
		}
		for _, seed := range golden.Seeds(100) {
			d, f := shape.Generate(seed)
			want := reference{d: d, f: f, a: 0.05}
			placed := want.run()
			for _, way := range ways {
				undo := way.take()
				p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
				got := placeBy(t, "heuristic", p, placement.Options{Phi: 0.05, Budget: referenceBudget})
				undo()
				if err := want.differs(placed, got); err != nil {
					t.Fatalf("%s: shape %+v seed %d: %v", way.name, shape, seed, err)
				}
			}
			if want.backtracks > 0 {
				backtracked++
			}
			if !placed {
				infeasible++
			}
		}
	}
	if !testing.Short() && (backtracked < 50 || infeasible < 50) {
		t.Errorf("only %d problems backtracked and %d were infeasible: the comparison is too easy", backtracked, infeasible)
	}
}

// differs returns an error if a solution differs from the result of the printed algorithm.
func (r *reference) differs(placed bool, got placement.Solution) error {
	if placed != (got.Status == placement.Placed) || int(got.Expansions) != r.expansions || int(got.Backtracks) != r.backtracks {
		return fmt.Errorf("%s after %d expansions and %d backtracks; want placed %t, %d, %d",
			got.Status, got.Expansions, got.Backtracks, placed, r.expansions, r.backtracks)
	}
	for i, j := range got.Cluster {
		if placed && int(j) != r.cluster[i] {
			return fmt.Errorf("job %d on %d, want %d", i, j, r.cluster[i])
		}
	}
	return nil
}

// Without backtracking the explanation finds the chosen cluster first.
func TestExplanationAgreesWithTheSearch(t *testing.T) {
	for i, shape := range placementtest.Shapes {
		for seed := range uint64(40) {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: seed%2 == 0}))
			s := placeBy(t, "heuristic", p, placement.Options{Phi: 0.05})
			if s.Status != placement.Placed {
				continue
			}
			for step := range s.Order {
				e := must.Get(placement.Explain(p, s, 0.05, step))(t)
				if fault := faultOf(e, f.Clusters().Len(), s.Backtracks > 0); fault != "" {
					t.Fatalf("shape %d seed %d step %d: %s: %+v", i, seed, step, fault, e.PA)
				}
			}
		}
	}
}

// faultOf says what is wrong with the explanation of a step of the heuristic; "" if nothing.
func faultOf(e placement.Explanation, clusters int, backtracked bool) string {
	chosen := slices.IndexFunc(e.PA, func(c placement.Candidate) bool { return c.Chosen && c.Cluster == e.Cluster })
	switch {
	case len(e.PA)+len(e.Refusals) != clusters:
		return fmt.Sprintf("%d in PA and %d refused are not %d clusters", len(e.PA), len(e.Refusals), clusters)
	case chosen < 0:
		return fmt.Sprintf("the cluster %q is not in PA", e.Cluster)
	case chosen > 0 && !backtracked:
		return "without backtracking the first of PA is chosen"
	case !slices.IsSortedFunc(e.PA, func(a, b placement.Candidate) int { return cmp.Compare(a.Ratio*(1+1e-9), b.Ratio) }):
		return "PA is not in the order of CM/NAM"
	}
	for k, c := range e.PA {
		switch {
		case math.Abs(c.Ratio*c.NAM-c.CM) > 1e-9*c.CM:
			return fmt.Sprintf("the ratio of %q is not CM/NAM", c.Cluster)
		case c.Tried != (k < chosen):
			return "other clusters were tried than those before the chosen one"
		}
	}
	return ""
}

package placement_test

import (
	"math"
	"slices"
	"sort"
	"testing"

	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// reference is the heuristic as the thesis prints it: whole matrices, copied
// and recomputed at every step, one cpu label, recursive. It is the measure for
// the incremental one.
type reference struct {
	d                      *graph.Deployment
	f                      *graph.Federation
	a                      float64
	free, y                []float64
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

func (r *reference) link(a, b int) (latency, cost float64, ok bool) {
	t := graph.Lookup(graph.Link, "latency")
	if a == b {
		return 0, 0, true
	}
	latency, ok = r.f.Figure(t, 0, a, b)
	cost, _ = r.f.Figure(t, 1, a, b)
	return latency, cost, ok
}

func (r *reference) run() bool {
	n, clusters := r.d.Jobs().Len(), r.f.Clusters().Len()
	cm := make([][]float64, n)
	var wanted, left float64
	for j := range clusters {
		r.free = append(r.free, r.cpu(j)[0])
		left += r.free[j]
	}
	for i := range n {
		y := r.request(i)
		wanted += y
		neighbours, _ := r.d.Neighbours(i)
		for _, k := range neighbours {
			y += r.request(int(k))
		}
		r.y = append(r.y, y)
		r.order = append(r.order, i)
		r.cluster = append(r.cluster, -1)
		for j := range clusters {
			cm[i] = append(cm[i], r.request(i)*r.cpu(j)[1])
		}
	}
	sort.SliceStable(r.order, func(a, b int) bool { return r.y[r.order[a]] > r.y[r.order[b]] })
	return wanted <= left && r.schedule(0, cm)
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
			pa = append(pa, entry{math.Log(cm[i][j]) + r.a*max(0, r.y[i]-r.free[j]), j})
		}
	}
	sort.SliceStable(pa, func(a, b int) bool { return pa[a].key < pa[b].key })
	for _, e := range pa {
		saved := r.free[e.cluster]
		r.free[e.cluster] -= r.request(i)
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
	if job[0] > r.free[j] || job[0] < c[2] || job[0] > c[3] || job[1] < c[4] || job[1] > c[5] {
		return false
	}
	for k, m := range r.cluster {
		if m < 0 || !r.d.HasEdgeBetween(int64(i), int64(k)) {
			continue
		}
		latency, _, ok := r.link(j, m)
		if bound := r.bound(i, k); !ok || latency > bound {
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
	jobs, _ := r.d.Neighbours(i)
	for _, k := range jobs {
		next[k] = slices.Clone(cm[k])
		for j := range next[k] {
			_, cost, _ := r.link(j, m)
			next[k][j] += cost
		}
	}
	return next
}

// The incremental search makes the very same steps as the printed one.
func TestHeuristicIsTheThesiss(t *testing.T) {
	t.Run("rows kept", compareWithReference)
	t.Run("rows shared", func(t *testing.T) {
		defer placement.SetRowBudget(0)()
		compareWithReference(t)
	})
}

func compareWithReference(t *testing.T) {
	h, _ := placement.Lookup("heuristic")
	backtracked, infeasible := 0, 0
	for _, shape := range placementtest.Shapes {
		if shape.Memory || shape.Bandwidth {
			continue
		}
		for seed := range uint64(150) {
			d, f := shape.Generate(seed)
			want := reference{d: d, f: f, a: 0.05}
			placed := want.run()
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
			got := h.Place(t.Context(), p, placement.Options{Phi: 0.05, Budget: referenceBudget})
			if placed != (got.Status == placement.Placed) || int(got.Expansions) != want.expansions || int(got.Backtracks) != want.backtracks {
				t.Fatalf("shape %+v seed %d: %s after %d expansions and %d backtracks; want placed %t, %d, %d",
					shape, seed, got.Status, got.Expansions, got.Backtracks, placed, want.expansions, want.backtracks)
			}
			if want.backtracks > 0 {
				backtracked++
			}
			if !placed {
				infeasible++
				continue
			}
			for i, j := range got.Cluster {
				if int(j) != want.cluster[i] {
					t.Fatalf("shape %+v seed %d: job %d on %d, want %d", shape, seed, i, j, want.cluster[i])
				}
			}
		}
	}
	if backtracked < 50 || infeasible < 50 {
		t.Errorf("only %d problems backtracked and %d were infeasible: the comparison is too easy", backtracked, infeasible)
	}
}

// Without backtracking the explanation finds the chosen cluster first.
func TestExplanationAgreesWithTheSearch(t *testing.T) {
	h, _ := placement.Lookup("heuristic")
	for i, shape := range placementtest.Shapes {
		for seed := range uint64(40) {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: seed%2 == 0}))
			s := h.Place(t.Context(), p, placement.Options{Phi: 0.05})
			if s.Status != placement.Placed {
				continue
			}
			for step := range s.Order {
				e, err := placement.Explain(p, s, 0.05, step)
				if err != nil {
					t.Fatal(err)
				}
				if len(e.PA)+len(e.Refusals) != f.Clusters().Len() {
					t.Fatalf("shape %d seed %d step %d: %d in PA, %d refused, %d clusters", i, seed, step, len(e.PA), len(e.Refusals), f.Clusters().Len())
				}
				if s.Backtracks == 0 && !e.PA[0].Chosen {
					t.Fatalf("shape %d seed %d step %d: without backtracking the first of PA is chosen, not %+v", i, seed, step, e.PA[0])
				}
				if !slices.ContainsFunc(e.PA, func(c placement.Candidate) bool { return c.Chosen && c.Cluster == e.Cluster }) {
					t.Fatalf("shape %d seed %d step %d: cluster %q is not in PA %+v", i, seed, step, e.Cluster, e.PA)
				}
			}
		}
	}
}

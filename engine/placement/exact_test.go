package placement_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"berth/engine/golden"
	"berth/engine/input/gap"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// More steps never give a worse placement or a worse bound, and a proof agrees with the earlier
// results.
func TestExactIsNeverWorseWithMoreSteps(t *testing.T) {
	for i, shape := range placementtest.Shapes {
		for seed := range uint64(3) {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
			cost, bound := math.Inf(1), math.Inf(-1)
			for _, steps := range []int64{30, 300, 3000} {
				got := placeBy(t, "exact", p, placement.Options{Phi: 0.05, Steps: steps})
				p.Certify(t.Context(), &got)
				if !got.Complete() {
					continue
				}
				if got.Cost() > cost || got.Certificate.Bound < bound-1e-9*bound || got.Certificate.Bound > got.Cost()*(1+1e-9) {
					t.Fatalf("shape %d seed %d: after %d steps cost %v and bound %v, before %v and %v", i, seed, steps, got.Cost(), got.Certificate.Bound, cost, bound)
				}
				cost, bound = got.Cost(), got.Certificate.Bound
			}
		}
	}
}

// The tree continues in each turn: a proof takes about as many steps of both as of the tree alone.
// Trees that started again took at least twice as many.
func TestExactKeepsItsTreeBetweenTurns(t *testing.T) {
	golden.Long(t)
	for seed, most := range map[uint64]int64{2: 800_000, 12: 900_000, 15: 1_300_000} {
		p := binding(t, seed, 20)
		got := placeBy(t, "exact", p, placement.Options{Phi: placement.DefaultPhi, Steps: most})
		if got.Status != placement.Placed || got.Certificate.Proved != placement.ProvedOptimal {
			t.Errorf("seed %d: %s after %d steps, bound %v of %v", seed, got.Status, got.Certificate.Steps, got.Certificate.Bound, got.Cost())
		}
	}
}

// exact proves the optima of the OR-Library's instances.
func TestExactProvesWhatIsKnown(t *testing.T) {
	golden.Long(t)
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: the known optima are not checked")
	}
	for name, want := range map[string]float64{"gap1-0": 261, "c05100": 1931, "e10100": 11577} {
		p := library(t, filepath.Join(data, "gap", name))
		if got := placeBy(t, "exact", p, placement.Options{}); got.Cost() != want || got.Certificate.Proved != placement.ProvedOptimal {
			t.Errorf("%s: cost %v, %q, want %v", name, got.Cost(), got.Certificate.Proved, want)
		}
	}
}

// binding is a problem of the thesis's test-bed with two dependencies for each job and half as many
// clusters. Its latencies bind: two links take 8 to 30 ms.
func binding(t testing.TB, seed uint64, jobs int) *placement.Problem {
	t.Helper()
	d, f := thesisGraphs(t, seed, 0, jobs/2, map[string]float64{"n_nodes": float64(jobs), "n_edges": float64(2 * jobs), "min_latency": 10, "max_latency": 40})
	return problemOf(d, f, false)
}

func library(t testing.TB, file string) *placement.Problem {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return instance(t, file, text)
}

// instance reads a problem of the literature.
func instance(t testing.TB, name string, text []byte) *placement.Problem {
	t.Helper()
	return generalized(t, must.Get(gap.Read(name, text, nil))(t))
}

func generalized(t testing.TB, g *gap.Instance) *placement.Problem {
	t.Helper()
	d, f, err := placement.GAP(g)
	if err != nil {
		t.Fatal(err)
	}
	p := problemOf(d, f, false)
	p.Generalize(g)
	return p
}

// Each operation proves one instance: jobs with binding latencies, one seed after the other, and
// instances of the OR-Library.
func BenchmarkExact(b *testing.B) {
	s, _ := placement.Named("exact", nil)
	prove := func(b *testing.B, next func() *placement.Problem) {
		proved := 0
		for b.Loop() {
			got := s.Place(b.Context(), next(), placement.Options{Phi: placement.DefaultPhi})
			if got.Certificate.Proved != placement.NoProof {
				proved++
			}
		}
		b.ReportMetric(float64(proved)/float64(b.N), "proved/op")
	}
	for _, jobs := range []int{20, 40} {
		b.Run(fmt.Sprintf("%dx%d", jobs, jobs/2), func(b *testing.B) {
			seed := uint64(0)
			prove(b, func() *placement.Problem {
				seed++
				return binding(b, seed%20, jobs)
			})
		})
	}
	for _, name := range []string{"c05100", "e10100", "e20200"} {
		b.Run(name, func(b *testing.B) {
			data := os.Getenv("BERTH_DATA")
			if data == "" {
				b.Skip("BERTH_DATA is not set")
			}
			p := library(b, filepath.Join(data, "gap", name))
			prove(b, func() *placement.Problem { return p })
		})
	}
}

// With equal numbers of steps, the placement of exact never costs more than that of best, and both
// take constant time per step.
func TestExactIsNeverDearerThanBest(t *testing.T) {
	cheaper := 0
	for _, seed := range golden.Seeds(6) {
		d, f := placementtest.Planted(seed, 24, 8)
		p := problemOf(d, f, false)
		for _, steps := range []int64{2000, 30_000, 200_000} {
			o := placement.Options{Phi: placement.DefaultPhi, Steps: steps}
			b, e := placeBy(t, "best", p, o), placeBy(t, "exact", p, o)
			if b.Complete() && (!e.Complete() || e.Cost() > b.Cost()) || e.Certificate.Steps > steps {
				t.Errorf("seed %d, %d steps: exact %s %v in %d, best %v", seed, steps, e.Status, e.Cost(), e.Certificate.Steps, b.Cost())
			}
			if e.Complete() && e.Certificate.Bound > e.Cost()*(1+1e-9) {
				t.Errorf("seed %d: bound %v above %v", seed, e.Certificate.Bound, e.Cost())
			}
			if e.Certificate.Bound > b.Certificate.Bound {
				cheaper++
			}
		}
	}
	if !testing.Short() && cheaper == 0 {
		t.Error("no tree has added anything")
	}
}

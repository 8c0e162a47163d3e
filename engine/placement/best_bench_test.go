package placement_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"berth/engine/input/format"
	"berth/engine/must"
	"berth/engine/placement"
)

// given is an instance of BERTH_DATA and the cost of the best known placement, 0 if none is known.
type given struct {
	name    string
	problem *placement.Problem
	known   float64
}

func givenText(tb testing.TB, name string) []byte {
	return must.Get(os.ReadFile(filepath.Join(os.Getenv("BERTH_DATA"), name)))(tb)
}

func readGiven(tb testing.TB, name, deployment, federation string, known float64) given {
	d, _ := format.ReadDeployments("d.dot", givenText(tb, deployment), format.Options{})
	f, _ := format.ReadFederation([]format.File{{Name: "f.dot", Text: string(givenText(tb, federation))}}, format.Options{})
	return given{name, problemOf(d[0].Deployment, f.Federation, false), known}
}

// givenMeshes returns the planted federations, the smallest first.
func givenMeshes(tb testing.TB) (all []given) {
	var known map[string]struct{ Best float64 }
	must.Do(tb, json.Unmarshal(givenText(tb, "mesh/best.json"), &known))
	for name, k := range known {
		all = append(all, readGiven(tb, name, "mesh/"+name+".d.dot", "mesh/"+name+".f.dot", k.Best))
	}
	size := func(g given) (n int) { fmt.Sscanf(g.name, "m%d", &n); return n }
	slices.SortFunc(all, func(a, b given) int {
		if d := size(a) - size(b); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	return all
}

// givenFaults returns instances on which an earlier search stayed far from the optimum, or found
// nothing.
func givenFaults(tb testing.TB) (all []given) {
	const stuck, steps = "faults/placement/anytime-stuck/", "faults/placement/exact-steps/"
	for _, size := range []string{"12x7", "15x7", "15x6"} {
		all = append(all, readGiven(tb, "stuck-"+size, stuck+"dep"+size+".dot", stuck+"fed"+size+".dot", 0))
	}
	return append(all,
		readGiven(tb, "stuck-min", stuck+"min-dep.dot", stuck+"min-fed.dot", 0),
		readGiven(tb, "steps", steps+"dep40x20.dot", steps+"fed40x20.dot", 3733.5),
		readGiven(tb, "steps-cap2", steps+"dep40x20cap2.dot", steps+"fed40x20cap2.dot", 0),
		readGiven(tb, "depGraph1", "dot/depGraph1.dot", "placement/medium-federation.dot", 0))
}

// givenDense returns call graphs of known applications on published topologies. The costs are the
// lowest found by minutes of annealing and by longer runs of best.
func givenDense(tb testing.TB) (all []given) {
	for name, known := range map[string]float64{
		"14-mix300-edge100": 4541.3, "15-soft9": 2333.9, "15-trainx5-geant": 2157.4,
		"16-mix150-uscarrier": 1863.7, "27-trainx2-att-tight": 816.5, "gt3-9": 1418.8,
	} {
		all = append(all, readGiven(tb, name, "dense/"+name+".d.dot", "dense/"+name+".f.dot", known))
	}
	slices.SortFunc(all, func(a, b given) int { return strings.Compare(a.name, b.name) })
	return all
}

// This measures what best does by default on federations whose latencies and bandwidths bind: how
// far its placements are above the best known and above the bound, in per cent, how long it takes,
// and how long until the first placement. With -v, each instance has a line.
func BenchmarkBest(b *testing.B) {
	b.Run("mesh", func(b *testing.B) { best(b, givenMeshes) })
	b.Run("faults", func(b *testing.B) { best(b, givenFaults) })
}

// This measures the same on large, dense federations.
func BenchmarkDense(b *testing.B) { best(b, givenDense) }

func best(b *testing.B, instances func(testing.TB) []given) {
	if os.Getenv("BERTH_DATA") == "" {
		b.Skip("BERTH_DATA is not set: the instances are not there")
	}
	all := instances(b)
	s := must.Get(placement.Named("best", nil))(b)
	var over, gaps []float64
	var slowest, latest time.Duration
	proved := 0
	for b.Loop() {
		over, gaps, slowest, latest, proved = nil, nil, 0, 0, 0
		for _, g := range all {
			begun, first := time.Now(), time.Duration(0)
			r := s.Place(b.Context(), g.problem, placement.Options{Seed: 1, Phi: placement.DefaultPhi, Reached: func(_ placement.Improvement, cluster []int32) {
				if first == 0 && cluster != nil {
					first = time.Since(begun)
				}
			}})
			took := time.Since(begun)
			slowest, latest = max(slowest, took), max(latest, first)
			g.problem.Certify(b.Context(), &r)
			if r.Certificate.Proved != placement.NoProof {
				proved++
			}
			b.Logf("%-10s %s %.1f, known %.1f, bound %.1f %s, %d steps, %v, placed after %v", g.name, r.Status, r.Cost(), g.known, r.Certificate.Bound, r.Certificate.Proved, r.Certificate.Steps, took.Round(time.Millisecond), first.Round(time.Millisecond))
			if r.Status != placement.Placed {
				continue
			}
			gaps = append(gaps, 100*r.Certificate.Gap(r.Cost()))
			if g.known > 0 {
				over = append(over, 100*(r.Cost()/g.known-1))
			}
		}
	}
	b.ReportMetric(float64(len(gaps)), "placed")
	b.ReportMetric(float64(len(all)), "instances")
	b.ReportMetric(float64(proved), "proved")
	b.ReportMetric(float64(slowest.Milliseconds()), "ms-slowest")
	b.ReportMetric(float64(latest.Milliseconds()), "ms-first-placement")
	for unit, figures := range map[string][]float64{"over-known": over, "gap": gaps} {
		if len(figures) > 0 {
			slices.Sort(figures)
			b.ReportMetric(figures[len(figures)/2], "%-"+unit+"-median")
			b.ReportMetric(math.Max(0, figures[len(figures)-1]), "%-"+unit+"-worst")
		}
	}
}

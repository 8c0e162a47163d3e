package placement_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"berth/engine/graph"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
)

// thesisGraphs returns graphs of the preset thesis: deployment 4, 5 or 6 of 70, 100 or 200 jobs, or
// of other sizes, and a federation.
func thesisGraphs(b testing.TB, seed uint64, deployment, clusters int, other map[string]float64) (*graph.Deployment, *graph.Federation) {
	d := must.Get(graphs.Deployment(workload.Recipe{Generator: graphs.DeploymentGenerator, Preset: graphs.ThesisPreset, Seed: seed, Index: deployment, Parameters: other}))(b)
	f := must.Get(graphs.Federation(workload.Recipe{Generator: graphs.FederationGenerator, Preset: graphs.ThesisPreset, Seed: seed, Parameters: map[string]float64{"n_nodes": float64(clusters)}}))(b)
	return d, f
}

// certified reports the median and the worst certified gap of a strategy over problems, in per
// cent, and how many problems were placed.
func certified(b *testing.B, strategy string, problems []*placement.Problem, o placement.Options) (last placement.Solution) {
	s := must.Get(placement.Named(strategy, nil))(b)
	var gaps []float64
	for b.Loop() {
		gaps = gaps[:0]
		for _, p := range problems {
			last = s.Place(b.Context(), p, o)
			p.Certify(b.Context(), &last)
			if last.Complete() {
				gaps = append(gaps, 100*last.Certificate.Gap(last.Cost()))
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/float64(len(problems)), "ms/problem")
	b.ReportMetric(float64(len(gaps)), "placed")
	if len(gaps) > 0 {
		slices.Sort(gaps)
		b.ReportMetric(gaps[len(gaps)/2], "%-median")
		b.ReportMetric(gaps[len(gaps)-1], "%-worst")
	}
	return last
}

// This measures the certified gaps of the preset thesis over seeds. The bound of the other
// strategies is the immediate one, without links.
func BenchmarkCertified(b *testing.B) {
	const seeds = 20
	for _, clusters := range []int{200, 500} {
		for i, jobs := range []int{70, 100, 200} {
			var problems []*placement.Problem
			for seed := range uint64(seeds) {
				d, f := thesisGraphs(b, seed+1, 4+i, clusters, nil)
				problems = append(problems, problemOf(d, f, false))
			}
			for _, strategy := range []string{"best", "heuristic", "random", "first-fit", "best-fit", "cheapest"} {
				b.Run(fmt.Sprintf("%s/%dx%d", strategy, jobs, clusters), func(b *testing.B) {
					certified(b, strategy, problems, placement.Options{Seed: 1, Phi: placement.DefaultPhi})
				})
			}
		}
	}
}

// These are problems that the heuristic cannot decide within its budget: the thesis's author's
// graphs, if BERTH_DATA is set, and generated ones whose latencies bind. It measures best, or exact
// after it, on them.
func BenchmarkExhausted(b *testing.B) {
	var problems []*placement.Problem
	for seed := range uint64(20) {
		d, f := thesisGraphs(b, seed+1, 0, 30, map[string]float64{"n_nodes": 40, "n_edges": 60, "min_latency": 12, "max_latency": 30})
		problems = append(problems, problemOf(d, f, false))
	}
	for i := range 3 {
		if os.Getenv("BERTH_DATA") != "" {
			problems = append(problems, readGiven(b, "", fmt.Sprintf("dot/depGraph%d.dot", i), "placement/medium-federation.dot", 0).problem)
		}
	}
	place := func(strategy string, p *placement.Problem) placement.Solution {
		s := must.Get(placement.Named(strategy, nil))(b)
		return s.Place(b.Context(), p, placement.Options{Seed: 1, Phi: placement.DefaultPhi})
	}
	var exhausted, decided int
	for b.Loop() {
		exhausted, decided = 0, 0
		for _, p := range problems {
			if h := place("heuristic", p); h.Status != placement.BudgetExhausted {
				continue
			}
			exhausted++
			s := place("best", p)
			if !s.Complete() {
				s = place("exact", p)
			}
			if s.Complete() || s.Status == placement.Infeasible {
				decided++
			}
		}
	}
	b.ReportMetric(float64(exhausted), "exhausted")
	b.ReportMetric(float64(decided), "decided")
}

// On instances of the generalized assignment problem, this measures how far the best placement is
// above the best known one, in per cent, and the bound.
func BenchmarkGAP(b *testing.B) {
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		b.Skip("BERTH_DATA is not set: the instances are not there")
	}
	known := []struct {
		name string
		cost float64
	}{{"c05100", 1931}, {"c20400", 4782}, {"d05100", 6353}, {"d10100", 6347}, {"d20200", 12244}, {"d20400", 24567}, {"e10100", 11577}, {"e20200", 22379}}
	for _, instance := range known {
		for _, steps := range []int64{0, 100e6} {
			name := instance.name
			if steps > 0 {
				if name != "d20400" {
					continue // one will do
				}
				name += "/longer"
			}
			b.Run(name, func(b *testing.B) {
				p := library(b, filepath.Join(data, "gap", instance.name))
				s := certified(b, "best", []*placement.Problem{p}, placement.Options{Seed: 1, Phi: placement.DefaultPhi, Steps: steps})
				b.ReportMetric(100*(s.Cost()-instance.cost)/instance.cost, "%-over-known")
				b.ReportMetric(s.Certificate.Bound, "bound")
			})
		}
	}
}

package placement_test

import (
	"math"
	"testing"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// graphsOf reads a deployment and a federation.
func graphsOf(t *testing.T, deployment, federation string) (*graph.Deployment, *graph.Federation) {
	t.Helper()
	d, found := dot.ReadDeployments("d.dot", []byte(deployment), dot.Options{})
	f, wrong := dot.ReadFederation("f.dot", []byte(federation), dot.Options{})
	if len(found)+len(wrong) > 0 {
		t.Fatal(found, wrong)
	}
	return d[0].Deployment, f
}

// cheapestOfAll returns the lowest cost of all placements by trying each; +Inf if there is none.
func cheapestOfAll(d *graph.Deployment, f *graph.Federation, p *placement.Problem, may func(cluster []int32) bool) float64 {
	best := math.Inf(1)
	everyPlacement(d.Jobs().Len(), f.Clusters().Len(), func(cluster []int32) {
		if node, link := p.Costs(cluster); node+link < best && placementtest.Check(d, f, cluster, false) == nil && may(cluster) {
			best = node + link
		}
	})
	return best
}

// Every strategy satisfies rules. No result is below the optimum of an exhaustive search, no bound
// is above it, and reported proofs are correct.
func TestRulesAreKept(t *testing.T) {
	placed, refused, proved := 0, 0, 0
	for i, shape := range placementtest.Ruled {
		for _, seed := range golden.Seeds(25) {
			d, f := shape.Generate(seed)
			var options placement.CapacityOptions
			if seed%3 == 0 {
				options.MaxMoves = new(int(seed % 2))
			}
			p := placement.NewProblem(d, placement.NewCapacity(f, options))
			best := cheapestOfAll(d, f, p, func(cluster []int32) bool {
				return options.MaxMoves == nil || moves(d, f, cluster) <= *options.MaxMoves
			})
			for _, name := range placement.Names() {
				s := placeBy(t, name, p, placement.Options{Phi: placement.DefaultPhi, Seed: seed, Steps: 200_000})
				p.Certify(t.Context(), &s)
				fail := func(why string, args ...any) {
					t.Helper()
					t.Errorf("shape %d seed %d, %s: "+why+"; rules %v", append(append([]any{i, seed, name}, args...), d.Rules)...)
				}
				if s.Certificate != nil {
					if s.Certificate.Bound > best*(1+1e-9) {
						fail("the bound %v is above %v", s.Certificate.Bound, best)
					}
					if s.Certificate.Proved == placement.ProvedOptimal {
						proved++
						if s.Cost() > best*(1+1e-9) {
							fail("%v is said to be optimal, which is %v", s.Cost(), best)
						}
					}
				}
				switch {
				case s.Complete():
					placed++
					if err := placementtest.Check(d, f, s.Cluster, false); err != nil {
						fail("%v", err)
					}
					if options.MaxMoves != nil && moves(d, f, s.Cluster) > *options.MaxMoves {
						fail("%d moves, at most %d", moves(d, f, s.Cluster), *options.MaxMoves)
					}
					if s.Cost() < best*(1-1e-9) {
						fail("costs %v, the optimum %v", s.Cost(), best)
					}
				case s.Status == placement.Infeasible:
					refused++
					if !math.IsInf(best, 1) {
						fail("none is found where one costs %v", best)
					}
				}
			}
		}
	}
	if !testing.Short() && (placed < 200 || refused < 50 || proved < 50) {
		t.Errorf("%d placed, %d refused, %d proved: too easy", placed, refused, proved)
	}
}

func moves(d *graph.Deployment, f *graph.Federation, cluster []int32) int {
	n := 0
	for job, j := range cluster {
		if at, ok := f.Cluster(d.Jobs().Attribute(graph.Current, job)); ok && at != int(j) {
			n++
		}
	}
	return n
}

// If a rule keeps a job from a cluster, the reason names the rule.
func TestARuleIsTheReason(t *testing.T) {
	d, f := graphsOf(t, `graph { rules="apart a b by region"; node [request=1, limit=1]; a [rule="only region=eu"]; b; a -- b [latency=9] }`,
		`graph { node [cpu=9, cpu_cost=1]; eu [region=eu]; us [region=us]; eu -- us [latency=5, latency_cost=1] }`)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	s := placeBy(t, "heuristic", p, placement.Options{Phi: placement.DefaultPhi})
	for step, want := range []string{"rule: a: only region=eu", "rule: apart a b by region"} {
		e, err := placement.Explain(p, s, placement.DefaultPhi, step)
		if err != nil || len(e.Refusals) != 1 || e.Refusals[0].Text != want || e.Refusals[0].Kind != "rule" {
			t.Errorf("step %d: %v, %+v; want %s", step, err, e.Refusals, want)
		}
	}
}

// A conflict set names the rules that belong to it, and no others.
func TestRulesInAConflict(t *testing.T) {
	for _, c := range []struct{ rules, want, text string }{
		{"apart a b by region; at most 3 clusters", "the rule apart a b by region", "the rule apart a b by region; only eu takes a and b"},
		{"together a c by region", "the rule together a c by region", ""},
	} {
		d, f := graphsOf(t, `graph { rules="`+c.rules+`"; node [request=1, limit=1]; a [rule="only region=eu"]; b [rule="only region=eu"]; c [rule="only region=us"] }`,
			`graph { node [cpu=9, cpu_cost=1]; eu [region=eu]; us [region=us]; eu -- us [latency=5, latency_cost=1] }`)
		p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
		s := placeBy(t, "exact", p, placement.Options{Phi: placement.DefaultPhi})
		p.Certify(t.Context(), &s)
		var rules []string
		for _, m := range s.Certificate.Core {
			if m.Kind == placement.CoreRule {
				rules = append(rules, m.Text)
			}
		}
		if s.Status != placement.Infeasible || len(rules) != 1 || rules[0] != c.want || !s.Certificate.Minimal || c.text != "" && s.Certificate.CoreText != c.text {
			t.Errorf("%s: %s, %q, %s", c.rules, s.Status, rules, s.Certificate.CoreText)
		}
	}
}

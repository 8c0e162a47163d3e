package placementtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"berth/engine/graph"
	"berth/engine/rule"
)

// Shape has the properties of a random problem.
type Shape struct {
	Jobs, Dependencies, Clusters int
	Star, Routed                 bool
	Density                      float64 // share of all possible links; ignored for a star
	Memory, Bandwidth, Traffic   bool
	Tightness                    float64 // approximate ratio of the sum of requests to the sum of amounts
	Decimals                     int     // of requests, amounts, latencies and bandwidths
	Rules                        int
}

// Shapes lists problems that are easy, hard and impossible, on stars, meshes
// and sparse federations.
var Shapes = []Shape{
	{Jobs: 1, Clusters: 1, Density: 1, Tightness: 0.5},
	{Jobs: 6, Dependencies: 8, Clusters: 4, Star: true, Tightness: 0.6},
	{Jobs: 12, Dependencies: 20, Clusters: 8, Density: 1, Tightness: 0.5},
	{Jobs: 12, Dependencies: 20, Clusters: 8, Density: 0.5, Tightness: 0.4},
	{Jobs: 12, Dependencies: 16, Clusters: 9, Density: 0.3, Routed: true, Tightness: 0.5},
	{Jobs: 5, Dependencies: 6, Clusters: 6, Density: 0.3, Routed: true, Bandwidth: true, Tightness: 0.6},
	{Jobs: 10, Dependencies: 12, Clusters: 5, Star: true, Memory: true, Tightness: 0.7},
	{Jobs: 9, Dependencies: 12, Clusters: 6, Density: 0.9, Bandwidth: true, Tightness: 0.5},
	{Jobs: 9, Dependencies: 12, Clusters: 6, Star: true, Bandwidth: true, Tightness: 0.5},
	{Jobs: 8, Dependencies: 10, Clusters: 4, Density: 1, Memory: true, Bandwidth: true, Tightness: 0.95},
	{Jobs: 5, Dependencies: 4, Clusters: 3, Density: 1, Tightness: 1.2},
	{Jobs: 6, Dependencies: 3, Clusters: 3, Star: true, Tightness: 0.95, Decimals: 1},
	{Jobs: 12, Dependencies: 20, Clusters: 8, Density: 1, Tightness: 0.8, Decimals: 4},
	{Jobs: 9, Dependencies: 12, Clusters: 6, Star: true, Memory: true, Bandwidth: true, Tightness: 0.8, Decimals: 2},
	{Jobs: 9, Dependencies: 14, Clusters: 6, Star: true, Traffic: true, Tightness: 0.6},
	{Jobs: 9, Dependencies: 14, Clusters: 6, Density: 0.9, Traffic: true, Tightness: 0.6},
	{Jobs: 5, Dependencies: 6, Clusters: 6, Density: 0.3, Routed: true, Traffic: true, Tightness: 0.6},
}

// Ruled lists shapes of small problems with placement rules.
var Ruled = []Shape{
	{Jobs: 6, Dependencies: 6, Clusters: 5, Star: true, Tightness: 0.3, Rules: 2},
	{Jobs: 6, Dependencies: 7, Clusters: 5, Density: 1, Tightness: 0.3, Rules: 2},
	{Jobs: 5, Dependencies: 5, Clusters: 6, Density: 0.9, Bandwidth: true, Traffic: true, Tightness: 0.3, Rules: 2},
	{Jobs: 6, Clusters: 5, Density: 1, Memory: true, Tightness: 0.5, Rules: 3},
}

// Generate returns a problem of a shape. Figures are small whole numbers in the last decimal, so
// that ties are frequent.
func (s Shape) Generate(seed uint64) (*graph.Deployment, *graph.Federation) {
	rng := rand.New(rand.NewPCG(seed, 1))
	d, f := s.deployment(rng), s.federation(rng)
	if s.Rules > 0 {
		s.rule(rng, d, f)
	}
	return d, f
}

// rule gives jobs and clusters attributes and draws rules that use them.
func (s Shape) rule(rng *rand.Rand, d *graph.Deployment, f *graph.Federation) {
	job := func() string { return fmt.Sprintf("j%d", rng.IntN(s.Jobs)) }
	for i := range s.Jobs {
		d.Jobs().SetAttribute("group", i, fmt.Sprintf("g%d", rng.IntN(2)))
		if rng.IntN(3) > 0 {
			d.Jobs().SetAttribute(graph.Current, i, fmt.Sprintf("c%d", rng.IntN(s.Clusters)))
			d.Jobs().Set(i, "move", between(rng, 0, 9))
		}
	}
	for j := range s.Clusters {
		f.Clusters().SetAttribute("region", j, fmt.Sprintf("r%d", rng.IntN(3)))
		if rng.IntN(4) > 0 {
			f.Clusters().SetAttribute("zone", j, fmt.Sprintf("z%d", rng.IntN(3)))
		}
	}
	for range s.Rules {
		text := [...]string{
			job() + ": only region=r0,r1", job() + ": never zone=z0", "never cluster=c0",
			"apart " + job() + " " + job() + " " + job() + " by region", "together " + job() + " " + job() + " by zone",
			fmt.Sprintf("at most %d of group=g0 per zone", 1+rng.IntN(2)), "spread group=g1 by region skew 1", "spread by zone skew 2",
			fmt.Sprintf("at most %d clusters", 2+rng.IntN(2)), fmt.Sprintf("at most %d jobs of region=r1,r2", rng.IntN(5)),
			fmt.Sprintf("at most %d values of zone", 1+rng.IntN(2)), fmt.Sprintf("group=g0: at least %d values of region", 1+rng.IntN(2)), "at least 3 clusters",
		}[rng.IntN(13)]
		rules, err := rule.Parse(text)
		if err != nil {
			panic(err)
		}
		d.Rules = append(d.Rules, rules...)
	}
}

func between(rng *rand.Rand, low, high int) float64 { return float64(low + rng.IntN(high-low+1)) }

// amount draws a number between low and high, in units of the last decimal.
func (s Shape) amount(rng *rand.Rand, low, high int) float64 {
	return between(rng, low, high) / math.Pow10(s.Decimals)
}

func (s Shape) deployment(rng *rand.Rand) *graph.Deployment {
	d := graph.NewDeployment()
	for i := range s.Jobs {
		d.AddJob(fmt.Sprintf("j%d", i))
		if !s.Memory || rng.IntN(4) > 0 {
			d.Jobs().Set(i, "cpuOffloading", s.amount(rng, 1, 9), s.amount(rng, 5, 12))
		}
		if s.Memory && rng.IntN(3) > 0 || !d.Jobs().Has(graph.Lookup(graph.Job, "cpuOffloading"), i) {
			d.Jobs().Set(i, "memoryOffloading", s.amount(rng, 10, 90), 100)
		}
	}
	latency, bandwidth := graph.Lookup(graph.Dependency, "latency"), graph.Lookup(graph.Dependency, "bandwidth")
	for range s.Dependencies {
		a, b := rng.IntN(s.Jobs), rng.IntN(s.Jobs)
		if a == b {
			continue
		}
		labels := []graph.Label{{Type: latency, Values: []float64{s.amount(rng, 4, 30)}}}
		if s.Bandwidth {
			labels = append(labels, graph.Label{Type: bandwidth, Values: []float64{s.amount(rng, 1, 6)}})
		}
		if s.Traffic && rng.IntN(4) > 0 {
			labels = append(labels, graph.Label{Type: graph.Lookup(graph.Dependency, "traffic"), Values: []float64{between(rng, 0, 6)}})
		}
		d.AddDependency(a, b, labels...)
	}
	return d
}

func (s Shape) federation(rng *rand.Rand) *graph.Federation {
	f := graph.NewFederation()
	amount := 5 * float64(s.Jobs) / float64(s.Clusters) / s.Tightness
	for j := range s.Clusters {
		f.AddCluster(fmt.Sprintf("c%d", j))
		low, high := int(amount/2), int(amount*3/2)
		f.Clusters().Set(j, "cpu", s.amount(rng, low, high), between(rng, 0, 4), s.amount(rng, 0, 2), s.amount(rng, 7, 9), 0, 12)
		if s.Memory && rng.IntN(5) > 0 {
			f.Clusters().Set(j, "memory", s.amount(rng, 10*low, 10*high), between(rng, 0, 2)/10, 0, 100, 0, 100)
		}
	}
	for a := range s.Clusters {
		for b := a + 1; b < s.Clusters; b++ {
			if s.Star && a == 0 || !s.Star && rng.Float64() < s.Density {
				s.link(rng, f, a, b)
			}
		}
	}
	if s.Star {
		if _, err := f.SetCenter("c0"); err != nil {
			panic(err)
		}
	}
	if s.Routed {
		if _, err := f.RouteByLatency(); err != nil {
			panic(err)
		}
	}
	return f
}

func (s Shape) link(rng *rand.Rand, f *graph.Federation, a, b int) {
	label := func(name string, values ...float64) graph.Label {
		return graph.Label{Type: graph.Lookup(graph.Link, name), Values: values}
	}
	labels := []graph.Label{label("latency", s.amount(rng, 1, 12), between(rng, 0, 5))}
	if s.Bandwidth && rng.IntN(6) > 0 {
		labels = append(labels, label("bandwidth", s.amount(rng, 2, 12), between(rng, 0, 2)), label("linkCost", 1))
	}
	if s.Traffic && rng.IntN(4) > 0 {
		labels = append(labels, label("traffic", between(rng, 0, 3)/2))
	}
	f.AddLink(a, b, labels...)
}

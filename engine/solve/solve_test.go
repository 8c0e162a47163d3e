package solve_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
)

// random returns a small problem of any kind: star, mesh or no links, factors or cells, up to two
// resources, forbidden clusters, limits and lanes, whole figures or not, and many ties and zeros.
func random(rng *rand.Rand) *solve.Problem {
	p := &solve.Problem{Jobs: 1 + rng.IntN(6), Clusters: 1 + rng.IntN(4)}
	figure := func(high int) float64 { return float64(rng.IntN(high + 1)) }
	if rng.IntN(3) == 0 {
		figure = func(high int) float64 { return float64(high) * rng.Float64() }
	}
	some := func(n, high int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = figure(high)
		}
		return v
	}
	matrix := func(high int) (m solve.Matrix) {
		switch rng.IntN(3) {
		case 0:
			m.Cells = some(p.Jobs*p.Clusters, high)
		case 1:
			m.Terms = []solve.Term{{ByJob: some(p.Jobs, high)}}
		default:
			m.Terms = []solve.Term{{ByJob: some(p.Jobs, high)}, {ByJob: some(p.Jobs, 3), ByCluster: some(p.Clusters, high)}}
		}
		return m
	}
	p.Cost = matrix(9)
	for range rng.IntN(3) {
		m := matrix(6)
		var sum float64
		for j := range p.Jobs {
			sum += m.At(j, rng.IntN(p.Clusters), p.Clusters)
		}
		capacity := some(p.Clusters, int(2.5*sum/float64(p.Clusters))+1)
		p.Resources = append(p.Resources, solve.Resource{Amount: m, Capacity: capacity})
	}
	for range rng.IntN(4) {
		p.Forbid(rng.IntN(p.Jobs), rng.IntN(p.Clusters))
	}
	dependencies(rng, p, figure, some)
	return p
}

func dependencies(rng *rand.Rand, p *solve.Problem, figure func(int) float64, some func(n, high int) []float64) {
	for a := range p.Jobs {
		for b := range a {
			if rng.IntN(2) == 0 {
				weight := 1.
				if rng.IntN(3) == 0 {
					weight = figure(3)
				}
				p.Dependencies = append(p.Dependencies, solve.Dependency{A: int32(a), B: int32(b), Weight: weight})
			}
		}
	}
	star := rng.IntN(2) == 0
	columns := func(high int) (leg, pair []float64) {
		if star {
			return some(p.Clusters, high), nil
		}
		pair = make([]float64, p.Clusters*p.Clusters)
		for a := range p.Clusters {
			for b := range a {
				v := figure(high)
				if rng.IntN(8) == 0 {
					v = math.Inf(1)
				}
				pair[a*p.Clusters+b], pair[b*p.Clusters+a] = v, v
			}
		}
		return nil, pair
	}
	if rng.IntN(5) > 0 {
		p.Links.Leg, p.Links.Pair = columns(4)
	}
	for range rng.IntN(2) {
		l := solve.Limit{Most: rng.IntN(2) == 0, Bound: some(len(p.Dependencies), 9)}
		l.Leg, l.Pair = columns(6)
		p.Limits = append(p.Limits, l)
	}
	if rng.IntN(4) == 0 {
		l := solve.Lanes{Capacity: some(p.Clusters, 9), Amount: some(len(p.Dependencies), 4), Leg: make([]int32, p.Clusters)}
		for c := range l.Leg {
			l.Leg[c] = int32(c) - int32(rng.IntN(2))*int32(c+1)
		}
		p.Lanes = append(p.Lanes, l)
	}
}

// optimum tries everything.
func optimum(p *solve.Problem) float64 {
	best, cluster := math.Inf(1), make([]int32, p.Jobs)
	var search func(job int)
	search = func(job int) {
		if job == p.Jobs {
			if p.Check(cluster) == nil {
				node, link := p.Costs(cluster)
				best = min(best, node+link)
			}
			return
		}
		for c := range p.Clusters {
			cluster[job] = int32(c)
			search(job + 1)
		}
	}
	search(0)
	return best
}

// placeable reports whether each job has a cluster that may take it.
func placeable(p *solve.Problem) bool {
	for j := range p.Jobs {
		allowed := false
		for c := range p.Clusters {
			allowed = allowed || p.Allowed(j, c)
		}
		if !allowed {
			return false
		}
	}
	return true
}

func TestBoundsAreBelowTheOptimum(t *testing.T) {
	feasible, tight, tightened := 0, 0, 0
	for _, seed := range golden.Seeds(3000) {
		p := random(rand.New(rand.NewPCG(seed, 7)))
		want := optimum(p)
		if bound := solve.Bound(p); bound > want {
			t.Fatalf("seed %d: the first bound is %v, the optimum %v", seed, bound, want)
		}
		b := solve.NewBounder(p)
		last := math.Inf(-1)
		for step := range 200 {
			now := b.Step()
			if now > want || now < last {
				t.Fatalf("seed %d: after %d steps the bound is %v, before it was %v, the optimum is %v", seed, step, now, last, want)
			}
			last = now
		}
		b.Tighten(1<<20, goOn)
		if b.Bound() > want || b.Bound() < last {
			t.Fatalf("seed %d: tightened, the bound is %v, before it was %v, the optimum is %v", seed, b.Bound(), last, want)
		}
		if b.Bound() > last+1e-6 {
			tightened++
		}
		if !placeable(p) {
			if !math.IsInf(b.Bound(), 1) {
				t.Fatalf("seed %d: the bound is %v, but a job has no cluster", seed, b.Bound())
			}
			continue
		}
		if !math.IsInf(want, 1) {
			feasible++
			if b.Bound() >= want*0.95 {
				tight++
			}
		}
	}
	t.Logf("%d can be placed: %d with a bound within 5 %%, %d tightened", feasible, tight, tightened)
	if !testing.Short() && (feasible < 1200 || tightened < 200) || tight < feasible/2 {
		t.Errorf("%d can be placed: %d with a bound within 5 %%, %d tightened", feasible, tight, tightened)
	}
}

func TestBoundsDoNotAllocate(t *testing.T) {
	p := starOf(60, 12, 60)
	p.Resources[0].Amount = solve.Matrix{Cells: p.Resources[0].Amount.Dense(p.Jobs, p.Clusters)}
	b := solve.NewBounder(p)
	b.Step()
	if n := testing.AllocsPerRun(20, func() { b.Step() }); n != 0 {
		t.Errorf("a step of the bound allocates %g times", n)
	}
}

// If tightening is interrupted, the bound does not change, and tightening it again gives the same
// as without the interruption.
func TestTighteningIsInterrupted(t *testing.T) {
	const cells = 24e6
	begun := func() *solve.Bounder {
		b := solve.NewBounder(starOf(60, 80, 110))
		for range 100 {
			b.Step()
		}
		return b
	}
	b, fresh := begun(), begun()
	before := b.Bound()
	asked := 0
	worked, ok := b.Tighten(cells, func() bool {
		asked++
		return asked < 3
	})
	if worked != 0 || ok || asked != 3 || b.Bound() != before {
		t.Fatalf("worked %d, to its end: %v, asked %d times, the bound is %v, before it was %v", worked, ok, asked, b.Bound(), before)
	}
	b.Tighten(cells, goOn)
	fresh.Tighten(cells, goOn)
	if b.Bound() != fresh.Bound() || b.Bound() <= before {
		t.Errorf("the bound is %v, without the interruption %v, before it was %v", b.Bound(), fresh.Bound(), before)
	}
}

// starOf returns a star of clusters with different prices per unit, and jobs with dependencies that
// latencies limit.
func starOf(jobs, clusters, dependencies int) *solve.Problem {
	rng := rand.New(rand.NewPCG(1, 1))
	column := func(n int, low, high float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = low + (high-low)*rng.Float64()
		}
		return v
	}
	p := &solve.Problem{Jobs: jobs, Clusters: clusters}
	requests := column(jobs, 100, 956)
	p.Cost.Terms = []solve.Term{{ByJob: requests, ByCluster: column(clusters, 0.4, 1)}}
	p.Resources = []solve.Resource{{Amount: solve.Matrix{Terms: []solve.Term{{ByJob: requests}}}, Capacity: column(clusters, 1000, 3000)}}
	for k := range dependencies {
		a := int32(k % (jobs - 1))
		p.Dependencies = append(p.Dependencies, solve.Dependency{A: a, B: a + 1 + int32(rng.IntN(jobs-1-int(a))), Weight: 1})
	}
	p.Links.Leg = column(clusters, 0.1, 0.2)
	p.Limits = []solve.Limit{{Leg: column(clusters, 4, 15), Bound: column(dependencies, 20, 80)}}
	return p
}

func goOn() bool { return true }

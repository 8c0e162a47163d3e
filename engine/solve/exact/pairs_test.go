package exact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/solve"
)

// meshed returns a small problem with links, limits, lanes and resources of any kind. on has the
// lowest cost of a whole placement with each job on each cluster, by trying all placements.
func meshed(rng *rand.Rand) (p *solve.Problem, on [][]float64) {
	p = &solve.Problem{Jobs: 5, Clusters: 3}
	some := func(n int, most float64) []float64 {
		all := make([]float64, n)
		for i := range all {
			if all[i] = most * rng.Float64(); rng.IntN(2) == 0 {
				all[i] = math.Floor(all[i])
			}
		}
		return all
	}
	p.Cost = solve.Matrix{Cells: some(15, 20), Terms: []solve.Term{{ByJob: some(5, 3), ByCluster: some(3, 3)}}}
	for range rng.IntN(3) {
		p.Resources = append(p.Resources, solve.Resource{Amount: solve.Matrix{Cells: some(15, 6)}, Capacity: some(3, 16)})
	}
	for a := range int32(5) {
		for b := range a {
			if rng.IntN(2) == 0 {
				p.Dependencies = append(p.Dependencies, solve.Dependency{A: a, B: b, Weight: float64(1 + rng.IntN(3))})
			}
			if rng.IntN(12) == 0 {
				p.Dependencies = append(p.Dependencies, solve.Dependency{A: a, B: b, Weight: 1})
			}
		}
	}
	deps := len(p.Dependencies)
	pairs := func(most float64) []float64 {
		all := some(9, most)
		for a := range 3 {
			for b := range a {
				if all[a*3+b] = all[b*3+a]; rng.IntN(8) == 0 {
					all[a*3+b], all[b*3+a] = math.Inf(1), math.Inf(1)
				}
			}
		}
		return all
	}
	switch rng.IntN(3) {
	case 0:
		p.Links.Leg = some(3, 6)
	case 1:
		p.Links.Pair = pairs(9)
	}
	for range rng.IntN(3) {
		l := solve.Limit{Bound: some(deps, 12)}
		if rng.IntN(2) == 0 {
			l.Leg, l.Most = some(3, 8), rng.IntN(2) == 0
		} else {
			l.Pair = pairs(12)
		}
		p.Limits = append(p.Limits, l)
	}
	if rng.IntN(4) == 0 {
		p.Lanes = []solve.Lanes{{Capacity: some(3, 9), Amount: some(deps, 4), Leg: []int32{0, 1, -1}}}
	}
	if rng.IntN(2) == 0 {
		p.Forbid(rng.IntN(5), rng.IntN(3))
	}
	return p, leastOn(p, -1)
}

// leastOn tries all placements of five jobs on three clusters, the first job on a given one (-1: on
// any).
func leastOn(p *solve.Problem, first int32) [][]float64 {
	on := make([][]float64, 5)
	for j := range on {
		on[j] = []float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	}
	cluster := make([]int32, 5)
	for n := range 243 {
		for j := range cluster {
			cluster[j] = int32(n % 3)
			n /= 3
		}
		if first >= 0 && cluster[0] != first || p.Check(cluster) != nil {
			continue
		}
		node, link := p.Costs(cluster)
		for j, c := range cluster {
			on[j][c] = min(on[j][c], node+link)
		}
	}
	return on
}

// Whatever is paid and moved, no placement costs less than the bound, and none with a job on a
// cluster costs less than the bound for that pair. No cheaper placement uses a removed cluster.
// Some jobs may be fixed.
func TestPairBoundsHoldAtAnyPayments(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	tight, struck := 0, 0
	for n := range 6000 {
		p, on := meshed(rng)
		s := newState(p)
		if !pairable(p) || min(s.size[0], s.size[1], s.size[2], s.size[3], s.size[4]) == 0 {
			continue
		}
		x := newPairs(newRelaxation(s))
		if n%3 == 0 {
			if c := s.next(0, 0); s.put(0, c, 0) < 0 {
				on = leastOn(p, int32(c))
			} else {
				continue
			}
		}
		least := slices.Min(on[0])
		for at := range x.pay {
			x.pay[at] = max(0, 8*rng.Float64()-4)
		}
		for i := range x.moved {
			for at := range x.moved[i] {
				x.moved[i][at] = 4*rng.Float64() - 2
			}
		}
		for _, press := range x.press {
			for at := range press {
				press[at] = max(0, 8*rng.Float64()-4)
			}
		}
		bound := x.evaluate()
		bound = max(bound, x.improve(1+rng.IntN(8), math.Inf(1), 3))
		if bound > least {
			t.Fatalf("problem %d: the bound %v is above %v", n, bound, least)
		}
		if bound > 0.8*least && !math.IsInf(least, 1) {
			tight++
		}
		job := int32(1 + rng.IntN(4))
		for _, v := range x.valuesOf(job, nil) {
			if want := on[job][v.cluster]; v.bound > want {
				t.Fatalf("problem %d: job %d on cluster %d: %v is above %v", n, job, v.cluster, v.bound, want)
			}
		}
		enough := bound + float64(rng.IntN(8))
		x.fix(enough)
		for j := range int32(5) {
			for c := range 3 {
				if s.at[j] < 0 && !s.has(j, c) && on[j][c] < enough {
					t.Fatalf("problem %d: job %d cannot go to cluster %d, where it costs %v, below %v", n, j, c, on[j][c], enough)
				} else if s.at[j] < 0 && !s.has(j, c) && !math.IsInf(on[j][c], 1) {
					struck++
				}
			}
		}
	}
	if tight < 500 || struck < 500 {
		t.Errorf("%d bounds are tight, %d clusters were taken away: too weak to tell", tight, struck)
	}
}

// No placement costs less than the bound of a tree, however many steps it takes and whatever the
// known placement costs. With enough steps it proves the lowest cost.
func TestBoundsTowardsAKnownCostHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	proved := 0
	for n := range 3000 {
		p, on := meshed(rng)
		least := slices.Min(on[0])
		if math.IsInf(least, 1) || !pairable(p) {
			continue
		}
		start := make([]int32, p.Jobs) // some placement
		for p.Check(start) != nil {
			for j := range start {
				start[j] = int32(rng.IntN(p.Clusters))
			}
		}
		x := NewTree(p, start)
		for steps := int64(100); steps < 2000; steps += 1 + rng.Int64N(700) {
			if x.Run(steps); steps > 1000 {
				x.Stop()
			}
			if r := x.Result(); r.Bound > least*(1+Rounding) || r.Cost < least*(1-Rounding) {
				t.Fatalf("problem %d: after %d steps the bound is %v, the cost %v; the least is %v", n, steps, r.Bound, r.Cost, least)
			}
		}
		if x.Result().Proved {
			proved++
		}
	}
	if proved < 500 {
		t.Errorf("%d trees are proofs: too weak to tell", proved)
	}
}

func TestEvaluationsOfPairsDoNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 30 {
		p, _ := meshed(rng)
		if !pairable(p) {
			continue
		}
		x := newPairs(newRelaxation(newState(p)))
		x.begin()
		x.improve(20, 1e6, 4)
		x.back(0)
		if n := testing.AllocsPerRun(10, func() {
			x.evaluate()
			x.move(1)
			x.back(0)
		}); n != 0 {
			t.Errorf("with %d resources an evaluation allocates %v times", len(p.Resources), n)
		}
	}
}

package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
)

// copied returns a small problem with few different jobs and clusters, with links, latencies and
// ties, and only whole figures.
func copied(rng *rand.Rand) *solve.Problem {
	p := &solve.Problem{Jobs: 3 + rng.IntN(4), Clusters: 2 + rng.IntN(3)}
	kind, place := make([]int, p.Jobs), make([]int, p.Clusters)
	for j := range kind {
		kind[j] = rng.IntN(3)
	}
	for c := range place {
		place[c] = rng.IntN(3)
	}
	table := func(most int) (cells [3][3]float64) {
		for k := range cells {
			for at := range cells[k] {
				cells[k][at] = float64(rng.IntN(most))
			}
		}
		return cells
	}
	cells := func(most int) solve.Matrix {
		of, m := table(most), solve.Matrix{}
		for _, k := range kind {
			for _, at := range place {
				m.Cells = append(m.Cells, of[k][at])
			}
		}
		return m
	}
	p.Cost = cells(9)
	for range 1 + rng.IntN(2) {
		room, of := make([]float64, p.Clusters), 3+rng.IntN(12)
		for c := range room {
			room[c] = float64(of - place[c])
		}
		p.Resources = append(p.Resources, solve.Resource{Amount: cells(6), Capacity: room})
	}
	linked, price, latency := table(2), table(6), table(9)
	var bound []float64
	for a := range p.Jobs {
		for b := range a {
			if k, l := min(kind[a], kind[b]), max(kind[a], kind[b]); linked[k][l] > 0 {
				p.Dependencies = append(p.Dependencies, solve.Dependency{A: int32(a), B: int32(b), Weight: 1 + linked[l][k]})
				bound = append(bound, 2+latency[k][l])
			}
		}
	}
	limit := solve.Limit{Bound: bound}
	for _, a := range place {
		for _, b := range place {
			p.Links.Pair = append(p.Links.Pair, price[min(a, b)][max(a, b)])
			limit.Pair = append(limit.Pair, latency[max(a, b)][min(a, b)])
		}
	}
	p.Limits = []solve.Limit{limit}
	return p
}

// Exhaustive returns the lowest cost of all placements, +Inf if there is none.
func Exhaustive(p *solve.Problem) float64 {
	least, cluster := math.Inf(1), make([]int32, p.Jobs)
	possible := func(job int) bool { // with the earlier jobs in place
		for k, d := range p.Dependencies {
			if max(d.A, d.B) == int32(job) && math.IsInf(p.PairCost(k, int(cluster[d.A]), int(cluster[d.B])), 1) {
				return false
			}
		}
		return true
	}
	var try func(job int)
	try = func(job int) {
		if job == p.Jobs {
			if node, link := p.Costs(cluster); node+link < least && p.Check(cluster) == nil {
				least = node + link
			}
			return
		}
		for c := range p.Clusters {
			cluster[job] = int32(c)
			if possible(job) {
				try(job + 1)
			}
		}
	}
	try(0)
	return least
}

// distinct makes each element its own class.
func distinct(alike []int32) {
	for i := range alike {
		alike[i] = int32(i)
	}
}

// scattered returns a problem whose latencies forbid most pairs of clusters, so that placements are
// rare.
func scattered(rng *rand.Rand) *solve.Problem {
	p := &solve.Problem{Jobs: 9, Clusters: 6}
	limit := solve.Limit{Pair: make([]float64, 36)}
	for c := range 6 {
		for d := range c {
			limit.Pair[c*6+d] = float64(rng.IntN(30))
			limit.Pair[d*6+c] = limit.Pair[c*6+d]
		}
	}
	amount, room := make([]float64, 9), make([]float64, 6)
	for j := range amount {
		amount[j] = float64(2 + rng.IntN(4))
		for k := range j {
			if rng.IntN(3) == 0 {
				p.Dependencies = append(p.Dependencies, solve.Dependency{A: int32(j), B: int32(k), Weight: 1})
				limit.Bound = append(limit.Bound, float64(5+rng.IntN(20)))
			}
		}
	}
	for c := range room {
		room[c] = float64(5 + rng.IntN(5))
	}
	p.Limits = []solve.Limit{limit}
	p.Resources = []solve.Resource{{Amount: solve.Matrix{Terms: []solve.Term{{ByJob: amount}}}, Capacity: room}}
	return p
}

// rules has for each rule a function that disables it.
var rules = map[string]struct {
	feasible func(*feasibility)
	minimize func(*minimizer)
}{
	"nothing":   {func(*feasibility) {}, func(*minimizer) {}},
	"alike":     {func(f *feasibility) { distinct(f.alike) }, func(m *minimizer) { distinct(m.alike) }},
	"equal":     {func(f *feasibility) { distinct(f.equal) }, func(m *minimizer) { distinct(m.equal) }},
	"parents":   {func(*feasibility) {}, func(m *minimizer) { m.keeps = 0 }},
	"conflicts": {func(f *feasibility) { f.longest = 0 }, func(*minimizer) {}},
}

// With and without each rule, the answers equal those of an exhaustive search. In total each rule
// saves assignments or bounds.
func TestRulesLoseNothing(t *testing.T) {
	golden.Long(t)
	tests := []struct {
		generate func(*rand.Rand) *solve.Problem
		problems uint64
		restart  int64 // steps after which a search for any placement restarts
		saves    []string
	}{
		{copied, 500, restartAfter, []string{"alike", "equal"}},
		{scattered, 200, 5, []string{"conflicts"}},
	}
	for i, test := range tests {
		tried, none := map[string]int{}, 0
		for seed := range test.problems {
			p := test.generate(rand.New(rand.NewPCG(seed, 3)))
			want := Exhaustive(p)
			if math.IsInf(want, 1) {
				none++
			}
			for name, without := range rules {
				f := newFeasibility(newState(p))
				f.budget = 1e9
				f.restart = test.restart
				without.feasible(f)
				start, a := f.run()
				tried[name] += int(f.tries)
				if (a == Yes) != !math.IsInf(want, 1) || a == Unknown || a == Yes && p.Check(start) != nil {
					t.Fatalf("%d, problem %d without %s: answer %v, the least cost is %v", i, seed, name, a, want)
				}
				if a == No || len(test.saves) == 1 {
					continue
				}
				m := newMinimizer(p, start)
				m.prepare(newState(p))
				without.minimize(m)
				m.root()
				tried[name] += m.bounded
				if !m.result.Proved || m.result.Cost != want {
					t.Fatalf("%d, problem %d without %s: proved %t, cost %v, the least is %v", i, seed, name, m.result.Proved, m.result.Cost, want)
				}
			}
		}
		t.Logf("%d of %d without a placement; tried without %v", none, test.problems, tried)
		for _, name := range test.saves {
			if tried["nothing"] >= tried[name] {
				t.Errorf("%s saves nothing: %d tried with, %d without", name, tried["nothing"], tried[name])
			}
		}
	}
}

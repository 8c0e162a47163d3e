package improve

import (
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
)

// mixed returns a random problem with constraints of every sort, and with counters if counted is
// set.
func mixed(rng *rand.Rand, jobs int, counted bool) *solve.Problem {
	k := kind{jobs: jobs, clusters: 4, star: true, latency: true, bandwidth: counted, resources: 2, general: true, forbidden: true, flat: true, ruled: counted}
	p := k.problem(rng)
	p.Links.Leg[0] = math.Inf(1)
	l := p.Limits[0]
	p.Limits = append(p.Limits, solve.Limit{Leg: l.Leg, Most: true, Bound: l.Bound})
	return p
}

// anywhere returns a state in the middle of a walk, with any placement and weights.
func anywhere(rng *rand.Rand, m *model, seed uint64) *state {
	s := newState(m, seed)
	for at := range s.value {
		s.value[at], s.slack[at], s.price[at] = float64(rng.IntN(3)), float64(rng.IntN(2)), float64(rng.IntN(20))
	}
	for i := range s.toll {
		s.toll[i] = float64(rng.IntN(9))
	}
	s.worth, s.pair = 1, 7
	next := make([]int32, m.jobs)
	for j := range next {
		next[j] = m.allowed[j][rng.IntN(len(m.allowed[j]))]
	}
	s.begin(next)
	for range 30 {
		j := rng.IntN(m.jobs)
		s.move(int32(j), m.allowed[j][rng.IntN(len(m.allowed[j]))])
	}
	return s
}

// energyOf computes the energy of a state from the problem.
func energyOf(s *state) (energy float64) {
	taken := make([]float64, len(s.room))
	for j, c := range s.cluster {
		energy += s.p.NodeCost(j, int(c))
		for q := range s.resources {
			taken[int(c)*s.resources+q] += s.p.Amount(q, j, int(c))
		}
	}
	for at, load := range taken {
		energy += s.value[at] * load
		if off := load - s.room[at]; off > 0 {
			energy += s.price[at] * (0.1 + off*s.unit[at%s.resources])
		} else {
			energy -= s.slack[at] * off
		}
	}
	for k, d := range s.p.Dependencies {
		a, b := s.cluster[d.A], s.cluster[d.B]
		energy += s.pairs.cost(int32(k), a, b) + s.pair*float64(s.weight[k]*s.pairs.broken(int32(k), a, b))
	}
	for _, c := range s.counters {
		c.count()
	}
	return energy + s.tolls()
}

// A state counts the violated constraints: each dependency, room and counter once.
func TestBrokenConstraintsAreCounted(t *testing.T) {
	for _, seed := range golden.Seeds(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := anywhere(rng, newModel(mixed(rng, 9, true), mostCells), seed)
		want := 0
		for k, d := range s.p.Dependencies {
			if s.pairs.broken(int32(k), s.cluster[d.A], s.cluster[d.B]) > 0 {
				want++
			}
		}
		taken := make([]float64, len(s.room))
		for j, c := range s.cluster {
			for q := range s.resources {
				taken[int(c)*s.resources+q] += s.p.Amount(q, j, int(c))
			}
		}
		for at, load := range taken {
			if load > s.room[at] {
				want++
			}
		}
		for _, c := range s.counters {
			if c.count(); c.excess() > 0 {
				want++
			}
		}
		if got := s.violations(); got != want || s.keeps() != (want == 0) {
			t.Errorf("seed %d: %d constraints are broken, want %d", seed, got, want)
		}
	}
}

// The tables have the cost of a job on each cluster, also beside jobs that it depends on, and the
// limits that it violates there. A model without tables agrees.
func TestTablesHaveWhatAJobCostsAndBreaks(t *testing.T) {
	for _, seed := range golden.Seeds(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := mixed(rng, 9, false)
		s := anywhere(rng, newModel(p, mostCells), seed)
		without := newState(newModel(p, 0), seed)
		copy(without.value, s.value)
		without.begin(s.cluster)
		for j := range int32(p.Jobs) {
			for _, c := range s.allowed[j] {
				want := p.NodeCost(int(j), int(c)) + s.value[2*c]*p.Amount(0, int(j), int(c)) + s.value[2*c+1]*p.Amount(1, int(j), int(c))
				kept := true
				for i := s.start[j]; i < s.start[j+1]; i++ {
					cost := p.PairCost(int(s.number[i]), int(c), int(s.cluster[s.neighbour[i]]))
					kept = kept && !math.IsInf(cost, 1)
					want += cost
				}
				if got := s.breaks(j, c); kept != (got == 0) || kept != (without.breaks(j, c) == 0) {
					t.Fatalf("seed %d: job %d on cluster %d breaks %d limits, %d without tables; all are kept: %t", seed, j, c, got, without.breaks(j, c), kept)
				}
				if got, also := s.paid(j, c), without.paid(j, c); kept && (got != want || also != want) {
					t.Fatalf("seed %d: job %d on cluster %d costs %v, %v without tables, want %v", seed, j, c, got, also, want)
				}
			}
		}
		if len(s.broken.all) != len(without.broken.all) || len(s.broken.all) == 0 && s.total != without.total {
			t.Errorf("seed %d: cost %v, %d broken; without tables %v, %d", seed, s.total, len(s.broken.all), without.total, len(without.broken.all))
		}
	}
}

// The energy that a move is offered with is the energy that it adds.
func TestMovesAddTheEnergyThatTheyAreOfferedAt(t *testing.T) {
	kinds := map[string]func(s *state, j int32){
		"alone":    (*state).alone,
		"swaps":    (*state).swaps,
		"together": func(s *state, j int32) { s.together(j, s.neighbour[s.start[j]]) },
	}
	for kind, offer := range kinds {
		for _, seed := range golden.Seeds(60) {
			rng := rand.New(rand.NewPCG(seed, 1))
			p := mixed(rng, 9, seed%2 == 0)
			s := anywhere(rng, newModel(p, mostCells), seed)
			for j := range int32(p.Jobs) {
				before := energyOf(s)
				s.seek(math.Inf(1), 0)
				if offer(s, j); s.found.j < 0 {
					continue
				}
				s.apply(s.found)
				if got, want := s.most, energyOf(s)-before; math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s, seed %d: %+v is offered at %v, it adds %v", kind, seed, s.found, got, want)
				}
			}
		}
	}
}

// Without noise, sharing takes the best way to distribute jobs; with counters, it takes none that
// adds energy.
func TestSharingFindsTheBestWay(t *testing.T) {
	taken := 0
	for _, seed := range golden.Seeds(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := mixed(rng, 12, seed%2 == 0)
		s := anywhere(rng, newModel(p, mostCells), seed)
		for j := range int32(p.Jobs) {
			to := (s.cluster[j] + 1) % int32(p.Clusters)
			if !(s.node(j, to) <= math.MaxFloat64) {
				continue
			}
			before := energyOf(s)
			s.gather(j, to, 20)
			least := before
			for changed := range uint32(1) << s.n {
				s.each(changed, s.move)
				least = min(least, energyOf(s))
				s.each(changed, s.move)
			}
			if s.job[0] != j || s.n > width {
				t.Fatalf("seed %d: %d jobs from %d on", seed, s.n, s.job[0])
			}
			s.bind()
			if changed := s.draw(0); changed != 0 && s.bears(changed, 0) {
				s.each(changed, s.move)
				taken++
			}
			got := energyOf(s)
			if got > before+1e-9 || len(s.counters) == 0 && got > least+1e-9 {
				t.Fatalf("seed %d: sharing the clusters of job %d and %d goes from %v to %v, the least is %v", seed, j, to, before, got, least)
			}
		}
	}
	if taken == 0 {
		t.Error("no way is better than another")
	}
}

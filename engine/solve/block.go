package solve

import (
	"math"
	"math/bits"
	"slices"

	"berth/engine/stats"
)

// width is how many jobs are shared again between two clusters at a time, at most.
const width = 8

// combinationsPerStep is how many ways to share them take about as long as what
// else there is to do in a step.
const combinationsPerStep = 16

// block has the jobs that are shared again between two clusters, a and b, and
// what it means that one is on the one or on the other.
type block struct {
	a, b    int32
	n       int
	job     [width]int32
	here    [width]bool           // it stands on b
	cost    [width]float64        // on b rather than on a, with broken dependencies
	link    [width]float64        // of that, the links
	snap    [width]int            // and how many more dependencies are broken
	apart   [width][width]float64 // for two of them not to be on one cluster
	pair    [width][width]float64 // of that, the link
	torn    [width][width]bool    // it is broken
	taken   [][2][width]float64   // by resource: on a, on b
	linked  bool                  // some of them depend on each other
	strains []strain              // by resource, of a and of b
}

// share compares the ways to share jobs between the cluster of job j and
// another, and takes one: the better one the more likely. It returns how many
// steps that counts.
func (s *Search) share(j, to int32) int64 {
	s.gather(j, to)
	s.weighLinks()
	chosen := s.choose()
	if chosen != 0 {
		s.apply(chosen)
	}
	return 1 << s.block.n / combinationsPerStep
}

// gather picks job j and others of both clusters that would not regret the
// change much, by chance if there are too many.
func (s *Search) gather(j, to int32) {
	k := &s.block
	k.a, k.b, k.n = s.cluster[j], to, 0
	k.add(s, j)
	seen := uint64(0)
	for side, c := range [2]int32{k.a, k.b} {
		other := [2]int32{k.b, k.a}[side]
		for _, i := range s.member[c] {
			if i == j || !(s.costAt(i, other)-s.costAt(i, c) <= s.window) {
				continue
			}
			seen++
			if k.n < width {
				k.add(s, i)
			} else if at := s.random.Next() >> 32 * seen >> 32; at < width-1 {
				k.n, k.job[at+1] = width, i
				k.set(s, int(at+1))
			}
		}
	}
}

func (k *block) add(s *Search, job int32) {
	k.job[k.n] = job
	k.set(s, k.n)
	k.n++
}

func (k *block) set(s *Search, at int) {
	job := k.job[at]
	k.here[at] = s.cluster[job] == k.b
	k.cost[at] = s.costAt(job, k.b) - s.costAt(job, k.a)
	for r := range k.taken {
		k.taken[r][0][at], k.taken[r][1][at] = s.take(r, job, k.a), s.take(r, job, k.b)
	}
}

// weighLinks adds what the dependencies of the jobs cost.
func (s *Search) weighLinks() {
	k := &s.block
	if len(s.p.Dependencies) == 0 {
		return
	}
	k.linked = false
	for at := range k.n {
		k.link[at], k.snap[at] = 0, 0
		k.apart[at] = [width]float64{}
		for other := range at {
			k.pair[at][other], k.torn[at][other] = 0, false
		}
	}
	penalty := s.strict * 4 * s.heat
	for at, job := range k.job[:k.n] {
		for i := s.g.start[job]; i < s.g.start[job+1]; i++ {
			dependency, neighbour := int(s.g.number[i]), s.g.job[i]
			if other := k.position(neighbour); other >= 0 {
				if other < at {
					price, broken := s.price(dependency, k.a, k.b)
					k.pair[at][other] += price
					k.torn[at][other] = broken > 0
					k.apart[at][other] += price + float64(penalty*float64(broken))
					k.apart[other][at] = k.apart[at][other]
					k.linked = true
				}
				continue
			}
			c := s.cluster[neighbour]
			onA, brokenA := s.price(dependency, k.a, c)
			onB, brokenB := s.price(dependency, k.b, c)
			k.link[at] += onB - onA
			k.snap[at] += brokenB - brokenA
		}
		k.cost[at] += k.link[at] + float64(penalty*float64(k.snap[at]))
	}
}

func (k *block) position(job int32) int {
	return slices.Index(k.job[:k.n], job)
}

// price is what a dependency costs between two clusters, or that it is broken.
func (s *Search) price(dependency int, a, b int32) (cost float64, broken int) {
	if a == b {
		return 0, 0
	}
	cost = s.p.PairCost(dependency, int(a), int(b))
	if cost > math.MaxFloat64 {
		return 0, 1
	}
	return cost, 0
}

// choose goes through all ways to share the jobs, one change from each to the
// next (Gray's code), and returns which jobs change their cluster. Chance is
// mixed in so that each is taken with its probability at the temperature.
func (s *Search) choose() (chosen uint32) {
	k := &s.block
	n, temperature := k.n, s.temperature
	var side [width]float64 // 1 on a, -1 on b
	for at := range side {
		side[at] = 1
		if k.here[at] {
			side[at] = -1
		}
	}
	a, b := int(k.a)*s.resources, int(k.b)*s.resources
	var energy float64
	for r := range s.resources {
		x, y := &k.strains[2*r], &k.strains[2*r+1]
		*x, *y = s.strain(a+r), s.strain(b+r)
		energy += x.of(0) + y.of(0)
	}
	fixed := 0.0 // all but the strain
	best := energy - float64(temperature*gumbel[s.random.Next()>>52])
	mask := uint32(0)
	for step := uint32(1); step < 1<<n; step++ {
		at := bits.TrailingZeros32(step) & (width - 1)
		mask ^= 1 << at
		sign := side[at]
		change := k.cost[at]
		if k.linked {
			for other, v := range &k.apart[at] {
				change += float64(v * side[other])
			}
		}
		fixed += float64(sign * change)
		side[at] = -sign
		energy = fixed
		for r := range k.taken {
			x, y := &k.strains[2*r], &k.strains[2*r+1]
			energy += x.of(float64(-sign*k.taken[r][0][at])) + y.of(float64(sign*k.taken[r][1][at]))
		}
		if energy-float64(temperature*mostGumbel) < best {
			energy -= float64(temperature * gumbel[s.random.Next()>>52])
			if energy < best {
				best, chosen = energy, mask
			}
		}
	}
	return chosen
}

// strain is what a load costs for being off its room.
type strain struct{ off, once, above, below float64 }

func (s *Search) strain(at int) strain {
	return strain{s.load[at] - s.room[at], float64(s.strict * s.heat / 4), s.strict * s.excess[at], -s.tight * s.value[at]}
}

// of changes the load and returns what it costs now.
func (x *strain) of(change float64) float64 {
	x.off += change
	if x.off > 0 {
		return x.once + float64(x.above*x.off)
	}
	return float64(x.below * x.off)
}

// gumbel has the quantiles of Gumbel's distribution: the largest of some figures
// with it added is each of them with the probability of the Gibbs distribution.
var gumbel = func() (q [4096]float64) {
	for i := range q {
		q[i] = -stats.Log(-stats.Log((float64(i) + 0.5) / float64(len(q))))
	}
	return q
}()

var mostGumbel = gumbel[len(gumbel)-1]

// apply has the chosen jobs change their cluster.
func (s *Search) apply(chosen uint32) {
	k := &s.block
	for at := range k.n {
		if chosen>>at&1 == 0 || len(s.p.Dependencies) == 0 {
			continue
		}
		sign := 1
		if k.here[at] {
			sign = -1
		}
		s.cost += float64(float64(sign) * k.link[at])
		s.broken += sign * k.snap[at]
	}
	for at := range k.n {
		for other := range at {
			if len(s.p.Dependencies) == 0 || (chosen>>at^chosen>>other)&1 == 0 {
				continue
			}
			sign := -1
			if k.here[at] == k.here[other] {
				sign = 1
			}
			s.cost += float64(float64(sign) * k.pair[at][other])
			if k.torn[at][other] {
				s.broken += sign
			}
		}
	}
	before := s.lanes.strain
	s.exchange(chosen)
	if s.lanes.p != nil {
		if more := s.lanes.strain - before; more*s.strict*4*s.heat > s.temperature*gumbel[s.random.Next()>>52] {
			s.exchange(chosen)
			s.recount()
			return
		}
	}
	s.remember()
}

// exchange takes the chosen jobs from one of the two clusters to the other.
func (s *Search) exchange(chosen uint32) {
	k := &s.block
	for at, job := range k.job[:k.n] {
		if chosen>>at&1 == 0 {
			continue
		}
		to := k.a
		if s.cluster[job] == k.a {
			to = k.b
		}
		s.ways(job, -1)
		s.put(job, to)
		s.ways(job, 1)
	}
}

// ways adds the dependencies of a job to the lanes between their clusters, or
// takes them off.
func (s *Search) ways(j int32, sign float64) {
	if s.lanes.p == nil {
		return
	}
	for i := s.g.start[j]; i < s.g.start[j+1]; i++ {
		s.lanes.add(int(s.g.number[i]), s.cluster[j], s.cluster[s.g.job[i]], sign)
	}
}

package improve

import (
	"math/bits"
	"slices"
)

// width is the largest number of jobs that one move redistributes.
const width = 8

// trade is a block of jobs on the clusters a and b that a move redistributes. Energies are those on
// b minus those on a.
type trade struct {
	a, b    int32
	n       int
	job     [width]int32
	side    [width]float64        // 1 on a, -1 on b
	gain    [width]float64        // energy of a job, without dependencies within the block
	apart   [width][width]float64 // energy that two jobs add if they are on different clusters
	linked  bool                  // apart has entries other than 0
	taken   [][2][width]float64   // by resource, cluster (a or b) and index in job: amount
	strains []strain              // for each resource, a and then b
}

// shareOut redistributes up to 8 jobs between the cluster of job j and another one. It draws one of
// all possible ways as from a heat bath. The jobs are j and jobs that would cost at most window
// more on the other cluster, at the shadow prices. It returns whether a job has moved.
func (s *state) shareOut(j, to int32, window, temperature float64) bool {
	s.gather(j, to, window)
	s.bind()
	s.work += int64(50 + 9<<s.n)
	changed := s.draw(temperature)
	if changed == 0 || !s.bears(changed, temperature) {
		return false
	}
	s.each(changed, s.move)
	return true
}

// gather selects the jobs, at random if there are too many.
func (s *state) gather(j, to int32, window float64) {
	s.a, s.b, s.n = s.cluster[j], to, 1
	s.job[0] = j
	seen := 0
	look := int64(5) // work of examining one job
	if !s.tables() {
		look = 300
	}
	for side, c := range [2]int32{s.a, s.b} {
		other := [2]int32{s.b, s.a}[side]
		for _, i := range s.member[c] {
			if i == j || !(s.paid(i, other)-s.paid(i, c) <= window) {
				continue
			}
			seen++
			if s.n < width {
				s.job[s.n] = i
				s.n++
			} else if at := s.random.below(seen); at < width-1 {
				s.job[at+1] = i
			}
		}
		s.work += look * int64(len(s.member[c]))
	}
	for at, i := range s.job[:s.n] {
		s.side[at] = 1
		if s.cluster[i] == s.b {
			s.side[at] = -1
		}
		s.gain[at] = float64(s.worth*(s.paid(i, s.b)-s.paid(i, s.a))) + float64(s.pair*float64(s.breaks(i, s.b)-s.breaks(i, s.a)))
		s.apart[at] = [width]float64{}
		for q := range s.taken {
			s.taken[q][0][at], s.taken[q][1][at] = s.take(q, i, s.a), s.take(q, i, s.b)
		}
	}
}

// bind moves the energy of dependencies within the block from gain to apart.
func (s *state) bind() {
	s.linked = false
	for at, job := range s.job[:s.n] {
		for i := s.start[job]; i < s.start[job+1]; i++ {
			other := slices.Index(s.job[:at], s.neighbour[i])
			if other < 0 {
				continue
			}
			bond := s.bond(s.number[i], s.a, s.b)
			s.linked = true
			s.apart[at][other] += bond
			s.apart[other][at] += bond
			s.gain[at] -= float64(bond * s.side[other])
			s.gain[other] -= float64(bond * s.side[at])
		}
	}
}

// draw enumerates all ways to redistribute the jobs in Gray code order, which moves one job at a
// time. It returns the set of jobs to move.
func (s *state) draw(temperature float64) (changed uint32) {
	energy := s.strain()
	side, fixed, mask := s.side, 0.0, uint32(0)
	best := energy - float64(temperature*gumbel[s.random.next()>>52])
	most := float64(temperature * gumbel[len(gumbel)-1])
	for step := uint32(1); step < 1<<s.n; step++ {
		at := bits.TrailingZeros32(step) & (width - 1)
		mask ^= 1 << at
		sign, gain := side[at], s.gain[at]
		if s.linked {
			for other, v := range &s.apart[at] {
				gain += float64(v * side[other])
			}
		}
		fixed += float64(sign * gain)
		side[at] = -sign
		energy = fixed
		for q := range s.taken {
			energy += s.strains[2*q].add(float64(-sign*s.taken[q][0][at])) + s.strains[2*q+1].add(float64(sign*s.taken[q][1][at]))
		}
		if energy-most < best {
			energy -= float64(temperature * gumbel[s.random.next()>>52])
			if energy < best {
				best, changed = energy, mask
			}
		}
	}
	return changed
}

// strain is the energy of a room as a function of off, its load minus its capacity. See
// [state.changed].
type strain struct{ off, once, above, below float64 }

// add changes the load and returns the new energy.
func (x *strain) add(change float64) float64 {
	x.off += change
	if x.off > 0 {
		return x.once + float64(x.above*x.off)
	}
	return float64(x.below * x.off)
}

// strain initializes the strains of both clusters and returns their energy.
func (s *state) strain() (energy float64) {
	for i, c := range [2]int32{s.a, s.b} {
		for q := range s.resources {
			at, x := int(c)*s.resources+q, &s.strains[2*q+i]
			*x = strain{s.loads[at] - s.room[at], float64(leastExcess * s.price[at]), float64(s.price[at] * s.unit[q]), -s.slack[at]}
			energy += x.add(0)
		}
	}
	return energy
}

// bears reports whether the counters accept a change, with the probability that the temperature
// implies.
func (s *state) bears(changed uint32, temperature float64) bool {
	if len(s.counters) == 0 {
		return true
	}
	before := s.tolls()
	s.each(changed, s.shift)
	more := s.tolls() - before
	s.each(changed, s.shift)
	return more <= float64(temperature*gumbel[s.random.next()>>52])
}

// each calls take for the selected jobs of the block with the other cluster.
func (s *state) each(changed uint32, take func(job, to int32)) {
	for at, j := range s.job[:s.n] {
		if changed>>at&1 != 0 {
			take(j, s.a+s.b-s.cluster[j])
		}
	}
}

package improve

import "math"

// bestMove is a search for the move with the lowest added energy, including noise.
type bestMove struct {
	noise   float64 // temperature: with noise, moves are drawn as from a heat bath
	most    float64 // lowest energy so far, with noise
	limit   float64 // no noise lets a move with more energy win
	found   exchange
	ties    int     // number of equally good moves so far
	barred  []int64 // at [job·clusters + cluster]: the step until which the job must not go there
	now     int64   // step counter
	between []int32 // scratch: dependencies
	beside  []int64 // by job: last step in which it was a neighbour of the current job
}

// exchange is a move of job j, and of job k unless k is -1.
type exchange struct{ j, to, k, beside int32 }

// apply makes a move.
func (s *state) apply(x exchange) {
	s.move(x.j, x.to)
	if x.k >= 0 {
		s.move(x.k, x.beside)
	}
}

// seek starts a search for a move that adds at most the given energy.
func (s *state) seek(most, noise float64) {
	s.now++
	s.noise, s.ties, s.found.j = noise, 0, -1
	s.atMost(most)
}

func (s *state) atMost(energy float64) {
	s.most = energy
	s.limit = energy + float64(s.noise*gumbel[len(gumbel)-1])
}

// offer proposes a move with its added energy, without the tolls of counters. Among equally good
// moves each is kept with the same probability.
func (s *state) offer(x exchange, energy float64) {
	if len(s.counters) > 0 {
		energy += s.counted(x)
	}
	if s.noise > 0 {
		energy -= float64(s.noise * gumbel[s.random.next()>>52])
	}
	if energy > s.most {
		return
	}
	if energy < s.most {
		s.ties = 0
		s.atMost(energy)
	}
	if s.ties++; s.random.below(s.ties) == 0 {
		s.found = x
	}
}

// open reports whether a job may go to a cluster now.
func (s *state) open(j, c int32) bool {
	at := s.at(j, c)
	return s.barred[at] <= s.now && s.cost[at] <= math.MaxFloat64
}

// inView limits the clusters that a search examines.
const inView = 64

// alone proposes the moves of a job to other clusters.
func (s *state) alone(j int32) {
	from, lo := s.cluster[j], int(j)*s.clusters
	pay, conflict := s.pay[lo:lo+s.clusters], s.conflict[lo:lo+s.clusters]
	base := s.leaving(j) - float64(s.worth*pay[from]) - float64(s.pair*float64(conflict[from]))
	counted := len(s.counters) > 0
	for _, c := range s.view(s.allowed[j], 3) {
		energy := base + float64(s.worth*pay[c]) + float64(s.pair*float64(conflict[c]))
		if energy > s.limit && !counted || c == from || s.barred[lo+int(c)] > s.now {
			continue
		}
		if energy += s.entering(j, c); energy <= s.limit || counted {
			s.offer(exchange{j: j, to: c, k: -1}, energy)
		}
	}
}

// view returns a random part of a long list. The parts are disjoint, so that all clusters are
// equally likely. work is the cost of examining one cluster.
func (s *state) view(all []int32, work int) []int32 {
	if len(all) > inView {
		from := inView * s.random.below((len(all)+inView-1)/inView)
		all = all[from:min(from+inView, len(all))]
	}
	s.work += int64(50 + work*len(all))
	return all
}

// together proposes moving two jobs that depend on each other to the same cluster.
func (s *state) together(j, k int32) {
	mine, other := int(j)*s.clusters, int(k)*s.clusters
	a, b := s.cluster[j], s.cluster[k]
	base := s.energy(mine+int(a)) + s.energy(other+int(b))
	crowded := len(s.counters) > 0 || s.crowded(a) || s.crowded(b)
	s.between = s.between[:0]
	for i := s.start[j]; i < s.start[j+1]; i++ {
		if n := s.number[i]; s.neighbour[i] == k {
			s.between = append(s.between, n)
			base -= s.bond(n, a, b)
		}
	}
	for _, c := range s.view(s.allowed[j], 15) {
		if c == a || c == b || !s.open(j, c) || !s.open(k, c) {
			continue
		}
		energy := s.energy(mine+int(c)) + s.energy(other+int(c)) - base
		for _, n := range s.between { // within a cluster these dependencies cost nothing
			energy -= s.bond(n, c, b) + s.bond(n, a, c)
		}
		if x := (exchange{j, c, k, c}); crowded || energy <= s.limit {
			s.offer(x, energy+s.rooms(x))
		}
	}
}

// swaps proposes exchanging a job with jobs on other clusters, if its own move there adds little
// more energy than the best move so far.
func (s *state) swaps(j int32) {
	from, mine := s.cluster[j], int(j)*s.clusters
	for i := s.start[j]; i < s.start[j+1]; i++ {
		s.beside[s.neighbour[i]] = s.now
	}
	base := s.energy(mine + int(from))
	enough := s.limit + s.pair - s.leaving(j)
	crowded := len(s.counters) > 0 || s.crowded(from)
	for _, c := range s.view(s.allowed[j], 3) {
		there := s.energy(mine+int(c)) - base
		if there > enough || c == from || !s.open(j, c) {
			continue
		}
		relieves := crowded || s.crowded(c)
		for _, k := range s.member[c] {
			if !s.open(k, from) {
				continue
			}
			energy := there + s.energy(s.at(k, from)) - s.energy(s.at(k, c))
			if s.beside[k] == s.now {
				energy += s.mutual(j, k)
			}
			if x := (exchange{j, c, k, from}); energy <= s.limit || relieves {
				s.offer(x, energy+s.rooms(x))
			}
		}
		s.work += 12 * int64(len(s.member[c]))
	}
}

// mutual returns the correction for exchanging two jobs that depend on each other: each row assumes
// that the other job stays.
func (s *state) mutual(j, k int32) (energy float64) {
	for i := s.start[j]; i < s.start[j+1]; i++ {
		if s.neighbour[i] == k {
			energy += 2 * s.bond(s.number[i], s.cluster[j], s.cluster[k])
		}
	}
	return energy
}

// leaving returns the energy (at most 0) that the rooms of its cluster add when a job leaves.
func (s *state) leaving(j int32) (delta float64) {
	c := s.cluster[j]
	for q, amount := range s.amount {
		delta += s.changed(int(c)*s.resources+q, q, -amount[s.at(j, c)])
	}
	return delta
}

// entering returns the energy that the rooms of a cluster add when a job arrives.
func (s *state) entering(j, c int32) (delta float64) {
	for q, amount := range s.amount {
		delta += s.changed(int(c)*s.resources+q, q, amount[s.at(j, c)])
	}
	return delta
}

// changed returns the energy that a room adds when its load changes.
func (s *state) changed(room, q int, by float64) float64 {
	now, most := s.loads[room], s.room[room]
	if now <= most && now+by <= most {
		return -float64(s.slack[room] * by)
	}
	return float64(s.price[room]*(s.excess(room, q, now+by)-s.excess(room, q, now))) +
		float64(s.slack[room]*(max(0, most-now-by)-max(0, most-now)))
}

// rooms returns the energy that all rooms add when two jobs move.
func (s *state) rooms(x exchange) (delta float64) {
	a, b := s.cluster[x.j], s.cluster[x.k]
	for q, amount := range s.amount {
		at := func(c int32) int { return int(c)*s.resources + q }
		out, in := amount[s.at(x.j, a)], amount[s.at(x.j, x.to)]
		also, next := amount[s.at(x.k, b)], amount[s.at(x.k, x.beside)]
		switch {
		case x.beside == a: // an exchange
			delta += s.changed(at(a), q, next-out) + s.changed(at(b), q, in-also)
		case a == b:
			delta += s.changed(at(a), q, -out-also) + s.changed(at(x.to), q, in+next)
		default:
			delta += s.changed(at(a), q, -out) + s.changed(at(b), q, -also) + s.changed(at(x.to), q, in+next)
		}
	}
	return delta
}

// crowded reports whether a room of a cluster is exceeded.
func (s *state) crowded(c int32) bool {
	for at := int(c) * s.resources; at < int(c+1)*s.resources; at++ {
		if s.loads[at] > s.room[at] {
			return true
		}
	}
	return false
}

// counted returns the energy that counters add when jobs move.
func (s *state) counted(x exchange) (delta float64) {
	if len(s.counters) == 0 {
		return 0
	}
	from, there := s.cluster[x.j], int32(0)
	delta = -s.tolls()
	s.shift(x.j, x.to)
	if x.k >= 0 {
		there = s.cluster[x.k]
		s.shift(x.k, x.beside)
	}
	delta += s.tolls()
	if x.k >= 0 {
		s.shift(x.k, there)
	}
	s.shift(x.j, from)
	s.work += 50 * int64(len(s.counters)) * int64(2+s.start[x.j+1]-s.start[x.j])
	return delta
}

func (s *state) tolls() (sum float64) {
	for i, c := range s.counters {
		sum += float64(s.toll[i] * c.excess())
	}
	return sum
}

// shift moves a job only for the counters.
func (s *state) shift(j, to int32) {
	for _, c := range s.counters {
		c.move(j, s.cluster[j], to)
	}
	s.cluster[j] = to
}

package improve

import (
	"berth/engine/solve"
)

// state is a placement that may break constraints, each at a weight.
//
// Two tables have the cost of each job on each cluster, and the weights of the dependencies
// that it would break there, while all other jobs stay. So a candidate takes a look-up, and a
// move takes time for the rows of its neighbours alone.
type state struct {
	*model
	cluster  []int32
	member   [][]int32 // by cluster
	place    []int32   // by job: its index in member
	load     []float64 // at [cluster·resources + resource]
	counters []counter

	pay      []float64 // at [job·clusters + cluster]; +Inf where the job must not be
	conflict []int32   // as above
	total    float64   // of nodes and links

	weight []int32   // by dependency
	pair   float64   // energy of a weight of 1
	price  []float64 // by room: energy of one mean job too much
	toll   []float64 // by counter

	broken, full set // dependencies, and rooms

	search

	random solve.Random
	work   int64 // in units of about a nanosecond
}

func newState(m *model, seed uint64) *state {
	cells, dependencies := m.jobs*m.clusters, len(m.p.Dependencies)
	s := &state{
		model: m, cluster: make([]int32, m.jobs), member: make([][]int32, m.clusters), place: make([]int32, m.jobs), load: make([]float64, len(m.room)),
		pay: make([]float64, cells), conflict: make([]int32, cells), weight: make([]int32, dependencies), price: make([]float64, len(m.room)),
		broken: newSet(dependencies), full: newSet(len(m.room)), random: solve.Random((seed+1)*0x9e3779b97f4a7c15 | 1),
	}
	s.barred, s.beside = make([]int64, cells), make([]int64, m.jobs)
	s.counters = m.counters(s.cluster)
	s.toll = make([]float64, len(s.counters))
	return s
}

// begin goes to a placement, or to an attempt at one, with all weights of dependencies
// at 1, and computes all sums and tables from scratch.
func (s *state) begin(cluster []int32) {
	copy(s.cluster, cluster)
	for c := range s.member {
		s.member[c] = s.member[c][:0]
	}
	clear(s.load)
	clear(s.barred)
	s.now = 0
	clear(s.conflict)
	copy(s.pay, s.cost)
	fill(s.weight, 1)
	s.total = 0
	for j, c := range s.cluster {
		s.join(int32(j), c)
		s.total += s.cost[s.at(int32(j), c)]
	}
	for at := range s.load {
		s.full.put(int32(at), s.load[at] > s.room[at])
	}
	for k, d := range s.p.Dependencies {
		a, b, k := s.cluster[d.A], s.cluster[d.B], int32(k)
		s.charge(d.A, k, -1, b)
		s.charge(d.B, k, -1, a)
		s.total += s.linked(k, a, b)
		s.broken.put(k, s.breaks(k, a, b))
	}
	for _, c := range s.counters {
		c.count()
	}
	s.work += int64(2*s.jobs*s.clusters + 4*len(s.p.Dependencies)*s.clusters)
}

func fill[T any](all []T, v T) {
	for i := range all {
		all[i] = v
	}
}

// breaks says whether a dependency cannot span two clusters.
func (s *state) breaks(k, a, b int32) bool {
	return s.pairs.broken(k, int(a)*s.clusters+int(b)) > 0
}

// linked is the cost of a dependency between two clusters.
func (s *state) linked(k, a, b int32) float64 {
	return s.pairs.cost(k, int(a)*s.clusters+int(b))
}

// charge changes the rows of a job whose neighbour goes from a cluster to another one; -1
// for none.
func (s *state) charge(j, k, from, to int32) {
	pay, conflict := s.pay[int(j)*s.clusters:][:s.clusters], s.conflict[int(j)*s.clusters:][:s.clusters]
	if from >= 0 {
		s.pairs.add(pay, conflict, k, int(from), -1, -s.weight[k])
	}
	s.pairs.add(pay, conflict, k, int(to), 1, s.weight[k])
	s.work += 4 * int64(s.clusters)
}

func (s *state) join(j, c int32) {
	s.place[j] = int32(len(s.member[c]))
	s.member[c] = append(s.member[c], j)
	for q, amount := range s.amount {
		s.load[int(c)*s.resources+q] += amount[s.at(j, c)]
	}
}

func (s *state) leave(j, c int32) {
	m := s.member[c]
	last := m[len(m)-1]
	m[s.place[j]], s.place[last] = last, s.place[j]
	s.member[c] = m[:len(m)-1]
	for q, amount := range s.amount {
		s.load[int(c)*s.resources+q] -= amount[s.at(j, c)]
	}
}

func (s *state) move(j, to int32) {
	from := s.cluster[j]
	for _, c := range s.counters {
		c.move(j, from, to)
	}
	s.total += s.pay[s.at(j, to)] - s.pay[s.at(j, from)]
	s.leave(j, from)
	s.join(j, to)
	for q := range s.resources {
		a, b := int(from)*s.resources+q, int(to)*s.resources+q
		s.full.put(int32(a), s.load[a] > s.room[a])
		s.full.put(int32(b), s.load[b] > s.room[b])
	}
	s.cluster[j] = to
	for i := s.start[j]; i < s.start[j+1]; i++ {
		other, k := s.neighbour[i], s.number[i]
		s.charge(other, k, from, to)
		s.broken.put(k, s.breaks(k, to, s.cluster[other]))
	}
}

// excess is by how much a room is exceeded, in mean jobs: a little even for next to
// nothing, so that the last of it is worth a move.
func (s *state) excess(room, resource int, load float64) float64 {
	if x := load - s.room[room]; x > 0 {
		return float64(x*s.unit[resource]) + 0.1
	}
	return 0
}

// keeps says whether no constraint is broken.
func (s *state) keeps() bool {
	if len(s.broken.all)+len(s.full.all) > 0 {
		return false
	}
	for _, c := range s.counters {
		if c.excess() > 0 {
			return false
		}
	}
	return true
}

// set is a set of small numbers.
type set struct {
	all   []int32
	place []int32 // by number: its index in all, -1 outside
}

func newSet(n int) set {
	s := set{place: make([]int32, n)}
	fill(s.place, -1)
	return s
}

func (s *set) put(i int32, in bool) {
	at := s.place[i]
	switch {
	case in && at < 0:
		s.place[i] = int32(len(s.all))
		s.all = append(s.all, i)
	case !in && at >= 0:
		last := s.all[len(s.all)-1]
		s.all[at], s.place[last] = last, at
		s.all, s.place[i] = s.all[:len(s.all)-1], -1
	}
}

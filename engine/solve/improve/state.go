package improve

// state is a placement that may violate constraints at penalties. Its energy is the cost at shadow
// prices of the rooms, plus an energy for each room's load, plus the penalties.
//
// For each job and cluster, two tables have the cost at the shadow prices and the weight of the
// dependencies that would be violated if all other jobs stayed. So evaluating a candidate is a
// look-up, and a move only updates the rows of its neighbours. Without tables, a candidate takes
// time proportional to its neighbours, and a move is cheap.
type state struct {
	*model
	cluster  []int32
	member   [][]int32 // by cluster: its jobs
	place    []int32   // by job: its index in member
	loads    []float64 // at [cluster·resources + resource]
	counters []counter

	pay      []float64 // at [job·clusters + cluster]: cost; +Inf where the job is not allowed; nil without tables
	conflict []int32   // at [job·clusters + cluster]: weight of violated dependencies; nil without tables
	total    float64   // cost of nodes and links, without shadow prices

	worth  float64   // energy per cost: 1, or 0 during a repair
	weight []int32   // by dependency
	pair   float64   // energy of a violated dependency of weight 1
	price  []float64 // by room: energy of an excess of one mean request
	value  []float64 // by room: shadow price per unit
	slack  []float64 // by room: energy per free unit
	toll   []float64 // by counter: energy of an excess of 1

	broken, full set // violated dependencies, and exceeded rooms

	bestMove
	trade

	random xorshift
	work   int64 // in units of about 1 ns
}

func newState(m *model, seed uint64) *state {
	rooms, dependencies := len(m.room), len(m.p.Dependencies)
	s := &state{
		model: m, cluster: make([]int32, m.jobs), member: make([][]int32, m.clusters), place: make([]int32, m.jobs), loads: make([]float64, rooms),
		weight: make([]int32, dependencies), price: make([]float64, rooms), slack: make([]float64, rooms), value: make([]float64, rooms),
		broken: newSet(dependencies), full: newSet(rooms), random: xorshift((seed+1)*0x9e3779b97f4a7c15 | 1),
	}
	if m.tables() {
		cells := m.jobs * m.clusters
		s.pay, s.conflict, s.barred, s.beside = make([]float64, cells), make([]int32, cells), make([]int64, cells), make([]int64, m.jobs)
	}
	s.taken, s.strains = make([][2][width]float64, m.resources), make([]strain, 2*m.resources)
	s.counters = m.counters(s.cluster)
	s.toll = make([]float64, len(s.counters))
	return s
}

// begin switches to a complete placement, valid or not. It resets the weights of dependencies to 1
// and recomputes all sums and tables.
func (s *state) begin(cluster []int32) {
	copy(s.cluster, cluster)
	for c := range s.member {
		s.member[c] = s.member[c][:0]
	}
	clear(s.loads)
	clear(s.barred)
	s.now = 0
	clear(s.conflict)
	for at := range s.pay {
		s.pay[at] = s.cost[at] + s.levy(int32(at/s.clusters), int32(at%s.clusters))
	}
	fill(s.weight, 1)
	s.total = 0
	for j, c := range s.cluster {
		s.join(int32(j), c)
		s.total += s.node(int32(j), c)
	}
	for at := range s.loads {
		s.full.put(int32(at), s.loads[at] > s.room[at])
	}
	for k, d := range s.p.Dependencies {
		a, b, k := s.cluster[d.A], s.cluster[d.B], int32(k)
		s.charge(d.A, k, -1, b)
		s.charge(d.B, k, -1, a)
		s.total += s.pairs.cost(k, a, b)
		s.broken.put(k, s.pairs.broken(k, a, b) > 0)
	}
	for _, c := range s.counters {
		c.count()
	}
	s.work += int64(4*(len(s.pay)+s.jobs) + 4*len(s.p.Dependencies))
}

func fill[T any](all []T, v T) {
	for i := range all {
		all[i] = v
	}
}

// charge updates the rows of a job after its neighbour moved between two clusters; from is -1 if
// the neighbour was on none.
func (s *state) charge(j, k, from, to int32) {
	if s.pay == nil {
		return
	}
	pay, conflict := s.pay[int(j)*s.clusters:][:s.clusters], s.conflict[int(j)*s.clusters:][:s.clusters]
	if from >= 0 {
		s.pairs.add(pay, conflict, k, from, -1, -s.weight[k])
	}
	s.pairs.add(pay, conflict, k, to, 1, s.weight[k])
	s.work += 4 * int64(s.clusters)
}

func (s *state) join(j, c int32) {
	s.place[j] = int32(len(s.member[c]))
	s.member[c] = append(s.member[c], j)
	s.load(s.loads, j, c)
}

func (s *state) leave(j, c int32) {
	m := s.member[c]
	last := m[len(m)-1]
	m[s.place[j]], s.place[last] = last, s.place[j]
	s.member[c] = m[:len(m)-1]
	for q := range s.resources {
		s.loads[int(c)*s.resources+q] -= s.take(q, j, c)
	}
}

func (s *state) move(j, to int32) {
	from := s.cluster[j]
	for _, c := range s.counters {
		c.move(j, from, to)
	}
	s.total += s.paid(j, to) - s.levy(j, to) - s.paid(j, from) + s.levy(j, from)
	s.leave(j, from)
	s.join(j, to)
	for q := range s.resources {
		a, b := int(from)*s.resources+q, int(to)*s.resources+q
		s.full.put(int32(a), s.loads[a] > s.room[a])
		s.full.put(int32(b), s.loads[b] > s.room[b])
	}
	s.cluster[j] = to
	for i := s.start[j]; i < s.start[j+1]; i++ {
		other, k := s.neighbour[i], s.number[i]
		s.charge(other, k, from, to)
		s.broken.put(k, s.pairs.broken(k, to, s.cluster[other]) > 0)
	}
}

// levy returns the cost of a job's amounts on a cluster at the shadow prices.
func (s *state) levy(j, c int32) (cost float64) {
	for q := range s.resources {
		if v := s.value[int(c)*s.resources+q]; v > 0 {
			cost += float64(v * s.take(q, j, c))
		}
	}
	return cost
}

// paid returns the cost of a job with its dependencies on a cluster at the shadow prices.
func (s *state) paid(j, c int32) float64 {
	if s.pay != nil {
		return s.pay[int(j)*s.clusters+int(c)]
	}
	return s.pays(j, c)
}

// pays computes paid without tables.
func (s *state) pays(j, c int32) float64 {
	cost := s.node(j, c) + s.levy(j, c)
	for i := s.start[j]; i < s.start[j+1]; i++ {
		cost += s.pairs.cost(s.number[i], c, s.cluster[s.neighbour[i]])
	}
	return cost
}

// breaks returns the total weight of the dependencies that a job violates on a cluster.
func (s *state) breaks(j, c int32) (sum int32) {
	if s.conflict != nil {
		return s.conflict[s.at(j, c)]
	}
	for i := s.start[j]; i < s.start[j+1]; i++ {
		sum += s.weight[s.number[i]] * s.pairs.broken(s.number[i], c, s.cluster[s.neighbour[i]])
	}
	return sum
}

// energy returns the energy of a cell of the tables, without rooms and counters.
func (s *state) energy(at int) float64 {
	return float64(s.worth*s.pay[at]) + float64(s.pair*float64(s.conflict[at]))
}

// bond returns the energy of a dependency between two clusters.
func (s *state) bond(k, a, b int32) float64 {
	return float64(s.worth*s.pairs.cost(k, a, b)) + float64(s.pair*float64(s.weight[k]*s.pairs.broken(k, a, b)))
}

// excess returns how far a load exceeds a room, in mean requests. Any excess counts at least
// leastExcess, so that removing the last of it is worth a move.
func (s *state) excess(room, resource int, load float64) float64 {
	if x := load - s.room[room]; x > 0 {
		return float64(x*s.unit[resource]) + leastExcess
	}
	return 0
}

const leastExcess = 0.1

func (s *state) keeps() bool { return s.violations() == 0 }

// violations returns the number of violated constraints.
func (s *state) violations() int {
	n := len(s.broken.all) + len(s.full.all)
	for _, c := range s.counters {
		if c.excess() > 0 {
			n++
		}
	}
	return n
}

// set is a set of small numbers with constant-time updates.
type set struct {
	all   []int32
	place []int32 // by number: its index in all, -1 if it is not in the set
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

package improve

import "berth/engine/solve"

// counter is a constraint on the clusters of several jobs that is neither a room nor a pair. A walk
// uses only its excess. The counter can read the clusters of all jobs.
type counter interface {
	count()                   // recomputes everything
	move(job, from, to int32) // moves a job; cluster[job] need not be updated yet
	excess() float64          // 0 if the constraint is satisfied; 1 is about the effect of one job
	counts() []int32          // the jobs that affect it
}

// counters returns the counters of a problem: its lanes and its counting rules.
func (m *model) counters(cluster []int32) (all []counter) {
	for i := range m.p.Lanes {
		all = append(all, newLanes(m, cluster, &m.p.Lanes[i]))
	}
	for i := range m.p.Counters {
		all = append(all, newRule(m.jobs, cluster, &m.p.Counters[i]))
	}
	return all
}

// lanes is the counter for the capacities of links, which dependencies use up.
type lanes struct {
	*model
	cluster []int32
	of      *solve.Lanes
	room    []float64
	taken   []float64
	unit    float64 // 1 / mean amount of a dependency
	over    float64 // total amount beyond the rooms
	way     []int32
}

func newLanes(m *model, cluster []int32, of *solve.Lanes) *lanes {
	l := &lanes{model: m, cluster: cluster, of: of, unit: 1, taken: make([]float64, len(of.Capacity))}
	usable := usable(of.Amount)
	for _, capacity := range of.Capacity {
		l.room = append(l.room, float64(capacity*usable))
	}
	var sum float64
	for _, amount := range of.Amount {
		sum += amount
	}
	if sum > 0 {
		l.unit = float64(len(of.Amount)) / sum
	}
	return l
}

func (l *lanes) count() {
	clear(l.taken)
	l.over = 0
	for k, d := range l.p.Dependencies {
		l.add(int32(k), l.cluster[d.A], l.cluster[d.B], 1)
	}
}

func (l *lanes) move(job, from, to int32) {
	for i := l.start[job]; i < l.start[job+1]; i++ {
		other := l.cluster[l.neighbour[i]]
		l.add(l.number[i], from, other, -1)
		l.add(l.number[i], to, other, 1)
	}
}

func (l *lanes) counts() []int32 { return l.neighbour }

// excess returns the amount beyond the rooms in mean amounts, 0 if it is only a rounding error.
func (l *lanes) excess() float64 {
	if x := l.over * l.unit; x > 1e-9 {
		return x
	}
	return 0
}

// add charges the lanes on a dependency's path, or releases them if sign is -1.
func (l *lanes) add(dependency, a, b int32, sign float64) {
	l.way = l.of.Between(l.way[:0], int(a), int(b), l.clusters)
	for _, lane := range l.way {
		l.over -= max(0, l.taken[lane]-l.room[lane])
		l.taken[lane] += float64(sign * l.of.Amount[dependency])
		l.over += max(0, l.taken[lane]-l.room[lane])
	}
}

type rule struct {
	solve.Counting
	cluster []int32
	at      []int32 // by job: its index in Jobs, -1 if it does not count
}

func newRule(jobs int, cluster []int32, of *solve.Counter) *rule {
	r := &rule{Counting: solve.NewCounting(of), cluster: cluster, at: make([]int32, jobs)}
	fill(r.at, -1)
	for at, j := range of.Jobs {
		r.at[j] = int32(at)
	}
	return r
}

func (r *rule) count() {
	r.Counting = solve.NewCounting(r.Counter)
	for at, j := range r.Jobs {
		r.Change(int32(at), r.cluster[j], 1)
	}
}

func (r *rule) move(job, from, to int32) {
	if at := r.at[job]; at >= 0 {
		r.Change(at, from, -1)
		r.Change(at, to, 1)
	}
}

func (r *rule) counts() []int32 { return r.Jobs }

func (r *rule) excess() float64 { return float64(r.Excess()) }

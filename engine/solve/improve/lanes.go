package improve

import "berth/engine/solve"

// lanes is the counter of what dependencies take of given links.
type lanes struct {
	*model
	cluster []int32
	of      *solve.Lanes
	room    []float64
	load    []float64
	unit    float64 // one over what a dependency takes in the mean
	over    float64 // what is too much
	way     []int32
	jobs    []int32 // that have a dependency
}

func newLanes(m *model, cluster []int32) (all []counter) {
	for i := range m.p.Lanes {
		l := &lanes{model: m, cluster: cluster, of: &m.p.Lanes[i], unit: 1}
		whole := (&solve.Matrix{Cells: l.of.Amount}).Whole(len(l.of.Amount))
		for _, capacity := range l.of.Capacity {
			l.room = append(l.room, solve.RoomOf(capacity, whole))
		}
		var sum float64
		for _, amount := range l.of.Amount {
			sum += amount
		}
		if sum > 0 {
			l.unit = float64(len(l.of.Amount)) / sum
		}
		l.load = make([]float64, len(l.room))
		for j := range int32(m.jobs) {
			if m.start[j] < m.start[j+1] {
				l.jobs = append(l.jobs, j)
			}
		}
		all = append(all, l)
	}
	return all
}

func (l *lanes) count() {
	clear(l.load)
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

func (l *lanes) counts() []int32 { return l.jobs }

// excess is nothing once rounding is all that is left of it.
func (l *lanes) excess() float64 {
	if x := l.over * l.unit; x > 1e-9 {
		return x
	}
	return 0
}

// add charges the way of a dependency, or takes the charge back with a sign of -1.
func (l *lanes) add(dependency, a, b int32, sign float64) {
	l.way = l.of.Between(l.way[:0], int(a), int(b), l.clusters)
	for _, lane := range l.way {
		l.over -= max(0, l.load[lane]-l.room[lane])
		l.load[lane] += float64(sign * l.of.Amount[dependency])
		l.over += max(0, l.load[lane]-l.room[lane])
	}
}

package solve

// laneLoads is what dependencies take of all lanes.
type laneLoads struct {
	p      *Problem // nil where nothing is taken
	load   [][]float64
	room   [][]float64
	over   int     // loads over their room
	strain float64 // by how much, in relation to the room
	way    []int32
}

func newLaneLoads(p *Problem) laneLoads {
	var l laneLoads
	for i := range p.Lanes {
		lane := &p.Lanes[i]
		l.p = p
		whole := (&Matrix{Cells: lane.Amount}).Whole(len(lane.Amount))
		room := make([]float64, len(lane.Capacity))
		for k, capacity := range lane.Capacity {
			room[k] = RoomOf(capacity, whole)
		}
		l.room = append(l.room, room)
		l.load = append(l.load, make([]float64, len(room)))
	}
	return l
}

func (l *laneLoads) clear() {
	for i := range l.load {
		clear(l.load[i])
	}
	l.over, l.strain = 0, 0
}

// add charges the way of a dependency between two clusters, or takes the charge
// back with a sign of -1.
func (l *laneLoads) add(dependency int, a, b int32, sign float64) {
	for i := range l.load {
		lanes := &l.p.Lanes[i]
		l.way = lanes.Between(l.way[:0], int(a), int(b), l.p.Clusters)
		for _, k := range l.way {
			l.shift(&l.load[i][k], l.room[i][k], float64(sign*lanes.Amount[dependency]))
		}
	}
}

func (l *laneLoads) shift(load *float64, room, by float64) {
	if *load > room {
		l.over--
		l.strain -= *load/(room+1) - room/(room+1)
	}
	*load += by
	if *load > room {
		l.over++
		l.strain += *load/(room+1) - room/(room+1)
	}
}

package central

import (
	"math"

	"berth/engine/federate"
)

// Least finds the place with the least value; a place is a worker or one of its slots. It is a
// binary tree in which each node holds the least value below it, so Set and Find take time
// logarithmic in the number of places. If few places satisfy the constraints, Find may visit all of
// them.
type Least struct {
	leaves    int             // a power of two; node 1 is the root, and place i is node leaves + i
	value     []federate.Time // by node
	satisfies []uint64        // by node: the union of the constraints that the places below it satisfy; nil: all places satisfy all
}

// NoValue is the value of a place that no search finds.
const NoValue = federate.Time(math.MaxInt64)

// NewLeast returns a tree of places without values. worker returns the worker of a place; a place
// satisfies the constraints of its worker.
func NewLeast(d *federate.Center, places int, worker func(place int32) int32) *Least {
	l := &Least{leaves: 1}
	for l.leaves < places {
		l.leaves *= 2
	}
	l.value = make([]federate.Time, 2*l.leaves)
	for node := range l.value {
		l.value[node] = NoValue
	}
	if d.Machines != nil {
		l.satisfies = make([]uint64, 2*l.leaves)
		for place := range int32(places) {
			l.satisfies[l.leaves+int(place)] = d.Machines[worker(place)]
		}
		for node := l.leaves - 1; node >= 1; node-- {
			l.satisfies[node] = l.satisfies[2*node] | l.satisfies[2*node+1]
		}
	}
	return l
}

// Of returns the value of a place.
func (l *Least) Of(place int32) federate.Time { return l.value[l.leaves+int(place)] }

// Set sets the value of a place. [NoValue] excludes the place from searches.
func (l *Least) Set(place int32, value federate.Time) {
	node := l.leaves + int(place)
	l.value[node] = value
	for node /= 2; node >= 1; node /= 2 {
		l.value[node] = min(l.value[2*node], l.value[2*node+1])
	}
}

// Find returns the place with the least value among those that satisfy the constraints, and its
// value; [federate.None] and [NoValue] if there is none. Without constraints, it returns the first
// of several equal places.
func (l *Least) Find(constraints uint64) (place int32, value federate.Time) {
	return l.below(1, constraints, federate.None, NoValue)
}

// below searches the places below a node for a value less than best, and otherwise returns place
// and best.
func (l *Least) below(node int, constraints uint64, place int32, best federate.Time) (int32, federate.Time) {
	if l.value[node] >= best || l.satisfies != nil && constraints&^l.satisfies[node] != 0 {
		return place, best
	}
	if node >= l.leaves {
		return int32(node - l.leaves), l.value[node]
	}
	first, second := 2*node, 2*node+1
	if l.value[second] < l.value[first] {
		first, second = second, first
	}
	place, best = l.below(first, constraints, place, best)
	return l.below(second, constraints, place, best)
}

// LeastMemory returns the bytes of a tree.
func LeastMemory(places int) float64 { return federate.Bytes[[2]federate.Time](4 * places) }

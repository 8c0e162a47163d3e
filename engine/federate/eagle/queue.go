package eagle

import (
	"math"
	"slices"

	"berth/engine/federate"
)

const (
	fanout = 8 // entries below one of the next level; a power of two
	step   = 3 // its logarithm

	never     = federate.Time(math.MaxInt64)
	unlimited = never - 1 // more than any estimate and slack but never
)

// queue is the index of the queue of a worker: a tree over its places in their order. Every
// level has the minima over groups of [fanout] entries of the level below.
type queue struct {
	places []int32   // by leaf; none: it has left
	levels [][]entry // the first one has the leaves
	held   int       // places that have not left
}

// entry is a place, or the minima of a group.
type entry struct {
	estimate federate.Time
	slack    federate.Time // by how much it may still be passed; never: long tasks and places that have left
	less     federate.Time // what the slacks below do not include yet
}

func (e *entry) lower(by federate.Time) {
	if e.slack != never {
		e.slack -= by
		e.less += by
	}
}

// placeBytes is the memory of a place in the index, with its part of the upper levels.
const placeBytes = 8 + 24*fanout/(fanout-1)

// add puts a place at the end and returns its leaf.
func (q *queue) add(place int32, estimate, slack federate.Time) (leaf int32) {
	leaf = int32(len(q.places))
	q.places = append(q.places, place)
	q.held++
	for level, size := 0, len(q.places); ; level, size = level+1, (size+fanout-1)/fanout {
		fresh := level == len(q.levels)
		if fresh {
			q.levels = append(q.levels, nil)
		}
		for len(q.levels[level]) < size {
			q.levels[level] = append(q.levels[level], entry{estimate: never, slack: never})
		}
		if fresh && level > 0 {
			q.gather(level, 0)
		}
		if size <= fanout {
			break
		}
	}
	q.set(leaf, estimate, slack)
	return leaf
}

// remove takes a leaf out.
func (q *queue) remove(leaf int32) {
	q.places[leaf] = none
	q.held--
	q.set(leaf, never, never)
}

// sparse reports whether more than half of a long index are places that have left.
func (q *queue) sparse() bool { return len(q.places) > 2*q.held+64 }

// compact forgets the places that have left, and calls moved with the others.
func (q *queue) compact(moved func(place, leaf int32)) {
	for level := len(q.levels) - 1; level > 0; level-- {
		for i := range q.levels[level] {
			q.push(level, i)
		}
	}
	places, leaves := q.places, q.levels[0]
	*q = queue{places: make([]int32, 0, q.held+q.held/2)}
	for i, place := range places {
		if place != none {
			moved(place, q.add(place, leaves[i].estimate, leaves[i].slack))
		}
	}
}

func (q *queue) set(leaf int32, estimate, slack federate.Time) {
	for level := len(q.levels) - 1; level > 0; level-- {
		q.push(level, int(leaf)>>(step*level))
	}
	q.levels[0][leaf] = entry{estimate: estimate, slack: slack}
	for level := 1; level < len(q.levels); level++ {
		q.gather(level, int(leaf)>>(step*level))
	}
}

// group is the entries below one.
func (q *queue) group(level, i int) (first, end int) {
	first = i << step
	return first, min(first+fanout, len(q.levels[level-1]))
}

// push hands what the slacks below an entry do not include down to the next level.
func (q *queue) push(level, i int) {
	e := &q.levels[level][i]
	if e.less == 0 {
		return
	}
	first, end := q.group(level, i)
	for below := first; below < end; below++ {
		q.levels[level-1][below].lower(e.less)
	}
	e.less = 0
}

func (q *queue) gather(level, i int) {
	e := &q.levels[level][i]
	first, end := q.group(level, i)
	e.estimate, e.slack = never, never
	for _, below := range q.levels[level-1][first:end] {
		e.estimate, e.slack = min(e.estimate, below.estimate), min(e.slack, below.slack)
	}
}

// find returns the first leaf from one on whose estimate is at most a time or whose slack is
// less than that, none if there is no such leaf, or none of any estimate at most that.
func (q *queue) find(from int32, time federate.Time) int32 {
	top := len(q.levels) - 1
	if top < 0 || !slices.ContainsFunc(q.levels[top], func(e entry) bool { return e.estimate <= time }) {
		return none
	}
	return q.seek(top, 0, len(q.levels[top]), int(from), time)
}

func (q *queue) seek(level, first, end, from int, time federate.Time) int32 {
	for i := max(first, from>>(step*level)); i < end; i++ {
		if e := &q.levels[level][i]; e.estimate > time && e.slack >= time {
			continue
		}
		if level == 0 {
			return int32(i)
		}
		q.push(level, i)
		below, limit := q.group(level, i)
		if leaf := q.seek(level-1, below, limit, from, time); leaf != none {
			return leaf
		}
	}
	return none
}

// pass lowers the slack of all leaves before one.
func (q *queue) pass(before int32, by federate.Time) {
	top := len(q.levels) - 1
	q.lower(top, 0, len(q.levels[top]), int(before), by)
}

func (q *queue) lower(level, first, end, before int, by federate.Time) {
	for i := first; i < end && i<<(step*level) < before; i++ {
		if (i+1)<<(step*level) <= before {
			q.levels[level][i].lower(by)
			continue
		}
		q.push(level, i)
		below, limit := q.group(level, i)
		q.lower(level-1, below, limit, before, by)
		q.gather(level, i)
	}
}

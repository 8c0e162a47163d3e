package easy

import (
	"math"

	"berth/engine/federate"
	"berth/engine/federate/central"
)

// queue holds the waiting jobs in order of arrival. Started jobs keep their place until more than
// half of the places are stale.
type queue struct {
	places []waiting
	needs  minima
	first  int // index of the first waiting job
	count  int
}

// waiting is a waiting job with the estimates of its shortest and its longest task.
type waiting struct {
	central.Part
	shortest, longest federate.Time
	last              int32 // number of its tasks with the longest estimate
}

// needs decides whether a job can be backfilled.
type needs struct {
	tasks   int32
	last    int32 // number of its tasks with the longest estimate
	longest federate.Time
}

// left replaces the needs of a job that has left, so that no search finds it.
var left = needs{math.MaxInt32, math.MaxInt32, math.MaxInt64}

func (n needs) min(o needs) needs {
	return needs{min(n.tasks, o.tasks), min(n.last, o.last), min(n.longest, o.longest)}
}

func (q *queue) add(w waiting) {
	if len(q.places) > 2*q.count+64 {
		q.renew(nil)
	}
	if q.count == 0 {
		q.first = len(q.places)
	}
	q.needs.add(len(q.places), needs{int32(w.Size()), w.last, w.longest})
	q.places = append(q.places, w)
	q.count++
}

// renew drops stale places and puts other jobs in front.
func (q *queue) renew(front []waiting) {
	before := *q
	*q = queue{}
	for _, w := range front {
		q.add(w)
	}
	for i := before.first; before.count > 0; i = before.after(i) {
		q.add(before.places[i])
		before.remove(i)
	}
}

func (q *queue) remove(i int) {
	q.needs.set(i, left)
	q.count--
	if i == q.first {
		q.first = q.after(i)
	}
}

// after returns the index of the next waiting job behind i; −1 if i is the last.
func (q *queue) after(i int) int {
	return q.needs.find(i+1, func(n *needs) bool { return n.tasks < math.MaxInt32 })
}

// fits returns the index of the first job at or after from that may be backfilled; −1 if there is
// none. idle workers are idle now, spare workers remain when the first job starts, and until is the
// time before it starts.
func (q *queue) fits(from, idle, spare int, until federate.Time) int {
	return q.needs.find(from, func(n *needs) bool {
		return int(n.tasks) <= idle && (n.longest <= until || int(n.last) <= spare)
	})
}

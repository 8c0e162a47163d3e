package easy

import (
	"math"

	"berth/engine/federate"
	"berth/engine/federate/central"
)

// queue is the jobs that wait, in order of arrival. Jobs that have left keep a place in it
// until there are too many.
type queue struct {
	places []waiting
	needs  central.Minima[needs]
	first  int // the place of the first job
	count  int
}

// waiting is a job that waits, with the estimates of its shortest and its longest task.
type waiting struct {
	central.Part
	shortest, longest federate.Time
	last              int32 // tasks that take longest
}

// needs is what keeps a job from being backfilled. Those of several jobs are minima.
type needs struct {
	tasks   int32
	last    int32 // tasks that take longest
	longest federate.Time
}

// left is the needs of a job that has left.
var left = needs{math.MaxInt32, math.MaxInt32, math.MaxInt64}

// Min implements [central.Minima].
func (n needs) Min(o needs) needs {
	return needs{min(n.tasks, o.tasks), min(n.last, o.last), min(n.longest, o.longest)}
}

func (q *queue) add(w waiting) {
	if len(q.places) > 2*q.count+64 {
		q.renew(nil)
	}
	if q.count == 0 {
		q.first = len(q.places)
	}
	q.places = append(q.places, w)
	q.needs.Add(needs{int32(w.Size()), w.last, w.longest})
	q.count++
}

// renew forgets the jobs that have left, and puts others in front.
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
	q.needs.Set(i, left)
	q.count--
	if i == q.first {
		q.first = q.after(i)
	}
}

// after is the place of the next job behind one, and −1 if there is none.
func (q *queue) after(i int) int {
	return q.needs.Find(i+1, func(n *needs) bool { return n.tasks < math.MaxInt32 })
}

// fits is the first place from one on of a job that may be backfilled: so many workers are idle
// now and spare at the promise, which is that far away.
func (q *queue) fits(from, idle, spare int, until federate.Time) int {
	return q.needs.Find(from, func(n *needs) bool {
		return int(n.tasks) <= idle && (n.longest <= until || int(n.last) <= spare)
	})
}

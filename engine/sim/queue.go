package sim

import "slices"

// Time is a moment of the simulation in milliseconds since its start.
type Time = int64

// Common spans of time.
const (
	Millisecond Time = 1
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
	Day              = 24 * Hour
)

// Event is something that happens at a time. What Kind, Ref and Mark mean is
// up to the simulator; Mark usually tells a live event from one that its
// object has outlived.
type Event struct {
	At   Time
	Kind uint32
	Ref  uint32
	Mark uint32
}

// Queue holds the events to come. Events of the same time leave it in the
// order in which they entered. The zero value is an empty queue.
//
// It is a 4-ary heap: half the depth of a binary one, and the four children
// share a cache line or two.
type Queue struct {
	heap  []entry
	order uint64
}

type entry struct {
	at    Time
	order uint64
	kind  uint32
	ref   uint32
	mark  uint32
}

func (e *entry) before(f *entry) bool {
	return e.at < f.at || e.at == f.at && e.order < f.order
}

// Len returns the number of events.
func (q *Queue) Len() int { return len(q.heap) }

// Push adds an event. O(log n).
func (q *Queue) Push(e Event) {
	q.push(entry{e.At, q.order, e.Kind, e.Ref, e.Mark})
	q.order++
}

// PushLast adds an event that comes after all that are pushed otherwise at its
// time; those of a time are in the order of their kinds. O(log n).
func (q *Queue) PushLast(e Event) {
	q.push(entry{e.At, 1<<63 | uint64(e.Kind), e.Kind, e.Ref, e.Mark})
}

func (q *Queue) push(added entry) {
	q.heap = append(q.heap, added)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !added.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = added
}

// Next returns the first event and leaves it there; ok is false if there is
// none.
func (q *Queue) Next() (e Event, ok bool) {
	if len(q.heap) == 0 {
		return Event{}, false
	}
	first := &q.heap[0]
	return Event{first.at, first.kind, first.ref, first.mark}, true
}

// Pop removes and returns the first event. It panics on an empty queue, as
// indexing an empty slice does. O(log n).
func (q *Queue) Pop() Event {
	first := q.heap[0]
	last := len(q.heap) - 1
	moved := q.heap[last]
	q.heap = q.heap[:last]
	if last > 0 {
		q.sink(0, moved)
	}
	return Event{first.at, first.kind, first.ref, first.mark}
}

// DeleteFunc removes the events for which stale is true; the others stay in
// order. O(n).
func (q *Queue) DeleteFunc(stale func(*Event) bool) {
	q.heap = slices.DeleteFunc(q.heap, func(e entry) bool {
		return stale(&Event{e.at, e.kind, e.ref, e.mark})
	})
	for i := (len(q.heap) - 2) / 4; i >= 0 && len(q.heap) > 1; i-- {
		q.sink(i, q.heap[i])
	}
}

// sink puts an entry in the place of node i and restores the heap below it.
func (q *Queue) sink(i int, moved entry) {
	heap := q.heap
	for {
		child := 4*i + 1
		if child >= len(heap) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(heap)); c++ {
			if heap[c].before(&heap[least]) {
				least = c
			}
		}
		if !heap[least].before(&moved) {
			break
		}
		heap[i] = heap[least]
		i = least
	}
	heap[i] = moved
}

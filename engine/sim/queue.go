package sim

import (
	"math/bits"
	"slices"
)

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

// Queue holds the events to come. Events of the same time leave it in the order
// in which they entered. Times are not negative. The zero value is an empty
// queue.
//
// It is a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990), for events that
// are not earlier than the last one that left; earlier ones are slow. An event
// stands in the slot of the highest digit in which its time differs from that of
// the last one that left, and moves on to a lower digit when its slot is the
// first: a few moves through memory in order, where a heap compares as many as
// log n events that are far apart.
type Queue struct {
	last   Time    // when the last event left
	now    []entry // the events of that time, in order
	head   int     // the first of them that has not left
	slots  [levels][digits][]entry
	filled [levels]uint16 // by level, a bit for each digit: its slot has events
	length int

	// first is the first event in the slots, and stands in that of level and
	// digit, if it is known.
	first        entry
	level, digit int
	known        bool
}

// The digits of a time.
const (
	digitBits = 4
	digits    = 1 << digitBits
	levels    = 64 / digitBits
)

type entry struct {
	at        Time
	kind      uint32
	ref, mark uint32
	late      bool // comes after those that are not
}

// before says whether e leaves before f, whichever entered first.
func (e *entry) before(f *entry) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return f.late && (!e.late || e.kind < f.kind)
}

// Len returns the number of events.
func (q *Queue) Len() int { return q.length }

// Push adds an event.
func (q *Queue) Push(e Event) { q.enter(entry{e.At, e.Kind, e.Ref, e.Mark, false}) }

// PushLast adds an event that comes after all that are pushed otherwise at its
// time; those of a time are in the order of their kinds.
func (q *Queue) PushLast(e Event) { q.enter(entry{e.At, e.Kind, e.Ref, e.Mark, true}) }

func (q *Queue) enter(e entry) {
	q.length++
	level, digit := q.put(&e)
	if q.known && level >= 0 && e.before(&q.first) {
		q.first, q.level, q.digit = e, level, digit
	}
}

// put puts an event in its place and returns its slot; the level is -1 for q.now.
func (q *Queue) put(e *entry) (level, digit int) {
	if e.at <= q.last {
		q.now = append(q.now, *e)
		for i := len(q.now) - 1; i > q.head && e.before(&q.now[i-1]); i-- {
			q.now[i-1], q.now[i] = q.now[i], q.now[i-1]
		}
		return -1, 0
	}
	level = (bits.Len64(uint64(e.at^q.last)) - 1) / digitBits
	digit = int(uint64(e.at)>>(level*digitBits)) % digits
	q.slots[level][digit] = append(q.slots[level][digit], *e)
	q.filled[level] |= 1 << digit
	return level, digit
}

// Next returns the first event and leaves it there; ok is false if there is
// none.
func (q *Queue) Next() (e Event, ok bool) {
	if q.length == 0 {
		return Event{}, false
	}
	first := &q.first
	if q.head < len(q.now) {
		first = &q.now[q.head]
	} else {
		q.seek()
	}
	return Event{first.at, first.kind, first.ref, first.mark}, true
}

// Pop removes and returns the first event. It panics on an empty queue, as
// indexing an empty slice does.
func (q *Queue) Pop() Event {
	if q.head == len(q.now) {
		q.now, q.head = q.now[:0], 0
		q.turn()
	}
	e := &q.now[q.head]
	q.head++
	q.length--
	return Event{e.at, e.kind, e.ref, e.mark}
}

// seek finds the first event in the slots.
func (q *Queue) seek() {
	if q.known {
		return
	}
	q.level = 0
	for q.filled[q.level] == 0 {
		q.level++
	}
	q.digit = bits.TrailingZeros16(q.filled[q.level])
	slot := q.slots[q.level][q.digit]
	first := &slot[0]
	for i := range slot {
		if slot[i].before(first) {
			first = &slot[i]
		}
	}
	q.first, q.known = *first, true
}

// turn moves on to the time of the first event in the slots.
func (q *Queue) turn() {
	q.seek()
	slot := q.slots[q.level][q.digit]
	q.slots[q.level][q.digit] = slot[:0]
	q.filled[q.level] &^= 1 << q.digit
	q.last, q.known = q.first.at, false
	for i := range slot {
		q.put(&slot[i])
	}
}

// DeleteFunc removes the events for which stale is true; the others stay in
// order. O(n).
func (q *Queue) DeleteFunc(stale func(*Event) bool) {
	keep := func(list []entry) []entry {
		list = slices.DeleteFunc(list, func(e entry) bool {
			return stale(&Event{e.at, e.kind, e.ref, e.mark})
		})
		q.length += len(list)
		return list
	}
	q.length, q.known = 0, false
	q.now, q.head = keep(slices.Delete(q.now, 0, q.head)), 0
	for level := range q.slots {
		for digit, slot := range q.slots[level] {
			if q.slots[level][digit] = keep(slot); len(q.slots[level][digit]) == 0 {
				q.filled[level] &^= 1 << digit
			}
		}
	}
}

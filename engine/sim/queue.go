package sim

import (
	"encoding/json"
	"math"
	"math/bits"
	"slices"
)

// Time is a moment since the start of a simulation, or a span, in the simulator's unit.
type Time interface{ ~int64 }

// The units of the simulators are distinct types, so that they cannot be mixed.
type (
	Milliseconds int64
	Nanoseconds  int64
)

// MarshalJSON implements [json.Marshaler]. Documents and reports have seconds.
func (t Milliseconds) MarshalJSON() ([]byte, error) { return json.Marshal(float64(t) / 1000) }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Milliseconds) UnmarshalJSON(data []byte) error {
	var seconds float64
	err := json.Unmarshal(data, &seconds)
	*t = Milliseconds(math.Round(seconds * 1000))
	return err
}

// Spans of time in milliseconds.
const (
	Millisecond Milliseconds = 1
	Second                   = 1000 * Millisecond
	Minute                   = 60 * Second
	Hour                     = 60 * Minute
	Day                      = 24 * Hour
)

// Mean returns the mean of n spans, rounded down. The spans must not be negative; their sum may
// overflow T.
func Mean[T Time](n int, at func(i int) T) T {
	var whole, rest T
	for i := range n {
		x := at(i)
		whole += x / T(n)
		rest += x % T(n)
	}
	return whole + rest/T(max(n, 1))
}

// Event is an event at a time. The simulator defines the meaning of Kind, Ref and Mark; usually
// Mark separates a live event from a stale one, whose object has changed since.
type Event[T Time] struct {
	At   T
	Kind uint32
	Ref  uint32
	Mark uint32
}

// Agenda is a queue of future events. Events of the same time leave in the order in which they
// entered. Times must not be negative. The zero value is an empty queue.
//
// It is a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990). It is fast for events that are not
// earlier than the last one that left; earlier events are slow. Each event is in a slot, which
// depends on the highest digit in which its time differs from the time of the last event that left.
// When its slot becomes the first, the event moves to a lower digit. So each event makes a few
// sequential moves through memory, whereas a binary heap compares up to log n events that are far
// apart in memory.
type Agenda[T Time] struct {
	last   T          // time of the last event that left
	now    []entry[T] // events of that time, in order
	head   int        // index of the first event in now that has not left
	slots  [levels][digits][]entry[T]
	filled [levels]uint16 // by level: a bit for each digit whose slot has events
	length int

	// first is the first event in the slots, and level and digit are its slot; valid if known.
	first        entry[T]
	level, digit int
	known        bool
}

// The digits of a time, in base 16.
const (
	digitBits = 4
	digits    = 1 << digitBits
	levels    = 64 / digitBits
)

type entry[T Time] struct {
	at        T
	kind      uint32
	ref, mark uint32
	late      bool // added with PushLast
}

// before reports whether e leaves before f although e entered later.
func (e *entry[T]) before(f *entry[T]) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	return f.late && (!e.late || e.kind < f.kind)
}

// Len returns the number of events.
func (q *Agenda[T]) Len() int { return q.length }

// Push adds an event.
func (q *Agenda[T]) Push(e Event[T]) { q.enter(entry[T]{e.At, e.Kind, e.Ref, e.Mark, false}) }

// PushLast adds an event that leaves after all events of its time that Push added. Several of these
// leave in the order of their kinds.
func (q *Agenda[T]) PushLast(e Event[T]) { q.enter(entry[T]{e.At, e.Kind, e.Ref, e.Mark, true}) }

func (q *Agenda[T]) enter(e entry[T]) {
	q.length++
	level, digit := q.put(&e)
	if q.known && level >= 0 && e.before(&q.first) {
		q.first, q.level, q.digit = e, level, digit
	}
}

// put stores an event and returns its slot; level −1 means q.now.
func (q *Agenda[T]) put(e *entry[T]) (level, digit int) {
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

// Next returns the first event without removing it. It returns false if the queue is empty.
func (q *Agenda[T]) Next() (e Event[T], ok bool) {
	if q.length == 0 {
		return Event[T]{}, false
	}
	first := &q.first
	if q.head < len(q.now) {
		first = &q.now[q.head]
	} else {
		q.seek()
	}
	return Event[T]{first.at, first.kind, first.ref, first.mark}, true
}

// Pop removes and returns the first event. It panics if the queue is empty.
func (q *Agenda[T]) Pop() Event[T] {
	if q.head == len(q.now) {
		q.now, q.head = q.now[:0], 0
		q.turn()
	}
	e := &q.now[q.head]
	q.head++
	q.length--
	return Event[T]{e.at, e.kind, e.ref, e.mark}
}

// seek finds the first event in the slots.
func (q *Agenda[T]) seek() {
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

// turn advances to the time of the first event in the slots.
func (q *Agenda[T]) turn() {
	q.seek()
	slot := q.slots[q.level][q.digit]
	q.slots[q.level][q.digit] = slot[:0]
	q.filled[q.level] &^= 1 << q.digit
	q.last, q.known = q.first.at, false
	for i := range slot {
		q.put(&slot[i])
	}
}

// DeleteFunc removes the events for which stale returns true, in O(n). The order of the others does
// not change.
func (q *Agenda[T]) DeleteFunc(stale func(*Event[T]) bool) {
	keep := func(list []entry[T]) []entry[T] {
		list = slices.DeleteFunc(list, func(e entry[T]) bool {
			return stale(&Event[T]{e.at, e.kind, e.ref, e.mark})
		})
		q.length += len(list)
		return list
	}
	q.length, q.known = 0, false
	q.now, q.head = keep(slices.Delete(q.now, 0, q.head)), 0
	for level := range q.slots {
		for digit, slot := range q.slots[level] {
			q.slots[level][digit] = keep(slot)
			if len(q.slots[level][digit]) == 0 {
				q.filled[level] &^= 1 << digit
			}
		}
	}
}

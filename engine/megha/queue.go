package megha

import "berth/engine/sim"

// taskQueue is the queue of a user. Each entry knows the version of the GM's
// copy on which its task was tried in vain, 0 if on none: on the same version
// it cannot be retried, is skipped and blocks nobody.
type taskQueue struct {
	ring       []queueEntry // of a power of two
	head, tail uint         // positions that have ever been used
	cursor     uint         // whatever stands before it cannot be retried yet
	tasks      int
	cursorOf   uint32 // the version for which the cursor holds
}

// queueEntry is a place in a queue; its task is −1 where one was taken out of
// the middle.
type queueEntry struct {
	task  int32
	tried uint32
}

func (q *taskQueue) at(position uint) *queueEntry { return &q.ring[position&uint(len(q.ring)-1)] }

func (q *taskQueue) grow() {
	if q.tail-q.head < uint(len(q.ring)) {
		return
	}
	ring := make([]queueEntry, max(16, 2*len(q.ring)))
	for p := q.head; p != q.tail; p++ {
		ring[p&uint(len(ring)-1)] = *q.at(p)
	}
	q.ring = ring
}

// push puts a task at the end.
func (q *taskQueue) push(task int32, tried uint32) {
	q.grow()
	*q.at(q.tail) = queueEntry{task, tried}
	q.tail++
	q.tasks++
}

// pushFront puts a task at the head, where it may be tried at once.
func (q *taskQueue) pushFront(task int32) {
	q.grow()
	q.head--
	*q.at(q.head) = queueEntry{task: task}
	q.cursor = q.head
	q.tasks++
}

// pop takes the first task that was not tried on this version of the copy, and
// says on which it was. O(1) amortised between two versions.
func (q *taskQueue) pop(version uint32) (taken queueEntry, ok bool) {
	if q.tasks == 0 {
		return taken, false
	}
	if q.cursorOf != version {
		q.cursor, q.cursorOf = q.head, version
	}
	for ; q.cursor != q.tail; q.cursor++ {
		e := q.at(q.cursor)
		if e.task < 0 || e.tried == version {
			continue
		}
		taken, e.task = *e, -1
		q.tasks--
		q.trim()
		return taken, true
	}
	return taken, false
}

// trim forgets the places at the head whose tasks were taken.
func (q *taskQueue) trim() {
	for q.head != q.tail && q.at(q.head).task < 0 {
		if q.cursor == q.head {
			q.cursor++
		}
		q.head++
	}
}

// inbox holds the messages that wait for a master.
type inbox struct {
	messages []sim.Event
	head     int
}

func (b *inbox) push(e sim.Event) { b.messages = append(b.messages, e) }

func (b *inbox) pop() (e sim.Event, ok bool) {
	if b.head == len(b.messages) {
		return e, false
	}
	e = b.messages[b.head]
	b.head++
	switch {
	case b.head == len(b.messages):
		b.messages, b.head = b.messages[:0], 0
	case b.head > wordSize && b.head > len(b.messages)/2:
		n := copy(b.messages, b.messages[b.head:])
		b.messages, b.head = b.messages[:n], 0
	}
	return e, true
}

package federate

import "berth/engine/cluster"

// taskQueue is the queue of a user: the root of a treap in the order of the
// queue, −1 if it is empty. Its nodes are the places of its tasks, of which
// each is in one queue at most.
type taskQueue struct{ root int32 }

// places are the places of all tasks in queues. Operations on a queue of n
// tasks take O(log n).
type places struct {
	nodes []place
	least []cluster.Amount // of each place: what all in its subtree ask for at least
	f     *federation
}

// place is a task in a queue.
type place struct {
	left, right int32  // −1: none
	retries     int32  // without a match, since its parts were last booked
	tried       uint32 // version of the GM's copy on which there was no match; 0: none
	price       Time   // of a retry, 0 before the first try

	// Of the subtree.
	count       int32
	low, high   uint32 // of tried
	cost        Time   // of a retry of each
	constraints uint64 // for which all ask

	// Not yet passed on to the children.
	newTried   uint32 // 0: nothing
	newRetries int32
}

func newPlaces(f *federation) places {
	return places{nodes: make([]place, len(f.tasks)), least: make([]cluster.Amount, len(f.tasks)*f.Center.Resources), f: f}
}

// priority orders the treap: a number that looks random and is not.
func priority(task int32) uint32 {
	x := uint32(task) * 0x9e3779b1
	x = (x ^ x>>15) * 0x85ebca77
	return x ^ x>>13
}

func (p *places) count(x int32) int32 {
	if x < 0 {
		return 0
	}
	return p.nodes[x].count
}

// cost is what a retry of each task of a subtree costs.
func (p *places) cost(x int32) Time {
	if x < 0 {
		return 0
	}
	return p.nodes[x].cost
}

// update computes what holds of a subtree from its root and the children.
func (p *places) update(x int32) {
	n := &p.nodes[x]
	kind := p.f.Kind(x)
	least := ofWorker(p.least, x, len(kind.Request))
	n.count, n.low, n.high, n.constraints, n.cost = 1, n.tried, n.tried, kind.Constraints, n.price
	copy(least, kind.Request)
	for _, child := range [...]int32{n.left, n.right} {
		if child < 0 {
			continue
		}
		c := &p.nodes[child]
		n.count += c.count
		n.low, n.high = min(n.low, c.low), max(n.high, c.high)
		n.cost += c.cost
		n.constraints &= c.constraints
		for r, amount := range ofWorker(p.least, child, len(least)) {
			least[r] = min(least[r], amount)
		}
	}
}

// retry notes that all tasks of a subtree were tried once more.
func (p *places) retry(x int32, version uint32, retries int32) {
	if x < 0 {
		return
	}
	n := &p.nodes[x]
	n.tried, n.low, n.high, n.newTried = version, version, version, version
	n.retries += retries
	n.newRetries += retries
}

func (p *places) passOn(x int32) {
	n := &p.nodes[x]
	if n.newTried == 0 {
		return
	}
	p.retry(n.left, n.newTried, n.newRetries)
	p.retry(n.right, n.newTried, n.newRetries)
	n.newTried, n.newRetries = 0, 0
}

// merge returns the queue of b behind a.
func (p *places) merge(a, b int32) int32 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	case priority(a) > priority(b):
		p.passOn(a)
		p.nodes[a].right = p.merge(p.nodes[a].right, b)
		p.update(a)
		return a
	}
	p.passOn(b)
	p.nodes[b].left = p.merge(a, p.nodes[b].left)
	p.update(b)
	return b
}

// split divides a queue behind its first n tasks.
func (p *places) split(x, n int32) (a, b int32) {
	if x < 0 {
		return -1, -1
	}
	p.passOn(x)
	node := &p.nodes[x]
	if left := p.count(node.left); n <= left {
		a, node.left = p.split(node.left, n)
		b = x
	} else {
		node.right, b = p.split(node.right, n-left-1)
		a = x
	}
	p.update(x)
	return a, b
}

func (p *places) alone(task int32, tried uint32) int32 {
	n := place{left: -1, right: -1, tried: tried}
	if tried > 0 {
		n.price = p.f.Config.Costs.Take + p.f.costOfNothing(p.f.Load.KindOf[task])
	}
	p.nodes[task] = n
	p.update(task)
	return task
}

// push puts a task at the end.
func (p *places) push(q *taskQueue, task int32, tried uint32) {
	q.root = p.merge(q.root, p.alone(task, tried))
}

// pushFront puts a task at the head, where it may be tried at once.
func (p *places) pushFront(q *taskQueue, task int32) {
	q.root = p.merge(p.alone(task, 0), q.root)
}

// pop takes the first task that was not tried on this version of the copy. The
// others it skips: they block nobody.
func (p *places) pop(q *taskQueue, version uint32) (task int32, ok bool) {
	at, task := p.first(q, version)
	if task < 0 {
		return -1, false
	}
	before, rest := p.split(q.root, at)
	_, after := p.split(rest, 1)
	q.root = p.merge(before, after)
	return task, true
}

// first returns the first task that was not tried on this version of the copy,
// −1 if there is none, and how many stand before it.
func (p *places) first(q *taskQueue, version uint32) (at, task int32) {
	x := q.root
	if x < 0 || p.nodes[x].low == version {
		return 0, -1
	}
	for {
		p.passOn(x)
		n := &p.nodes[x]
		switch {
		case n.left >= 0 && p.nodes[n.left].low != version:
			x = n.left
		case n.tried != version:
			return at + p.count(n.left), x
		default:
			at += p.count(n.left) + 1
			x = n.right
		}
	}
}

// costTo is what a retry of each of the first n tasks costs.
func (p *places) costTo(x, n int32) (cost Time) {
	for x >= 0 && n > 0 {
		p.passOn(x)
		node := &p.nodes[x]
		left := p.count(node.left)
		if n <= left {
			x = node.left
			continue
		}
		cost += p.cost(node.left) + node.price
		x, n = node.right, n-left-1
	}
	return cost
}

// rotate puts n tasks, from one on, at the end: they were tried once more.
func (p *places) rotate(q *taskQueue, from, n int32, version uint32) {
	before, rest := p.split(q.root, from)
	tried, after := p.split(rest, n)
	p.retry(tried, version, 1)
	q.root = p.merge(p.merge(before, after), tried)
}

// inbox holds the messages that wait for a master.
type inbox struct {
	messages []Event
	head     int
}

func (b *inbox) push(e Event) { b.messages = append(b.messages, e) }

func (b *inbox) pop() (e Event, ok bool) {
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

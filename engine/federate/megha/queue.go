package megha

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// blockSize is how many tasks a block of a queue holds at most.
const blockSize = 128

// taskQueue is the queue of a user. Its tasks form a ring with a head: tasks that are
// tried in vain go to the end, which only moves the head on. The ring is cut into
// blocks, and a binary tree over them says what is known of their tasks: an operation
// looks at one block and at O(log n) nodes. All blocks are gone through only where one
// is divided.
type taskQueue struct {
	f      *federation
	user   int32
	blocks []*block
	nodes  []node // the root is 1, the children of i are 2i and 2i+1; see node
	leaves int32

	head  int32         // tasks of the ring before the head
	spent federate.Time // what a retry of each of them costs
	lap   int32         // how often the head has come round

	// tries has the versions of the copy on which the tasks had no match last, from the
	// head to the end. They never decrease, except for new tasks.
	tries []tries
	begin int // of what is left of tries

	// The first vain tasks are known to have no match on a version, although
	// they were not tried on it.
	vain   int32
	vainOn uint32
}

// waiting is a task in a queue.
type waiting struct {
	task  int32
	lap   int32         // in which the head comes to it first
	price federate.Time // of a retry, 0 before the first try
}

// block is some tasks of a queue, one behind the other.
type block struct {
	node
	tasks []waiting
	asks  []cluster.Amount // what each of them asks for
}

// node is what is known of some tasks. Of tasks that were there it may still
// know what they asked for.
type node struct {
	count       int32
	constraints uint64           // for which all ask
	cost        federate.Time    // of a retry of each
	least       []cluster.Amount // what all ask for at least
}

// tries says that so many tasks, one behind the other, had no match on a version;
// 0 is that of new tasks.
type tries struct {
	version uint32
	n       int32
}

func newNode(resources int) node { return node{least: make([]cluster.Amount, resources)} }

func (n *node) clear() {
	n.count, n.constraints, n.cost = 0, math.MaxUint64, 0
	for r := range n.least {
		n.least[r] = math.MaxInt64
	}
}

func (n *node) add(w waiting, k *workload.TaskKind) {
	n.count++
	n.constraints &= k.Constraints
	n.cost += w.price
	for r, amount := range k.Request {
		n.least[r] = min(n.least[r], amount)
	}
}

// join makes n what is known of two parts.
func (n *node) join(a, b *node) {
	n.count, n.constraints, n.cost = a.count+b.count, a.constraints&b.constraints, a.cost+b.cost
	for r := range n.least {
		n.least[r] = min(a.least[r], b.least[r])
	}
}

// node returns a node of the tree. Its leaves are the blocks, followed by nothing.
func (q *taskQueue) node(i int32) *node {
	if i < q.leaves {
		return &q.nodes[i]
	}
	if b := int(i - q.leaves); b < len(q.blocks) {
		return &q.blocks[b].node
	}
	return &q.f.nothing
}

func (q *taskQueue) len() int32 { return q.node(1).count }

// end returns where the first n tasks of the ring end.
func (q *taskQueue) end(n int32) (block, offset int32) {
	i := int32(1)
	for i < q.leaves {
		i *= 2
		if left := q.node(i).count; n > left {
			n -= left
			i++
		}
	}
	return i - q.leaves, n
}

// costTo is what a retry of each of the first n tasks of the ring costs.
func (q *taskQueue) costTo(n int32) (cost federate.Time) {
	i := int32(1)
	for i < q.leaves {
		i *= 2
		if left := q.node(i); n > left.count {
			n -= left.count
			cost += left.cost
			i++
		}
	}
	for _, w := range q.blocks[i-q.leaves].tasks[:n] {
		cost += w.price
	}
	return cost
}

// within returns how many tasks of the ring, from the first on, can be tried
// again at a cost.
func (q *taskQueue) within(cost federate.Time) (n int32) {
	i := int32(1)
	for i < q.leaves {
		i *= 2
		if left := q.node(i); cost >= left.cost {
			cost -= left.cost
			n += left.count
			i++
		}
	}
	if int(i-q.leaves) == len(q.blocks) {
		return n
	}
	for _, w := range q.blocks[i-q.leaves].tasks {
		cost -= w.price
		if cost < 0 {
			break
		}
		n++
	}
	return n
}

// retryCost is what a retry of each of the first n tasks of the queue costs.
func (q *taskQueue) retryCost(n int32) federate.Time {
	n += q.head
	if all := q.len(); n > all {
		return q.node(1).cost - q.spent + q.costTo(n-all)
	}
	return q.costTo(n) - q.spent
}

// retriesWithin returns how many tasks, from the head on, can be tried again at a
// cost.
func (q *taskQueue) retriesWithin(cost federate.Time) int32 {
	cost += q.spent
	if all := q.node(1); cost >= all.cost {
		return all.count - q.head + min(q.within(cost-all.cost), q.head)
	}
	return q.within(cost) - q.head
}

// push puts a task at the end. Tried is the version of the copy on which it had
// no match, 0 if it is new.
func (q *taskQueue) push(task int32, tried uint32) {
	w := waiting{task: task, lap: q.lap}
	if tried > 0 {
		w.price = q.f.retryCost(q.f.Load.KindOf[task])
	}
	if q.head == 0 {
		q.insert(q.len(), w)
	} else {
		w.lap++
		q.insert(q.head, w)
		q.head++
		q.spent += w.price
	}
	q.triedLast(tried, 1)
}

// pushFront puts a new task at the head.
func (q *taskQueue) pushFront(task int32) {
	q.insert(q.head, waiting{task: task})
	if q.begin == 0 {
		q.tries = slices.Insert(q.tries, 0, tries{})
	} else {
		q.begin--
	}
	q.tries[q.begin] = tries{version: 0, n: 1}
	q.vain = 0
}

// first returns how many tasks stand before the first one that was not tried on
// this version of the copy, and on which one that was tried. All that stand
// behind those tried on this version are new.
func (q *taskQueue) first(version uint32) (before int32, tried uint32, ok bool) {
	left := q.tries[q.begin:]
	switch {
	case len(left) == 0:
		return 0, 0, false
	case left[0].version != version:
		return 0, left[0].version, true
	case len(left) == 1:
		return 0, 0, false
	}
	return left[0].n, 0, true
}

// pop takes the first task that was not tried on this version of the copy, and returns
// the last version on which it was tried, or is known to have no match, and how often
// it was tried since it was put there. It skips the others: they block no other task.
func (q *taskQueue) pop(version uint32) (task int32, tried uint32, retries int32, ok bool) {
	before, tried, ok := q.first(version)
	if !ok {
		return -1, 0, 0, false
	}
	place := q.head + before
	if all := q.len(); place >= all {
		place -= all
	}
	w := q.remove(place)
	if tried > 0 {
		retries = q.lap - w.lap
	}
	if place < q.head {
		q.head--
		q.spent -= w.price
	}
	if before == 0 {
		if q.vain > 0 {
			tried = q.vainOn
		}
		q.leave(1)
	} else {
		q.leaveSecond()
	}
	q.turn(0)
	return w.task, tried, retries, true
}

// rotate puts the first n tasks at the end: they had no match on this version.
func (q *taskQueue) rotate(n int32, version uint32) {
	q.leave(n)
	q.triedLast(version, n)
	q.spent += q.retryCost(n)
	q.turn(n)
}

// turn moves the head on.
func (q *taskQueue) turn(n int32) {
	all := q.node(1)
	q.head += n
	if q.head >= all.count {
		q.head -= all.count
		q.spent -= all.cost
		q.lap++
	}
}

// untried returns how many tasks, from the head on, were tried before and not
// on this version; it may stop early.
func (q *taskQueue) untried(version uint32) (n int32) {
	const most = 8
	left := q.tries[q.begin:]
	for _, t := range left[:min(most, len(left))] {
		if t.version == 0 || t.version == version {
			break
		}
		n += t.n
	}
	return n
}

// triedLast notes the last version of n tasks that have come to the end.
func (q *taskQueue) triedLast(version uint32, n int32) {
	if last := len(q.tries) - 1; last >= q.begin && q.tries[last].version == version {
		q.tries[last].n += n
		return
	}
	if q.begin > len(q.tries)/2 {
		q.tries = q.tries[:copy(q.tries, q.tries[q.begin:])]
		q.begin = 0
	}
	q.tries = append(q.tries, tries{version, n})
}

// leave forgets the last versions of the first n tasks.
func (q *taskQueue) leave(n int32) {
	q.vain = max(0, q.vain-n)
	for n > 0 {
		t := &q.tries[q.begin]
		some := min(n, t.n)
		n -= some
		t.n -= some
		if t.n == 0 {
			q.begin++
		}
	}
}

// leaveSecond forgets one of the tasks behind those tried on the same version as
// the first.
func (q *taskQueue) leaveSecond() {
	left := q.tries[q.begin:]
	left[1].n--
	if left[1].n > 0 {
		return
	}
	left[1] = left[0]
	q.begin++
	if len(left) > 2 && left[2].version == left[0].version {
		left[2].n += left[0].n
		q.begin++
	}
}

// insert puts a task behind the first n of the ring.
func (q *taskQueue) insert(n int32, w waiting) {
	if len(q.blocks) == 0 {
		q.blocks, q.leaves = append(q.blocks, q.f.newBlock()), 1
	}
	b, offset := q.end(n)
	if len(q.blocks[b].tasks) == blockSize {
		q.divide(b)
		b, offset = q.end(n)
	}
	x, k := q.blocks[b], q.f.Kind(w.task)
	x.tasks = slices.Insert(x.tasks, int(offset), w)
	x.asks = slices.Insert(x.asks, int(offset)*len(k.Request), k.Request...)
	x.add(w, k)
	for i := (q.leaves + b) / 2; i > 0; i /= 2 {
		q.nodes[i].add(w, k)
	}
}

// remove takes the task out of the ring before which there are n.
func (q *taskQueue) remove(n int32) waiting {
	b, offset := q.end(n + 1)
	x := q.blocks[b]
	w, resources := x.tasks[offset-1], q.f.Center.Resources
	x.tasks = slices.Delete(x.tasks, int(offset-1), int(offset))
	x.asks = slices.Delete(x.asks, int(offset-1)*resources, int(offset)*resources)
	renew := len(x.tasks)%(blockSize/4) == 0
	x.count, x.cost = x.count-1, x.cost-w.price
	if renew {
		q.f.renew(x)
	}
	for i := (q.leaves + b) / 2; i > 0; i /= 2 {
		if y := &q.nodes[i]; renew {
			y.join(q.node(2*i), q.node(2*i+1))
		} else {
			y.count, y.cost = y.count-1, y.cost-w.price
		}
	}
	return w
}

// divide makes two blocks of one.
func (q *taskQueue) divide(b int32) {
	x, rest := q.blocks[b], q.f.newBlock()
	const half = blockSize / 2
	asked := half * q.f.Center.Resources
	rest.tasks, x.tasks = append(rest.tasks, x.tasks[half:]...), x.tasks[:half]
	rest.asks, x.asks = append(rest.asks, x.asks[asked:]...), x.asks[:asked]
	q.f.renew(x)
	q.f.renew(rest)
	q.blocks = slices.Insert(q.blocks, int(b+1), rest)
	if len(q.blocks) > int(q.leaves) {
		q.joinBlocks()
	}
	if len(q.blocks) > int(q.leaves) {
		q.leaves *= 2
		q.nodes = make([]node, q.leaves)
		for i := range q.nodes {
			q.nodes[i] = newNode(q.f.Center.Resources)
		}
	}
	for i := q.leaves - 1; i > 0; i-- {
		q.nodes[i].join(q.node(2*i), q.node(2*i+1))
	}
}

// joinBlocks makes one block of those that follow each other and have few tasks.
func (q *taskQueue) joinBlocks() {
	kept := q.blocks[:1]
	for _, x := range q.blocks[1:] {
		last := kept[len(kept)-1]
		if len(last.tasks)+len(x.tasks) > blockSize/2 {
			kept = append(kept, x)
			continue
		}
		last.tasks = append(last.tasks, x.tasks...)
		last.asks = append(last.asks, x.asks...)
		last.join(&last.node, &x.node)
		q.f.spare = append(q.f.spare, x)
	}
	q.blocks = kept
}

// newBlock returns a block without tasks.
func (f *federation) newBlock() *block {
	if last := len(f.spare) - 1; last >= 0 {
		x := f.spare[last]
		f.spare, x.tasks, x.asks = f.spare[:last], x.tasks[:0], x.asks[:0]
		x.clear()
		return x
	}
	resources := f.Center.Resources
	x := &block{node: newNode(resources), tasks: make([]waiting, 0, blockSize), asks: make([]cluster.Amount, 0, blockSize*resources)}
	x.clear()
	return x
}

// renew finds out what is known of a block.
func (f *federation) renew(x *block) {
	x.clear()
	for _, w := range x.tasks {
		x.add(w, f.Kind(w.task))
	}
}

// inbox holds the messages that wait for a master.
type inbox struct {
	messages []federate.Event
	head     int
}

func (b *inbox) push(e federate.Event) { b.messages = append(b.messages, e) }

func (b *inbox) pop() (e federate.Event, ok bool) {
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

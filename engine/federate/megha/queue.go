package megha

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
)

// blockSize is the highest number of tasks in a block of a queue.
const blockSize = 128

// taskQueue is the queue of a user. Its tasks form a ring with a head. Tasks that fail move to the
// end, which only advances the head. The ring consists of blocks, which are the leaves of a binary
// tree of summaries. An operation therefore visits one block and O(log n) nodes. Only an operation
// that divides a block visits all blocks.
type taskQueue struct {
	f      *federation
	user   int32
	blocks []*block
	nodes  []node // node 1 is the root, nodes 2i and 2i+1 are the children of node i; see node
	leaves int32

	head  int32         // number of tasks of the ring before the head
	spent federate.Time // total retry cost of these tasks
	lap   int32         // number of times that the head has passed the end of the ring

	// tries lists the versions of the copy on which the tasks failed last, from the head to the
	// end. The versions never decrease, except for new tasks, which have version 0.
	tries []tries
	begin int // index of the first valid entry of tries

	// The first vain tasks have no match on version vainOn. The GM infers this without trying,
	// because other tasks failed on that version.
	vain   int32
	vainOn uint32
}

type waiting struct {
	task  int32
	lap   int32         // lap in which the head reaches it first
	price federate.Time // cost of a retry; 0 before the first try
}

// block is consecutive tasks of a queue.
type block struct {
	node
	tasks []waiting
	asks  []cluster.Amount // requests of the tasks
}

// node summarises some tasks. After a removal its minima may still include the removed task, which
// keeps them valid as bounds.
type node struct {
	count       int32
	constraints uint64           // constraints that all tasks have in common
	cost        federate.Time    // total cost of a retry of each task
	least       []cluster.Amount // componentwise minimum of the requests
}

// tries means that n consecutive tasks failed last on a version; version 0 means new tasks.
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

// join summarises two nodes in n.
func (n *node) join(a, b *node) {
	n.count, n.constraints, n.cost = a.count+b.count, a.constraints&b.constraints, a.cost+b.cost
	for r := range n.least {
		n.least[r] = min(a.least[r], b.least[r])
	}
}

// node returns a node of the tree. The leaves are the blocks, followed by empty nodes.
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

// end returns the place after the first n tasks of the ring, and the total retry cost of the tasks
// in the blocks before that place.
func (q *taskQueue) end(n int32) (block, offset int32, cost federate.Time) {
	i := int32(1)
	for i < q.leaves {
		i *= 2
		if left := q.node(i); n > left.count {
			n -= left.count
			cost += left.cost
			i++
		}
	}
	return i - q.leaves, n, cost
}

// costTo returns the total retry cost of the first n tasks of the ring.
func (q *taskQueue) costTo(n int32) federate.Time {
	block, offset, cost := q.end(n)
	for _, w := range q.blocks[block].tasks[:offset] {
		cost += w.price
	}
	return cost
}

// within returns how many tasks at the start of the ring can be retried for a total cost.
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

// retryCost returns the total retry cost of the first n tasks of the queue.
func (q *taskQueue) retryCost(n int32) federate.Time {
	n += q.head
	if all := q.len(); n > all {
		return q.node(1).cost - q.spent + q.costTo(n-all)
	}
	return q.costTo(n) - q.spent
}

// retriesWithin returns how many tasks at the head of the queue can be retried for a total cost.
func (q *taskQueue) retriesWithin(cost federate.Time) int32 {
	cost += q.spent
	if all := q.node(1); cost >= all.cost {
		return all.count - q.head + min(q.within(cost-all.cost), q.head)
	}
	return q.within(cost) - q.head
}

// push appends a task. tried is the version of the copy on which the task failed, or 0 for a new
// task.
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

// pushFront inserts a new task at the head.
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

// first finds the first task that was not tried on this version of the copy. It returns the number
// of tasks before it, and the version on which the task failed last. All tasks after those tried on
// this version are new.
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

// pop removes the first task that was not tried on this version of the copy. It returns the last
// version on which the task is known to have no match, and the number of retries since the task
// joined the queue. Tasks before it stay in the queue; they block no other task.
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

// rotate moves the first n tasks to the end, because they failed on this version.
func (q *taskQueue) rotate(n int32, version uint32) {
	q.leave(n)
	q.triedLast(version, n)
	q.spent += q.retryCost(n)
	q.turn(n)
}

func (q *taskQueue) turn(n int32) {
	all := q.node(1)
	q.head += n
	if q.head >= all.count {
		q.head -= all.count
		q.spent -= all.cost
		q.lap++
	}
}

// untried returns a lower bound on the number of tasks at the head that were tried before, but not
// on this version.
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

// triedLast records the version on which the last n tasks failed.
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

// leave drops the versions of the first n tasks.
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

// leaveSecond drops one new task after the tasks that were tried on the version of the first task.
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

// insert inserts a task after the first n tasks of the ring.
func (q *taskQueue) insert(n int32, w waiting) {
	if len(q.blocks) == 0 {
		q.blocks, q.leaves = append(q.blocks, q.f.newBlock()), 1
	}
	b, offset, _ := q.end(n)
	if len(q.blocks[b].tasks) == blockSize {
		q.divide(b)
		b, offset, _ = q.end(n)
	}
	x, k := q.blocks[b], q.f.Kind(w.task)
	x.tasks = slices.Insert(x.tasks, int(offset), w)
	x.asks = slices.Insert(x.asks, int(offset)*len(k.Request), k.Request...)
	x.add(w, k)
	for i := (q.leaves + b) / 2; i > 0; i /= 2 {
		q.nodes[i].add(w, k)
	}
}

// remove removes the task after the first n tasks of the ring.
func (q *taskQueue) remove(n int32) waiting {
	b, offset, _ := q.end(n + 1)
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

// divide splits a block in two.
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

// joinBlocks merges adjacent blocks with few tasks.
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

// newBlock returns an empty block. It reuses a spare one if there is one.
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

// renew recomputes the node of a block.
func (f *federation) renew(x *block) {
	x.clear()
	for _, w := range x.tasks {
		x.add(w, f.Kind(w.task))
	}
}

// inbox is the queue of messages to a master.
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

package megha

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// fairness is the state of the GMs for algorithm 2: in each GM's copy, the resources of every user
// and the list of its running tasks.
type fairness struct {
	f     *federation
	users int
	used  []cluster.Amount // by GM and user: resources in use
	asks  []cluster.Amount // by task: requested resources
	nodes []runningTask    // by GM and task
	first []int32          // by GM and user: the task that started last; −1: none
	near  []int32          // by GM and user: the task linked last, or a neighbour of it; −1: none
	count []int            // by GM and user: number of listed tasks
	gain  *yields          // nil if it would take too much memory
	lists [][]int32        // lists of victims
	idle  []int32          // free entries of lists
	room  []cluster.Amount // scratch
	order []int32          // scratch: users in violation
	yield []cluster.Amount // scratch, by worker: free resources plus the tasks seen in the current search
	stamp []uint32         // by worker: the search that last wrote its yield
	turn  uint32           // number of the current search
}

// runningTask is a node of the list of a user's running tasks in a GM's copy, latest start first.
type runningTask struct {
	at         federate.Time
	next, prev int32 // −1 at the ends
	worker     int32
	state      runningState
}

type runningState uint8

const (
	notRunning runningState = iota
	listed
	asked // the GM has asked to preempt it; it is out of the list
)

func newFairness(f *federation) *fairness {
	c := f.layout
	n := &fairness{
		f: f, users: f.Users(), room: make([]cluster.Amount, 0, c.Resources),
		used:  make([]cluster.Amount, c.GMs*f.Users()*c.Resources),
		asks:  make([]cluster.Amount, 0, f.count()*c.Resources),
		nodes: make([]runningTask, c.GMs*f.count()), first: slices.Repeat([]int32{-1}, c.GMs*f.Users()),
		near:  slices.Repeat([]int32{-1}, c.GMs*f.Users()),
		count: make([]int, c.GMs*f.Users()), gain: newYields(c, f.Users()),
		yield: make([]cluster.Amount, c.Workers()*c.Resources), stamp: make([]uint32, c.Workers()),
	}
	for task := range f.count() {
		n.asks = append(n.asks, f.Kind(int32(task)).Request...)
	}
	return n
}

func (n *fairness) use(g *gm, user int32, request []cluster.Amount, sign cluster.Amount) {
	cluster.Add(n.usedBy(g, user), request, sign)
}

// share returns the dominant share of a user in a GM's copy.
func (n *fairness) share(g *gm, user int32) float64 {
	return cluster.Dominant(n.usedBy(g, user), n.f.Center.Total)
}

// usedBy returns the resources that a user has in a GM's copy.
func (n *fairness) usedBy(g *gm, user int32) []cluster.Amount {
	return cluster.Row(n.used, g.index*int32(n.users)+user, n.f.Center.Resources)
}

func (n *fairness) node(g *gm, task int32) *runningTask {
	return &n.nodes[int(g.index)*n.f.count()+int(task)]
}

// maxStops limits the number of times that one task is preempted; after that it runs to its end.
// With the paper's algorithm alone, users can preempt each other forever. This happens if one task
// of each user replaces several tasks of the other, and in any case if tasks restart from the
// beginning.
const maxStops = 100

// began adds a task that has started to its user's list. When a task moves from one LM to another,
// the new LM may report the start before the old LM reports the end. Therefore began drops the old
// entry first.
func (n *fairness) began(g *gm, e *amendment) {
	n.drop(g, e.task)
	if n.f.launches[e.task].stops >= maxStops {
		return
	}
	t := n.node(g, e.task)
	t.at, t.worker = e.at, e.worker
	n.link(g, e.task)
}

// drop removes a task from its list and returns the resources that ask took from its user.
func (n *fairness) drop(g *gm, task int32) {
	t := n.node(g, task)
	switch t.state {
	case listed:
		n.unlink(g, task)
	case asked: // ask has already subtracted its request
		n.use(g, n.f.User(task), n.f.Kind(task).Request, 1)
	}
	t.state = notRunning
}

// link inserts a task into the list of its user, which is ordered by start. The reports of an LM
// are in order but may be late, so the search begins at the task linked last.
func (n *fairness) link(g *gm, task int32) {
	t := n.node(g, task)
	list := int(g.index)*n.users + int(n.f.User(task))
	first, after := &n.first[list], n.near[list]
	n.near[list] = task
	before := int32(-1)
	if after >= 0 {
		before = n.node(g, after).prev
	}
	for before >= 0 && n.node(g, before).at <= t.at {
		before, after = n.node(g, before).prev, before
	}
	for after >= 0 && n.node(g, after).at > t.at {
		before, after = after, n.node(g, after).next
	}
	t.prev, t.next, t.state = before, after, listed
	n.count[list]++
	n.gain.change(g, n.f.User(task), t.worker, n.f.Kind(task).Request, 1)
	if before < 0 {
		*first = task
	} else {
		n.node(g, before).next = task
	}
	if after >= 0 {
		n.node(g, after).prev = task
	}
}

func (n *fairness) unlink(g *gm, task int32) {
	t := n.node(g, task)
	list := int(g.index)*n.users + int(n.f.User(task))
	n.count[list]--
	n.gain.change(g, n.f.User(task), t.worker, n.f.Kind(task).Request, -1)
	if t.prev < 0 {
		n.first[list] = t.next
	} else {
		n.node(g, t.prev).next = t.next
	}
	if t.next >= 0 {
		n.node(g, t.next).prev = t.prev
	}
	if n.near[list] == task {
		n.near[list] = max(t.prev, t.next) // a neighbour, or −1
	}
}

// shareWith returns the dominant share that a user would have with one more request.
func (n *fairness) shareWith(g *gm, user int32, request []cluster.Amount) float64 {
	used := append(n.room[:0], n.usedBy(g, user)...)
	cluster.Add(used, request, 1)
	return cluster.Dominant(used, n.f.Center.Total)
}

// victims looks for tasks to preempt in favour of a task without a match (algorithm 2). It returns
// the worker on which they run, or −1, and the number of running tasks that it visited. Berth adds
// a condition to the paper's algorithm: the user's use, including the task and divided by its
// share, must be below the use of the victims' owner. Otherwise the owner could preempt in turn,
// and both would preempt each other forever.
func (n *fairness) victims(g *gm, task int32) (worker int32, looked int) {
	f, user := n.f, n.f.User(task)
	if !n.below(g, user) {
		return -1, 0
	}
	n.violators(g)
	with := n.shareWith(g, user, f.Kind(task).Request) / f.Share(user)
	for _, v := range n.order {
		if with >= n.share(g, v)/f.Share(v) {
			continue
		}
		worker, seen := n.findWorker(g, v, task)
		looked += seen
		if worker >= 0 {
			n.ask(g, v, task, worker)
			return worker, looked
		}
	}
	return -1, looked
}

// below reports whether a user has less than its share in a GM's copy, and so may preempt.
func (n *fairness) below(g *gm, user int32) bool { return n.share(g, user) < n.f.Share(user) }

// someAbove reports whether a user has more than its share, and so can be preempted.
func (n *fairness) someAbove(g *gm) bool {
	for user := range int32(n.users) {
		if n.share(g, user)-n.f.Share(user) > 0 {
			return true
		}
	}
	return false
}

// violators sets order to the users above their share, the largest violation first.
func (n *fairness) violators(g *gm) {
	n.order = n.order[:0]
	violation := func(user int32) float64 { return n.share(g, user) - n.f.Share(user) }
	for user := range int32(n.users) {
		v := violation(user)
		if v <= 0 {
			continue
		}
		at := len(n.order)
		n.order = append(n.order, user)
		for ; at > 0 && violation(n.order[at-1]) < v; at-- {
			n.order[at] = n.order[at-1]
		}
		n.order[at] = user
	}
}

// findWorker visits the running tasks of a user, latest start first, until some worker has room for
// the task, counting its free resources and the visited tasks on it. If the yields prove that there
// is no such worker, it returns only the number of tasks that it would have visited.
func (n *fairness) findWorker(g *gm, user, task int32) (worker int32, looked int) {
	k := n.f.Kind(task)
	if !n.gain.suffice(g, user, k) {
		return -1, n.count[int(g.index)*n.users+int(user)]
	}
	nodes := n.nodes[int(g.index)*n.f.count():]
	n.turn++
	for v := n.first[int(g.index)*n.users+int(user)]; v >= 0; v = nodes[v].next {
		looked++
		w := nodes[v].worker
		if !n.f.Center.Satisfies(w, k.Constraints) {
			continue
		}
		yield := cluster.Row(n.yield, w, len(k.Request))
		if n.stamp[w] != n.turn {
			n.stamp[w] = n.turn
			copy(yield, cluster.Row(g.free, w, len(k.Request)))
		}
		cluster.Add(yield, cluster.Row(n.asks, v, len(k.Request)), 1)
		if cluster.Covers(yield, k.Request) {
			return w, looked
		}
	}
	return -1, looked
}

// ask requests the preemption of a user's tasks on a worker, latest start first, until the task
// fits.
func (n *fairness) ask(g *gm, user, task, worker int32) {
	k := n.f.Kind(task)
	room := append(n.room[:0], cluster.Row(g.free, worker, len(k.Request))...)
	list := n.newList()
	for v := n.first[int(g.index)*n.users+int(user)]; v >= 0 && !cluster.Covers(room, k.Request); {
		t := n.node(g, v)
		next := t.next
		if t.worker == worker {
			cluster.Add(room, n.f.Kind(v).Request, 1)
			n.lists[list] = append(n.lists[list], v)
			n.unlink(g, v)
			n.use(g, user, n.f.Kind(v).Request, -1)
			t.state = asked
		}
		v = next
	}
	n.f.Counters.PreemptionAttempts += int64(len(n.lists[list]))
	n.f.launches[task].victims = list
}

func (n *fairness) newList() int32 {
	if last := len(n.idle) - 1; last >= 0 {
		list := n.idle[last]
		n.idle = n.idle[:last]
		return list
	}
	n.lists = append(n.lists, nil)
	return int32(len(n.lists) - 1)
}

// settle ends a request. Its victims that still run can become victims again.
func (n *fairness) settle(f *federation, task int32) {
	g, x := &f.gms[f.gmOf(task)], &f.launches[task]
	if x.victims < 0 {
		return
	}
	for _, v := range n.lists[x.victims] {
		if n.node(g, v).state == asked {
			n.use(g, n.f.User(v), n.f.Kind(v).Request, 1)
			n.link(g, v)
		}
	}
	n.lists[x.victims] = n.lists[x.victims][:0]
	n.idle = append(n.idle, x.victims)
	x.victims = -1
}

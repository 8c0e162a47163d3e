package megha

import (
	"math/bits"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// maxFreed is the number of workers that a GM remembers as the last to free resources.
const maxFreed = 1024

// gm is a Global Master with its copy of the state: the free resources of all workers, as of the
// log positions of the LMs that it has seen, minus its own requests since.
type gm struct {
	index int32
	inbox inbox
	busy  bool
	down  bool

	queues []taskQueue      // one for each user of this GM
	turn   int              // index of the queue that is served next
	rounds int32            // planned rounds of retries through runs; 0: none
	since  federate.Time    // start of the rounds
	mark   uint32           // of the current work; a gmFree event with an older mark is stale
	runs   []run            // tasks that the rounds retry
	rooms  []int32          // scratch: workers with room for a run
	most   []cluster.Amount // scratch: componentwise maximum over some workers

	free  []cluster.Amount
	open  []uint64         // bit vector of the workers with room for the least request
	bound []cluster.Amount // by word of open: upper bound on the free resources of its workers
	roomy int              // number of bits set in open
	seen  []uint32         // by LM: position up to which the copy includes its log

	version  uint32          // of the copy; increases when resources become free
	freed    [maxFreed]int32 // by version mod maxFreed: the worker whose resources became free
	internal int32           // LM at which the search of its own partitions begins
	external int32           // LM at which the search of other partitions begins

	missing int           // LMs whose heartbeat a restarted GM waits for
	waits   []bool        // by LM: the GM waits for its heartbeat
	back    federate.Time // end of the last outage
}

func (g *gm) init(f *federation, index int32) {
	c := f.layout
	g.index, g.version = index, 1
	g.free = append([]cluster.Amount(nil), f.free...)
	g.open = append([]uint64(nil), c.all...)
	g.bound = slices.Repeat(c.Capacity, len(g.open))
	g.roomy = c.Workers()
	for w := range int32(c.Workers()) {
		if !cluster.Covers(cluster.Row(g.free, w, c.Resources), f.least) {
			bit := c.bitOf[w]
			g.open[bit/wordSize] &^= 1 << (bit % wordSize)
			g.roomy--
		}
	}
	g.most = make([]cluster.Amount, c.Resources)
	g.seen = make([]uint32, c.LMs)
	g.waits = make([]bool, c.LMs)
}

// serveGM lets an idle GM process messages in the order of their arrival, then tasks.
func (f *federation) serveGM(g *gm) {
	for !g.busy && !g.down {
		cost, worked := f.step(g)
		switch {
		case !worked:
			return
		case cost == 0:
			f.finish(g)
		default:
			g.since = f.Now()
			f.occupy(g, f.Now()+cost)
		}
	}
}

// finish ends the current work of a GM and applies its planned rounds of retries.
func (f *federation) finish(g *gm) {
	g.goThrough(g.rounds)
	g.busy, g.rounds = false, 0
}

// step processes one message or one task, or a series of failing retries, and returns the time that
// this takes. worked is false if the GM has nothing to do.
func (f *federation) step(g *gm) (cost federate.Time, worked bool) {
	if e, ok := g.inbox.pop(); ok {
		return f.receive(g, e), true
	}
	if g.missing > 0 {
		return 0, false
	}
	g.rounds = f.plan(g)
	if g.rounds > 0 {
		return g.roundsCost(g.rounds), true
	}
	for range g.queues {
		q := &g.queues[g.turn]
		g.turn = (g.turn + 1) % len(g.queues)
		if task, tried, retries, ok := q.pop(g.version); ok {
			return f.take(g, q, task, tried, retries), true
		}
	}
	return 0, false
}

// receive adopts the state that a message from an LM carries, and handles the message.
func (f *federation) receive(g *gm, e federate.Event) federate.Time {
	_, lm := mastersOf(e.Kind)
	changed := f.adopt(g, lm, e.Mark)
	task := int32(e.Ref)
	op := e.Kind & opMask
	if op == heartbeat {
		f.Tell(federate.Adopted, -1, f.layout.first[lm*int32(f.Center.GMs)], g.index)
		f.rebuilt(g, lm, e.At)
		return f.wholeState(lm)
	}
	cost := federate.Time(changed) * f.Config.Costs.Adopt
	if f.Config.FullState {
		cost = f.wholeState(lm)
	}
	switch op {
	case accepted:
		f.fair.settle(f, task)
	case refused:
		f.give(g, task, f.launches[task].worker)
		f.fair.settle(f, task)
		f.requeue(task, cost)
		f.queueFor(task).pushFront(task)
	case preempted:
		f.requeue(task, cost)
		f.queueFor(task).push(task, 0)
	}
	return cost
}

// wholeState returns the time that a GM takes to adopt the state of all workers of an LM.
func (f *federation) wholeState(lm int32) federate.Time {
	first, last := lm*int32(f.Center.GMs), (lm+1)*int32(f.Center.GMs)
	return federate.Time(f.layout.first[last]-f.layout.first[first]) * f.Config.Costs.Adopt
}

// requeue books the time of a task that returns to the queue of its GM.
func (f *federation) requeue(task int32, cost federate.Time) {
	f.Spend(task, federate.Queueing)
	f.SpendNext(task, federate.Processing, cost)
}

// adopt advances a GM's copy to a position in the log of an LM, and returns the number of workers
// that have changed.
func (f *federation) adopt(g *gm, lm int32, position uint32) (changed int) {
	l, seen := &f.lms[lm], g.seen[lm]
	if seen < position {
		g.seen[lm] = position
		for i := range l.log[seen-l.base : position-l.base] {
			e := &l.log[int(seen-l.base)+i]
			if e.before <= seen {
				changed++
			}
			if len(g.queues) > 0 { // a GM without queues never uses its copy
				f.apply(g, e)
			}
		}
	}
	return changed
}

// apply adopts one entry of a log. It skips bookings that the GM has made itself. The order of
// entries ensures that a task never frees its resources twice.
func (f *federation) apply(g *gm, e *amendment) {
	listed := f.fair != nil && int(e.task) < f.count()
	if !e.taken {
		if listed {
			if f.fair.node(g, e.task).worker == e.worker {
				f.fair.drop(g, e.task)
			}
		}
		f.give(g, e.task, e.worker)
		return
	}
	if int32(e.gm) != g.index {
		f.change(g, e.task, e.worker, -1)
	}
	if listed {
		f.fair.began(g, e)
	}
}

// give removes a booking from a GM's copy.
func (f *federation) give(g *gm, task, worker int32) {
	f.change(g, task, worker, 1)
	g.freed[g.version%maxFreed] = worker
	g.version++
}

// change books a task on a worker in a GM's copy (sign −1), or removes the booking.
func (f *federation) change(g *gm, task, worker int32, sign cluster.Amount) {
	request := f.request(task)
	free := cluster.Row(g.free, worker, f.Center.Resources)
	cluster.Add(free, request, sign)
	bit := f.layout.bitOf[worker]
	word, mask := &g.open[bit/wordSize], uint64(1)<<(bit%wordSize)
	if sign > 0 {
		cluster.Raise(cluster.Row(g.bound, bit/wordSize, len(free)), free)
		if f.fair != nil {
			f.fair.gain.freed(g, worker)
		}
	}
	if has, was := cluster.Covers(free, f.least), *word&mask != 0; has && !was {
		*word |= mask
		g.roomy++
		f.Tell(federate.Opened, -1, worker, g.index)
	} else if was && !has {
		*word &^= mask
		g.roomy--
		f.Tell(federate.Filled, -1, worker, g.index)
	}
	if f.fair != nil && int(task) < f.count() {
		f.fair.use(g, f.User(task), request, -sign)
	}
}

// take tries to match a task from a queue and returns the time that the try takes. tried is the
// version of the copy on which the task failed last. retries counts the failed retries since then
// that rounds have covered.
func (f *federation) take(g *gm, q *taskQueue, task int32, tried uint32, retries int32) federate.Time {
	f.Spend(task, federate.Queueing)
	kind := f.Load.KindOf[task]
	if retries > 0 {
		f.Rebook(task, federate.Queueing, federate.Processing, federate.Time(retries)*f.retryCost(kind))
	}
	worker, cost := f.match(g, kind, tried)
	cost += f.Config.Costs.Take
	action := federate.Requested
	switch {
	case worker >= 0 && f.layout.gmOf(worker) != g.index:
		action = federate.Repartitioned
	case worker < 0 && f.fair != nil:
		var looked int
		worker, looked = f.fair.victims(g, task)
		cost += federate.Time(looked) * f.Config.Costs.Look
		action = federate.PreemptAsked
	}
	f.SpendNext(task, federate.Processing, cost)
	if worker < 0 {
		q.push(task, g.version)
		f.Tell(federate.Reinserted, task, -1, g.index)
		return cost
	}
	f.Tell(action, task, worker, g.index)
	f.change(g, task, worker, -1)
	f.launches[task].worker = worker
	f.SpendNext(task, federate.Communication, f.Config.Delay)
	f.Counters.Messages++
	f.At(f.Now()+cost+f.Config.Delay, kindOf(launchRequest, g.index, f.layout.lmOf(worker)), uint32(task), 0)
	return cost
}

// match finds a worker for a kind of task (algorithm 1): first in the GM's own partitions, LM by
// LM, then in the partitions of other GMs. worker is −1 if no worker has room. cost is the cost of
// the search. tried is the version of the copy on which this task failed last, 0 if it is new.
func (f *federation) match(g *gm, kind int32, tried uint32) (worker int32, cost federate.Time) {
	if g.hopeless(f, kind, tried) {
		return -1, f.costOfNothing(kind)
	}
	s := matching{f: f, g: g, kind: kind, worker: -1}
	gms, lms := int32(f.Center.GMs), int32(f.Center.LMs)
	for i := range lms {
		lm := (g.internal + i) % lms
		if s.partition(lm*gms + g.index) {
			g.internal = (lm + 1) % lms
			return s.worker, s.cost()
		}
	}
	for i := range lms {
		lm := (g.external + i) % lms
		for j := int32(1); j < gms; j++ {
			if s.partition(lm*gms + (g.index+j)%gms) {
				g.external = (lm + 1) % lms
				return s.worker, s.cost()
			}
		}
	}
	return -1, s.cost()
}

// matching is the state of one call of match.
type matching struct {
	f             *federation
	g             *gm
	kind          int32
	words, looked int // bit vector words and workers looked at
	worker        int32
}

func (s *matching) cost() federate.Time {
	c := &s.f.Config.Costs
	return federate.Time(s.words)*c.Word + federate.Time(s.looked)*c.Look
}

// partition looks for a worker in one partition. As in the paper, the cost includes every worker
// that satisfies the constraints. Workers without room for any task are counted but not visited.
func (s *matching) partition(p int32) (found bool) {
	c := s.f.layout
	k := &s.f.Load.Kinds[s.kind]
	for word := c.word[p]; word < c.word[p+1]; word++ {
		set, words := c.candidates(word, k.Constraints)
		s.words += words
		if bit := s.word(word, set, k.Request); bit < wordSize {
			s.looked += bits.OnesCount64(set&(1<<bit-1)) + 1
			s.worker = c.worker(word, bit)
			return true
		}
		s.looked += bits.OnesCount64(set)
	}
	return false
}

// word returns the bit of the first worker in a word that is in the set and has room, or wordSize
// if there is none. If there is none, it lowers the bound of the word, which becomes too high when
// tasks take resources.
func (s *matching) word(word int32, set uint64, request []cluster.Amount) int {
	bound := cluster.Row(s.g.bound, word, len(request))
	if set&s.g.open[word] == 0 || !cluster.Covers(bound, request) {
		return wordSize
	}
	most := s.g.most
	clear(most)
	for open := s.g.open[word]; open != 0; open &= open - 1 {
		bit := bits.TrailingZeros64(open)
		free := cluster.Row(s.g.free, s.f.layout.worker(word, bit), len(request))
		if set>>bit&1 != 0 && cluster.Covers(free, request) {
			return bit
		}
		cluster.Raise(most, free)
	}
	copy(bound, most)
	return wordSize
}

// retryCost returns the time that a failed try of a kind of task takes.
func (f *federation) retryCost(kind int32) federate.Time {
	return f.Config.Costs.Take + f.costOfNothing(kind)
}

// costOfNothing returns the cost of a search that fails: it looks at all workers that satisfy the
// constraints.
func (f *federation) costOfNothing(kind int32) federate.Time {
	if f.fullCost[kind] < 0 {
		s := matching{f: f, kind: kind}
		for word := range f.layout.all {
			set, words := f.layout.candidates(int32(word), f.Load.Kinds[kind].Constraints)
			s.words += words
			s.looked += bits.OnesCount64(set)
		}
		f.fullCost[kind] = s.cost()
	}
	return f.fullCost[kind]
}

// hopeless reports whether a search for a kind of task is certain to fail, because no worker whose
// resources became free since the last try has room.
func (g *gm) hopeless(f *federation, kind int32, tried uint32) bool {
	k := &f.Load.Kinds[kind]
	if tried == 0 || g.version-tried > maxFreed {
		return false
	}
	for ; tried != g.version; tried++ {
		worker := g.freed[tried%maxFreed]
		if cluster.Covers(cluster.Row(g.free, worker, f.Center.Resources), k.Request) && f.Center.Satisfies(worker, k.Constraints) {
			return false
		}
	}
	return true
}

// gmOutage stops a GM between two actions. Its queues and messages wait. After the outage it takes
// no task until every LM has sent a heartbeat.
func (f *federation) gmOutage(g *gm, over bool) {
	f.interrupt(g)
	if !over {
		g.down = true
		f.rebuilding++
		return
	}
	if g.missing > 0 { // it failed again before its copy was rebuilt
		f.rebuilding--
	}
	g.down, g.back, g.missing = false, f.Now(), len(g.waits)
	for l := range g.waits {
		g.waits[l] = true
	}
	f.active()
	f.serveGM(g)
}

// rebuilt handles a heartbeat for a GM that rebuilds its copy. It ignores a heartbeat that the LM
// sent before the end of the GM's outage.
func (f *federation) rebuilt(g *gm, lm int32, arrived federate.Time) {
	if !g.waits[lm] || arrived-f.Config.Delay < g.back {
		return
	}
	g.waits[lm] = false
	g.missing--
	if g.missing == 0 {
		f.rebuilding--
	}
}

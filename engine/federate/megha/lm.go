package megha

import (
	"berth/engine/cluster"
	"berth/engine/federate"
)

// amendment is a change of an LM's books.
type amendment struct {
	at     federate.Time
	task   int32 // a task, or a hold if not below the number of tasks
	worker int32
	before uint32 // log position after the previous entry of this worker
	gm     uint16 // GM that serves the task; masterMask for a hold
	taken  bool   // true if resources are taken, false if they are returned
}

// lm is a Local Master. Its books are the fields free, lent and launches of the federation.
//
// Every message to a GM carries a position in the LM's log and stands for the state at that
// position. Hence a message takes constant time to create, and the time to adopt it grows with the
// number of changes since the last message to that GM.
type lm struct {
	inbox inbox
	busy  bool
	down  bool

	log  []amendment
	base uint32 // position of the first entry in log

	awake          bool
	lastHeartbeat  federate.Time
	quietAt, quiet int64 // activity at the last heartbeat but one, and at the last one
}

// position returns the position of the next entry of the log.
func (l *lm) position() uint32 { return l.base + uint32(len(l.log)) }

// record logs that a task or a hold takes resources on a worker, or returns them.
func (f *federation) record(l *lm, task, worker int32, taken bool) {
	gm := uint16(masterMask)
	if int(task) < f.count() {
		gm = uint16(f.gmOf(task))
	}
	l.log = append(l.log, amendment{f.Now(), task, worker, f.changed[worker], gm, taken})
	f.changed[worker] = l.position()
	if f.Watched() {
		f.recordRoom(worker, taken)
	}
}

// recordRoom traces whether the worker of a log entry has room for a further task.
func (f *federation) recordRoom(worker int32, taken bool) {
	action := federate.Opened
	if !cluster.Covers(cluster.Row(f.free, worker, len(f.least)), f.least) {
		action = federate.Filled
	} else if taken {
		return // it had room, and still has
	}
	f.Tell(action, -1, worker, -1)
}

// serveLM lets an idle LM process its inbox in the order of arrival.
func (f *federation) serveLM(l *lm) {
	for !l.busy && !l.down {
		e, ok := l.inbox.pop()
		if !ok {
			return
		}
		task := int32(e.Ref)
		if e.Kind&opMask == completion {
			f.complete(l, task)
			continue
		}
		cost := f.Config.Costs.Verify
		f.Spend(task, federate.Queueing)
		f.SpendNext(task, federate.Processing, cost)
		if cost == 0 {
			f.verify(l, task)
			continue
		}
		l.busy = true
		_, index := mastersOf(e.Kind)
		f.At(f.Now()+cost, kindOf(lmFree, 0, index), e.Ref, 0)
	}
}

// complete removes an ended task from the books and reports the end to its GM.
func (f *federation) complete(l *lm, task int32) {
	x := &f.launches[task]
	if !x.booked {
		return // the task ended, but was preempted before the report arrived
	}
	f.active()
	worker := x.worker
	f.release(l, task)
	f.holdDown(worker)
	f.send(ended, f.gmOf(task), f.layout.lmOf(worker), uint32(task), l.position())
}

// release returns the resources of a task to the partition that they came from.
func (f *federation) release(l *lm, task int32) {
	x := &f.launches[task]
	request := f.Kind(task).Request
	cluster.Add(cluster.Row(f.free, x.worker, len(request)), request, 1)
	if x.moved {
		cluster.Add(cluster.Row(f.lent, f.layout.partitionOf[x.worker], len(request)), request, -1)
	}
	x.booked = false
	f.record(l, task, x.worker, false)
	f.Tell(federate.Released, task, x.worker, f.layout.lmOf(x.worker))
}

// verify accepts or refuses a request according to the LM's books.
func (f *federation) verify(l *lm, task int32) {
	f.active()
	x := &f.launches[task]
	lm := f.layout.lmOf(x.worker)
	if !f.possible(task) {
		f.Counters.Inconsistencies++
		f.Tell(federate.Refused, task, x.worker, lm)
		f.SendTask(task, f.Config.Delay, kindOf(refused, f.gmOf(task), lm), l.position())
		return
	}
	f.preempt(l, x)
	f.book(l, task)
	f.holdDown(x.worker)
	f.sendBack(l, x)
	f.Tell(federate.Verified, task, x.worker, lm)
	f.send(accepted, f.gmOf(task), lm, uint32(task), l.position())
	x.mark++
	f.SendTask(task, f.Config.LaunchDelay, startEvent, x.mark)
}

// possible reports whether a worker has room for a task once its victims are preempted. It returns
// false if one of the victims no longer runs there.
func (f *federation) possible(task int32) bool {
	x := &f.launches[task]
	request := f.Kind(task).Request
	free := cluster.Row(f.free, x.worker, len(request))
	if x.victims < 0 {
		return cluster.Covers(free, request)
	}
	room := append(f.fair.room[:0], free...)
	for _, v := range f.fair.lists[x.victims] {
		if y := &f.launches[v]; !y.booked || y.worker != x.worker || y.stops >= maxStops {
			return false
		}
		cluster.Add(room, f.Kind(v).Request, 1)
	}
	return cluster.Covers(room, request)
}

// book puts a task into the books.
func (f *federation) book(l *lm, task int32) {
	x := &f.launches[task]
	request := f.Kind(task).Request
	cluster.Add(cluster.Row(f.free, x.worker, len(request)), request, -1)
	x.booked = true
	x.moved = f.layout.gmOf(x.worker) != f.gmOf(task)
	if x.moved {
		cluster.Add(cluster.Row(f.lent, f.layout.partitionOf[x.worker], len(request)), request, 1)
		f.Counters.Repartitions++
	}
	f.record(l, task, x.worker, true)
}

// preempt removes the victims of a launch from their worker. A victim that has just ended is
// released and not restarted.
func (f *federation) preempt(l *lm, x *launch) {
	if x.victims < 0 {
		return
	}
	for _, v := range f.fair.lists[x.victims] {
		f.release(l, v)
		if f.Finished(v) {
			continue
		}
		f.Counters.Preemptions++
		f.Tell(federate.Preempted, v, x.worker, f.layout.lmOf(x.worker))
		f.launches[v].mark++
		f.launches[v].stops++
		f.Recall(v)
	}
}

// sendBack returns preempted tasks to the queues of their users. The message also carries the new
// booking, so that their GMs know at once that the room is taken.
func (f *federation) sendBack(l *lm, x *launch) {
	if x.victims < 0 {
		return
	}
	for _, v := range f.fair.lists[x.victims] {
		if f.Finished(v) {
			continue
		}
		f.SendTask(v, f.Config.Delay, kindOf(preempted, f.gmOf(v), f.layout.lmOf(x.worker)), l.position())
	}
}

// sendHeartbeats sends the state of an LM to every GM, unless the LM is down. The LM suspends its
// heartbeats if nothing has changed since the heartbeat before the last one, because every GM then
// has the current state.
func (f *federation) sendHeartbeats(index int32) {
	l := &f.lms[index]
	if !l.down {
		for g := range f.gms {
			f.send(heartbeat, int32(g), index, 0, l.position())
		}
	}
	f.forget(index)
	idle := !l.down && f.rebuilding == 0 && f.activity == l.quiet && f.activity == l.quietAt
	l.quietAt, l.quiet, l.lastHeartbeat = l.quiet, f.activity, f.Now()
	if idle {
		l.awake = false
		f.suspended++
		return
	}
	f.At(f.Now()+f.Config.Heartbeat, kindOf(heartbeatDue, 0, index), 0, 0)
}

// nextHeartbeat returns the time of an LM's next heartbeat. The heartbeats of the LMs are spread
// evenly over the period.
func (f *federation) nextHeartbeat(lm int) federate.Time {
	period := f.Config.Heartbeat
	next := federate.Time(float64(period) * (float64(lm+1) / float64(len(f.lms))))
	if next <= f.Now() {
		next += (f.Now() - next + period) / period * period
	}
	return next
}

// forget drops the entries that every GM has adopted, when they are more than half of the log.
func (f *federation) forget(index int32) {
	l := &f.lms[index]
	seen := l.position()
	for g := range f.gms {
		seen = min(seen, f.gms[g].seen[index])
	}
	if n := int(seen - l.base); n > len(l.log)/2 {
		l.log = l.log[:copy(l.log, l.log[n:])]
		l.base = seen
	}
}

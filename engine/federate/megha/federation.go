package megha

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// The events of Megha. The kind of an event for the inbox of a GM or an LM includes the numbers of
// both masters.
const (
	launchRequest uint32 = federate.FirstKind + iota // reaches an LM; Ref: task
	completion                                       // reaches an LM; Ref: task
	accepted                                         // reaches a GM; Ref: task, Mark: position in the LM's log
	refused                                          // reaches a GM; Ref: task, Mark: position
	ended                                            // reaches a GM; Ref: task, Mark: position
	preempted                                        // reaches a GM; Ref: task, Mark: position
	heartbeat                                        // reaches a GM; Mark: position
	gmFree                                           // a GM has finished its current work
	lmFree                                           // an LM has finished its current work
	startEvent                                       // a task reaches its worker
	heartbeatDue                                     // an LM sends its state
)

// Bits of an event's kind. The numbers of masters are below 1 << 12.
const (
	opMask     = 1<<8 - 1
	gmShift    = 8
	lmShift    = 20
	masterMask = 1<<12 - 1
)

func kindOf(op uint32, gm, lm int32) uint32 {
	return op | uint32(gm)<<gmShift | uint32(lm)<<lmShift
}

func mastersOf(kind uint32) (gm, lm int32) {
	return int32(kind >> gmShift & masterMask), int32(kind >> lmShift & masterMask)
}

// launch is the state of a task between its GM and an LM.
type launch struct {
	worker  int32  // requested by the GM or booked by the LM
	mark    uint32 // of the current launch; a start message with an older mark is stale
	booked  bool   // the books of the LM include it
	moved   bool   // it runs in a partition of another GM
	victims int32  // index in fairness.lists of the tasks to preempt; −1: none
	stops   int32  // number of preemptions
}

// federation is the scheduler: GMs with copies of the state, LMs with the truth.
type federation struct {
	*federate.Model
	layout   *layout
	gms      []gm
	lms      []lm
	gmOfUser []int32
	queueOf  []int // by user: its index in the queues of its GM
	launches []launch
	free     []cluster.Amount // by worker: free resources in its LM's books
	changed  []uint32         // by worker: log position after its last entry
	lent     []cluster.Amount // by partition: resources used by tasks of other GMs
	least    []cluster.Amount // componentwise minimum of all requests
	spare    []*block         // free blocks for the queues
	nothing  node             // summary of no tasks
	fullCost []federate.Time  // by kind: cost of a match that fails; −1: not computed yet
	holds    []hold
	fair     *fairness // nil without shares

	// activity counts changes of the truth and of queues. LMs whose heartbeats would carry no news
	// are suspended, so that a run can end and idle time costs no events.
	activity   int64
	suspended  int
	rebuilding int // GMs that are down or wait for heartbeats
}

// hold books the free resources of a failed worker, so that no task gets them. The logs number a
// hold like a task: its number is the number of tasks plus its index in holds.
type hold struct {
	worker int32
	over   bool
	amount []cluster.Amount
}

// Plugin describes Megha for [federate.Register].
var Plugin = federate.Plugin{
	Name: "megha", Title: "Megha", Description: "many masters with copies of the state (Thiyyakat et al.)", Default: true,
	Facts: federate.Facts{Unlike: true, Masters: masters, Memory: memory},
	New:   newFederation,
}

// Single is Megha with one GM and one LM.
var Single = federate.Plugin{
	Name: "megha-1", Was: "centralised", Title: "Megha-1", Description: "Megha with one GM and one LM: a task without a match goes to the end of the queue",
	Facts: federate.Facts{Unlike: true, Configure: centralise, Masters: masters, Memory: memory},
	New:   newFederation,
}

// masters gives each LM an equal share of the workers, and each GM an equal share of every LM's
// workers.
func masters(c *federate.Config, _ parameter.Values) (gm, lm []int32) {
	for l, workers := range federate.WorkersOf(c.Workers, c.LMs) {
		for g, size := range federate.WorkersOf(workers, c.GMs) {
			for range size {
				gm, lm = append(gm, int32(g)), append(lm, int32(l))
			}
		}
	}
	return gm, lm
}

// centralise configures one GM and one LM for all workers, and drops the outages of all other
// masters.
func centralise(c *federate.Config) {
	c.GMs, c.LMs = 1, 1
	c.Outages = slices.DeleteFunc(slices.Clone(c.Outages), func(o federate.Outage) bool {
		return o.Subject != federate.WorkerOutage && o.Index > 0
	})
}

func newFederation(m *federate.Model) federate.Scheduler {
	c := m.Center
	f := &federation{
		Model: m, layout: newLayout(c), gms: make([]gm, c.GMs), lms: make([]lm, c.LMs),
		gmOfUser: make([]int32, m.Users()), queueOf: make([]int, m.Users()), launches: make([]launch, len(m.Load.Durations)),
		free: make([]cluster.Amount, c.Workers()*c.Resources), changed: make([]uint32, c.Workers()), lent: make([]cluster.Amount, c.GMs*c.LMs*c.Resources),
		fullCost: make([]federate.Time, len(m.Load.Kinds)),
	}
	for u := range f.gmOfUser {
		f.gmOfUser[u] = federate.GMOfUser(u, m.Users(), c.GMs)
	}
	for k := range f.fullCost {
		f.fullCost[k] = -1
	}
	for t := range f.launches {
		f.launches[t] = launch{worker: -1, victims: -1}
	}
	for w := range c.Workers() {
		copy(f.free[w*c.Resources:], c.CapacityOf(int32(w)))
	}
	f.findLeast()
	f.nothing = newNode(c.Resources)
	f.nothing.clear()
	if m.Config.Shares != nil {
		f.fair = newFairness(f)
	}
	for g := range f.gms {
		f.gms[g].init(f, int32(g))
	}
	for u, g := range f.gmOfUser {
		f.queueOf[u] = len(f.gms[g].queues)
		f.gms[g].queues = append(f.gms[g].queues, taskQueue{f: f, user: int32(u)})
	}
	f.suspended = c.LMs
	for l := range f.lms {
		f.lms[l].lastHeartbeat = f.nextHeartbeat(l) - m.Config.Heartbeat
	}
	return f
}

// findLeast computes the componentwise minimum of all requests. A worker with less of any resource
// has no room for any task.
func (f *federation) findLeast() {
	f.least = make([]cluster.Amount, f.Center.Resources)
	copy(f.least, f.Center.Capacity)
	for _, kind := range f.Load.KindOf {
		for r, amount := range f.Load.Kinds[kind].Request {
			f.least[r] = min(f.least[r], amount)
		}
	}
}

// count returns the number of tasks.
func (f *federation) count() int { return len(f.Load.Durations) }

// request returns the resources of a task or a hold.
func (f *federation) request(task int32) []cluster.Amount {
	if n := f.count(); int(task) >= n {
		return f.holds[int(task)-n].amount
	}
	return f.Kind(task).Request
}

func (f *federation) gmOf(task int32) int32 { return f.gmOfUser[f.User(task)] }

func (f *federation) queueFor(task int32) *taskQueue {
	user := f.User(task)
	return &f.gms[f.gmOfUser[user]].queues[f.queueOf[user]]
}

func (f *federation) send(op uint32, gm, lm int32, ref, mark uint32) {
	f.Counters.Messages++
	f.At(f.Now()+f.Config.Delay, kindOf(op, gm, lm), ref, mark)
}

// Submit implements [federate.Scheduler].
func (f *federation) Submit(job int32) {
	f.active()
	first, end := f.Tasks(job)
	g := &f.gms[f.gmOf(first)]
	q := f.queueFor(first)
	f.interrupt(g)
	for task := first; task < end; task++ {
		q.push(task, 0)
	}
	f.serveGM(g)
}

// Handle implements [federate.Scheduler].
func (f *federation) Handle(e federate.Event) {
	gm, lm := mastersOf(e.Kind)
	switch e.Kind & opMask {
	case launchRequest, completion:
		f.lms[lm].inbox.push(e)
		f.serveLM(&f.lms[lm])
	case accepted, refused, ended, preempted:
		f.deliver(&f.gms[gm], e)
	case heartbeat:
		if g := &f.gms[gm]; !g.down {
			f.deliver(g, e)
		}
	case gmFree:
		f.Counters.Events-- // the model does not count this event
		if g := &f.gms[gm]; g.mark == e.Mark {
			f.finish(g)
			f.serveGM(g)
		}
	case lmFree:
		f.Counters.Events--
		l := &f.lms[lm]
		l.busy = false
		f.verify(l, int32(e.Ref))
		f.serveLM(l)
	case startEvent:
		if t := int32(e.Ref); f.launches[t].mark == e.Mark {
			f.Start(t, f.launches[t].worker)
		}
	case heartbeatDue:
		f.sendHeartbeats(lm)
	}
}

// deliver puts a message into the inbox of a GM.
func (f *federation) deliver(g *gm, e federate.Event) {
	f.interrupt(g)
	g.inbox.push(e)
	f.serveGM(g)
}

// Ended implements [federate.Scheduler]. The worker reports the end to its LM.
func (f *federation) Ended(task, worker int32) {
	f.send(completion, 0, f.layout.lmOf(worker), uint32(task), 0)
}

// Outage implements [federate.Scheduler].
func (f *federation) Outage(o federate.Outage, over bool) {
	switch o.Subject {
	case federate.GMOutage:
		f.gmOutage(&f.gms[o.Index], over)
	case federate.LMOutage:
		f.lms[o.Index].down = !over
		f.serveLM(&f.lms[o.Index])
	case federate.WorkerOutage:
		f.workerOutage(int32(o.Index), over)
	}
}

// workerOutage books the free resources of a failed worker, and returns them at the end of the
// outage. The tasks of the worker remain in the LM's books.
func (f *federation) workerOutage(worker int32, over bool) {
	f.active()
	f.holdDown(worker)
	for i := range f.holds {
		if h := &f.holds[i]; over && h.worker == worker && !h.over {
			h.over = true
			cluster.Add(cluster.Row(f.free, worker, len(h.amount)), h.amount, 1)
			f.record(&f.lms[f.layout.lmOf(worker)], int32(f.count()+i), worker, false)
		}
	}
}

// holdDown books all free resources of a worker if it has failed.
func (f *federation) holdDown(worker int32) {
	if !f.Down(worker) {
		return
	}
	free := cluster.Row(f.free, worker, f.Center.Resources)
	f.holds = append(f.holds, hold{worker: worker, amount: slices.Clone(free)})
	clear(free)
	f.record(&f.lms[f.layout.lmOf(worker)], int32(f.count()+len(f.holds)-1), worker, true)
}

// active records a change that may cause further changes. It resumes the heartbeats of suspended
// LMs and counts the heartbeats that were skipped as messages.
func (f *federation) active() {
	f.activity++
	if f.suspended == 0 {
		return
	}
	for l := range f.lms {
		if x := &f.lms[l]; !x.awake {
			x.awake = true
			next := f.nextHeartbeat(l)
			left := (next-x.lastHeartbeat)/f.Config.Heartbeat - 1
			f.Counters.Messages += int64(left) * int64(len(f.gms))
			f.At(next, kindOf(heartbeatDue, 0, int32(l)), 0, 0)
		}
	}
	f.suspended = 0
}

// memory returns an upper estimate of the bytes of GMs and LMs.
func memory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	tasks, workers, resources := float64(len(load.Durations)), float64(c.Workers), float64(len(c.Capacity))
	gms := float64(c.GMs)
	bytes := tasks*(federate.SizeOf[launch]()+4*(federate.SizeOf[waiting]()+8*resources)+federate.Grown*federate.SizeOf[tries]()+federate.Grown*federate.SizeOf[amendment]()) +
		workers*(8*resources+federate.SizeOf[uint32]()) + gms*(federate.SizeOf[gm]()+workers*(8*resources*(1+1./wordSize)+1./8)) + float64(c.GMs*c.LMs)*(8*resources+5)
	if c.Shares != nil {
		users := float64(len(c.Shares))
		bytes += gms*(tasks*federate.SizeOf[runningTask]()+users*(8*resources+16)) + (tasks+workers)*8*resources + 4*workers
		if held := gms * workers * users * resources; held <= float64(maxHeld) {
			bytes += 8 * (held + gms*users*resources*(workers/wordSize+gms*float64(c.LMs)))
		}
	}
	return bytes
}

// Package deciding is the common part of schedulers that take time to decide and place all tasks of
// a job at once: Omega (Schwarzkopf et al., EuroSys 2013) and the frameworks of Mesos (Hindman et
// al., NSDI 2011), as the Omega paper compares them. A decision takes t_job plus t_task for each
// waiting task of the job.
//
// The first scheduler serves the long jobs, as measured by the mean duration of their tasks. The
// others share the short jobs by user. Both messages of a task are charged before it queues, as in
// package central.
package deciding

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// Decider is a scheduler with its queue of jobs.
type Decider struct {
	Queue   []int32       // waiting jobs, in order
	Busy    bool          // it is deciding
	decided federate.Time // total time spent deciding
}

// Next removes the first job from the queue.
func (d *Decider) Next() { d.Queue = slices.Delete(d.Queue, 0, 1) }

// Cell has the workers, and the deciders that place tasks on them.
type Cell struct {
	*central.Master
	Deciders []Decider
	Waiting  [][]int32 // by job: its tasks without a worker
	queued   []queued  // by job
	// Open lists the workers that may have room for some task, in no particular order.
	Open    []int32
	workers []worker
	least   []cluster.Amount
	cutoff  federate.Time
	short   decision
	long    decision
	left    []cluster.Amount // scratch, by worker and resource: resources left in the current plan
	plan    []uint32         // by worker: the plan for which its entry in left is valid
	plans   uint32           // number of the current plan
	some    []int32          // scratch: the workers of a plan
}

// worker is the state of a worker in the cell.
type worker struct {
	place  int32 // index in Open; −1: not open
	locked bool  // excluded from Open
}

// queued is the booked time of a waiting task of a job. All waiting tasks of a job have the same
// times.
type queued struct {
	upTo    federate.Time                 // end of the time that parts account for
	parts   [federate.Parts]federate.Time // by component
	started int                           // tasks in Waiting that have started
}

// decision is the cost of a decision: t_job and t_task.
type decision struct{ job, task federate.Time }

// Takes returns the time that a decider needs to decide about the waiting tasks of a job, and adds
// it to the decider's total.
func (c *Cell) Takes(decider int, job int32) federate.Time {
	takes := c.short
	if c.isLong(job) {
		takes = c.long
	}
	span := takes.job + federate.Times(len(c.Waiting[job]), takes.task)
	c.Deciders[decider].decided += span
	return span
}

// Parameters returns the parameters of a scheduler with this name.
func Parameters(name, title string) []parameter.Parameter {
	span := func(own, of, help string, usual float64) parameter.Parameter {
		return parameter.Parameter{Name: name + "." + own, Title: of, Help: "`TIME` that " + title + " takes to decide about " + help, Unit: "s", High: 1e6, Default: usual}
	}
	return []parameter.Parameter{
		{Name: name + ".schedulers", Title: "schedulers", Help: "`NUMBER` of schedulers of " + title + "; if there are several, one is for long jobs", Low: 1, High: 1000, Whole: true, Default: 2},
		{Name: name + ".cutoff", Title: "longest short job", Help: "highest mean `TIME` of the tasks of a short job of " + title, Unit: "s", High: math.Inf(1), Default: 90.5811},
		span("job", "decision on a short job", "a short job, and more for each task", 0.1), span("task", "decision on each of its tasks", "each task of a short job", 0.005),
		span("longJob", "decision on a long job", "a long job, and more for each task", 0.1), span("longTask", "decision on each of its tasks", "each task of a long job", 0.005),
	}
}

// NewCell returns the cell of a scheduler with this name.
func NewCell(m *federate.Model, name string) *Cell {
	n := m.Center.Workers()
	c := &Cell{
		Master: central.NewMaster(m), Deciders: make([]Decider, int(m.Parameters[name+".schedulers"])), Waiting: make([][]int32, len(m.Load.Jobs)), queued: make([]queued, len(m.Load.Jobs)),
		workers: make([]worker, n), cutoff: federate.Span(m.Parameters[name+".cutoff"]),
		short: decision{federate.Span(m.Parameters[name+".job"]), federate.Span(m.Parameters[name+".task"])},
		long:  decision{federate.Span(m.Parameters[name+".longJob"]), federate.Span(m.Parameters[name+".longTask"])},
		left:  make([]cluster.Amount, n*m.Center.Resources), plan: make([]uint32, n),
	}
	c.least = federate.Smallest(m.Load)
	for w := range int32(n) {
		c.workers[w].place = -1
		c.refresh(w)
	}
	c.Pool.Watch(c.refresh)
	return c
}

// Of returns the decider of a job.
func (c *Cell) Of(job int32) int {
	others := len(c.Deciders) - 1
	if others == 0 || c.isLong(job) {
		return 0
	}
	first, _ := c.Tasks(job)
	return 1 + int(c.User(first))%others
}

func (c *Cell) isLong(job int32) bool { return c.Load.Jobs[job].Mean > c.cutoff }

// Enqueue appends an arrived job to the queue of its decider.
func (c *Cell) Enqueue(job int32) (decider int) {
	first, end := c.Tasks(job)
	c.Waiting[job] = slices.Grow([]int32(nil), int(end-first))
	for task := first; task < end; task++ {
		c.Waiting[job] = append(c.Waiting[job], task)
	}
	c.queued[job].upTo = c.Now()
	decider = c.Of(job)
	c.Deciders[decider].Queue = append(c.Deciders[decider].Queue, job)
	return decider
}

// refresh updates Open after a worker has changed.
func (c *Cell) refresh(worker int32) {
	w := &c.workers[worker]
	switch open := !w.locked && !c.Down(worker) && cluster.Covers(c.Pool.Free(worker), c.least); {
	case open && w.place < 0:
		w.place = int32(len(c.Open))
		c.Open = append(c.Open, worker)
	case !open && w.place >= 0:
		last := len(c.Open) - 1
		c.Open[w.place] = c.Open[last]
		c.workers[c.Open[last]].place = w.place
		c.Open, w.place = c.Open[:last], -1
	}
}

// Lock removes open workers from Open, or returns locked ones that may have room.
func (c *Cell) Lock(workers []int32, locked bool) {
	for _, w := range workers {
		c.workers[w].locked = locked
		c.refresh(w)
	}
}

// Begin starts a plan with the current free resources of every worker.
func (c *Cell) Begin() { c.plans++ }

// Plan appends a claim for each waiting task of a job on a random one of the given workers with
// room (randomized first fit). A task without such a worker gets no claim. A gang gets claims for
// all its tasks or none. If random workers fail for a gang, Plan tries the workers of
// [federate.Model.Together].
func (c *Cell) Plan(job int32, workers []int32, claims []federate.Claim) []federate.Claim {
	before, tasks := len(claims), c.Waiting[job]
	c.some = append(c.some[:0], workers...)
	skip, last := 0, int32(-1)
	for _, task := range tasks {
		if kind := c.Load.KindOf[task]; kind != last {
			skip, last = 0, kind
		}
		for skip < len(c.some) {
			i := skip + c.Random.IntN(len(c.some)-skip)
			worker := c.some[i]
			if c.use(c.Kind(task), worker, -1) {
				claims = append(claims, federate.Claim{Task: task, Worker: worker})
				break
			}
			c.some[i], c.some[skip] = c.some[skip], worker
			skip++
		}
	}
	if c.Load.Jobs[job].Gang && len(claims)-before < len(tasks) {
		claims = c.giveBack(claims, before)
		for _, claim := range c.Together(job) {
			if !slices.Contains(workers, claim.Worker) || !c.use(c.Kind(claim.Task), claim.Worker, -1) {
				return c.giveBack(claims, before)
			}
			claims = append(claims, claim)
		}
	}
	return claims
}

// giveBack returns the resources of claims[from:] to the plan.
func (c *Cell) giveBack(claims []federate.Claim, from int) []federate.Claim {
	for _, claim := range claims[from:] {
		c.use(c.Kind(claim.Task), claim.Worker, 1)
	}
	return claims[:from]
}

// use takes the request of a task from the worker's resources in the plan (sign −1), or returns it
// (sign 1). It returns false if the worker has too little left or violates the constraints.
func (c *Cell) use(k *workload.TaskKind, worker int32, sign cluster.Amount) bool {
	left := c.leftOn(worker)
	if c.plan[worker] != c.plans {
		c.plan[worker] = c.plans
		copy(left, c.Pool.Free(worker))
	}
	if sign < 0 && (!cluster.Covers(left, k.Request) || !c.Center.Satisfies(worker, k.Constraints)) {
		return false
	}
	cluster.Add(left, k.Request, sign)
	return true
}

func (c *Cell) leftOn(worker int32) []cluster.Amount {
	return cluster.Row(c.left, worker, c.Center.Resources)
}

// UsedUp reports whether none of the workers has room for any task in the plan.
func (c *Cell) UsedUp(workers []int32) bool {
	for _, w := range workers {
		left := c.Pool.Free(w)
		if c.plan[w] == c.plans {
			left = c.leftOn(w)
		}
		if cluster.Covers(left, c.least) {
			return false
		}
	}
	return true
}

// Fits takes the request of a claim from its worker in the plan. It returns false if the worker is
// down, has too little left or violates the constraints.
func (c *Cell) Fits(claim federate.Claim) bool {
	return !c.Down(claim.Worker) && c.use(c.Kind(claim.Task), claim.Worker, -1)
}

// SpendAll books the time of a job's waiting tasks since the last booking as a component.
func (c *Cell) SpendAll(job int32, part federate.Component) {
	b := &c.queued[job]
	b.parts[part] += c.Now() - b.upTo
	b.upTo = c.Now()
}

// Launch starts the task of a claim now, right after its scheduler has decided about it. It returns
// false if the worker is down or has no room. The caller must call [Cell.Launched] after it has
// launched all tasks of a job.
func (c *Cell) Launch(claim federate.Claim) bool {
	if !c.LaunchOn(claim.Task, claim.Worker) {
		return false
	}
	job := &c.queued[c.Job(claim.Task)]
	job.started++
	c.Rebook(claim.Task, federate.Queueing, federate.Processing, job.parts[federate.Processing])
	return true
}

// Launched removes the started tasks of a job from Waiting. They are usually at its beginning.
func (c *Cell) Launched(job int32) {
	tasks, kept, i := c.Waiting[job], 0, 0
	for ; c.queued[job].started > 0; i++ {
		if c.Worker(tasks[i]) >= 0 {
			c.queued[job].started--
		} else {
			tasks[kept] = tasks[i]
			kept++
		}
	}
	copy(tasks[i-kept:], tasks[:kept])
	c.Waiting[job] = tasks[i-kept:]
}

// Names of counters that figures use. A single decider serves all jobs and counts as Busy.
const (
	Busy      = "busyness, ‰"
	BusyLong  = "busyness with long jobs, ‰"
	BusyShort = "busyness with short jobs, ‰"
	Commits   = "commits"
	Conflicts = "commits with conflicts"
)

// Finish books the times of tasks that still wait, and counts how long deciders were busy, in
// thousandths of the run: the first decider, and the mean of the others.
func (c *Cell) Finish() {
	for job, tasks := range c.Waiting {
		for _, task := range tasks {
			for part, span := range c.queued[job].parts {
				c.SpendNext(task, federate.Component(part), span)
			}
		}
	}
	count := func(name string, of []Decider) {
		c.CountPart(name, len(of), func(i int) federate.Time { return of[i].decided })
	}
	if len(c.Deciders) == 1 {
		count(Busy, c.Deciders)
		return
	}
	count(BusyLong, c.Deciders[:1])
	count(BusyShort, c.Deciders[1:])
}

// Memory returns an upper estimate of the bytes of a scheduler with this name: its cell, two claims
// for each task or worker, and the data of each decider about each worker.
func Memory(name string) func(*federate.Config, parameter.Values, *workload.Tasks) float64 {
	return func(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
		return federate.PoolMemory(c, load) + federate.Bytes[cluster.Amount](c.Workers*len(c.Capacity)) + federate.BytesGrown[[5]int32](c.Workers) +
			federate.BytesGrown[[3]int32](len(load.Durations)) + federate.Bytes[[5]federate.Time](len(load.Jobs)) + federate.Bytes[queued](len(load.Jobs)) +
			federate.BytesGrown[[2]federate.Claim](len(load.Durations)+c.Workers) + float64(v[name+".schedulers"]*federate.Bytes[federate.Time](c.Workers))
	}
}

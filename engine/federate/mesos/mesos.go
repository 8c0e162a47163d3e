// Package mesos is an allocator that offers resources to frameworks (Hindman et al., "Mesos: a
// platform for fine-grained resource sharing in the data center", NSDI 2011). Among the frameworks
// with waiting jobs, it offers all free resources to the one with the least dominant share (Ghodsi
// et al., NSDI 2011). Offered resources are locked until the framework answers, so a slow framework
// keeps them from the others.
//
// A framework handles its offers one by one. It decides about its jobs in order until the offer is
// used up, and answers after the last decision. A job that does not fit completely keeps its place.
// The allocator does not offer the unused resources to that framework again for some time, unless
// more becomes free on the same worker or a job arrives when the framework has no other. A refusal
// also renews the earlier refusals of the framework; otherwise two frameworks with large gangs
// would block each other's workers forever. If the worker of a task has failed by the time of the
// answer, the task waits for another offer, and so does its gang. The allocator makes offers at
// intervals.
//
// Package deciding describes the decision times and the assignment of jobs to frameworks.
package mesos

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/federate/deciding"
	"berth/engine/parameter"
)

const (
	offerEvent  uint32 = central.FirstKind + iota // the allocator makes offers
	answerEvent                                   // a framework has decided
)

// offer is the free resources of some workers, and the decisions of a framework about them.
type offer struct {
	workers []int32
	claims  []federate.Claim
	jobs    []int32 // jobs that the framework decides about
}

type framework struct {
	offers  []*offer // unanswered offers; the framework is deciding about the first one
	used    []cluster.Amount
	refused []federate.Time // by worker: time before which it is not offered
	vain    uint64          // scheduler.state at the last offer of all free resources
}

type scheduler struct {
	*deciding.Cell
	frameworks []framework
	interval   federate.Time
	filter     federate.Time
	due        federate.Time // time of the next offers; 0: not scheduled
	locked     int           // workers in unanswered offers
	spare      []*offer      // offers to be reused
	state      uint64        // changes whenever an event may help a framework
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "mesos", Title: "Mesos", Description: "offers of all free resources to the framework with the least dominant share (Hindman et al. 2011)",
	Parameters: append(deciding.Parameters("mesos", "Mesos"),
		parameter.Parameter{Name: "mesos.interval", Title: "interval of offers", Help: "`TIME` between offers of Mesos at least", Unit: "s", Low: 1e-6, High: 1e6, Default: 1},
		parameter.Parameter{Name: "mesos.filter", Title: "filter of refusals", Help: "`TIME` for which Mesos does not offer what a framework left", Unit: "s", High: 1e6, Default: 5},
	),
	Facts: federate.Facts{Unlike: true, Gangs: true, Memory: deciding.Memory("mesos")},
	New:   newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	s := &scheduler{Cell: deciding.NewCell(m, "mesos"), interval: federate.Span(m.Parameters["mesos.interval"]), filter: federate.Span(m.Parameters["mesos.filter"]), state: 1}
	s.frameworks = make([]framework, len(s.Deciders))
	for i := range s.frameworks {
		s.frameworks[i] = framework{used: make([]cluster.Amount, m.Center.Resources), refused: make([]federate.Time, m.Center.Workers())}
	}
	s.Follow(s)
	return s
}

// Arrived implements [central.Planner]. The refusals of a framework without jobs end.
func (s *scheduler) Arrived(job int32) {
	i := s.Enqueue(job)
	if len(s.Deciders[i].Queue) == 1 {
		clear(s.frameworks[i].refused)
	}
	s.state++
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() { s.arrange(s.Now() + s.interval) }

// arrange schedules offers at a time, unless they are due earlier.
func (s *scheduler) arrange(at federate.Time) {
	if s.due == 0 || at < s.due {
		s.due = at
		s.At(at, offerEvent, 0, 0)
	}
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	switch e.Kind {
	case offerEvent:
		if e.At == s.due { // otherwise these offers were made earlier
			s.due = 0
			for i := s.neediest(); i >= 0; i = s.neediest() { // until no framework can have an offer
				s.offer(i)
			}
		}
	case answerEvent:
		s.answer(int(e.Ref))
	default:
		s.Cell.Handle(e)
	}
}

// neediest returns the framework with the least dominant share that can have an offer, the first of
// equal ones; −1 if there is none.
func (s *scheduler) neediest() int {
	best, least := -1, math.Inf(1)
	for i := range s.frameworks {
		if len(s.Deciders[i].Queue) == 0 || len(s.Open) == 0 || s.frameworks[i].vain == s.state {
			continue
		}
		if share := cluster.Dominant(s.frameworks[i].used, s.Center.Total); share < least && s.offerable(i) {
			best, least = i, share
		}
	}
	return best
}

// offerable reports whether a framework accepts offers of some free worker now. If not, it
// schedules offers for the time at which the first of its refusals ends.
func (s *scheduler) offerable(i int) bool {
	next := federate.Time(math.MaxInt64)
	for _, w := range s.Open {
		if next = min(next, s.frameworks[i].refused[w]); next <= s.Now() {
			return true
		}
	}
	s.arrange(next)
	return false
}

// offer offers a framework all free resources that it has not refused.
func (s *scheduler) offer(i int) {
	f := &s.frameworks[i]
	o := &offer{}
	if n := len(s.spare) - 1; n >= 0 {
		o, s.spare = s.spare[n], s.spare[:n]
	}
	now := s.Now()
	for _, w := range s.Open {
		if f.refused[w] <= now {
			o.workers = append(o.workers, w)
		}
	}
	if s.locked == 0 && len(o.workers) == len(s.Open) {
		f.vain = s.state // until the state changes, there is nothing else to offer
	}
	s.locked += len(o.workers)
	s.Lock(o.workers, true)
	s.Own.Count("offers", 1)
	f.offers = append(f.offers, o)
	if len(f.offers) == 1 {
		s.decide(i)
	}
}

// decide lets a framework plan how to use its first offer.
func (s *scheduler) decide(i int) {
	o, d := s.frameworks[i].offers[0], &s.Deciders[i]
	s.Begin()
	left := federate.Time(0)
	for _, job := range d.Queue {
		if s.UsedUp(o.workers) {
			break
		}
		s.SpendAll(job, federate.Queueing)
		o.jobs = append(o.jobs, job)
		left += s.Takes(i, job)
		o.claims = s.Plan(job, o.workers, o.claims)
	}
	s.At(s.Now()+left, answerEvent, uint32(i), 0)
}

// answer launches the tasks that a framework has placed in its first offer, and takes back the
// unused resources.
func (s *scheduler) answer(i int) {
	f, d, until := &s.frameworks[i], &s.Deciders[i], s.Now()+s.filter
	o := f.offers[0]
	f.offers = slices.Delete(f.offers, 0, 1)
	for _, job := range o.jobs {
		s.SpendAll(job, federate.Processing)
	}
	s.launch(i, o.claims)
	waiting := d.Queue[:0] // o.jobs are the first jobs of the queue
	for _, job := range o.jobs {
		if s.Launched(job); len(s.Waiting[job]) > 0 {
			waiting = append(waiting, job)
		}
	}
	d.Queue = slices.Delete(d.Queue, len(waiting), len(o.jobs))
	if len(o.claims) == 0 {
		for w, at := range f.refused {
			if at > s.Now() { // a refusal renews the earlier ones
				f.refused[w] = until
			}
		}
		s.Own.Count("offers refused", 1)
		if len(o.jobs) > 0 {
			s.Tell(federate.Declined, s.Waiting[o.jobs[0]][0], -1, int32(i))
		}
	}
	s.locked -= len(o.workers)
	for _, w := range o.workers {
		f.refused[w] = until
	}
	s.Lock(o.workers, false)
	o.workers, o.claims, o.jobs = o.workers[:0], o.claims[:0], o.jobs[:0]
	s.spare = append(s.spare, o)
	if len(f.offers) > 0 {
		s.decide(i)
	}
	s.arrange(s.Now() + s.interval)
}

// launch starts tasks whose workers have not failed. The tasks of a gang are adjacent in claims; it
// starts all of them or none.
func (s *scheduler) launch(i int, claims []federate.Claim) {
	if len(claims) > 0 {
		s.state++
	}
	for len(claims) > 0 {
		n, job := 1, s.Job(claims[0].Task)
		down := s.Down(claims[0].Worker)
		for s.Load.Jobs[job].Gang && n < len(claims) && s.Job(claims[n].Task) == job {
			down = down || s.Down(claims[n].Worker)
			n++
		}
		for _, c := range claims[:n] {
			if !down && s.Launch(c) {
				s.use(i, c.Task, 1)
				s.Tell(federate.Claimed, c.Task, c.Worker, int32(i))
			}
		}
		claims = claims[n:]
	}
}

func (s *scheduler) use(i int, task int32, sign cluster.Amount) {
	cluster.Add(s.frameworks[i].used, s.Kind(task).Request, sign)
}

// Ended implements [federate.Scheduler]. The refusals of the worker end, because more resources are
// free than the frameworks refused.
func (s *scheduler) Ended(task, worker int32) {
	s.use(s.Of(s.Job(task)), task, -1)
	s.changed(worker)
	s.Cell.Ended(task, worker)
}

// Outage implements [federate.Scheduler].
func (s *scheduler) Outage(o federate.Outage, over bool) {
	if o.Subject == federate.WorkerOutage {
		s.changed(int32(o.Index))
	}
	s.Cell.Outage(o, over)
}

func (s *scheduler) changed(worker int32) {
	s.state++
	for i := range s.frameworks {
		s.frameworks[i].refused[worker] = 0
	}
}

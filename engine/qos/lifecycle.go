package qos

import (
	"fmt"
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// admit adds an arriving request to the system. The argument controller is 1 + the
// number of the controller that submits it, or 0 for a request of the workload.
func (s *system) admit(r *workload.Request, controller int32) (Ref, error) {
	arrived, err := s.instanceOf(r)
	if err != nil {
		return 0, err
	}
	ref, index, class := s.slot(), uint32(len(s.result.class)), arrived.class
	k := &s.instances[ref]
	arrived.mark = k.mark
	*k = arrived
	k.index, k.tie, k.controller = index, s.tie(index), controller
	s.ran[ref] = s.ran[ref][:0]
	s.active++
	s.recorder.came(k)
	s.result.admitted(class)
	if !s.fitsSomewhere(k) {
		s.result.Hopeless++
	}
	c := s.controllerOf(k)
	if c != nil {
		c.join(&s.State, k)
	}
	s.tell(Submitted, k, nowhere, 0)
	if s.config.Arrived != nil {
		a := Arrival{Index: index, Class: int(class), Request: r, ID: r.ID}
		if c != nil {
			a.Controller = c.Name
		} else if a.ID == "" {
			a.ID = strconv.Itoa(int(s.arrivals.count) + 1)
		}
		s.config.Arrived(&a)
	}
	s.freshList = append(s.freshList, ref)
	s.scheduler.enqueue(ref)
	return ref, nil
}

// instanceOf returns the instance of an arriving request. It returns an error if the class, the
// GPUs or the constraints of the request are invalid.
func (s *system) instanceOf(r *workload.Request) (k instance, err error) {
	k = instance{admitted: r.Submit, duration: r.Duration, job: r.Job, host: nowhere, antiAffinity: r.AntiAffinity, fresh: true}
	if k.class, err = s.config.class(r); err != nil {
		return k, err
	}
	if k.asks, err = asked(r); err != nil {
		return k, err
	}
	k.constraints, err = s.constraintSet(r.Constraints)
	return k, err
}

// slot returns a free Ref. It prefers the Ref of a finished request.
func (s *system) slot() Ref {
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	s.instances = append(s.instances, instance{})
	s.ran = append(s.ran, nil)
	return Ref(len(s.instances) - 1)
}

// tie returns a seeded pseudo-random number for a request, computed by the finaliser of SplitMix64.
func (s *system) tie(index uint32) uint32 {
	z := s.tieKey + uint64(index)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// maxSets limits the number of distinct constraint sets in a run, maxAllowed the size
// of the table of allowed hosts in bytes.
const (
	maxSets    = 1<<16 - 1
	maxAllowed = 1 << 28
)

// constraintSet returns the number of a constraint set. On first use it computes the
// hosts that meet the set.
func (s *system) constraintSet(all []cluster.Constraint) (uint16, error) {
	if len(all) == 0 {
		return 0, nil
	}
	key := fmt.Sprintf("%q", all)
	if n, ok := s.sets[key]; ok {
		return n, nil
	}
	if len(s.allowed) > maxSets {
		return 0, fmt.Errorf("there are more than %d different sets of constraints", maxSets)
	}
	if len(s.allowed)*len(s.hostList) > maxAllowed {
		return 0, fmt.Errorf("there are more than %d different sets of constraints, too many for %d hosts", len(s.allowed)-1, len(s.hostList))
	}
	allowed := make([]bool, len(s.hostList))
	for h := range s.hostList {
		allowed[h] = cluster.Allows(all, &s.hostList[h])
	}
	n := uint16(len(s.allowed))
	s.allowed = append(s.allowed, allowed)
	s.sets[key] = n
	return n, nil
}

// fitsSomewhere reports whether some empty host can take the request.
func (s *system) fitsSomewhere(k *instance) bool {
	for h := range s.hosts {
		if k.asks.Within(&s.hosts[h].All) && (k.constraints == 0 || s.allowed[k.constraints][h]) {
			return true
		}
	}
	return false
}

// allocate executes a decision: it displaces the victims and places request j.
func (s *system) allocate(j Ref, c *choice) {
	if tell := s.config.Policy.Tell; tell != nil {
		tell(&s.State, j, c.victims, &s.result.Own)
	}
	s.victims = s.victims[:0]
	for i := range c.victims {
		k := c.victims[i].Ref
		s.victims = append(s.victims, s.instances[k].index)
		s.tell(Preempted, &s.instances[k], int32(s.instances[j].index), 0)
		s.preempted(&s.instances[k])
		s.displace(k)
	}
	overhead := s.place(j, c.host)
	s.tell(Allocated, &s.instances[j], nowhere, overhead)
	s.result.Decisions++
	if s.config.Decided != nil {
		s.config.Decided(&Decision{
			At: s.now, Request: s.instances[j].index, Host: c.host, Feasible: c.feasible,
			Overhead: overhead, Victims: s.victims, Cost: c.cost,
		})
	}
}

// preempted counts a preemption for the instance, its class, its controller and the run.
func (s *system) preempted(k *instance) {
	k.preemptions++
	s.result.Preemptions++
	s.result.Classes[k.class].Preemptions++
	if c := s.controllerOf(k); c != nil {
		c.preemptions++
	}
}

// place puts an instance on host h and draws its allocation overhead.
func (s *system) place(j Ref, h int) (overhead sim.Milliseconds) {
	k, host := &s.instances[j], &s.hosts[h]
	set := s.config.ColdSet
	if k.allocations > 0 && s.ran[j].has(h) {
		set = s.config.HotSet
	}
	overhead = set[s.overheads.IntN(len(set))]
	k.overhead, k.allocated = overhead, s.now
	k.ready = s.now + overhead
	if k.allocations == 0 && !s.config.FirstOverheadPending {
		k.ready = s.now
	}
	k.allocations++
	k.host = int32(h)
	if k.allocations > 1 && k.lastHost != int32(h) {
		k.migrations++
		s.result.Classes[k.class].Migrations++
	}
	k.lastHost = int32(h)
	c := s.controllerOf(k)
	if c != nil {
		c.gotHost(&s.State, j)
	}
	k.token = host.Take(&k.asks)
	s.recorder.demand[k.class].Allocated.Add(&k.asks)
	k.place = int32(len(host.instances))
	host.instances, host.jobs = append(host.instances, j), append(host.jobs, k.job)
	s.placed++
	if s.events.Len() >= s.crowded {
		s.sweep()
	}
	s.events.Push(event{At: min(k.ready+k.duration-k.run, never), Kind: completion, Ref: uint32(j), Mark: k.mark})
	if c != nil && c.Kind == StatefulSet {
		s.events.Push(event{At: k.ready, Kind: running, Ref: uint32(j), Mark: k.mark})
	}
	s.result.Classes[k.class].Overhead += overhead
	s.scheduler.started(j)
	return overhead
}

// release removes an instance from its host.
func (s *system) release(r Ref) {
	k := &s.instances[r]
	h := int(k.host)
	host := &s.hosts[h]
	if c := s.controllerOf(k); c != nil {
		c.losesHost(&s.State, r)
	}
	k.run = s.Run(r)
	k.unspent += max(0, k.ready-s.now)
	k.overheads += k.overhead
	k.host = nowhere
	k.mark++
	host.Give(&k.asks, k.token)
	s.recorder.demand[k.class].Allocated.Sub(&k.asks)
	last := len(host.instances) - 1
	moved := host.instances[last]
	host.instances[k.place], host.jobs[k.place], s.instances[moved].place = moved, host.jobs[last], k.place
	host.instances, host.jobs = host.instances[:last], host.jobs[:last]
	s.placed--
	s.scheduler.stopped(r, h)
}

// displace takes an instance from its host and returns it to the queue. An instance of a batch job
// loses its work.
func (s *system) displace(r Ref) {
	k := &s.instances[r]
	if s.now >= k.allocated+k.overhead && s.config.tracksHosts() {
		s.ran[r].add(int(k.host))
	}
	s.release(r)
	if c := s.controllerOf(k); c != nil && c.Kind == Job {
		c.loseWork(k)
	} else if c != nil && c.Kind == StatefulSet {
		c.pending[r] = true
	}
	s.scheduler.enqueue(r)
}

func (s *system) complete(r Ref) error {
	s.tell(Completed, &s.instances[r], nowhere, 0)
	s.release(r)
	s.active--
	s.recorder.went(&s.instances[r])
	s.finish(r, true)
	s.free = append(s.free, r)
	k := &s.instances[r]
	k.host = gone
	if c := s.controllerOf(k); c != nil {
		c.leave(&s.State, k)
		return c.replicaCompleted(s, r)
	}
	return nil
}

func (s *system) finish(r Ref, completed bool) {
	k := &s.instances[r]
	run := s.Run(r)
	s.outcome = Outcome{
		Index: k.index, Class: int(k.class), Submit: k.admitted, Run: run, Pending: s.now - k.admitted - run - k.lost,
		Preemptions: int(k.preemptions), Completed: completed,
	}
	o := &s.outcome
	o.Availability = availability(o.Run, o.Pending)
	if s.waitsForEver(!completed, o.Run) {
		o.Availability = 0
	}
	if c := s.controllerOf(k); c != nil {
		c.least = min(c.least, o.Availability)
	}
	s.result.finished(o, k)
	s.recorder.finished(o)
	if s.config.Finished != nil {
		s.config.Finished(o)
	}
}

// waitsForEver reports whether an unfinished instance or controller that has never run would not
// run in a longer simulation either. Its availability is then 0, even if the simulation ended in
// the millisecond in which it arrived.
func (s *system) waitsForEver(there bool, run sim.Milliseconds) bool {
	return s.config.Horizon == 0 && there && !s.result.Partial && run == 0
}

// unfinished returns the active requests.
func (s *system) unfinished() []Ref {
	var all []Ref
	for r := range s.instances {
		if s.instances[r].host != gone {
			all = append(all, Ref(r))
		}
	}
	return all
}

// finishAll records the outcomes of all unfinished requests at the end, in order of
// arrival.
func (s *system) finishAll() {
	left := s.unfinished()
	slices.SortFunc(left, func(a, b Ref) int { return int(s.instances[a].index) - int(s.instances[b].index) })
	for _, r := range left {
		s.finish(r, false)
	}
	s.finishControllers()
	s.result.Operations = s.operations
	if s.config.Counted { // the literal scheduler visits every host for each waiting request in each pass
		s.result.Operations = s.result.queued * int64(len(s.hosts))
	}
	s.result.Requests = len(s.result.class)
}

// Package hydra is a federation of sub-clusters (Curino et al., "Hydra: a federated resource
// manager for data-center scale analytics", NSDI 2019), as in Hadoop YARN. The LMs of the
// configuration are the masters of the sub-clusters. The tasks of a job are split over the
// sub-clusters in proportion to weights: a fraction of the weight is the free capacity of the
// sub-cluster, and the rest comes from a policy. Each master serves its users by weighted dominant
// shares, knows only its own workers, and starts the tasks of each user in order. A task never
// changes its sub-cluster.
//
// A global policy generator inspects all sub-clusters at intervals. It lowers the weight of a
// sub-cluster linearly from 1 to 0 as more tasks wait there, like the load-based policy of YARN. It
// also moves the share of each user to the sub-clusters where the user has tasks: if the user has
// the share s of the data centre and d tasks, a sub-cluster with d_i of these tasks and the
// fraction c_i of the capacity gets s · (d_i + c_i) / (d + 1).
//
// While the master of a sub-cluster is down, it starts nothing, and new tasks go to other
// sub-clusters that can run them.
package hydra

import (
	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// policyEvent runs the global policy generator.
const policyEvent uint32 = central.FirstKind

type scheduler struct {
	*central.Master
	subs      []sub
	of        []int32          // by worker: its sub-cluster
	next      []int32          // by task: the next task of its user in the sub-cluster
	where     []int32          // by task: its sub-cluster
	runs      map[int32][]bool // by kind: whether each sub-cluster can run it
	split     []float64        // by sub-cluster: tasks due by its weight minus tasks received
	waiting   int              // number of waiting tasks
	generates bool             // a policyEvent is queued
	alpha     float64          // fraction of the split that follows free capacity
	interval  federate.Time
	least     float64 // up to this many waiting tasks, a sub-cluster has full weight
	most      float64 // from this many waiting tasks on, a sub-cluster has no weight
}

// sub is a sub-cluster with its master.
type sub struct {
	first, end int32 // workers
	down       bool
	changed    bool    // some task may be able to start now
	part       float64 // fraction of the capacity of the data centre
	weight     float64 // from the policy
	waiting    int     // number of waiting tasks
	total      []cluster.Amount
	used       []cluster.Amount
	turns      central.Turns // users with waiting tasks
	users      []user
	came       int64 // counter that orders users by the start of their waiting
}

// user is the state of a user in a sub-cluster.
type user struct {
	waiting federate.List
	tasks   int     // number of waiting and running tasks
	share   float64 // fraction of the user's share in this sub-cluster
	used    []cluster.Amount
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "hydra", Title: "Hydra", Description: "sub-clusters with masters of their own, over which a policy splits requests (Curino et al. 2019)",
	Parameters: []parameter.Parameter{
		{Name: "hydra.headroom", Title: "part by headroom", Help: "`PART` of the split over sub-clusters of Hydra that is by what they have free, the rest is by policy", High: 1, Default: 0.5},
		{Name: "hydra.interval", Title: "interval of policies", Help: "`TIME` between looks of the global policy generator of Hydra", Unit: "s", Low: 1e-3, High: 1e6, Default: 10},
		{Name: "hydra.leastWaiting", Title: "tasks for a full weight", Help: "`NUMBER` of tasks that may wait in a sub-cluster of Hydra without a lower weight", High: 1e9, Whole: true, Default: 100},
		{Name: "hydra.mostWaiting", Title: "tasks for no weight", Help: "`NUMBER` of tasks that wait in a sub-cluster of Hydra with weight 0", Low: 1, High: 1e9, Whole: true, Default: 1000},
	},
	Facts: federate.Facts{Unlike: true, Masters: masters, Memory: memory},
	New:   newScheduler,
}

// masters returns the sub-cluster of each worker as its LM. There are no GMs.
func masters(c *federate.Config, _ parameter.Values) (gm, lm []int32) {
	c.GMs = 0
	for i, size := range federate.WorkersOf(c.Workers, c.LMs) {
		for range size {
			gm, lm = append(gm, federate.None), append(lm, int32(i))
		}
	}
	return gm, lm
}

func newScheduler(m *federate.Model) federate.Scheduler {
	v := m.Parameters
	s := &scheduler{
		Master: central.NewMaster(m), next: make([]int32, len(m.Load.Durations)), where: make([]int32, len(m.Load.Durations)), runs: map[int32][]bool{},
		alpha: v["hydra.headroom"], interval: federate.Span(v["hydra.interval"]), least: v["hydra.leastWaiting"], most: v["hydra.mostWaiting"],
	}
	first := int32(0)
	for i, size := range federate.WorkersOf(m.Center.Workers(), m.Center.LMs) {
		u := sub{first: first, end: first + int32(size), weight: 1, total: make([]cluster.Amount, m.Center.Resources), used: make([]cluster.Amount, m.Center.Resources), turns: central.NewTurns(m.Users()), users: make([]user, m.Users())}
		for ; first < u.end; first++ {
			s.of = append(s.of, int32(i))
			cluster.Add(u.total, m.Center.CapacityOf(first), 1)
		}
		u.part = float64(size) / float64(m.Center.Workers())
		for k := range u.users {
			u.users[k] = user{share: float64(m.Share(int32(k)) * u.part), used: make([]cluster.Amount, m.Center.Resources)}
		}
		s.subs = append(s.subs, u)
	}
	s.split = make([]float64, len(s.subs))
	s.Follow(s)
	return s
}

// Arrived implements [central.Planner].
func (s *scheduler) Arrived(job int32) {
	weights := s.weights()
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.enqueue(task, s.choose(task, weights))
	}
	if !s.generates {
		s.generates = true
		s.AtEnd(s.Now()+s.interval, policyEvent, 0, 0)
	}
}

// choose returns the sub-cluster, among those that can run the task, that lags most behind its
// fraction of all tasks so far. It considers sub-clusters whose master is down only if all of these
// masters are down.
func (s *scheduler) choose(task int32, weights []float64) int32 {
	can, up, sum := s.able(task), false, 0.0
	for i := range s.subs {
		up = up || can[i] && !s.subs[i].down
	}
	right := func(i int) bool { return can[i] && !(up && s.subs[i].down) }
	for i := range s.subs {
		if right(i) {
			sum += weights[i]
		}
	}
	best := int32(federate.None)
	for i := range s.subs {
		if !right(i) {
			continue
		}
		if sum > 0 {
			s.split[i] += weights[i] / sum
		}
		if best == federate.None || s.split[i] > s.split[best] {
			best = int32(i)
		}
	}
	s.split[best]--
	return best
}

// weights returns the fraction of a job for each sub-cluster; the fractions sum to 1.
func (s *scheduler) weights() []float64 {
	all := make([]float64, len(s.subs))
	headroom, policy := 0.0, 0.0
	for i := range s.subs {
		headroom += s.subs[i].headroom()
		policy += float64(s.subs[i].part * s.subs[i].weight)
	}
	for i := range s.subs {
		u := &s.subs[i]
		free, by := u.part, u.part
		if headroom > 0 {
			free = u.headroom() / headroom
		}
		if policy > 0 {
			by = float64(u.part*u.weight) / policy
		}
		all[i] = float64(s.alpha*free) + float64((1-s.alpha)*by)
	}
	return all
}

// headroom returns the free fraction of the sub-cluster's scarcest resource, relative to the
// capacity of the data centre.
func (u *sub) headroom() float64 {
	return float64(u.part * (1 - cluster.Dominant(u.used, u.total)))
}

// able returns for each sub-cluster whether it can run a task.
func (s *scheduler) able(task int32) []bool {
	number := s.Load.KindOf[task]
	can, known := s.runs[number]
	if known {
		return can
	}
	can = make([]bool, len(s.subs))
	kind := s.Kind(task)
	for w, i := range s.of {
		can[i] = can[i] || s.Center.Satisfies(int32(w), kind.Constraints) && s.Center.Room(int32(w), kind) > 0
	}
	s.runs[number] = can
	return can
}

// enqueue appends a task to the queue of its user in a sub-cluster.
func (s *scheduler) enqueue(task, to int32) {
	u, of := &s.subs[to], s.User(task)
	x := &u.users[of]
	s.where[task] = to
	s.waiting++
	u.waiting++
	u.changed = true
	x.tasks++
	s.Tell(federate.Routed, task, -1, to)
	x.waiting.Push(s.next, task)
	if x.waiting.First() == task {
		u.came++
		u.turns.Put(central.Turn{Value: u.value(of), Order: u.came, Flow: of})
	}
}

// value returns the dominant share of a user in a sub-cluster divided by the user's share there.
func (u *sub) value(of int32) float64 {
	return cluster.Dominant(u.users[of].used, u.total) / u.users[of].share
}

// use books the request of a task in its sub-cluster (sign 1), or returns it (sign −1).
func (s *scheduler) use(task int32, sign cluster.Amount) {
	u, of := &s.subs[s.where[task]], s.User(task)
	cluster.Add(u.used, s.Kind(task).Request, sign)
	cluster.Add(u.users[of].used, s.Kind(task).Request, sign)
	u.changed = true
	if u.turns.Has(of) {
		u.turns.Change(of, u.value(of))
	}
}

// Over implements [central.Listener].
func (s *scheduler) Over(task int32) {
	s.subs[s.where[task]].users[s.User(task)].tasks--
	s.use(task, -1)
}

// Decide implements [central.Planner].
func (s *scheduler) Decide() {
	for i := range s.subs {
		if u := &s.subs[i]; u.changed && !u.down {
			s.serve(u)
			u.changed = false
		}
	}
}

// serve starts tasks in a sub-cluster until the next one does not fit.
func (s *scheduler) serve(u *sub) {
	for u.turns.Some() {
		of := u.turns.First().Flow
		x := &u.users[of]
		task := x.waiting.First()
		worker := s.Pool.FirstOf(task, u.first, u.end)
		if worker < 0 || !s.LaunchOn(task, worker) {
			return
		}
		s.waiting--
		u.waiting--
		if x.waiting.Pop(s.next); x.waiting.First() == federate.None {
			u.turns.Drop(of)
		}
		s.use(task, 1)
	}
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind != policyEvent {
		s.Master.Handle(e)
		return
	}
	s.generate()
	if s.generates = s.waiting > 0; s.generates {
		s.AtEnd(s.Now()+s.interval, policyEvent, 0, 0)
	}
}

// generate computes new weights and shares.
func (s *scheduler) generate() {
	s.Own.Count("policies", 1)
	for i := range s.subs {
		u := &s.subs[i]
		u.weight = 1
		if waiting := float64(u.waiting); waiting > s.least {
			u.weight = max(0, 1-(waiting-s.least)/max(s.most-s.least, 1))
		}
	}
	for of := range int32(s.Users()) {
		tasks := 0
		for i := range s.subs {
			tasks += s.subs[i].users[of].tasks
		}
		for i := range s.subs {
			u := &s.subs[i]
			u.users[of].share = float64(s.Share(of)*(float64(u.users[of].tasks)+u.part)) / float64(tasks+1)
			if u.turns.Has(of) {
				u.turns.Change(of, u.value(of))
			}
		}
	}
}

// Outage implements [federate.Scheduler].
func (s *scheduler) Outage(o federate.Outage, over bool) {
	switch o.Subject {
	case federate.LMOutage:
		s.subs[o.Index].down = !over
	case federate.WorkerOutage:
		s.subs[s.of[o.Index]].changed = true
	}
	s.Master.Outage(o, over)
	if o.Subject == federate.LMOutage && over {
		s.Wake()
	}
}

func memory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	pairs := c.LMs * federate.Users(c, load)
	return federate.PoolMemory(c, load) + federate.Bytes[[2]int32](len(load.Durations)) + federate.Bytes[int32](c.Workers) +
		federate.Bytes[user](pairs) + federate.Bytes[cluster.Amount](pairs*len(c.Capacity)) + federate.BytesGrown[[2]central.Turn](pairs) + float64(len(load.Kinds)*c.LMs)
}

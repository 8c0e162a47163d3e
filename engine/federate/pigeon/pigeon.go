// Package pigeon spreads tasks over groups of workers whose masters prefer short tasks (Wang et al.
// 2019). Its distributors send tasks to the groups in turn and keep no other state. A long task
// that only reserved workers can run is treated as short.
package pigeon

import (
	"math"
	"slices"

	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

const (
	masterEvent uint32 = federate.FirstKind + iota // a task reaches the master of a group
	workerEvent                                    // a task reaches its worker
)

// Classes of tasks.
const (
	short = iota
	long
	classes
)

// waitingList is a queue in which a task may leave before the tasks ahead of it.
type waitingList []int32

// take removes and returns the first task that satisfies ok; −1 if none does.
func (q *waitingList) take(ok func(task int32) bool) int32 {
	all := *q
	i := slices.IndexFunc(all, ok)
	if i < 0 {
		return -1
	}
	task := all[i]
	copy(all[1:], all[:i])
	*q = all[1:]
	return task
}

// group is some workers and their master. Workers with index reserved or higher run only short
// tasks.
type group struct {
	first, reserved, end int32 // workers
	idle                 int
	queues               [classes]waitingList
	shorts               int // short tasks since the last long one
}

type scheduler struct {
	*federate.Model
	groups   []group
	size     int // number of workers in a group; the last group may have fewer
	idle     []bool
	classOf  []uint8                    // by task
	turn     int                        // counter that sends tasks to the groups in turn
	suitable [classes]map[int32][]int32 // by class and kind: groups with a worker for it
	cutoff   federate.Time              // longest mean duration of a short job
	weight   int                        // short tasks after which a long one is served (W)
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "pigeon", Title: "Pigeon", Description: "groups of workers whose masters prefer short tasks (Wang et al. 2019)",
	Parameters: []parameter.Parameter{
		{Name: "groupSize", Path: "pigeon.groupSize", Title: "workers of a group", Help: "`NUMBER` of workers of each group of Pigeon", Low: 1, High: math.Inf(1), Whole: true, Default: 100},
		{Name: "reserved", Path: "pigeon.reserved", Title: "of these, for short tasks", Help: "`NUMBER` of workers of each group of Pigeon that are reserved for short tasks", High: math.Inf(1), Whole: true, Default: 2},
		{Name: "cutoff", Path: "pigeon.cutoff", Title: "longest short job", Help: "highest mean `TIME` of the tasks of a short job of Pigeon", Unit: "s", High: math.Inf(1), Default: 90.5811},
		{Name: "weight", Path: "pigeon.weight", Title: "short tasks per long one", Help: "`NUMBER` of short tasks after which Pigeon runs a long one", Low: 1, High: math.Inf(1), Whole: true, Default: 100_000},
	},
	Facts: federate.Facts{Slots: true, Masters: masters, Memory: memory},
	New:   newScheduler,
}

// masters returns the masters of the groups, as LMs of their workers. There are no GMs.
func masters(c *federate.Config, v parameter.Values) (gm, lm []int32) {
	size := min(int(v["groupSize"]), c.Workers)
	c.GMs, c.LMs = 0, (c.Workers+size-1)/size
	for w := range c.Workers {
		gm, lm = append(gm, -1), append(lm, int32(w/size))
	}
	return gm, lm
}

func newScheduler(m *federate.Model) federate.Scheduler {
	n := m.Center.Workers()
	size := min(int(m.Parameters["groupSize"]), n)
	s := &scheduler{Model: m, size: size, idle: slices.Repeat([]bool{true}, n), classOf: make([]uint8, len(m.Load.Durations))}
	s.cutoff, s.weight = federate.Span(m.Parameters["cutoff"]), int(m.Parameters["weight"])
	for class := range s.suitable {
		s.suitable[class] = map[int32][]int32{}
	}
	for first := 0; first < n; first += size {
		end := min(first+size, n)
		// At least one worker of a group may run long tasks.
		reserved := end - min(int(m.Parameters["reserved"]), end-first-1)
		s.groups = append(s.groups, group{first: int32(first), reserved: int32(reserved), end: int32(end), idle: end - first})
	}
	return s
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	class := uint8(short)
	if s.Load.Jobs[job].Mean > s.cutoff {
		class = long
	}
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		groups, class := s.groupsFor(s.Load.KindOf[task], class)
		s.classOf[task] = class
		s.turn++
		s.SendTask(task, s.Config.Delay, masterEvent, uint32(groups[s.turn%len(groups)]))
	}
}

// groupsFor returns the groups with a worker for a task, and its class. A long task that only
// reserved workers can run counts as short.
func (s *scheduler) groupsFor(kind int32, class uint8) ([]int32, uint8) {
	groups, known := s.suitable[class][kind]
	if !known {
		for i := range s.groups {
			g := &s.groups[i]
			for w := g.first; w < g.limit(class); w++ {
				if s.Center.Satisfies(w, s.Load.Kinds[kind].Constraints) {
					groups = append(groups, int32(i))
					break
				}
			}
		}
		s.suitable[class][kind] = groups
	}
	if len(groups) == 0 && class == long {
		return s.groupsFor(kind, short)
	}
	return groups, class
}

// limit returns the index after the last worker that a class may use.
func (g *group) limit(class uint8) int32 {
	if class == long {
		return g.reserved
	}
	return g.end
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind == workerEvent {
		s.Start(int32(e.Ref), int32(e.Mark))
		return
	}
	task := int32(e.Ref)
	g := &s.groups[e.Mark]
	if g.idle > 0 {
		for w := g.first; w < g.limit(s.classOf[task]); w++ {
			if s.idle[w] && s.Center.Satisfies(w, s.Kind(task).Constraints) {
				s.launch(g, task, w)
				return
			}
		}
	}
	q := &g.queues[s.classOf[task]]
	*q = append(*q, task)
}

func (s *scheduler) launch(g *group, task, worker int32) {
	s.idle[worker] = false
	g.idle--
	if s.classOf[task] == long {
		g.shorts = 0
	} else {
		g.shorts++
	}
	s.Spend(task, federate.Queueing)
	s.SendTask(task, s.Config.LaunchDelay, workerEvent, uint32(worker))
}

// Ended implements [federate.Scheduler]. The idle worker takes the next task at once.
func (s *scheduler) Ended(_, worker int32) {
	g := &s.groups[int(worker)/s.size]
	s.idle[worker] = true
	g.idle++
	if task := s.next(g, worker); task >= 0 {
		s.launch(g, task, worker)
	}
}

// next takes the next task for a worker: short tasks first, and a long one after every W short
// ones.
func (s *scheduler) next(g *group, worker int32) int32 {
	ok := func(task int32) bool { return s.Center.Satisfies(worker, s.Kind(task).Constraints) }
	if worker >= g.reserved {
		return g.queues[short].take(ok)
	}
	first, second := short, long
	if g.shorts >= s.weight {
		first, second = long, short
	}
	if task := g.queues[first].take(ok); task >= 0 {
		return task
	}
	return g.queues[second].take(ok)
}

// Outage implements [federate.Scheduler]. A failed worker keeps its task.
func (s *scheduler) Outage(federate.Outage, bool) {}

// memory returns an upper estimate of the bytes of the groups and their queues.
func memory(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
	groups := float64(c.Workers)/v["groupSize"] + 1
	return float64(len(load.Durations))*(1+federate.Grown*federate.SizeOf[int32]()) + float64(c.Workers) +
		groups*(federate.SizeOf[group]()+federate.Grown*classes*federate.SizeOf[int32]()*float64(len(load.Kinds)))
}

package rounds

import (
	"context"

	"berth/engine/federate"
	"berth/engine/flow"
)

// Limits of the network of a round. A larger round covers only the tasks that wait longest and the
// first workers; later rounds cover the others.
const (
	mostKinds  = 256
	mostGroups = 1024
	mostArcs   = 1 << 14 // from tasks to workers
	mostLevels = 32      // tasks per worker and round that have their own cost in load spreading
)

// network is the flow network of a round, with state for building the next one.
type network struct {
	flow   *flow.Network
	sorts  sorts
	kinds  []int32 // kinds of task in this round
	groups []group
	split  map[[2]uint64]int32 // groups by sort and by the constraints that their workers satisfy
	arcs   []int               // by kind and group: its arc, or 0
}

// group is a set of workers that are interchangeable in a round.
type group struct {
	workers []int32
	own     []int32 // memory of workers, if the group is a part of a sort
	turn    int     // index of the worker that gets the next task
	node    int
	room    int64 // tasks of any kind that fit on each worker
}

// solve computes the flow of a round and reserves room for the tasks that it places.
func (s *scheduler) solve() error {
	s.choose()
	if len(s.kinds) == 0 {
		return nil
	}
	s.gather()
	if fit := max(1, mostArcs/len(s.groups)); fit < len(s.kinds) {
		s.kinds = s.kinds[:fit]
		s.Own.Note("a round is about as many kinds of task, those that wait longest first, as have 16,384 pairs with sorts of workers")
	}
	s.build()
	if _, err := s.flow.Solve(context.Background()); err != nil {
		return err
	}
	for k, kind := range s.kinds {
		for g := range s.groups {
			if arc := s.arcs[k*len(s.groups)+g]; arc > 0 {
				s.place(kind, &s.groups[g], s.flow.Flow(arc))
			}
		}
	}
	return nil
}

// choose selects the kinds that fit on some worker, in the order of their longest waiting tasks.
func (s *scheduler) choose() {
	s.kinds = s.kinds[:0]
	for _, kind := range s.some {
		if s.Pool.First(s.queues[kind].First()) < 0 {
			continue
		}
		if len(s.kinds) == mostKinds {
			s.Own.Note("a round is about the 256 kinds of task that wait longest")
			return
		}
		s.kinds = append(s.kinds, kind)
	}
}

// gather groups the workers that have free resources. Workers of a group are of one sort and
// satisfy the same subset of the constraints that tasks request. One group contains the first
// worker with room for the longest waiting task, so that a round can always place it.
func (s *scheduler) gather() {
	s.refresh()
	s.groups = s.groups[:0]
	clear(s.split)
	asked := uint64(0)
	for _, kind := range s.kinds {
		asked |= s.Load.Kinds[kind].Constraints
	}
	first := s.Pool.First(s.queues[s.kinds[0]].First())
	for _, number := range s.sorts.live {
		workers := s.sorts.all[number].workers
		if s.Center.Machines == nil || asked == 0 {
			if s.roomFor(number == s.sorts.of[first]) {
				s.group().workers = workers
			}
			continue
		}
		for _, worker := range workers {
			key := [2]uint64{uint64(number), s.Center.Machines[worker] & asked}
			g, known := s.split[key]
			if !known {
				if !s.roomFor(worker == first) {
					continue
				}
				g = int32(len(s.groups))
				s.split[key] = g
				of := s.group()
				of.workers = of.own[:0]
			}
			of := &s.groups[g]
			of.workers = append(of.workers, worker)
			of.own = of.workers
		}
	}
}

// roomFor reports whether another group may be added. The group of the first worker is always
// added.
func (s *scheduler) roomFor(first bool) bool {
	if len(s.groups) < mostGroups || first {
		return true
	}
	s.Own.Note("a round is about the workers of 1,024 sorts")
	return false
}

// group adds an empty group, which reuses the memory of an earlier one.
func (s *scheduler) group() *group {
	n := len(s.groups)
	if n == cap(s.groups) {
		s.groups = append(s.groups, group{})
	}
	s.groups = s.groups[:n+1]
	g := &s.groups[n]
	*g = group{own: g.own}
	return g
}

// build makes the network of the chosen kinds and groups.
func (s *scheduler) build() {
	n := s.flow
	n.Clear()
	half := min(flow.CostBits(2+len(s.kinds)+len(s.groups))/2, 16) // bits of waiting costs, and of worker costs
	for g := range s.groups {
		s.groups[g].node, s.groups[g].room = n.AddNode(), 0
	}
	s.arcs = s.arcs[:0]
	longest := s.Now() - s.since[s.queues[s.kinds[0]].First()]
	for _, kind := range s.kinds {
		node, most := n.AddNode(), int64(0)
		for g := range s.groups {
			of, arc := &s.groups[g], 0
			if room := s.room(kind, of.workers[0]); room > 0 {
				all := min(room*int64(len(of.workers)), int64(s.queues[kind].size))
				arc = n.AddArc(node, of.node, all, 0)
				of.room = max(of.room, room)
				most += all
			}
			s.arcs = append(s.arcs, arc)
		}
		s.supply(node, kind, most, longest, int64(1)<<half-1)
	}
	for g := range s.groups {
		s.drain(&s.groups[g], half)
	}
}

// room returns the number of tasks of a kind that fit on a worker.
func (s *scheduler) room(kind, worker int32) int64 {
	k := &s.Load.Kinds[kind]
	if !s.Center.Satisfies(worker, k.Constraints) {
		return 0
	}
	room := int64(s.waiting)
	for r, free := range s.Pool.Free(worker) {
		if asks := k.Request[r]; asks > 0 {
			room = min(room, int64(free/asks))
		}
	}
	return room
}

// supply adds the arcs from the source to the node of a kind, for at most most of its waiting
// tasks. Placing a task saves more the longer it has waited; the saving is quantised into steps.
func (s *scheduler) supply(node int, kind int32, most int64, longest federate.Time, steps int64) {
	many, saved := int64(0), int64(0)
	for task := s.queues[kind].First(); task != federate.None && most > 0; task = s.next[task] {
		saves := int64(0)
		if longest > 0 {
			saves = int64(float64(s.Now()-s.since[task]) / float64(longest) * float64(steps))
		}
		if saves != saved && many > 0 {
			s.flow.AddArc(flow.Source, node, many, -saved)
			many = 0
		}
		saved = saves
		many++
		most--
	}
	s.flow.AddArc(flow.Source, node, many, -saved)
}

// drain adds the arcs from a group to the sink. Their costs outweigh all waiting costs.
func (s *scheduler) drain(g *group, half int) {
	many, on, all := int64(len(g.workers)), int64(s.on[g.workers[0]]), int64(s.waiting)
	cost := func(tasks int64) int64 { return min(tasks, 1<<half-1) << half }
	switch s.costs {
	case Quincy:
		s.flow.AddArc(g.node, flow.Sink, min(g.room*many, all), 0)
	case Octopus:
		s.flow.AddArc(g.node, flow.Sink, min(g.room*many, all), cost(on))
	case LoadSpreading:
		levels := min(g.room, mostLevels)
		for level := range levels {
			if level == levels-1 {
				many *= g.room - level
			}
			s.flow.AddArc(g.node, flow.Sink, min(many, all), cost(on+level))
		}
	}
}

package mercury

import (
	"math"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// queues holds the queues of the workers and the loads that they reported at the last heartbeats.
type queues struct {
	smallest []cluster.Amount
	tasks    []federate.List // by worker: the tasks in its queue
	length   []int32         // by worker: their number
	next     []int32         // by task
	all      int             // tasks that wait
	squares  int             // sum of the squared lengths
	lengths  []int32         // by length: number of queues
	loads    []int32         // by worker: its waiting tasks, plus 1 if it has no room for any task
	before   []int32         // by worker: its load at the heartbeat in beat
	beat     []int64         // by worker: the last heartbeat before its latest change
	order    []int32         // workers with room in their queues, by load at the heartbeat in ordered
	ordered  int64           // heartbeat at which order was computed
	sorted   []int32         // memory of order
	places   []int32         // scratch, by load: the place of the next worker
	some     []int32         // scratch: the workers for a job
	full     int32           // a kind of task for which no queue has room until the next heartbeat; none: no such kind is known
}

func newQueues(m *federate.Model, most int) queues {
	n := m.Center.Workers()
	q := queues{
		smallest: federate.Smallest(m.Load), tasks: make([]federate.List, n), length: make([]int32, n),
		next: make([]int32, len(m.Load.Durations)), lengths: make([]int32, most+1), ordered: federate.None, places: make([]int32, most+2),
		loads: make([]int32, n), before: make([]int32, n), beat: make([]int64, n), sorted: make([]int32, n), some: make([]int32, 0, n),
	}
	q.lengths[0] = int32(n)
	return q
}

// now returns the number of the last heartbeat.
func (s *scheduler) now() int64 { return int64(s.Now() / s.heartbeat) }

// changed updates the load of a worker.
func (s *scheduler) changed(worker int32) {
	s.keep(worker)
	s.loads[worker] = s.length[worker] + 1
	if s.length[worker] == 0 && cluster.Covers(s.room.Free(worker), s.smallest) {
		s.loads[worker] = 0
	}
}

// keep saves the load that a worker reported at the last heartbeat.
func (s *scheduler) keep(worker int32) {
	if now := s.now(); s.beat[worker] != now {
		s.beat[worker], s.before[worker] = now, s.loads[worker]
	}
}

// said returns the load of a worker at its last heartbeat, which was now.
func (s *scheduler) said(worker int32, now int64) int32 {
	if s.beat[worker] == now {
		return s.before[worker]
	}
	return s.loads[worker]
}

// sort orders the workers with room in their queues by load. Workers with equal load follow each
// other cyclically from a random one.
func (s *scheduler) sort() {
	now := s.now()
	if s.ordered == now {
		return
	}
	s.ordered, s.full = now, federate.None
	n, most := len(s.length), int32(len(s.places)-1)
	clear(s.places)
	for w := range s.loads {
		if load := s.said(int32(w), now); load < most {
			s.places[load+1]++
		}
	}
	for i := int32(1); i <= most; i++ {
		s.places[i] += s.places[i-1]
	}
	s.order = s.sorted[:s.places[most]]
	first := s.Random.IntN(n)
	for _, part := range [2][2]int{{first, n}, {0, first}} {
		for w := part[0]; w < part[1]; w++ {
			if load := s.said(int32(w), now); load < most {
				s.sorted[s.places[load]] = int32(w)
				s.places[load]++
			}
		}
	}
}

// shortest returns at most most workers with the shortest queues that can run a task. The slice is
// valid until the next call.
func (s *scheduler) shortest(task int32, most int) []int32 {
	s.sort()
	kind, full, now := s.Kind(task), int32(len(s.places)-1), s.now()
	s.some = s.some[:0]
	if s.Load.KindOf[task] == s.full {
		return s.some
	}
	for len(s.order) > 0 && s.said(s.order[0], now) >= full {
		s.order = s.order[1:]
	}
	for _, w := range s.order {
		if len(s.some) == most {
			break
		}
		if s.said(w, now) < full && !s.Down(w) && s.Center.Satisfies(w, kind.Constraints) && s.Center.Room(w, kind) > 0 {
			s.some = append(s.some, w)
		}
	}
	if len(s.some) == 0 {
		s.full = s.Load.KindOf[task]
	}
	return s.some
}

// resize records that a queue has become longer or shorter.
func (s *scheduler) resize(worker, by int32) {
	before := s.length[worker]
	s.length[worker] += by
	s.lengths[before]--
	s.lengths[before+by]++
	s.all += int(by)
	s.squares += int(by * (2*before + by))
	s.changed(worker)
}

// limit returns the longest allowed queue at this moment: the mean plus some standard deviations,
// clamped to [leastQueue, mostQueue].
func (s *scheduler) limit() int {
	n := float64(len(s.length))
	mean := float64(s.all) / n
	deviation := math.Sqrt(max(float64(s.squares)/n-float64(mean*mean), 0))
	return int(min(max(mean+float64(s.deviations*deviation), float64(s.leastQueue)), float64(s.mostQueue)))
}

// longer reports whether any queue is longer than a limit.
func (s *scheduler) longer(limit int) bool {
	for length := limit + 1; length < len(s.lengths); length++ {
		if s.lengths[length] > 0 {
			return true
		}
	}
	return false
}

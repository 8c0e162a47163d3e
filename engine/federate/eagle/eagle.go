// Package eagle is Hawk without stealing, where short tasks avoid workers with long tasks (Delgado
// et al., "Job-aware Scheduling in Eagle: Divide and Stick to Your Probes", SoCC 2016). Package
// hybrid holds the parts that it shares with Hawk.
//
// Succinct state sharing: the master sends each long task with a bit vector of the workers that
// have long tasks at that moment. A worker with long tasks refuses reservations and answers with
// the vector of the long task that arrived last. The next round sends the refused reservations to
// workers outside of the newest vector. After some rounds, or if no worker is left, they go to the
// workers reserved for short tasks, which refuse nothing. If none of these satisfies the
// constraints, any worker takes them. The workers of a round are drawn without replacement; if
// there are fewer workers than reservations, the other reservations are dropped.
//
// Sticky batch probing: a reservation stays at its worker until its job has no task left. A worker
// serves the job with the least work left, counted in tasks that no worker has received, and drops
// reservations whose tasks have all been handed out. Short tasks may pass a reservation only until
// their estimates add up to a multiple of its own estimate. A long task at the head of the queue is
// served next. A worker knows the remaining work of every job, as in the authors' simulator.
package eagle

import (
	"math"
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/hybrid"
	"berth/engine/federate/probing"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

const (
	roundEvent uint32 = hybrid.FirstKind + iota // the reservations of a round reach their workers
	againEvent                                  // refusals reach the scheduler of a job
)

// lastRound marks the round in which no worker refuses.
const lastRound = math.MaxUint32

type scheduler struct {
	*hybrid.Master
	least     int             // smallest number of reservations per job
	probes    int             // reservations per task
	rounds    uint32          // rounds in which workers may refuse
	slack     float64         // sum of estimates that may pass a reservation, as a multiple of its own
	estimates []federate.Time // by batch: estimate of each of its tasks
	queues    [][]waiter      // by worker: its queue
	carried   []*vector       // by long task on its way: the vector it carries
	news      []*vector       // by worker: the vector it last received; nil if it has no long tasks
	here      []int32         // by worker: number of its long tasks
	begun     []int32         // by job: number of its long tasks that have started
	vectors   int             // number of vectors made
	refused   []refusal       // by batch: refusals of its current round
}

// refusal is the combined answer of the workers that refuse reservations of a round.
type refusal struct {
	missing int     // number of refused reservations
	vector  *vector // newest vector of these workers
}

// vector has a bit for each worker, set if the worker has long tasks. Vectors are numbered in order
// of creation.
type vector struct {
	number int
	bits   []uint64
}

// waiter is a place in the queue of a worker.
type waiter struct {
	number   int32
	estimate federate.Time
	slack    federate.Time // remaining slack; never for a long task
}

const (
	never     = federate.Time(math.MaxInt64)
	unlimited = never - 1 // above all estimates and finite slacks, but below never
)

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "eagle", Title: "Eagle", Description: "long jobs centrally, short ones by sticky probes that keep away from long ones (Delgado et al. 2016)",
	Parameters: append(hybrid.Parameters("eagle", "Eagle"),
		parameter.Parameter{Name: "eagle.least", Title: "probes of a job", Help: "`NUMBER` of reservations per job of Eagle at least", Low: 1, High: 10_000, Whole: true, Default: 20},
		parameter.Parameter{Name: "eagle.rounds", Title: "rounds of probing", Help: "`NUMBER` of rounds in which workers of Eagle may refuse, before the workers for short tasks are asked", Low: 1, High: 100, Whole: true, Default: 2},
		parameter.Parameter{Name: "eagle.slack", Title: "how long a probe is passed", Help: "a reservation of Eagle is passed by tasks of at most `NUMBER` times its estimate", High: math.Inf(1), Default: 5},
	),
	Facts: federate.Facts{Slots: true, Estimates: true, Memory: memory},
	New:   newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	n := m.Center.Workers()
	s := &scheduler{
		least: int(m.Parameters["eagle.least"]), probes: int(m.Parameters["eagle.probes"]), rounds: uint32(m.Parameters["eagle.rounds"]), slack: m.Parameters["eagle.slack"],
		carried: make([]*vector, len(m.Load.Durations)), begun: make([]int32, len(m.Load.Jobs)), news: make([]*vector, n), here: make([]int32, n), queues: make([][]waiter, n),
	}
	serve := probing.Discipline{Next: s.next, Joined: s.joined, Left: s.left, Sticky: true}
	s.Master = hybrid.NewMaster(m, "eagle", serve, hybrid.Variant{Short: s.short, Placed: s.placed, Arrived: s.arrived})
	return s
}

// short sends the first round of a batch to random workers that satisfy the constraints.
func (s *scheduler) short(tasks []int32, constraints uint64) {
	n := max(s.probes*len(tasks), s.least)
	batch := s.Add(tasks)
	s.estimates, s.refused = append(s.estimates, s.Estimate(tasks[0])), append(s.refused, refusal{})
	s.Send(batch, s.Draw(s.Eligible(constraints), n, nil), 1, roundEvent, 1)
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	switch e.Kind {
	case roundEvent:
		s.round(int32(e.Ref), e.Mark)
	case againEvent:
		s.again(int32(e.Ref), e.Mark)
	default:
		s.Master.Handle(e)
	}
}

// round makes each worker accept or refuse its reservation of a round.
func (s *scheduler) round(i int32, round uint32) {
	batch, r := s.Places[i].Batch, refusal{}
	for i != federate.None {
		next, worker := s.Places[i].Next, s.Places[i].Worker
		if round == lastRound || s.here[worker] == 0 {
			s.Join(i)
		} else {
			s.Tell(federate.ReservationRefused, s.Batches[batch].Tasks[0], worker, -1)
			s.Drop(i)
			r.missing++
			if r.vector == nil || s.news[worker].number > r.vector.number {
				r.vector = s.news[worker]
			}
		}
		i = next
	}
	if r.missing > 0 {
		s.Own.Count("reservations refused", int64(r.missing))
		s.Counters.Messages += int64(r.missing)
		s.refused[batch] = r
		s.At(s.Now()+s.Config.Delay, againEvent, uint32(batch), round)
	}
}

// again sends the refused reservations of a round to other workers.
func (s *scheduler) again(batch int32, round uint32) {
	r, constraints := s.refused[batch], s.Kind(s.Batches[batch].Tasks[0]).Constraints
	draw := func(right func(int32) bool) []int32 { return s.Draw(s.Eligible(constraints), r.missing, right) }
	var workers []int32
	if round < s.rounds {
		workers = draw(func(worker int32) bool { return r.vector.bits[worker/64]>>(worker%64)&1 == 0 })
		round++
	}
	if len(workers) == 0 {
		round = lastRound
		s.Own.Count("rounds among workers for short tasks", 1)
		workers = draw(func(worker int32) bool { return worker < s.Long })
	}
	if len(workers) == 0 {
		workers = draw(nil)
	}
	s.Send(batch, workers, 1, roundEvent, round)
}

// placed attaches the current vector to the long tasks of a job.
func (s *scheduler) placed(tasks []int32) {
	s.vectors++
	v := &vector{s.vectors, make([]uint64, (len(s.Counts)+63)/64)}
	for worker, count := range s.Counts {
		if count > 0 {
			v.bits[worker/64] |= 1 << (worker % 64)
		}
	}
	for _, task := range tasks {
		s.carried[task] = v
	}
}

// arrived stores the vector of an arriving long task at its worker.
func (s *scheduler) arrived(task, worker int32) {
	s.news[worker], s.carried[task] = s.carried[task], nil
	s.here[worker]++
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, worker int32) {
	if s.RunsLong(worker) {
		s.here[worker]--
		if s.here[worker] == 0 {
			s.news[worker] = nil
		}
	}
	s.Master.Ended(task, worker)
}

// joined appends a place to its worker's queue.
func (s *scheduler) joined(i int32) {
	e := &s.Places[i]
	_, estimate := s.work(e)
	slack := never
	if e.Task() == federate.None {
		slack = federate.Time(min(s.slack*float64(estimate), float64(math.MaxInt64/2)))
	}
	s.queues[e.Worker] = append(s.queues[e.Worker], waiter{i, estimate, slack})
}

// left removes a place from its worker's queue.
func (s *scheduler) left(i int32) {
	q := &s.queues[s.Places[i].Worker]
	k := slices.IndexFunc(*q, func(p waiter) bool { return p.number == i })
	*q = slices.Delete(*q, k, k+1)
}

// next serves the job with the least work left, by the rules of the package comment. It visits only
// places that may be served and places that lower the limit for the places behind them.
func (s *scheduler) next(worker int32) int32 {
	q, best, least, slack := &s.queues[worker], federate.None, federate.Time(math.MaxInt64), unlimited
	for k := 0; k < len(*q); k++ {
		p := (*q)[k]
		if p.slack >= slack && p.estimate > slack {
			continue
		}
		e := &s.Places[p.number]
		left, estimate := s.work(e)
		long := e.Task() != federate.None
		if !long && s.Batches[e.Batch].Left() == 0 {
			s.Take(p.number)
			s.Drop(p.number)
			k--
			continue
		}
		if long && slack == unlimited || left < least && estimate <= slack {
			best, least = k, left
			if long {
				break
			}
		}
		slack = min(slack, p.slack)
	}
	if best == federate.None {
		return federate.None
	}
	i := (*q)[best].number
	s.serve(i, (*q)[:best])
	return i
}

// work returns the remaining work of the job at a place, and the estimate of each of its tasks.
func (s *scheduler) work(e *probing.Place) (left, estimate federate.Time) {
	task := e.Task()
	if task == federate.None {
		estimate = s.estimates[e.Batch]
		return federate.Times(s.Batches[e.Batch].Left(), estimate), estimate
	}
	estimate = s.Estimate(task)
	return federate.Times(s.Load.Jobs[s.Job(task)].Count-s.begun[s.Job(task)], estimate), estimate
}

// serve takes a long task out of its queue. For a reservation, it lowers the slack of the places
// ahead that the reservation passes.
func (s *scheduler) serve(i int32, ahead []waiter) {
	e := &s.Places[i]
	if task := e.Task(); task != federate.None {
		s.begun[s.Job(task)]++
		s.Take(i)
		s.Begin(i)
		return
	}
	_, estimate := s.work(e)
	for k := range ahead {
		if ahead[k].slack != never {
			ahead[k].slack -= estimate
		}
	}
}

// memory returns the bytes of the queues, and of one vector per job or per worker, whichever are
// fewer.
func memory(c *federate.Config, v parameter.Values, load *workload.Tasks) float64 {
	held, probes, least := min(len(load.Jobs), c.Workers), v["eagle.probes"], v["eagle.least"]
	places := probing.MostPlaces(c, probes, least, load)
	return hybrid.Memory(c, probes, least, load) + float64(places*federate.Grown*federate.SizeOf[waiter]()) + federate.Bytes[[]waiter](c.Workers) +
		float64(float64(held)*(federate.Bytes[uint64]((c.Workers+63)/64)+64)) + federate.Bytes[[3]int32](c.Workers) +
		federate.Bytes[*vector](len(load.Durations)) + federate.Bytes[int32](len(load.Jobs)) + federate.BytesGrown[refusal](len(load.Jobs)) + federate.BytesGrown[federate.Time](len(load.Jobs))
}

package workload

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/show"
	"berth/engine/sim"
)

// Tasks is a workload of jobs that consist of tasks, as flat arrays. Its times
// are in nanoseconds.
type Tasks struct {
	Resources []string  // the resource types of every request, in this order
	Users     []string  // by number; none if the source does not know users
	Jobs      []TaskJob // by arrival
	Durations []sim.Nanoseconds
	KindOf    []int32 // the kind of each task
	Kinds     []TaskKind
	// Conditions, if there are any, are what constraints mean: what tasks ask of the
	// attributes of machines.
	Conditions Conditions
	// After has the jobs that each job waits for, by their numbers: it begins to wait for
	// workers when all their tasks have ended. There are no cycles. nil: no job waits.
	After     [][]int32
	Unordered bool // the source had the jobs in another order
	Cut       bool // the source has more jobs than were read: they are outside of a window
	Remarks   Remarks
}

// TaskJob is a job whose tasks First … First+Count−1 arrive together.
type TaskJob struct {
	Arrival sim.Nanoseconds
	Mean    sim.Nanoseconds // what the trace says about the duration of its tasks
	First   int32
	Count   int32
	User    int32 // −1 if the source does not know users
	Gang    bool  // a rigid job: its tasks have to start together
	// Priority is higher the more important the job is; 0 if the source does not say.
	Priority int16
	// Estimate is how long its tasks run at most, as their user said before they began;
	// 0 if the source does not say.
	Estimate sim.Nanoseconds
}

// TaskKind is what tasks ask for; many tasks are of one kind.
type TaskKind struct {
	Request     []cluster.Amount // by resource type
	Constraints uint64           // bit c is set if constraint c has to be met
}

const (
	// MaxConstraints is one more than the largest number of a constraint.
	MaxConstraints = 64
	// MaxTasks is the largest number of tasks of a workload.
	MaxTasks = 1 << 24

	nanosecondsPerSecond = 1e9
	// MaxSeconds is the longest that a task may run, and the latest that a job may come, in
	// seconds: about three years.
	MaxSeconds = 1e8

	// MaxClock is what the clock of a simulation counts to, about 146 years; a span of up to
	// MaxSpan, about 36 years, can be added to each time without an overflow.
	MaxClock sim.Nanoseconds = 1 << 62
	MaxSpan  sim.Nanoseconds = 1 << 60
)

// SlotResource is the only resource type of a trace that knows slots: every
// task takes a whole worker.
const SlotResource = "slots"

// TaskSeconds reads a time in seconds, not negative, as nanoseconds.
func TaskSeconds(text string) (sim.Nanoseconds, error) {
	seconds, ok := show.ParseNumber(text)
	if !ok {
		return 0, NotSeconds(text)
	}
	if !(seconds >= 0 && seconds <= MaxSeconds) {
		return 0, outOfRange(seconds, int64(MaxSeconds))
	}
	return Nanoseconds(seconds), nil
}

// Nanoseconds rounds a time in seconds.
func Nanoseconds(seconds float64) sim.Nanoseconds {
	return sim.Nanoseconds(math.Round(seconds * nanosecondsPerSecond))
}

// Seconds is a time in seconds.
func Seconds(t sim.Nanoseconds) float64 { return float64(t) / nanosecondsPerSecond }

// mean of the durations of a job, rounded down. Their sum may be more than a clock counts.
func mean(durations []sim.Nanoseconds) sim.Nanoseconds {
	return sim.Mean(len(durations), func(i int) sim.Nanoseconds { return durations[i] })
}

// Milliseconds rounds a time.
func Milliseconds(t sim.Nanoseconds) sim.Milliseconds { return sim.Milliseconds((t + 5e5) / 1e6) }

// Sort puts jobs into the order of their arrival; those of the same time
// keep their order.
func (t *Tasks) Sort() {
	if t.After != nil {
		t.sortWaiting()
		return
	}
	byArrival := func(a, b TaskJob) int { return cmp.Compare(a.Arrival, b.Arrival) }
	t.Unordered = !slices.IsSortedFunc(t.Jobs, byArrival)
	slices.SortStableFunc(t.Jobs, byArrival)
}

// ClassPriorities are the priorities of jobs that have a service class instead of a
// priority of the Google trace.
var ClassPriorities = map[string]int16{"gold": 2, "silver": 1}

// priority is that of the job of a request.
func (r *Request) priority() int16 {
	if r.Priority == NoPriority {
		return ClassPriorities[r.Class]
	}
	return int16(min(r.Priority, math.MaxInt16))
}

// KindsOf are the kinds of the tasks of a job.
func (t *Tasks) KindsOf(job int32) []int32 {
	j := &t.Jobs[job]
	return t.KindOf[j.First : j.First+j.Count]
}

// OneSlot reports whether every task asks for exactly the capacity of a worker.
func (t *Tasks) OneSlot(capacity []cluster.Amount) bool {
	return !slices.ContainsFunc(t.KindOf, func(k int32) bool { return !slices.Equal(t.Kinds[k].Request, capacity) })
}

// OneEach reports whether every task asks for one unit of the only resource type.
func (t *Tasks) OneEach() bool { return t.OneSlot([]cluster.Amount{cluster.Unit}) }

package workload

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Tasks is a workload of jobs that consist of tasks, stored in flat arrays. Times are
// in nanoseconds.
type Tasks struct {
	Resources []string  // resource types, in the order of the amounts in a request
	Users     []string  // user names by number; empty if the source has no users
	Jobs      []TaskJob // sorted by arrival
	Durations []sim.Nanoseconds
	KindOf    []int32 // kind of each task
	Kinds     []TaskKind
	// Conditions, if not nil, interprets the constraints of task kinds as conditions on attributes
	// of machines.
	Conditions Conditions
	// After lists for each job the numbers of the jobs for which it waits: its tasks begin to wait
	// for workers once all their tasks have ended. It has no cycles. nil: no dependencies.
	After     [][]int32
	Unordered bool // the source was not in order of arrival
	Cut       bool // the source has more jobs, beyond the window
	Remarks   Remarks
}

// TaskJob is a job. Its tasks First … First+Count−1 arrive together.
type TaskJob struct {
	Arrival sim.Nanoseconds
	Mean    sim.Nanoseconds // mean duration of its tasks according to the trace
	First   int32
	Count   int32
	User    int32 // −1 if the source has no users
	Gang    bool  // rigid job: its tasks must start together
	// Priority is larger for more important jobs; 0 if the source has none.
	Priority int16
	// Estimate is the user's upper limit for the duration of its tasks, given in
	// advance; 0 if the source has none.
	Estimate sim.Nanoseconds
}

// TaskKind is a request with constraints. Tasks refer to a kind by index, so that equal requests
// are stored once.
type TaskKind struct {
	Request     []cluster.Amount // amounts by resource type
	Constraints uint64           // bit c is set if constraint c is required
}

const (
	// MaxConstraints is the number of constraints, numbered from 0.
	MaxConstraints = 64
	// MaxTasks is the maximum number of tasks in a workload; readers reject larger workloads.
	MaxTasks = 1 << 24

	nanosecondsPerSecond = 1e9
	// MaxSeconds is the maximum duration of a task and the latest arrival of a job in
	// seconds, about three years.
	MaxSeconds = 1e8

	// MaxClock is the largest time of a simulation, about 146 years. Adding up to
	// MaxSpan, about 36 years, to any time does not overflow.
	MaxClock sim.Nanoseconds = 1 << 62
	MaxSpan  sim.Nanoseconds = 1 << 60
)

// SlotResource is the only resource type of traces that count slots; each task then
// takes a whole worker.
const SlotResource = "slots"

// Nanoseconds converts seconds, rounding to nanoseconds.
func Nanoseconds(seconds float64) sim.Nanoseconds {
	return sim.Nanoseconds(math.Round(seconds * nanosecondsPerSecond))
}

// Seconds converts nanoseconds to seconds.
func Seconds(t sim.Nanoseconds) float64 { return float64(t) / nanosecondsPerSecond }

// mean returns the mean duration, rounded down, without overflow of the sum.
func mean(durations []sim.Nanoseconds) sim.Nanoseconds {
	return sim.Mean(len(durations), func(i int) sim.Nanoseconds { return durations[i] })
}

// Milliseconds converts to milliseconds, rounding to the nearest.
func Milliseconds(t sim.Nanoseconds) sim.Milliseconds { return sim.Milliseconds((t + 5e5) / 1e6) }

// Sort sorts jobs by arrival, keeping the order of equal times.
func (t *Tasks) Sort() {
	byArrival := func(a, b TaskJob) int { return cmp.Compare(a.Arrival, b.Arrival) }
	t.Unordered = !slices.IsSortedFunc(t.Jobs, byArrival)
	if t.After == nil {
		slices.SortStableFunc(t.Jobs, byArrival)
		return
	}
	order, place := make([]int32, len(t.Jobs)), make([]int32, len(t.Jobs))
	for j := range order {
		order[j] = int32(j)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return byArrival(t.Jobs[a], t.Jobs[b]) })
	jobs := make([]TaskJob, len(t.Jobs))
	for to, from := range order {
		jobs[to], place[from] = t.Jobs[from], int32(to)
	}
	t.After, t.Jobs = t.Kept(place, len(jobs)), jobs
}

// ClassPriorities are the priorities of jobs with a service class instead of a
// priority of the Google trace.
var ClassPriorities = map[string]int16{"gold": 2, "silver": 1}

// priority returns the priority of the request's job.
func (r *Request) priority() int16 {
	if r.Priority == NoPriority {
		return ClassPriorities[r.Class]
	}
	return int16(min(r.Priority, math.MaxInt16))
}

// KindsOf returns the index in t.Kinds for each task of a job. The slice shares memory with t.
func (t *Tasks) KindsOf(job int32) []int32 {
	j := &t.Jobs[job]
	return t.KindOf[j.First : j.First+j.Count]
}

// OneSlot reports whether every task requests exactly the given capacity of a worker.
func (t *Tasks) OneSlot(capacity []cluster.Amount) bool {
	return !slices.ContainsFunc(t.KindOf, func(k int32) bool { return !slices.Equal(t.Kinds[k].Request, capacity) })
}

// OneEach reports whether every task requests one unit of a single resource type.
func (t *Tasks) OneEach() bool { return t.OneSlot([]cluster.Amount{cluster.Unit}) }

// constraintNumbers formats a constraint set as numbers separated by semicolons, as in a task
// table.
func constraintNumbers(set uint64) string {
	var b strings.Builder
	for ; set != 0; set &= set - 1 {
		if b.Len() > 0 {
			b.WriteByte(';')
		}
		b.WriteString(strconv.Itoa(bits.TrailingZeros64(set)))
	}
	return b.String()
}

// KindString formats a kind for people: cpu 2, memory 4, constraints 1;5.
func (t *Tasks) KindString(kind int32) string {
	k := &t.Kinds[kind]
	var b strings.Builder
	for r, name := range t.Resources {
		if r > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %v", name, k.Request[r].Units())
	}
	for c, all := range t.Conditions {
		for i := range all {
			if k.Constraints>>c&1 != 0 {
				b.WriteString(", " + all[i].String())
			}
		}
	}
	if k.Constraints != 0 && t.Conditions == nil {
		b.WriteString(", constraints " + constraintNumbers(k.Constraints))
	}
	return b.String()
}

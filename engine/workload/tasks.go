package workload

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/format/sniff"
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
	maxTaskSeconds       = 1e8 // about three years

	// MaxWork is the longest that all tasks of a workload may run one after the
	// other: the clock of a simulation has to count that far.
	MaxWork sim.Nanoseconds = 1 << 62
)

// SlotResource is the only resource type of a trace that knows slots: every
// task takes a whole worker.
const SlotResource = "slots"

// work adds up how long tasks run.
type work sim.Nanoseconds

func (w *work) add(durations ...sim.Nanoseconds) error {
	for _, d := range durations {
		*w += work(d)
		if sim.Nanoseconds(*w) > MaxWork {
			return fmt.Errorf("up to here tasks run for more than %.3g s in all, one after the other, and the clock of a simulation counts no further: leave out the jobs from here on", float64(MaxWork)/nanosecondsPerSecond)
		}
	}
	return nil
}

// taskSeconds reads a time in seconds, not negative, as nanoseconds.
func taskSeconds(text string) (sim.Nanoseconds, error) {
	seconds, ok := show.ParseNumber(text)
	if !ok {
		return 0, notSeconds(text)
	}
	if !(seconds >= 0 && seconds <= maxTaskSeconds) {
		return 0, outOfRange(seconds, int64(maxTaskSeconds))
	}
	return nanoseconds(seconds), nil
}

func nanoseconds(seconds float64) sim.Nanoseconds {
	return sim.Nanoseconds(math.Round(seconds * nanosecondsPerSecond))
}

// kindTable finds the number of a kind.
type kindTable struct {
	number map[string]int32
	key    []byte
}

// of returns the number of a kind, which it adds if it is new.
func (k *kindTable) of(t *Tasks, request []cluster.Amount, constraints uint64) int32 {
	k.key = k.key[:0]
	for _, amount := range request {
		k.key = strconv.AppendInt(k.key, int64(amount), 36)
		k.key = append(k.key, ' ')
	}
	k.key = strconv.AppendUint(k.key, constraints, 36)
	if n, ok := k.number[string(k.key)]; ok {
		return n
	}
	if k.number == nil {
		k.number = map[string]int32{}
	}
	n := int32(len(t.Kinds))
	k.number[string(k.key)] = n
	t.Kinds = append(t.Kinds, TaskKind{Request: slices.Clone(request), Constraints: constraints})
	return n
}

// sortJobs puts jobs into the order of their arrival; those of the same time
// keep their order.
func (t *Tasks) sortJobs() {
	if t.After != nil {
		t.sortWaiting()
		return
	}
	byArrival := func(a, b TaskJob) int { return cmp.Compare(a.Arrival, b.Arrival) }
	t.Unordered = !slices.IsSortedFunc(t.Jobs, byArrival)
	slices.SortStableFunc(t.Jobs, byArrival)
}

// classPriorities are the priorities of jobs that have a service class instead of a
// priority of the Google trace.
var classPriorities = map[string]int16{"gold": 2, "silver": 1}

// priority is that of the job of a request.
func (r *Request) priority() int16 {
	if r.Priority == NoPriority {
		return classPriorities[r.Class]
	}
	return int16(min(r.Priority, math.MaxInt16))
}

// OneSlot reports whether every task asks for exactly the capacity of a worker.
func (t *Tasks) OneSlot(capacity []cluster.Amount) bool {
	return !slices.ContainsFunc(t.KindOf, func(k int32) bool { return !slices.Equal(t.Kinds[k].Request, capacity) })
}

// OneEach reports whether every task asks for one unit of the only resource type.
func (t *Tasks) OneEach() bool { return t.OneSlot([]cluster.Amount{cluster.Unit}) }

// ReadTasks is [OpenTasks] of a text that is read once: task_events of the Google trace
// of 2011 are refused.
func ReadTasks(name string, r io.Reader) (*Tasks, error) {
	opened := false
	return OpenTasks(name, func() (io.Reader, error) {
		if opened {
			return nil, fmt.Errorf("%s: the file has to be read twice", show.Text(name))
		}
		opened = true
		return r, nil
	})
}

// OpenTasks reads jobs in any of the formats, told apart by the beginning of the file:
// a trace (see [ReadTrace]), a log in the Standard Workload Format (see [ReadSWF]), a
// table of tasks (see [ReadTaskTable]), a file of another system, or requests (see
// [TasksOf]). The file may be opened more than once.
func OpenTasks(name string, open func() (io.Reader, error)) (*Tasks, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	format, r, err := look(name, r, sniff.Tasks)
	if err != nil {
		return nil, err
	}
	return readTasks(format, name, r, open)
}

// readTasks reads jobs in the format of that name.
func readTasks(format, name string, r io.Reader, open func() (io.Reader, error)) (*Tasks, error) {
	switch format {
	case "tr":
		return ReadTrace(name, r)
	case "tasks":
		return ReadTaskTable(name, r)
	case "swf", "gwf":
		return ReadSWF(name, r)
	}
	if f, ok := foreigns[format]; ok {
		return f.tasks(name, r)
	}
	source, err := openRequests(format, name, r, open)
	if err != nil {
		return nil, err
	}
	return TasksOf(name, source)
}

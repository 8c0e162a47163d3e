package federate

import (
	"fmt"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/event"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// Reasons why tasks can never run, or had not ended when the run ended.
const (
	tooLittleCapacity = "no worker has that much capacity"
	unmetConstraints  = "no worker satisfies all of its constraints"

	starved    = "no later event frees capacity for them"
	outOfTime  = "the clock of the simulation ends after %s s: simulate fewer jobs, or add workers"
	livelocked = "tasks preempted each other %d times, and none of them ended"
)

// String describes the kind in one sentence.
func (n Never) String() string {
	return fmt.Sprintf("%s of %s (the first in job %d) can never run: %s", show.Count(n.Tasks, "task"), n.Kind, n.Job+1, n.Reason)
}

// String describes the group in one sentence.
func (s Stalled) String() string {
	return fmt.Sprintf("%s of user %d that ask for %s have not ended: %s", show.Count(s.Tasks, "task"), s.User+1, s.Kind, s.Reason)
}

// DescribeMore summarizes several kinds in one sentence.
func DescribeMore(all []Never) string {
	tasks := 0
	for _, n := range all {
		tasks += n.Tasks
	}
	return fmt.Sprintf("%s of %d more kinds can never run either: larger workers, or a list of machines, would help", show.Count(tasks, "task"), len(all))
}

func capacity(of []cluster.Amount, load *workload.Tasks) string {
	var parts []string
	for r, amount := range of {
		parts = append(parts, fmt.Sprintf("%s %v", load.Resources[r], amount.Units()))
	}
	return strings.Join(parts, ", ")
}

// Actions describes the kinds of events by [Action]. Their words take the master (%[1]), the worker
// (%[2]), its LM (%[3]) and its GM (%[4]). The worker is a name, the others are numbers.
var Actions = []event.Kind{
	Requested:          {Name: "requested", Words: "GM %[1]d asks LM %[3]d for %[2]s, in a partition of its own"},
	Repartitioned:      {Name: "repartitioned", Words: "GM %[1]d asks LM %[3]d for %[2]s, in the partition of GM %[4]d"},
	PreemptAsked:       {Name: "preempt-asked", Words: "GM %[1]d asks LM %[3]d to preempt tasks on %[2]s"},
	Verified:           {Name: "verified", Words: "LM %[1]d has capacity on %[2]s and sends the task there"},
	Refused:            {Name: "refused", Words: "LM %[1]d refuses: %[2]s is full, and the GM's copy was stale"},
	Reinserted:         {Name: "reinserted", Words: "GM %[1]d finds no match; the task goes to the end of its queue"},
	Preempted:          {Name: "preempted", Words: "LM %[1]d preempts the task on %[2]s for a user below its share", Alone: "preempted on %[2]s, for a more important task"},
	Started:            {Name: "started", Words: "started on %[2]s", Does: event.Begins},
	Stopped:            {Name: "stopped", Words: "stopped on %[2]s", Does: event.Ends},
	Ended:              {Name: "ended", Words: "ended on %[2]s", Does: event.Ends},
	Released:           {Name: "released", Words: "LM %[1]d removes the task from its state of %[2]s"},
	Adopted:            {Name: "adopted", Words: "GM %[1]d adopts a heartbeat of LM %[3]d"},
	Filled:             {Name: "filled"},
	Opened:             {Name: "opened"},
	ReservationMade:    {Name: "reservation-made", Words: "its job has a reservation in the queue of %[2]s"},
	ReservationRefused: {Name: "reservation-refused", Words: "%[2]s has a long task and refuses a reservation of its job"},
	ReservationStolen:  {Name: "reservation-stolen", Words: "%[2]s steals a reservation of its job from the queue of another worker"},
	Claimed:            {Name: "claimed", Words: "scheduler %[1]d claims %[2]s", Alone: "the flow of the round leads to %[2]s"},
	Conflicted:         {Name: "conflicted", Words: "the claim of scheduler %[1]d conflicts with another one on %[2]s"},
	Declined:           {Name: "declined", Words: "framework %[1]d refuses an offer without room for it"},
	Unschedulable:      {Name: "unschedulable", Words: "no worker has room for it; it waits until one may have"},
	Queued:             {Name: "queued", Words: "it waits in the queue of %[2]s"},
	SentBack:           {Name: "sent-back", Words: "%[2]s sends it back: its queue is too long"},
	Routed:             {Name: "routed", Words: "it goes to the sub-cluster of LM %[1]d"},
	Arrived:            {Name: "arrived", Words: "its job arrives"},
	WorkerFailed:       {Name: "worker-failed", Words: "%[2]s fails"},
	WorkerWorks:        {Name: "worker-works", Words: "%[2]s works again"},
	GMFailed:           {Name: "gm-failed", Words: "GM %[1]d fails"},
	GMWorks:            {Name: "gm-works", Words: "GM %[1]d works again"},
	LMFailed:           {Name: "lm-failed", Words: "LM %[1]d fails"},
	LMWorks:            {Name: "lm-works", Words: "LM %[1]d works again"},
}

// noRoom is the code of a job that does not fit in an empty data centre.
const noRoom = "no-room-for-job"

// schedulerCannot is the code of inputs that a scheduler does not support.
const schedulerCannot = "scheduler-cannot"

// The errors of a configuration or a workload.
var (
	endlessWait       = &diag.Code{Name: "waits-for-ever", Words: "job %d waits for job %d, which has tasks that no worker can ever run: expected workers for all of these"}
	changeOfNone      = &diag.Code{Name: diag.IsOutOfRange, Words: "change %d is of worker %d: expected 0 to %d"}
	changeTime        = &diag.Code{Name: diag.IsOutOfRange, Words: "change %d is at %v s: expected 0 to %v s"}
	changeEarlier     = &diag.Code{Name: diag.IsUnordered, Words: "change %d is at %v s, earlier than the one before it"}
	classCount        = &diag.Code{Name: diag.IsCounts, Words: "the class of %s is given, of %d"}
	classResources    = &diag.Code{Name: diag.IsCounts, Words: "class %d has %s: expected the %d of the workload (%v)"}
	classSpeed        = &diag.Code{Name: diag.IsOutOfRange, Words: "the speed %v of class %d is out of range: expected %v to %v"}
	classCapacity     = &diag.Code{Name: diag.IsOutOfRange, Words: "%v of %s in class %d is out of range: expected 0 to 1e9"}
	classOfNone       = &diag.Code{Name: diag.IsOutOfRange, Words: "worker %d is of class %d, and there are %d"}
	classesTotal      = &diag.Code{Name: diag.IsTooLarge, Words: "the %s of all workers come to more than 4e9: expected a larger unit"}
	partOfDevice      = &diag.Code{Name: "part-of-a-device", Words: "a task asks for %v %s: expected a share of one, or a whole number"}
	moreThanWorkers   = &diag.Code{Name: diag.IsTooMany, Words: "there are %d for %s: expected at most one for each worker"}
	tooManyPartitions = &diag.Code{Name: diag.IsTooMany, Words: "%d with %d LMs are too many partitions: expected at most %d"}
	tooManyCells      = &diag.Code{Name: diag.IsTooMany, Words: "%d with %d GMs and %d resource types are too many: expected a product of at most %d"}
	capacityResources = &diag.Code{Name: diag.IsCounts, Words: "it has %s: expected the %d of the workload (%v)"}
	machineCount      = &diag.Code{Name: diag.IsCounts, Words: "there are %d: expected constraints for each of %s"}
	capacityRange     = &diag.Code{Name: diag.IsOutOfRange, Words: "%v of %s is out of range: expected more than 0, at most 1e9"}
	capacityTotal     = &diag.Code{Name: diag.IsTooLarge, Words: "%v of %s on each of %s come to more than 4e9: expected a larger unit"}
	shareRange        = &diag.Code{Name: diag.IsOutOfRange, Words: "share %d is %v: expected more than 0, at most 1"}
	sharesSum         = &diag.Code{Name: "shares-not-one", Words: "they sum to %v: expected 1"}
	shareCount        = &diag.Code{Name: diag.IsCounts, Words: "there are %d for the %s of the workload: expected one for each"}
	spanTime          = &diag.Code{Name: diag.IsTooLarge, Words: "a task of %s s may run for more than %s s on the slowest worker, and the clock of a simulation counts no further: expected less interference, faster workers or shorter tasks"}
	costsTime         = &diag.Code{Name: diag.IsTooLarge, Words: "to try each task once may take %s s, and the clock of a simulation counts no more than %s s for it: expected lower costs, or fewer workers or tasks"}
	tooManyOutages    = &diag.Code{Name: diag.IsTooMany, Words: "there are %d: expected at most %d"}
	unknownSubject    = &diag.Code{Name: diag.IsUnknown, Words: "the subject %d is unknown"}
	outageOfNone      = &diag.Code{Name: diag.IsOutOfRange, Words: "there is no %v %d: expected 0 to %d"}
	outageTime        = &diag.Code{Name: diag.IsOutOfRange, Words: "its time of %v s is out of range: expected 0 to %v s"}
	outageDuration    = &diag.Code{Name: diag.IsOutOfRange, Words: "its duration of %v s is out of range: expected more than 0, at most %v s"}
	outagesOverlap    = &diag.Code{Name: "overlapping-outages", Words: "it overlaps with outages[%d]: expected one failure of %v %d at a time"}
	workersDiffer     = &diag.Code{Name: schedulerCannot, Words: "%s takes all workers for alike: expected workers of one size, or a scheduler that heeds what each has"}
	workersChange     = &diag.Code{Name: schedulerCannot, Words: "%s knows no workers that come and go: expected machines that are there all the time, or a scheduler that does, such as fcfs"}
	sharesAsked       = &diag.Code{Name: schedulerCannot, Words: "%s does not share devices, and tasks ask for a share of one: expected a scheduler that does, such as fcfs"}
	onlySlots         = &diag.Code{Name: schedulerCannot, Words: "%s has only slots: expected every task to take a whole worker, %s"}
	noRoomTogether    = &diag.Code{Name: noRoom, Words: "%s starts the %s of job %d together, and there is room for %d of them: expected more workers, or smaller jobs"}
	noRoomForUnlike   = &diag.Code{Name: noRoom, Words: "%s starts the %s of job %d together, and Berth found no place for all of them on empty workers: expected more workers, or smaller jobs"}
)

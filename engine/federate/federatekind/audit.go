package federatekind

import (
	"slices"
	"strconv"

	"berth/engine/federate"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
)

// Audit writes, during the runs, what happened to every task and job under each scheduler. The
// tables suffice to check that no worker runs two tasks at once, and to recompute the figures.
// Times are in seconds on the clock of the trace. Jobs, tasks and workers are numbered from 0 in
// order of arrival.
type Audit struct {
	Tasks, Jobs *csv.Writer // either may be nil
	several     bool        // the last column names the scheduler
}

// The columns of an audit. The start of a task that was stopped is that of its last attempt. A task
// or a job that is still running has no end. Under "ideal" tasks have no worker. A job is short if
// its mean duration is at most Pigeon's cutoff.
var (
	auditTasks = []string{"job", "task", "submit", "start", "end", "worker", "attempts"}
	auditJobs  = []string{"job", "tasks", "submit", "start", "end", "response", "class"}
)

// begin writes the headers. It is called once, before the first run.
func (a *Audit) begin(schedulers int) {
	a.several = schedulers > 1
	a.write(a.Tasks, "scheduler", auditTasks...)
	a.write(a.Jobs, "scheduler", auditJobs...)
}

// write writes one row for a scheduler. It ignores the error, which Flush reports again.
func (a *Audit) write(to *csv.Writer, scheduler string, cells ...string) {
	if a.several {
		cells = append(slices.Clone(cells), scheduler)
	}
	if to != nil {
		_ = to.Write(cells)
	}
}

// attempts summarises the attempts of one task.
type attempts struct {
	start, end federate.Time // −1: none yet
	worker     int32
	count      int
}

// watch follows the tasks of a run. It is indexed by task.
type watch []attempts

func newWatch(tasks int) watch { return slices.Repeat(watch{{start: -1, end: -1, worker: -1}}, tasks) }

func (w watch) note(r federate.Record) {
	switch r.Action {
	case federate.Started:
		t := &w[r.Task]
		t.start, t.worker = r.At, r.Worker
		t.count++
	case federate.Ended:
		w[r.Task].end = r.At
	}
}

// tell writes the rows of one run to both tables.
func (a *Audit) tell(r *federate.Result, load *workload.Tasks, seen watch, cutoff federate.Time) {
	scheduler, arrivals := r.Name, r.Arrivals(load)
	for j := range load.Jobs {
		job, start, end, ended := &load.Jobs[j], federate.Time(-1), federate.Time(0), true
		submit := slices.Max(arrivals[job.First : job.First+job.Count])
		for t := job.First; t < job.First+job.Count; t++ {
			task := &seen[t]
			a.write(a.Tasks, scheduler, strconv.Itoa(j), strconv.Itoa(int(t)), since(load, arrivals[t]),
				since(load, task.start), since(load, task.end), numbered(task.worker), strconv.Itoa(task.count))
			if task.start >= 0 && (start < 0 || task.start < start) {
				start = task.start
			}
			end, ended = max(end, task.end), ended && task.end >= 0
		}
		response, class := "", "short"
		if ended {
			response = clock(end - submit)
		} else {
			end = -1
		}
		if job.Mean > cutoff {
			class = "long"
		}
		a.write(a.Jobs, scheduler, strconv.Itoa(j), strconv.Itoa(int(job.Count)), since(load, submit),
			since(load, start), since(load, end), response, class)
	}
}

// since formats a time since the first arrival on the clock of the trace. A negative time gives "".
func since(load *workload.Tasks, at federate.Time) string {
	if at < 0 {
		return ""
	}
	return clock(load.Jobs[0].Arrival + at)
}

// clock formats a time in seconds with all its digits.
func clock(t federate.Time) string { return strconv.FormatFloat(workload.Seconds(t), 'f', -1, 64) }

func numbered(worker int32) string {
	if worker < 0 {
		return ""
	}
	return strconv.Itoa(int(worker))
}

// cutoff is the longest mean duration of the tasks of a short job.
func (d *Document) cutoff() federate.Time {
	return federate.Span(lookup("cutoff").Value(d))
}

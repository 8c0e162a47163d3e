package trace

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// absolute reports whether a time is in seconds since 1970 rather than relative to the trace.
func absolute(t sim.Nanoseconds) bool { return t >= workload.EpochFrom*second }

// origin returns the time to subtract from all times: the earliest one if it counts
// from 1970 or is negative, otherwise 0.
func origin(earliest sim.Nanoseconds, remarks *workload.Remarks) sim.Nanoseconds {
	switch {
	case absolute(earliest):
		remarks.Origin = sim.Milliseconds(earliest / 1e6)
		return earliest
	case earliest < 0:
		return earliest
	}
	return 0
}

// maxRows limits the number of requests in a file that is sorted by submission.
const maxRows = maxOpenb

// rowRequests converts the rows of a file to requests, one for each task.
func (f *fileFormat) rowRequests(name string, r io.Reader) (workload.Stream, error) {
	s := &imported{}
	var submits []sim.Nanoseconds
	var earliest sim.Nanoseconds
	job, classed, waits := int64(0), false, false
	err := f.each(name, r, &s.remarks, func(x *row) error {
		if len(s.Requests)+x.tasks > maxRows {
			return csv.FaultAt(0, diag.MoreThan, maxRows, "requests")
		}
		if job == 0 || x.submit.at < earliest {
			earliest = x.submit.at
		}
		job++
		classed = classed || x.class != ""
		waits = waits || len(x.after) > 0
		one := x.request(job)
		for k := range x.tasks {
			if one.ID = x.id; x.tasks > 1 {
				one.ID = fmt.Sprintf("%s-%d", x.id, k+1)
			}
			if k < len(x.runs) {
				one.Duration = workload.Milliseconds(x.runs[k])
			}
			s.Requests = append(s.Requests, one)
			submits = append(submits, x.submit.at)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if job == 0 {
		return nil, diag.New(name, 1, 1, noneRan, f.unit)
	}
	if !classed {
		s.remarks.Said = append(s.remarks.Said, workload.WithoutClasses)
	}
	if waits && f.submitted {
		s.remarks.Said = append(s.remarks.Said, "in QoS a task comes when it was submitted, whatever it waits for")
	}
	zero := origin(earliest, &s.remarks)
	for i := range s.Requests {
		q := &s.Requests[i]
		q.Submit = sim.Milliseconds((submits[i] - zero) / 1e6)
		if q.Submit > workload.MaxTime {
			return nil, diag.New(name, q.Line, 1, tooLate, workload.MaxTime/sim.Second)
		}
		if q.Duration < 0 {
			q.Duration = workload.MaxTime - q.Submit
		}
	}
	workload.SortBySubmit(s.Requests)
	return s, nil
}

// imported is a stream of requests with remarks about their file.
type imported struct {
	workload.Slice
	remarks workload.Remarks
}

// Remarks implements [workload.Remarked].
func (s *imported) Remarks() *workload.Remarks { return &s.remarks }

// request returns the request of one task of the row. The duration is −1 for a task that runs to
// the horizon. If neither CPU nor memory is known, the task gets one core.
func (x *row) request(job int64) workload.Request {
	q := workload.Request{
		User: x.user, Job: job, CPU: x.cpu, Memory: x.memory, GPUs: x.gpus, GPUShare: x.share, Class: x.class, Priority: workload.NoPriority,
		Duration: workload.Milliseconds(x.run.at), Line: x.line, Column: 1,
	}
	q.Class = cmp.Or(q.Class, workload.UsualClass)
	if q.CPU == 0 && q.Memory == 0 {
		q.CPU = cluster.Unit
	}
	if !x.run.known {
		q.Duration = -1
	}
	if x.models != "" && x.gpus > 0 {
		q.Constraints = []cluster.Constraint{{Key: workload.GPUModel, Op: cluster.In, Value: x.models}}
	}
	return q
}

// rowTasks converts the rows of a file to jobs.
func (f *fileFormat) rowTasks(name string, r io.Reader, w workload.Window) (*workload.Tasks, error) {
	t := workload.NewBuilder(workload.SlotResource)
	if f.stops || f.table != nil {
		t.Within(w)
	}
	if !f.gang {
		t.Resources = []string{"cpu", "memory"}
		if f.gpus || f.table != nil && slices.ContainsFunc(f.table.columns, func(c column) bool { return c.is == rowGPUs }) {
			t.Resources = append(t.Resources, workload.GPUResource)
		}
	}
	err := f.each(name, r, &t.Remarks, func(x *row) error {
		if len(t.Durations)+x.tasks > workload.MaxTasks {
			return csv.FaultAt(0, diag.MoreThan, workload.MaxTasks, "tasks")
		}
		if x.key != "" {
			t.Named(x.key, int32(len(t.Jobs)))
		}
		if err := t.Waits(int32(len(t.Jobs)), x.after); err != nil {
			return csv.FaultAt(0, diag.Invalid, err)
		}
		if !x.run.known {
			t.Remarks.LeftOut[workload.UnknownRun]++
			t.Remarks.Endless--
			return nil
		}
		take(t, x, f.gang)
		return t.Enough()
	})
	if err != nil {
		return nil, err
	}
	switch {
	case len(t.Jobs) > 0:
	case f.expects != "":
		return nil, diag.New(name, 1, 1, noJobRan, f.expects)
	default:
		return nil, diag.New(name, 1, 1, noneRan, f.unit)
	}
	unknown, err := t.Settle(false, f.submitted)
	if err != nil {
		return nil, diag.New(name, 1, 1, diag.Invalid, err)
	}
	if t.After != nil {
		t.Remarks.Said = append(t.Remarks.Said, dependent)
	}
	if unknown > 0 {
		t.Remarks.Said = append(t.Remarks.Said, fmt.Sprintf("%s on tasks that are not in the file or are left out: nothing waits for these", show.Count(unknown, "dependency")))
	}
	t.Sort()
	zero := origin(t.Jobs[0].Arrival, &t.Remarks)
	for i := range t.Jobs {
		t.Jobs[i].Arrival -= zero
	}
	if last := workload.Seconds(t.Jobs[len(t.Jobs)-1].Arrival); last > workload.MaxSeconds {
		return nil, diag.New(name, 1, 1, lastTooLate, last, float64(workload.MaxSeconds))
	}
	return t.Tasks, nil
}

// dependent is the note about a workload with dependencies.
const dependent = "each task of a workflow is a job here: it begins to wait for workers when those that it depends on have ended, and its times count from then on"

// take adds the job of a row.
func take(t *workload.Builder, x *row, gang bool) {
	job := workload.TaskJob{
		Arrival: x.submit.at, Mean: x.run.at, First: int32(len(t.Durations)), Count: int32(x.tasks), User: -1,
		Gang: gang, Estimate: x.allows.at, Priority: workload.ClassPriorities[x.class],
	}
	if job.Estimate < 0 || workload.Seconds(job.Estimate) > workload.MaxSeconds {
		job.Estimate = 0
	}
	job.User = t.User(cmp.Or(x.user, workload.UnknownUser))
	request, one := []cluster.Amount{cluster.Unit}, x.request(0)
	if !gang {
		request = []cluster.Amount{one.CPU, one.Memory, one.Devices()}[:len(t.Resources)]
	}
	kind := t.Kind(request, t.Condition(one.Constraints))
	for k := range x.tasks {
		t.Durations = append(t.Durations, x.runOf(k))
		t.KindOf = append(t.KindOf, kind)
	}
	t.Jobs = append(t.Jobs, job)
}

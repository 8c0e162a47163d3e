package trace

import (
	"io"
	"math"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

var taskColumns = &table{lines: own, columns: columnsOf("arrival*,job,user,duration*,cpu,memory,constraints,priority,after")}

// Indexes of the cells in a row.
const taskArrival, taskJob, taskUser, taskDuration, taskCPU, taskMemory, taskConstraints, taskPriority, taskAfter = 0, 1, 2, 3, 4, 5, 6, 7, 8

// tasks is the format of Berth's own table of tasks; see [ReadTaskTable].
var tasks = fileFormat{
	Format: sniff.Format{Name: "tasks", What: "a trace of tasks", For: sniff.Tasks, Too: sniff.Requests, Syntax: sniff.Table},
	table:  taskColumns,
	tasks:  ReadTaskTable,
}

type taskTable struct {
	*workload.Builder
	cells []cell // cells of the current row
}

// ReadTaskTable reads CSV with the header
// arrival,job,user,duration,cpu,memory,constraints,priority,after: one task per line, times in
// seconds, constraints as numbers separated by semicolons. Columns may be in any order, and all
// except arrival and duration may be missing. Without cpu and memory a task takes one slot. Without
// a job name it is a job of its own. All tasks of a job must have the same arrival, user and
// priority. A job waits for the jobs in the after fields of its tasks, separated by semicolons.
func ReadTaskTable(name string, r io.Reader, w workload.Window) (*workload.Tasks, error) {
	t := &taskTable{Builder: workload.NewBuilder().Within(w)}
	number := 1
	err := taskColumns.each(name, r, nil, func(rows *rowsOf) error {
		number = rows.Number
		return t.add(rows.cells)
	})
	switch {
	case err != nil:
		return nil, err
	case len(t.Durations) == 0:
		return nil, diag.New(name, number, 1, noTasks)
	}
	if _, err := t.Settle(true, true); err != nil {
		return nil, diag.New(name, 1, 1, diag.InvalidPart, "after", err)
	}
	return t.Group(), nil
}

func (t *taskTable) add(cells []cell) error {
	t.cells = cells
	if len(t.Durations) == workload.MaxTasks {
		return diag.MoreThan.New(workload.MaxTasks, "tasks")
	}
	var f values
	arrival, duration := f.duration(&t.cells[taskArrival]), f.duration(&t.cells[taskDuration])
	kind, priority := t.kind(&f), f.rank(&t.cells[taskPriority])
	if f.Err != nil {
		return f.Err
	}
	if n := len(t.Jobs); n > 0 && arrival > t.Jobs[n-1].Arrival { // the tasks of earlier jobs are complete
		if err := t.Enough(); err != nil {
			return err
		}
	}
	job, err := t.job(arrival, priority)
	if err != nil {
		return err
	}
	t.Task(job, duration, kind)
	if after := t.cells[taskAfter]; after.Text != "" {
		if err := t.Waits(job, strings.Split(after.Text, ";")); err != nil {
			return after.Fault(err)
		}
	}
	if t.cells[taskJob].At == missing {
		return t.Enough()
	}
	return nil
}

func (f *values) duration(c *cell) sim.Nanoseconds {
	t, err := taskSeconds(c.Text)
	f.Fail(c, err)
	return t
}

// rank parses the priority of a job, 0 if empty.
func (f *values) rank(c *cell) int16 {
	if c.Text == "" {
		return 0
	}
	n, err := strconv.ParseInt(c.Text, 10, 16)
	if err != nil {
		f.Fail(c, notWithin.New(c.Text, math.MinInt16, math.MaxInt16))
	}
	return int16(n)
}

func (t *taskTable) kind(f *values) int32 {
	request, resources := make([]cluster.Amount, 0, 2), make([]string, 0, 2)
	for _, c := range []*cell{&t.cells[taskCPU], &t.cells[taskMemory]} {
		if c.At != missing {
			request, resources = append(request, f.Amount(c)), append(resources, c.name)
		}
	}
	if len(request) == 0 {
		request, resources = append(request, cluster.Unit), append(resources, workload.SlotResource)
	}
	if t.Resources == nil {
		t.Resources = resources
	}
	constraints := &t.cells[taskConstraints]
	set, err := constraintSet(constraints.Text)
	f.Fail(constraints, err)
	if f.Err != nil {
		return 0
	}
	return t.Kind(request, set)
}

// constraintSet parses constraint numbers separated by semicolons. Bit c of the result stands for
// constraint c.
func constraintSet(text string) (set uint64, err error) {
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || n >= workload.MaxConstraints {
			return 0, notUpTo.New(part, workload.MaxConstraints-1)
		}
		set |= 1 << n
	}
	return set, nil
}

// job returns the number of the current line's job.
func (t *taskTable) job(arrival sim.Nanoseconds, priority int16) (int32, error) {
	user := t.user()
	name := t.cells[taskJob].Text
	if number, ok := t.JobNamed(name); ok && name != "" {
		switch j := &t.Jobs[number]; {
		case j.Arrival != arrival:
			return 0, csv.FaultAt(t.cells[taskArrival].At, otherArrival, name, workload.Seconds(j.Arrival))
		case j.Priority != priority:
			return 0, csv.FaultAt(t.cells[taskPriority].At, otherPriority, name, j.Priority)
		case j.User != user:
			return 0, csv.FaultAt(t.cells[taskUser].At, otherUser, name, t.Users[j.User])
		}
		return number, nil
	}
	number := int32(len(t.Jobs))
	t.Jobs = append(t.Jobs, workload.TaskJob{Arrival: arrival, User: user, Priority: priority})
	if name != "" {
		t.Named(name, number)
	}
	return number, nil
}

func (t *taskTable) user() int32 {
	if t.cells[taskUser].At == missing {
		return -1
	}
	return t.User(t.cells[taskUser].Text)
}

package workload

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/sim"
)

var (
	taskColumns         = strings.Split(sniff.TaskColumns, ",")
	requiredTaskColumns = []string{"arrival", "duration"}
)

// taskTable reads a table of tasks.
type taskTable struct {
	*Builder
	lines  *csv.Lines
	column csv.Columns
	fields []csv.Field
}

// ReadTaskTable reads CSV with the header
// arrival,job,user,duration,cpu,memory,constraints,priority,after: one task per line,
// times in seconds, constraints as numbers separated by semicolons. Columns may be in
// any order, and all except arrival and duration may be missing. Without cpu and
// memory a task takes one slot; without a job name it is a job of its own. All tasks
// of a job must have the same arrival, user and priority. A job waits for the jobs
// that the after field of any of its tasks names, separated by semicolons.
func ReadTaskTable(name string, r io.Reader, w Window) (*Tasks, error) {
	t := &taskTable{Builder: NewBuilder().Within(w), lines: csv.NewLines(name, r)}
	var err error
	t.column, err = t.lines.Header(taskColumns, requiredTaskColumns)
	if err != nil {
		return nil, err
	}
	for _, resource := range []string{"cpu", "memory"} {
		if _, ok := t.column[resource]; ok {
			t.Resources = append(t.Resources, resource)
		}
	}
	if t.Resources == nil {
		t.Resources = []string{SlotResource}
	}
	if err := t.lines.Records(len(t.column), t.add); err != nil {
		return nil, err
	}
	return t.finish()
}

func (t *taskTable) add(fields []csv.Field) error {
	t.fields = fields
	if len(t.Durations) == MaxTasks {
		return diag.MoreThan.New(MaxTasks, "tasks")
	}
	var f Values
	arrival, duration := f.duration(t.get("arrival"), "arrival"), f.duration(t.get("duration"), "duration")
	kind, priority := t.kind(&f), f.rank(t.get("priority"))
	if f.Err != nil {
		return f.Err
	}
	if n := len(t.Jobs); n > 0 && arrival > t.Jobs[n-1].Arrival { // earlier jobs have no more tasks
		if err := t.Enough(); err != nil {
			return err
		}
	}
	job, err := t.job(arrival, priority)
	if err != nil {
		return err
	}
	t.task(job, duration, kind)
	if after := t.get("after"); after.Text != "" {
		if err := t.Waits(job, strings.Split(after.Text, ";")); err != nil {
			return after.Fault(err)
		}
	}
	if _, more := t.column["job"]; !more {
		return t.Enough()
	}
	return nil
}

func (f *Values) duration(v csv.Field, name string) sim.Nanoseconds {
	t, err := TaskSeconds(v.Text)
	f.Fail(v, name, err)
	return t
}

// rank parses the priority of a job, 0 if empty.
func (f *Values) rank(v csv.Field) int16 {
	if v.Text == "" {
		return 0
	}
	n, err := strconv.ParseInt(v.Text, 10, 16)
	if err != nil {
		f.Fail(v, "priority", notWithin.New(v.Text, math.MinInt16, math.MaxInt16))
	}
	return int16(n)
}

func (t *taskTable) get(name string) csv.Field { return t.column.Of(t.fields, name) }

func (t *taskTable) kind(f *Values) int32 {
	request := make([]cluster.Amount, 0, 2)
	for _, resource := range t.Resources {
		if resource == SlotResource {
			request = append(request, cluster.Unit)
			continue
		}
		request = append(request, f.Amount(t.get(resource), resource))
	}
	constraints := t.get("constraints")
	set, err := constraintSet(constraints.Text)
	f.Fail(constraints, "constraints", err)
	if f.Err != nil {
		return 0
	}
	return t.Kind(request, set)
}

// constraintSet parses numbers separated by semicolons.
func constraintSet(text string) (set uint64, err error) {
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || n >= MaxConstraints {
			return 0, notUpTo.New(part, MaxConstraints-1)
		}
		set |= 1 << n
	}
	return set, nil
}

// job returns the number of the current line's job.
func (t *taskTable) job(arrival sim.Nanoseconds, priority int16) (int32, error) {
	user := t.user()
	name := t.get("job").Text
	if number, ok := t.named.of(name); ok && name != "" {
		switch j := &t.Jobs[number]; {
		case j.Arrival != arrival:
			return 0, csv.FaultAt(t.get("arrival").At, otherArrival, name, Seconds(j.Arrival))
		case j.Priority != priority:
			return 0, csv.FaultAt(t.get("priority").At, otherPriority, name, j.Priority)
		case j.User != user:
			return 0, csv.FaultAt(t.get("user").At, otherUser, name, t.Users[j.User])
		}
		return number, nil
	}
	number := int32(len(t.Jobs))
	t.Jobs = append(t.Jobs, TaskJob{Arrival: arrival, User: user, Priority: priority})
	if name != "" {
		t.Named(name, number)
	}
	return number, nil
}

func (t *taskTable) user() int32 {
	if _, ok := t.column["user"]; !ok {
		return -1
	}
	return t.User(t.get("user").Text)
}

func (t *taskTable) finish() (*Tasks, error) {
	if len(t.Durations) == 0 {
		return nil, t.lines.Refuse(noTasks)
	}
	if _, err := t.Settle(true, true); err != nil {
		return nil, diag.New(t.lines.Name, 1, 1, diag.InvalidPart, "after", err)
	}
	return t.group(), nil
}

// constraintNumbers formats a constraint set as in the table.
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

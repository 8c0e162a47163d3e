package workload

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/show"
	"berth/engine/sim"
)

// foreign is a file of another system as its reader hands it over: row by row.
type foreign struct {
	name  string
	rows  string // what its rows are called
	gang  bool
	gpus  bool // rows may ask for GPUs
	read  func(name string, r io.Reader, remarks *Remarks, do func(*row) error) error
	table *table // nil of one that is no table
}

// foreigns are the formats of other systems, by their names in package sniff.
var foreigns = func() map[string]*foreign {
	all := map[string]*foreign{}
	for i := range tables {
		t := &tables[i]
		gpus := slices.ContainsFunc(t.columns, func(c column) bool { return c.is == rowGPUs })
		all[t.name] = &foreign{name: t.name, rows: t.rows, gang: t.gang, gpus: gpus, read: t.read, table: t}
	}
	for i := range documents {
		all[documents[i].name] = &documents[i]
	}
	return all
}()

// absolute says whether a time counts from 1970.
func absolute(t sim.Nanoseconds) bool { return t >= epochFrom*nanosecondsPerSecond }

// origin returns what is to become time 0: the earliest time, if it counts from 1970 or
// is before 0.
func origin(earliest sim.Nanoseconds, remarks *Remarks) sim.Nanoseconds {
	switch {
	case absolute(earliest):
		remarks.Origin = sim.Milliseconds(earliest / 1e6)
		return earliest
	case earliest < 0:
		return earliest
	}
	return 0
}

// maxRows bounds the requests of a file that is put into the order of submission.
const maxRows = maxOpenb

// requests reads the rows of a file as requests, one for each task.
func (f *foreign) requests(name string, r io.Reader) (Source, error) {
	s := &imported{}
	var submits []sim.Nanoseconds
	var earliest sim.Nanoseconds
	job, classed, waits := int64(0), false, false
	err := f.read(name, r, &s.remarks, func(x *row) error {
		if len(s.Requests)+x.tasks > maxRows {
			return faultf(0, "there are more than %d requests", maxRows)
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
				one.Duration = milliseconds(x.runs[k])
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
		return nil, diag.Errorf(name, 1, 1, "there is no %s that ran for a known time", f.rows)
	}
	if !classed {
		s.remarks.Said = append(s.remarks.Said, withoutClasses)
	}
	if waits && f.table != nil && f.table.submitted {
		s.remarks.Said = append(s.remarks.Said, "in QoS a task comes when it was submitted, whatever it waits for")
	}
	zero := origin(earliest, &s.remarks)
	for i := range s.Requests {
		q := &s.Requests[i]
		q.Submit = sim.Milliseconds((submits[i] - zero) / 1e6)
		if q.Submit > MaxTime {
			return nil, diag.Errorf(name, q.Line, 1, "it comes more than %d s after the first one", MaxTime/sim.Second)
		}
		if q.Duration < 0 {
			q.Duration = MaxTime - q.Submit
		}
	}
	SortBySubmit(s.Requests)
	return s, nil
}

// imported are the requests of a file.
type imported struct {
	Slice
	remarks Remarks
}

// Remarks implements [Remarked].
func (s *imported) Remarks() *Remarks { return &s.remarks }

// usualClass is that of requests of files that have no classes.
const usualClass = "silver"

// withoutClasses is the note about such a file.
const withoutClasses = "the file has no service classes: all requests are " + usualClass

// request is what one task of the row asks for; its duration is negative to the horizon.
// Where a file does not say how much cpu, it is one core.
func (x *row) request(job int64) Request {
	q := Request{
		User: x.user, Job: job, CPU: x.cpu, Memory: x.memory, GPUs: x.gpus, GPUShare: x.share, Class: x.class, Priority: NoPriority,
		Duration: milliseconds(x.run.at), Line: x.line, Column: 1,
	}
	if q.Class == "" {
		q.Class = usualClass
	}
	if q.CPU == 0 && q.Memory == 0 {
		q.CPU = cluster.Unit
	}
	if !x.run.known {
		q.Duration = -1
	}
	if x.models != "" && x.gpus > 0 {
		q.Constraints = []cluster.Constraint{{Key: GPUModel, Op: cluster.In, Value: x.models}}
	}
	return q
}

func milliseconds(t sim.Nanoseconds) sim.Milliseconds { return sim.Milliseconds((t + 5e5) / 1e6) }

// GPUResource is the resource type of tasks that take GPUs, or a share of one.
const GPUResource = "gpus"

// tasks reads the rows of a file as jobs.
func (f *foreign) tasks(name string, r io.Reader) (*Tasks, error) {
	t := &Tasks{Resources: []string{SlotResource}}
	if !f.gang {
		t.Resources = []string{"cpu", "memory"}
		if f.gpus {
			t.Resources = append(t.Resources, GPUResource)
		}
	}
	users, kinds := map[string]int32{}, kindTable{}
	var all work
	var waits waiting
	err := f.read(name, r, &t.Remarks, func(x *row) error {
		if len(t.Durations)+x.tasks > MaxTasks {
			return faultf(0, "there are more than %d tasks", MaxTasks)
		}
		if x.key != "" {
			waits.named(x.key, int32(len(t.Jobs)))
		}
		if err := waits.add(int32(len(t.Jobs)), x.after); err != nil {
			return faultf(0, "%w", err)
		}
		if !x.run.known {
			t.Remarks.LeftOut[UnknownRun]++
			t.Remarks.Endless--
			return nil
		}
		if seconds(x.run.at)*float64(x.tasks) > seconds(MaxWork) {
			return faultf(0, "%d tasks of %v s are too much", x.tasks, seconds(x.run.at))
		}
		if err := cmp.Or(all.add(x.runs...), all.add(x.run.at*sim.Nanoseconds(x.tasks-len(x.runs)))); err != nil {
			return faultf(0, "%w", err)
		}
		t.take(x, f.gang, users, &kinds)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(t.Jobs) == 0 {
		return nil, diag.Errorf(name, 1, 1, "there is no %s that ran for a known time", f.rows)
	}
	unknown, err := waits.settle(t, false, f.table != nil && f.table.submitted)
	if err != nil {
		return nil, diag.Errorf(name, 1, 1, "%v", err)
	}
	if t.After != nil {
		t.Remarks.Said = append(t.Remarks.Said, dependent)
	}
	if unknown > 0 {
		t.Remarks.Said = append(t.Remarks.Said, fmt.Sprintf("%s on tasks that are not in the file or are left out: nothing waits for these", show.Count(unknown, "dependency")))
	}
	t.sortJobs()
	zero := origin(t.Jobs[0].Arrival, &t.Remarks)
	for i := range t.Jobs {
		t.Jobs[i].Arrival -= zero
	}
	if last := seconds(t.Jobs[len(t.Jobs)-1].Arrival); last > maxTaskSeconds {
		return nil, diag.Errorf(name, 1, 1, "the last job comes at %v s; at most %v s are read", last, float64(maxTaskSeconds))
	}
	return t, nil
}

// dependent is the note about a workload whose jobs wait for others.
const dependent = "each task of a workflow is a job here: it begins to wait for workers when those that it depends on have ended, and its times count from then on"

// take adds the tasks of a row.
func (t *Tasks) take(x *row, gang bool, users map[string]int32, kinds *kindTable) {
	job := TaskJob{
		Arrival: x.submit.at, Mean: x.run.at, First: int32(len(t.Durations)), Count: int32(x.tasks), User: -1,
		Gang: gang, Estimate: x.allows.at, Priority: classPriorities[x.class],
	}
	if job.Estimate < 0 || seconds(job.Estimate) > maxTaskSeconds {
		job.Estimate = 0
	}
	job.User = t.user(x.user, users)
	request, one := []cluster.Amount{cluster.Unit}, x.request(0)
	if !gang {
		request = []cluster.Amount{one.CPU, one.Memory, one.Devices()}[:len(t.Resources)]
	}
	kind := kinds.of(t, request, t.Conditions.of(one.Constraints, &t.Remarks))
	for k := range x.tasks {
		t.Durations = append(t.Durations, x.runOf(k))
		t.KindOf = append(t.KindOf, kind)
	}
	t.Jobs = append(t.Jobs, job)
}

// user returns the number of a user by its name; one without is "?".
func (t *Tasks) user(name string, users map[string]int32) int32 {
	if name == "" {
		name = "?"
	}
	n, known := users[name]
	if !known {
		n = int32(len(t.Users))
		name = strings.Clone(name)
		users[name] = n
		t.Users = append(t.Users, name)
	}
	return n
}

// TasksOf makes jobs of requests: those of one job that come at the same time are its
// tasks. What they ask of the attributes of hosts are its [Conditions]; it counts the tasks
// whose constraints are more than there is room for, and which count for nothing.
func TasksOf(name string, s Source) (*Tasks, error) {
	b := &bridge{tasks: &Tasks{Resources: []string{"cpu", "memory", GPUResource}}, jobs: map[jobMoment]int32{}, users: map[string]int32{}}
	err := Each(s, func(r *Request) error {
		if err := b.add(r); err != nil {
			return diag.Errorf(name, max(r.Line, 1), max(r.Column, 1), "%v", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(b.rows) == 0 {
		return nil, diag.Errorf(name, 1, 1, "there are no requests in the file")
	}
	t := group(b.tasks, b.rows)
	if !b.gpus {
		t.Resources = t.Resources[:2]
		for i := range t.Kinds {
			t.Kinds[i].Request = t.Kinds[i].Request[:2]
		}
	}
	if r, ok := s.(Remarked); ok {
		t.Remarks = *r.Remarks()
	}
	t.Remarks.Unmet = b.remarks.Unmet
	if n := b.endless; n > 0 {
		t.Remarks.Said = append(t.Remarks.Said, fmt.Sprintf("%d tasks without an end are left out: a task of Federate needs a running time", n))
	}
	return t, nil
}

type jobMoment struct {
	job int64
	at  sim.Milliseconds
}

type bridge struct {
	tasks   *Tasks
	rows    []tableTask
	work    work
	jobs    map[jobMoment]int32
	users   map[string]int32
	kinds   kindTable
	gpus    bool
	remarks Remarks
	endless int
	request [3]cluster.Amount
}

func (b *bridge) add(r *Request) error {
	if len(b.rows) == MaxTasks {
		return fmt.Errorf("there are more than %d tasks", MaxTasks)
	}
	if r.Submit+r.Duration >= MaxTime {
		b.endless++
		return nil
	}
	duration := sim.Nanoseconds(r.Duration) * 1e6
	if err := b.work.add(duration); err != nil {
		return err
	}
	at := jobMoment{r.Job, r.Submit}
	job, known := b.jobs[at]
	if !known {
		job = int32(len(b.tasks.Jobs))
		b.jobs[at] = job
		b.tasks.Jobs = append(b.tasks.Jobs, TaskJob{Arrival: sim.Nanoseconds(r.Submit) * 1e6, User: b.tasks.user(r.User, b.users), Priority: r.priority()})
	}
	b.tasks.Jobs[job].Count++
	b.gpus = b.gpus || r.GPUs > 0
	b.request = [3]cluster.Amount{r.CPU, r.Memory, r.Devices()}
	b.rows = append(b.rows, tableTask{duration: duration, kind: b.kinds.of(b.tasks, b.request[:], b.tasks.Conditions.of(r.Constraints, &b.remarks)), job: job})
	return nil
}

// RequestsOf makes requests of jobs, one for each task: one that takes a slot asks for
// one core.
func RequestsOf(t *Tasks) Source {
	t = t.Apart()
	t.Remarks.Said = append(t.Remarks.Said, withoutClasses)
	return &ofTasks{tasks: t}
}

type ofTasks struct {
	tasks *Tasks
	job   int
	task  int32 // of the job
}

// Remarks implements [Remarked].
func (s *ofTasks) Remarks() *Remarks { return &s.tasks.Remarks }

// Read implements [Source].
func (s *ofTasks) Read(buffer []Request) (int, error) {
	for n := range buffer {
		if s.job == len(s.tasks.Jobs) {
			return partial(n, io.EOF)
		}
		j := &s.tasks.Jobs[s.job]
		of := j.First + s.task
		q := Request{
			ID: fmt.Sprintf("%d-%d", s.job+1, s.task+1), Job: int64(s.job + 1), Submit: sim.Milliseconds(j.Arrival / 1e6),
			Duration: milliseconds(s.tasks.Durations[of]), Class: usualClass, Priority: NoPriority, CPU: cluster.Unit,
		}
		if j.User >= 0 {
			q.User = s.tasks.Users[j.User]
		}
		for i, name := range s.tasks.Resources {
			switch amount := s.tasks.Kinds[s.tasks.KindOf[of]].Request[i]; name {
			case "cpu":
				q.CPU = amount
			case "memory":
				q.Memory = amount
			}
		}
		if q.CPU == 0 && q.Memory == 0 {
			q.CPU = cluster.Unit
		}
		buffer[n] = q
		if s.task++; s.task == j.Count {
			s.job, s.task = s.job+1, 0
		}
	}
	return len(buffer), nil
}

// Columns lists the columns of a table of another system that Berth uses, with their
// units, those that may be missing in brackets; "" of a format that is no table.
func Columns(format string) string {
	f, ok := foreigns[format]
	if !ok || f.table == nil {
		return ""
	}
	units := [...]string{inSeconds: " (s)", inDays: " (days)", asDate: " (date or s)", asSpan: " (D-HH:MM:SS)", inPercent: " (%)", inMillis: " (ms)", asDateMillis: " (date or ms)", inMebi: " (MB)"}
	var all []string
	for _, c := range f.table.columns {
		text := "`" + c.name + "`" + units[c.unit]
		switch {
		case c.is == unused:
			continue
		case !c.must:
			text = "[" + text + "]"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

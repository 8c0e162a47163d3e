package trace

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

const (
	taskEventFields    = "time,missing,job,task,machine,event,user,class,priority,cpu,ram,disk,different_machine"
	machineEventFields = "time,machine,event,platform,cpu,ram"
)

var (
	taskEvents = fileFormat{
		Format: sniff.Format{Name: "task-events", Brief: "Google task_events", What: "task_events of the Google trace of 2011", For: sniff.Jobs, List: sniff.Requests,
			Accept: "task_events of the Google trace of 2011, " + taskEventFields, Syntax: sniff.Table, Fit: sniff.Numbered("#,*,#,*,*,8,*,*,*,*,*,*,*")},
		requests: newGoogleTasks,
	}
	machineEvents = fileFormat{
		Format: sniff.Format{Name: "machine-events", Brief: "Google machine_events", What: "machine_events of the Google trace of 2011", For: sniff.Hosts,
			Accept: "machine_events of the Google trace of 2011, " + machineEventFields, Syntax: sniff.Table, Fit: sniff.Numbered("#,#,2,*,*,*")},
		machines: googleMachines,
	}
)

// The event types of task_events in the Google trace of 2011.
const (
	taskSubmit = iota
	taskSchedule
	taskEvict
	taskFail
	taskFinish
	taskKill
	taskLost
	taskUpdatePending
	taskUpdateRunning
)

// googleTasks reads task_events of the Google trace of 2011: times in µs, resources as fractions of
// the largest machine. Each task is one request, submitted at its first SUBMIT, with its total
// running time up to the end of the trace as duration. It omits and counts tasks that never ran,
// that still waited at the end, or that have no resources.
//
// It reads the file twice, because a task's running time is known only long after its submission.
// It keeps 4 bytes per submission.
type googleTasks struct {
	events   *eventLines
	duration []uint32 // ms, by SUBMIT; 0: never ran
	next     int
	remarks  workload.Remarks
}

// Remarks implements [workload.Remarked].
func (g *googleTasks) Remarks() *workload.Remarks { return &g.remarks }

type taskKey struct {
	job  int64
	task int32
}

// newGoogleTasks scans the file that open returns, and returns a stream that reads
// the file again.
func newGoogleTasks(name string, _ io.Reader, open func() (io.Reader, error)) (workload.Stream, error) {
	first, err := open()
	if err != nil {
		return nil, err
	}
	remarks := workload.Remarks{Unit: "task", Again: true}
	durations, err := taskDurations(openEvents(name, first), &remarks)
	if err != nil {
		return nil, err
	}
	second, err := open()
	if err != nil {
		return nil, err
	}
	return &googleTasks{events: openEvents(name, second), duration: durations, remarks: remarks}, nil
}

// Special durations: of a task that was still waiting at the end of the trace, and of a repeated
// SUBMIT of a task.
const pending, again = math.MaxUint32, math.MaxUint32 - 1

// run is a task between its SUBMIT event and its end. It may be evicted and run again.
type run struct {
	number  int
	running bool
	since   sim.Milliseconds
}

// taskDurations returns, for each SUBMIT, the running time of its task in ms. Tasks that start
// without a SUBMIT, which must precede the beginning of the file, are omitted and counted.
func taskDurations(events *eventLines, remarks *workload.Remarks) ([]uint32, error) {
	var durations []uint32
	open := map[taskKey]run{}
	stop := func(r *run, now sim.Milliseconds) {
		if r.running {
			total := sim.Milliseconds(durations[r.number]) + now - r.since
			durations[r.number] = uint32(min(max(total, 0), again-1))
			r.running = false
		}
	}
	for {
		err := events.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		r, known := open[events.key]
		if !known && events.event == taskSchedule {
			remarks.LeftOut[workload.UnknownRun]++
		}
		switch events.event {
		case taskSubmit:
			if known {
				durations = append(durations, again)
				continue
			}
			open[events.key] = run{number: len(durations)}
			durations = append(durations, 0)
			continue
		case taskSchedule:
			r.running, r.since = true, events.at
		case taskEvict, taskFail:
			stop(&r, events.at)
		case taskFinish, taskKill, taskLost:
			if known {
				stop(&r, events.at)
				delete(open, events.key)
			}
			continue
		}
		if known {
			open[events.key] = r
		}
	}
	for _, r := range open { // the order does not matter, because each task has its own number
		if stop(&r, events.at); durations[r.number] == 0 {
			durations[r.number] = pending
		}
	}
	return durations, nil
}

// Read implements [workload.Stream].
func (g *googleTasks) Read(buffer []workload.Request) (int, error) {
	for n := 0; n < len(buffer); {
		err := g.events.next()
		if err != nil {
			return workload.Partial(n, err)
		}
		if g.events.event != taskSubmit {
			continue
		}
		if g.next == len(g.duration) {
			return n, fmt.Errorf("%s: the file has changed: it has more tasks than at the first reading", show.Text(g.events.Name))
		}
		duration := sim.Milliseconds(g.duration[g.next])
		if g.next++; duration == again {
			continue
		}
		ok, err := g.events.request(&buffer[n], duration)
		if err != nil {
			return n, err
		}
		if !ok {
			why := workload.UnknownRun
			if duration == 0 {
				why = workload.Withdrawn
			}
			g.remarks.LeftOut[why]++
			continue
		}
		n++
	}
	return len(buffer), nil
}

// eventLines reads task events line by line.
type eventLines struct {
	*rowsOf
	at    sim.Milliseconds
	key   taskKey
	event int
}

func openEvents(name string, r io.Reader) *eventLines {
	rows, _ := (&table{lines: exact, expects: taskEventFields, columns: columnsOf(taskEventFields)}).open(name, r, nil) // returns no error: it reads nothing yet
	return &eventLines{rowsOf: rows}
}

func (t *eventLines) next() (err error) {
	if err = t.rowsOf.next(); err != nil {
		return err
	}
	f := values{}
	t.at = f.microseconds(&t.cells[0])
	t.key = taskKey{f.number(&t.cells[2], 64), int32(f.number(&t.cells[3], 32))}
	event, err := strconv.Atoi(t.cells[5].Text)
	if err != nil || event < taskSubmit || event > taskUpdateRunning {
		f.Fail(&t.cells[5], notEvent.New(t.cells[5].Text))
	}
	t.event = event
	if f.Err != nil {
		return t.Wrong(f.Err, "")
	}
	return nil
}

func (f *values) number(c *cell, bits int) int64 {
	n, err := strconv.ParseInt(c.Text, 10, bits)
	if err != nil {
		f.Fail(c, notWhole.New(c.Text))
	}
	return n
}

// microseconds parses a time of the trace. An empty field means the start of the
// trace; times after its end, 2^63 − 1, are reduced to MaxTime.
func (f *values) microseconds(c *cell) sim.Milliseconds {
	if c.Text == "" {
		return 0
	}
	us, err := strconv.ParseUint(c.Text, 10, 64)
	if err != nil {
		f.Fail(c, notMicroseconds.New(c.Text))
	}
	return sim.Milliseconds(min(us/1000, uint64(workload.MaxTime)))
}

func (t *eventLines) request(r *workload.Request, duration sim.Milliseconds) (ok bool, err error) {
	f := values{}
	get := func(i int) *cell {
		if t.cells[i].Text == "" {
			t.cells[i].Text = "0"
		}
		return &t.cells[i]
	}
	*r = workload.Request{
		ID: t.cells[2].Text + "-" + t.cells[3].Text, User: t.cells[6].Text, Job: t.key.job, Submit: t.at, Duration: duration,
		Priority: f.Priority(get(8)), CPU: f.Amount(get(9)), Memory: f.Amount(get(10)),
		AntiAffinity: f.Flag(get(12)),
		Line:         t.Number, Column: t.Column(t.cells[8].At),
	}
	if f.Err != nil {
		return false, t.Wrong(f.Err, "")
	}
	return duration != 0 && duration != pending && r.Check() == nil, nil
}

// googleMachines reads machine_events of the Google trace of 2011: the machines
// present at time 0, and later events. It ignores updates of a machine's capacity and
// omits machines without a capacity.
func googleMachines(name string, r io.Reader) (machines []workload.Machine, events []workload.HostEvent, err error) {
	names, known := hostNames{}, map[string]bool{}
	machines = []workload.Machine{}
	t := &table{lines: exact, expects: machineEventFields, columns: columnsOf(machineEventFields)}
	err = t.each(name, r, nil, func(rows *rowsOf) error {
		var f values
		cells := rows.cells
		e := workload.HostEvent{At: f.microseconds(&cells[0]), Host: cells[1].Text, File: name, Line: rows.Number, Column: rows.Column(cells[1].At)}
		switch cpu, ram := &cells[4], &cells[5]; cells[2].Text {
		case "0":
			e.Up = true
			if cpu.Text != "" && ram.Text != "" {
				e.CPU, e.Memory = f.Amount(cpu), f.Amount(ram)
				known[e.Host] = known[e.Host] || e.CPU > 0 && e.Memory > 0
			}
		case "1":
		case "2":
			return nil
		default:
			f.Fail(&cells[2], notMachineEvent.New(cells[2].Text))
		}
		switch {
		case f.Err != nil:
			return rows.Wrong(f.Err, "")
		case !known[e.Host]: // an unlisted machine, whose capacity is unknown
		case e.At == 0 && e.Up:
			if err := names.add(e.Host, cells[1].At); err != nil {
				return rows.Wrong(err, "")
			}
			machines = append(machines, workload.MachineOf(cluster.Host{Name: e.Host, CPU: e.CPU, Memory: e.Memory}))
		default:
			events = append(events, e)
		}
		return nil
	})
	return machines, events, err
}

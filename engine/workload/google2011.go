package workload

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
)

// The events of task_events in the Google trace of 2011.
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

// GoogleTasks reads task_events of the Google trace of 2011: times in µs,
// resources as parts of the largest machine. Each task is one request, from
// its first SUBMIT on; its duration is the time that it ran, up to the end of
// the trace. A task that never ran, or whose resources are missing, is left
// out and counted. The file is read twice, since how long a task runs is known
// long after its submission: 4 bytes a task are kept.
type GoogleTasks struct {
	events   *taskEvents
	duration []uint32 // ms, in order of submission; 0: left out
	next     int
	open     map[taskKey]struct{}
	LeftOut  int
}

type taskKey struct {
	job  int64
	task int32
}

// NewGoogleTasks scans the file that open opens and returns a reader of it.
func NewGoogleTasks(name string, open func() (io.Reader, error)) (*GoogleTasks, error) {
	first, err := open()
	if err != nil {
		return nil, err
	}
	durations, err := taskDurations(&taskEvents{lines: newLines(name, first)})
	if err != nil {
		return nil, err
	}
	again, err := open()
	if err != nil {
		return nil, err
	}
	return &GoogleTasks{
		events: &taskEvents{lines: newLines(name, again)}, duration: durations, open: map[taskKey]struct{}{},
	}, nil
}

// run is a task that has been submitted and may run (again).
type run struct {
	number  int
	running bool
	since   sim.Milliseconds
}

func taskDurations(events *taskEvents) ([]uint32, error) {
	var durations []uint32
	open := map[taskKey]run{}
	stop := func(r *run, now sim.Milliseconds) {
		if r.running {
			total := sim.Milliseconds(durations[r.number]) + now - r.since
			durations[r.number] = uint32(min(max(total, 0), math.MaxUint32))
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
		switch events.event {
		case taskSubmit:
			if !known {
				open[events.key] = run{number: len(durations)}
				durations = append(durations, 0)
			}
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
	for _, r := range open { // each touches its own number: the order is the same to all
		stop(&r, events.at)
	}
	return durations, nil
}

// Read implements [Source].
func (g *GoogleTasks) Read(buffer []Request) (int, error) {
	for n := 0; n < len(buffer); {
		err := g.events.next()
		if err != nil {
			return partial(n, err)
		}
		switch g.events.event {
		case taskFinish, taskKill, taskLost:
			delete(g.open, g.events.key)
			continue
		case taskSubmit:
		default:
			continue
		}
		if _, again := g.open[g.events.key]; again {
			continue
		}
		if g.next == len(g.duration) {
			return n, fmt.Errorf("%s: the file has changed: it has more tasks than at the first reading", show.Text(g.events.lines.name))
		}
		g.open[g.events.key] = struct{}{}
		duration := sim.Milliseconds(g.duration[g.next])
		g.next++
		ok, err := g.events.request(&buffer[n], duration)
		if err != nil {
			return n, err
		}
		if !ok {
			g.LeftOut++
			continue
		}
		n++
	}
	return len(buffer), nil
}

// taskEvents reads one line after the other.
type taskEvents struct {
	lines  *lines
	fields []field
	at     sim.Milliseconds
	key    taskKey
	event  int
}

// nextRow is next, except a comment with the names of the columns above them.
func (l *lines) nextRow() (string, error) {
	line, err := l.next()
	if err == nil && l.number == 1 && line[0] == '#' {
		return l.next()
	}
	return line, err
}

func (t *taskEvents) next() error {
	line, err := t.lines.nextRow()
	if err != nil {
		return err
	}
	t.fields, err = t.lines.fields(line, t.fields)
	if err != nil {
		return err
	}
	if len(t.fields) != 13 {
		return t.lines.wrong(miscount(line, t.fields, 13, "not 13"), sniff.TaskEvents)
	}
	f := fieldReader{}
	t.at = f.microseconds(t.fields[0])
	t.key = taskKey{f.number(t.fields[2], "job", 64), int32(f.number(t.fields[3], "task", 32))}
	event, err := strconv.Atoi(t.fields[5].text)
	if err != nil || event < taskSubmit || event > taskUpdateRunning {
		f.fail(t.fields[5], "event", fmt.Errorf("%.40q is not a whole number from 0 to 8", t.fields[5].text))
	}
	t.event = event
	if f.err != nil {
		return t.lines.wrong(f.err, "")
	}
	return nil
}

func (f *fieldReader) number(v field, name string, bits int) int64 {
	n, err := strconv.ParseInt(v.text, 10, bits)
	if err != nil {
		f.fail(v, name, fmt.Errorf("%.40q is not a whole number", v.text))
	}
	return n
}

// microseconds reads a time of the trace. An empty field is the start; times past the
// end, 2^63 − 1, are cut to the largest time.
func (f *fieldReader) microseconds(v field) sim.Milliseconds {
	if v.text == "" {
		return 0
	}
	us, err := strconv.ParseUint(v.text, 10, 64)
	if err != nil {
		f.fail(v, "time", fmt.Errorf("%.40q is not a whole number of µs", v.text))
	}
	return sim.Milliseconds(min(us/1000, uint64(MaxTime)))
}

func (t *taskEvents) request(r *Request, duration sim.Milliseconds) (ok bool, err error) {
	f := fieldReader{}
	get := func(i int) field {
		if t.fields[i].text == "" {
			return field{"0", t.fields[i].at}
		}
		return t.fields[i]
	}
	*r = Request{
		ID: t.fields[2].text + "-" + t.fields[3].text, User: t.fields[6].text, Job: t.key.job, Submit: t.at, Duration: duration,
		Priority: f.priority(get(8)), CPU: f.amount(get(9), "cpu"), Memory: f.amount(get(10), "ram"),
		AntiAffinity: f.flag(get(12), "different_machine"),
		Line:         t.lines.number, Column: t.lines.column(t.fields[8].at),
	}
	if f.err != nil {
		return false, t.lines.wrong(f.err, "")
	}
	return r.Duration > 0 && r.Check() == nil, nil
}

// GoogleMachines reads machine_events of the Google trace of 2011: the
// machines that are there at time 0, and what happens afterwards. Updates of a
// machine's capacity are not followed, and machines whose capacity is missing
// are left out.
func GoogleMachines(name string, r io.Reader) ([]cluster.Host, []HostEvent, error) {
	lines := newLines(name, r)
	var hosts hostList
	var events []HostEvent
	var fields []field
	known := map[string]bool{}
	for {
		line, err := lines.nextRow()
		if err == io.EOF {
			return hosts.all, events, nil
		}
		if err != nil {
			return nil, nil, err
		}
		fields, err = lines.fields(line, fields)
		if err != nil {
			return nil, nil, err
		}
		if len(fields) != 6 {
			return nil, nil, lines.wrong(miscount(line, fields, 6, "not 6"), sniff.MachineEvents)
		}
		var f fieldReader
		e := HostEvent{At: f.microseconds(fields[0]), Host: fields[1].text, File: name, Line: lines.number, Column: lines.column(fields[1].at)}
		switch cpu, ram := fields[4], fields[5]; fields[2].text {
		case "0":
			e.Up = true
			if cpu.text != "" && ram.text != "" {
				e.CPU, e.Memory = f.amount(cpu, "cpu"), f.amount(ram, "ram")
				known[e.Host] = known[e.Host] || e.CPU > 0 && e.Memory > 0
			}
		case "1":
		case "2":
			continue
		default:
			f.fail(fields[2], "event", fmt.Errorf("%.40q is not 0, 1 or 2", fields[2].text))
		}
		switch {
		case f.err != nil:
			return nil, nil, lines.wrong(f.err, "")
		case !known[e.Host]: // the trace does not say how large it is
		case e.At == 0 && e.Up:
			if err := hosts.add(cluster.Host{Name: e.Host, CPU: e.CPU, Memory: e.Memory}, fields[1].at); err != nil {
				return nil, nil, lines.wrong(err, "")
			}
		default:
			events = append(events, e)
		}
	}
}

package workload

import (
	"io"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
)

// TraceJob is one line of a trace, with times in nanoseconds.
type TraceJob struct {
	Arrival, Mean sim.Nanoseconds
	Durations     []sim.Nanoseconds
}

// TraceReader reads jobs in the text format of Sparrow, Eagle and Megha, one
// line at a time.
type TraceReader struct{ lines *lines }

// NewTraceReader returns a reader; the name of the file is for messages.
func NewTraceReader(name string, r io.Reader) *TraceReader {
	return &TraceReader{newLongLines(name, r, maxTraceLine)}
}

// Read reads the next job into j, whose Durations it uses again, and returns
// io.EOF at the end.
func (t *TraceReader) Read(j *TraceJob) error {
	line, err := t.lines.next()
	if err != nil {
		return err
	}
	if err := j.parse(line); err != nil {
		return t.lines.wrong(err, sniff.TraceFields)
	}
	return nil
}

func (j *TraceJob) parse(line string) (err error) {
	f := words{line: line, rest: line}
	j.Arrival, err = f.seconds("arrival_s")
	if err != nil {
		return err
	}
	f.more()
	counted := f.at()
	text := f.next()
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		return faultf(counted, "number_of_tasks: %.40q is not a whole number from 1", text)
	}
	j.Mean, err = f.seconds("mean_duration_s")
	if err != nil {
		return err
	}
	j.Durations = j.Durations[:0]
	for f.more() {
		at := f.at()
		d, err := taskSeconds(f.next())
		if err != nil {
			return faultf(at, "duration %d: %w", len(j.Durations)+1, err)
		}
		j.Durations = append(j.Durations, d)
	}
	if len(j.Durations) != count {
		return faultf(counted, "number_of_tasks is %d, but the line has %s", count, show.Count(len(j.Durations), "duration"))
	}
	return nil
}

// words takes a line apart at spaces and tabs.
type words struct {
	line string
	rest string // of the line
}

func space(c byte) bool { return c == ' ' || c == '\t' }

// more steps over space and says whether a word follows.
func (w *words) more() bool {
	for w.rest != "" && space(w.rest[0]) {
		w.rest = w.rest[1:]
	}
	return w.rest != ""
}

func (w *words) at() int32 { return int32(len(w.line) - len(w.rest)) }

// next returns the next word, "" at the end.
func (w *words) next() string {
	w.more()
	end := 0
	for end < len(w.rest) && !space(w.rest[end]) {
		end++
	}
	word := w.rest[:end]
	w.rest = w.rest[end:]
	return word
}

func (w *words) seconds(field string) (sim.Nanoseconds, error) {
	if !w.more() {
		return 0, faultf(w.at(), "%s is missing", field)
	}
	at := w.at()
	t, err := taskSeconds(w.next())
	if err != nil {
		return 0, faultf(at, "%s: %w", field, err)
	}
	return t, nil
}

// ReadTrace reads a whole trace. Every task takes one slot.
func ReadTrace(name string, r io.Reader) (*Tasks, error) {
	t := &Tasks{Resources: []string{SlotResource}, Kinds: []TaskKind{{Request: []cluster.Amount{cluster.Unit}}}}
	reader := NewTraceReader(name, r)
	var job TraceJob
	var all work
	for {
		err := reader.Read(&job)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(t.Durations)+len(job.Durations) > MaxTasks {
			return nil, reader.lines.errorf("there are more than %d tasks", MaxTasks)
		}
		if err := all.add(job.Durations...); err != nil {
			return nil, reader.lines.errorf("%v", err)
		}
		t.Jobs = append(t.Jobs, TaskJob{
			Arrival: job.Arrival, Mean: job.Mean,
			First: int32(len(t.Durations)), Count: int32(len(job.Durations)), User: -1,
		})
		t.Durations = append(t.Durations, job.Durations...)
	}
	if len(t.Jobs) == 0 {
		return nil, diag.Errorf(name, 1, 1, "the trace is empty; expected %s", sniff.TraceFields)
	}
	t.KindOf = make([]int32, len(t.Durations))
	t.sortJobs()
	return t, nil
}

package workload

import (
	"io"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
)

// maxTraceLine is how many bytes a line may have, which has all tasks of a job.
const maxTraceLine = 1 << 26

// TraceJob is one line of a trace, with times in nanoseconds.
type TraceJob struct {
	Arrival, Mean sim.Nanoseconds
	Durations     []sim.Nanoseconds
}

// TraceReader reads jobs in the text format of Sparrow, Eagle and Megha, one
// line at a time.
type TraceReader struct{ lines *csv.Lines }

// NewTraceReader returns a reader; the name of the file is for messages.
func NewTraceReader(name string, r io.Reader) *TraceReader {
	return &TraceReader{csv.NewLongLines(name, r, maxTraceLine)}
}

// Read reads the next job into j, whose Durations it uses again, and returns
// io.EOF at the end.
func (t *TraceReader) Read(j *TraceJob) error {
	line, err := t.lines.Next()
	if err != nil {
		return err
	}
	if err := j.parse(line); err != nil {
		return t.lines.Wrong(err, sniff.TraceFields)
	}
	return nil
}

func (j *TraceJob) parse(line string) (err error) {
	f := words{csv.NewWords(line)}
	j.Arrival, err = f.seconds("arrival_s")
	if err != nil {
		return err
	}
	f.More()
	counted := f.At()
	text := f.Next()
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		return csv.FaultAt(counted, badTaskCount, text)
	}
	j.Mean, err = f.seconds("mean_duration_s")
	if err != nil {
		return err
	}
	j.Durations = j.Durations[:0]
	for f.More() {
		at := f.At()
		d, err := TaskSeconds(f.Next())
		if err != nil {
			return csv.FaultAt(at, badDuration, len(j.Durations)+1, err)
		}
		j.Durations = append(j.Durations, d)
	}
	if len(j.Durations) != count {
		return csv.FaultAt(counted, taskCount, count, show.Count(len(j.Durations), "duration"))
	}
	return nil
}

// words are those of a line of a trace.
type words struct{ csv.Words }

func (w *words) seconds(field string) (sim.Nanoseconds, error) {
	if !w.More() {
		return 0, csv.FaultAt(w.At(), diag.NamedMissing, field)
	}
	at := w.At()
	t, err := TaskSeconds(w.Next())
	if err != nil {
		return 0, csv.FaultAt(at, diag.InvalidPart, field, err)
	}
	return t, nil
}

// ReadTrace reads a whole trace. Every task takes one slot.
func ReadTrace(name string, r io.Reader) (*Tasks, error) {
	t := NewBuilder(SlotResource)
	t.Kind([]cluster.Amount{cluster.Unit}, 0)
	reader := NewTraceReader(name, r)
	var job TraceJob
	for {
		err := reader.Read(&job)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(t.Durations)+len(job.Durations) > MaxTasks {
			return nil, reader.lines.Refuse(diag.MoreThan, MaxTasks, "tasks")
		}
		if err := t.Runs(job.Durations...); err != nil {
			return nil, reader.lines.Refuse(diag.Invalid, err)
		}
		t.Jobs = append(t.Jobs, TaskJob{
			Arrival: job.Arrival, Mean: job.Mean,
			First: int32(len(t.Durations)), Count: int32(len(job.Durations)), User: -1,
		})
		t.Durations = append(t.Durations, job.Durations...)
	}
	if len(t.Jobs) == 0 {
		return nil, diag.New(name, 1, 1, emptyTrace, sniff.TraceFields)
	}
	t.KindOf = make([]int32, len(t.Durations))
	t.Sort()
	return t.Tasks, nil
}

package trace

import (
	"io"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

const traceFields = "arrival_s number_of_tasks mean_duration_s d1 … dn"

// tr is the text format of Sparrow, Eagle and Megha. Each task takes one slot.
var tr = Format{
	Format: sniff.Format{Name: "tr", What: "a trace of jobs", For: sniff.Tasks, Too: sniff.Requests, Accept: "a trace with the lines " + traceFields, Syntax: sniff.Numbers, Fit: fitsTrace},
	tasks:  ReadTrace,
}

// fitsTrace recognises a line whose second number equals the number of durations after
// the third.
func fitsTrace(h *sniff.Head) int {
	switch n := len(h.Fields); {
	case h.Commented:
		return 0
	case n < 4:
		return sniff.Mistaken
	case h.Fields[1] == strconv.Itoa(n-3):
		return 100
	default:
		return 40
	}
}

// maxTraceLine is the maximum length of a line in bytes. A line holds all tasks of a
// job.
const maxTraceLine = 1 << 26

// traceJob is one line of a trace.
type traceJob struct {
	arrival, mean sim.Nanoseconds
	durations     []sim.Nanoseconds
}

func (j *traceJob) parse(line string) (err error) {
	f := words{csv.NewWords(line)}
	j.arrival, err = f.seconds("arrival_s")
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
	j.mean, err = f.seconds("mean_duration_s")
	if err != nil {
		return err
	}
	j.durations = j.durations[:0]
	for f.More() {
		at := f.At()
		d, err := taskSeconds(f.Next())
		if err != nil {
			return csv.FaultAt(at, badDuration, len(j.durations)+1, err)
		}
		j.durations = append(j.durations, d)
	}
	if len(j.durations) != count {
		return csv.FaultAt(counted, taskCount, count, show.Count(len(j.durations), "duration"))
	}
	return nil
}

// words are the words of a line.
type words struct{ csv.Words }

func (w *words) seconds(field string) (sim.Nanoseconds, error) {
	if !w.More() {
		return 0, csv.FaultAt(w.At(), diag.NamedMissing, field)
	}
	at := w.At()
	t, err := taskSeconds(w.Next())
	if err != nil {
		return 0, csv.FaultAt(at, diag.InvalidPart, field, err)
	}
	return t, nil
}

// ReadTrace reads jobs in the text format of Sparrow, Eagle and Megha.
func ReadTrace(name string, r io.Reader, w workload.Window) (*workload.Tasks, error) {
	t := workload.NewBuilder(workload.SlotResource).Within(w)
	t.Kind([]cluster.Amount{cluster.Unit}, 0)
	lines := csv.NewLongLines(name, r, maxTraceLine)
	var job traceJob
	err := lines.Each(func(line string) error {
		if err := job.parse(line); err != nil {
			return lines.Wrong(err, traceFields)
		}
		if len(t.Durations)+len(job.durations) > workload.MaxTasks {
			return lines.Refuse(diag.MoreThan, workload.MaxTasks, "tasks")
		}
		t.Jobs = append(t.Jobs, workload.TaskJob{
			Arrival: job.arrival, Mean: job.mean,
			First: int32(len(t.Durations)), Count: int32(len(job.durations)), User: -1,
		})
		t.Durations = append(t.Durations, job.durations...)
		return t.Enough()
	})
	if err != nil {
		return nil, err
	}
	if len(t.Jobs) == 0 {
		return nil, diag.New(name, 1, 1, emptyTrace, traceFields)
	}
	t.KindOf = make([]int32, len(t.Durations))
	t.Sort()
	return t.Tasks, nil
}

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
var tr = fileFormat{
	Format: sniff.Format{Name: "tr", What: "a trace of jobs", For: sniff.Tasks, Too: sniff.Requests, Accept: "a trace with the lines " + traceFields, Syntax: sniff.Numbers, Fit: fitsTrace},
	tasks:  ReadTrace,
}

// fitsTrace recognises a line whose second field is the number of durations, which follow the third
// field.
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

func (j *traceJob) parse(line string) error {
	names := [...]string{"arrival_s", "number_of_tasks", "mean_duration_s"}
	count, counted, n := 0, len(line), 0
	j.durations = j.durations[:0]
	for begin, end := csv.Word(line, 0); begin < end; begin, end = csv.Word(line, end) {
		t, err := taskSeconds(line[begin:end])
		switch {
		case n == 1:
			counted = begin
			count, _ = strconv.Atoi(line[begin:end])
			if count < 1 {
				return csv.FaultAt(int32(begin), badTaskCount, line[begin:end])
			}
		case err != nil && n < len(names):
			return csv.FaultAt(int32(begin), diag.InvalidPart, names[n], err)
		case err != nil:
			return csv.FaultAt(int32(begin), badDuration, n-2, err)
		case n == 0:
			j.arrival = t
		case n == 2:
			j.mean = t
		default:
			j.durations = append(j.durations, t)
		}
		n++
	}
	switch {
	case n == 1:
		return csv.FaultAt(int32(counted), badTaskCount, "")
	case n < len(names):
		return csv.FaultAt(int32(len(line)), diag.NamedMissing, names[n])
	case len(j.durations) != count:
		return csv.FaultAt(int32(counted), taskCount, count, show.Count(len(j.durations), "duration"))
	}
	return nil
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

package trace

import (
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/workload"
)

// The fields used of a line in the Standard Workload Format 2.2 of the Parallel
// Workloads Archive, where -1 means unknown. Logs may have more than swfCount
// columns.
const swfSubmit, swfRun, swfProcs, swfRequested, swfEstimate, swfUser, swfCount = 1, 3, 4, 7, 8, 11, 18

// swfLog reads a log.
type swfLog struct {
	*workload.Builder
	epochs  bool // times are in seconds since 1970
	columns int  // in the widest line
}

// ReadSWF reads jobs in the Standard Workload Format, or in the Grid Workload Format,
// which begins with the same columns. Each job is a gang with one task per processor;
// each task takes one slot and runs as long as the job. The estimate is the requested
// time. Jobs with an unknown or negative size or running time, or without processors,
// are omitted and counted. The first line may have column names. If the first job was
// submitted at a time since 1970, the earliest submission becomes 0.
func ReadSWF(name string, r io.Reader, w workload.Window) (*workload.Tasks, error) {
	t := &swfLog{Builder: workload.NewBuilder(workload.SlotResource).Within(w), columns: swfCount}
	t.Remarks.Unit = "job"
	t.Kind([]cluster.Amount{cluster.Unit}, 0)
	lines := csv.NewLines(name, r)
	names := true
	err := lines.Each(func(line string) error {
		if line[0] == ';' || line[0] == '#' {
			return nil
		}
		titled := names && sniff.Titles(line)
		if names = false; titled {
			return nil
		}
		if err := t.add(line); err != nil {
			return lines.Wrong(err, sniff.SWFFields)
		}
		return t.Enough()
	})
	if err != nil {
		return nil, err
	}
	if len(t.Jobs) == 0 {
		return nil, diag.New(name, 1, 1, noJobRan, sniff.SWFFields)
	}
	for n := swfCount; n < t.columns; n++ {
		t.Remarks.Ignored = append(t.Remarks.Ignored, fmt.Sprint("column ", n+1))
	}
	t.KindOf = make([]int32, len(t.Durations))
	t.Sort()
	if err := t.toOrigin(); err != nil {
		return nil, diag.New(name, 1, 1, diag.Invalid, err)
	}
	return t.Tasks, nil
}

// toOrigin moves the first job to time 0 if times count from 1970.
func (t *swfLog) toOrigin() error {
	if !t.epochs {
		return nil
	}
	origin := t.Jobs[0].Arrival
	t.Remarks.Origin = sim.Milliseconds(origin / 1e6)
	for i := range t.Jobs {
		t.Jobs[i].Arrival -= origin
	}
	if span := workload.Seconds(t.Jobs[len(t.Jobs)-1].Arrival); span > workload.MaxSeconds {
		return longSpan.New(span, float64(workload.MaxSeconds))
	}
	return nil
}

func (t *swfLog) add(line string) error {
	var fields [swfCount]string
	var at [swfCount]int32
	w := csv.NewWords(line)
	n := 0
	for ; w.More(); n++ {
		if n >= swfCount {
			w.Next()
			continue
		}
		at[n] = w.At()
		fields[n] = w.Next()
		if _, ok := show.ParseNumber(fields[n]); !ok && n <= swfEstimate { // users and queues may have names
			return csv.FaultAt(at[n], fieldNotNumber, n+1, fields[n])
		}
	}
	if n < swfCount {
		return csv.FaultAt(0, fieldCount, n)
	}
	t.columns = max(t.columns, min(n, maxSWFColumns))
	procs, ran := swfNumber(fields[swfProcs]), swfNumber(fields[swfRun])
	if procs < 0 || procs == 0 && ran > 0 {
		procs = swfNumber(fields[swfRequested]) // the allocated number is unknown
	}
	if procs < 1 || ran < 0 {
		t.Remarks.LeftOut[workload.UnknownRun]++
		return nil
	}
	arrival, err := t.submitted(fields[swfSubmit])
	if err != nil {
		return csv.FaultAt(at[swfSubmit], diag.InvalidPart, "submit", err)
	}
	run, err := workload.TaskSeconds(fields[swfRun])
	if err != nil {
		return csv.FaultAt(at[swfRun], diag.InvalidPart, "run", err)
	}
	if float64(len(t.Durations))+procs > workload.MaxTasks {
		return csv.FaultAt(at[swfProcs], diag.MoreThan, workload.MaxTasks, "tasks")
	}
	job := workload.TaskJob{
		Arrival: arrival, Mean: run, First: int32(len(t.Durations)), Count: int32(procs), User: t.userOf(fields[swfUser]),
		Gang: true, Estimate: swfEstimated(fields[swfEstimate]),
	}
	t.Durations = slices.Grow(t.Durations, int(job.Count))
	for range job.Count {
		t.Durations = append(t.Durations, run)
	}
	t.Jobs = append(t.Jobs, job)
	return nil
}

// maxSWFColumns limits the number of columns that are counted.
const maxSWFColumns = 100

// submitted parses a submission time. The first one of a log determines whether times
// count from 1970.
func (t *swfLog) submitted(text string) (sim.Nanoseconds, error) {
	x, _ := show.ParseNumber(text)
	if epoch := x >= workload.EpochFrom && x <= workload.EpochTo; epoch && (t.epochs || len(t.Jobs) == 0) {
		t.epochs = true
		return workload.Nanoseconds(x), nil
	}
	return workload.TaskSeconds(text)
}

// swfEstimated parses a requested time, 0 if it is unknown or out of range.
func swfEstimated(text string) sim.Nanoseconds {
	if x := swfNumber(text); x > 0 && x <= workload.MaxSeconds {
		return workload.Nanoseconds(x)
	}
	return 0
}

func swfNumber(text string) float64 {
	x, _ := show.ParseNumber(text)
	return x
}

// userOf returns the number of a user.
func (t *swfLog) userOf(text string) int32 {
	if swfNumber(text) < 0 {
		text = workload.UnknownUser
	}
	return t.User(text)
}

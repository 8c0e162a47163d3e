package trace

import (
	"fmt"
	"io"

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

// ReadSWF reads jobs in the Standard Workload Format, or in the Grid Workload Format,
// which begins with the same columns. Each job is a gang with one task per processor;
// each task takes one slot and runs as long as the job. The estimate is the requested
// time. Jobs with an unknown or negative size or running time, or without processors,
// are omitted and counted. The first line may have column names. If the first job was
// submitted at a time since 1970, the earliest submission becomes 0.
func ReadSWF(name string, r io.Reader, w workload.Window) (*workload.Tasks, error) {
	return (&foreign{rows: "job", gang: true, stops: true, expects: sniff.SWFFields, read: readSWF}).tasks(name, r, w)
}

// swfLog reads a log.
type swfLog struct {
	*workload.Remarks
	job     row  // reused
	first   bool // no job was read yet
	epochs  bool // times are in seconds since 1970
	columns int  // in the widest line
}

func readSWF(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	log := &swfLog{Remarks: remarks, first: true, columns: swfCount}
	remarks.Unit = "job"
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
		err := log.add(line, do)
		if err != nil && err != io.EOF {
			err = lines.Wrong(err, sniff.SWFFields)
		}
		return err
	})
	for n := swfCount; n < log.columns; n++ {
		remarks.Ignored = append(remarks.Ignored, fmt.Sprint("column ", n+1))
	}
	return err
}

func (l *swfLog) add(line string, do func(*row) error) error {
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
	l.columns = max(l.columns, min(n, maxSWFColumns))
	procs, ran := swfNumber(fields[swfProcs]), swfNumber(fields[swfRun])
	if procs < 0 || procs == 0 && ran > 0 {
		procs = swfNumber(fields[swfRequested]) // the allocated number is unknown
	}
	if procs < 1 || ran < 0 {
		l.LeftOut[workload.UnknownRun]++
		return nil
	}
	arrival, err := l.submitted(fields[swfSubmit])
	if err != nil {
		return csv.FaultAt(at[swfSubmit], diag.InvalidPart, "submit", err)
	}
	run, err := workload.TaskSeconds(fields[swfRun])
	if err != nil {
		return csv.FaultAt(at[swfRun], diag.InvalidPart, "run", err)
	}
	if procs > workload.MaxTasks {
		return csv.FaultAt(at[swfProcs], diag.MoreThan, workload.MaxTasks, "tasks")
	}
	x := &l.job
	*x = row{tasks: int(procs), submit: moment{arrival, true}, run: moment{run, true}}
	if estimate := swfNumber(fields[swfEstimate]); estimate > 0 && estimate <= workload.MaxSeconds {
		x.allows = moment{workload.Nanoseconds(estimate), true}
	}
	if swfNumber(fields[swfUser]) >= 0 {
		x.user = fields[swfUser]
	}
	return do(x)
}

// maxSWFColumns limits the number of columns that are counted.
const maxSWFColumns = 100

// submitted parses a submission time. The first one of a log determines whether times
// count from 1970.
func (l *swfLog) submitted(text string) (sim.Nanoseconds, error) {
	x, _ := show.ParseNumber(text)
	if epoch := x >= workload.EpochFrom && x <= workload.EpochTo; epoch && (l.epochs || l.first) {
		l.epochs, l.first = true, false
		return workload.Nanoseconds(x), nil
	}
	l.first = false
	return workload.TaskSeconds(text)
}

func swfNumber(text string) float64 {
	x, _ := show.ParseNumber(text)
	return x
}

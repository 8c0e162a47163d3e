package trace

import (
	"fmt"
	"io"
	"slices"

	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// Indexes of the fields that Berth uses from a line in the Standard Workload Format 2.2 of the
// Parallel Workloads Archive, where -1 means unknown. Logs may have more than swfCount columns.
const swfJob, swfSubmit, swfRun, swfProcs, swfRequested, swfEstimate, swfStatus, swfUser, swfPreceding, swfCount = 0, 1, 3, 4, 7, 8, 10, 11, 16, 18

// The statuses that affect how a line counts.
const swfPart, swfLastPart, swfLastFailed, swfCancelled = 2, 3, 4, 5

const swfFields = "18 or more columns of the Standard Workload Format: job submit wait run procs … requested_procs … user …"

// swf is the Standard Workload Format. gwf is the Grid Workload Format, which begins with the same
// columns. Each job is a gang with one task per processor; each task takes one slot and runs as
// long as the job. The estimate is the requested time. Jobs with an unknown or negative size or
// running time, or without processors, are omitted and counted.
//
// If a job was stopped and continued, each of its parts has a line after the line of the whole job.
// If the line of the whole job is missing, the running times of the parts add up. The first line
// may contain column names. If the submission time of the first job is in seconds since 1970, the
// earliest submission becomes time 0.
var (
	swf = fileFormat{
		Format: sniff.Format{Name: "swf", What: "a log in the Standard Workload Format", For: sniff.Jobs, List: sniff.Tasks, Accept: "a log with " + swfFields, Syntax: sniff.Numbers, Fit: fitsSWF},
		unit:   "job", gang: true, stops: true, byTasks: true, expects: swfFields, rows: readSWF,
	}
	gwf = fileFormat{
		Format: sniff.Format{Name: "gwf", Of: "Grid Workload Format", What: "a log in the Grid Workload Format", For: sniff.Jobs, Syntax: sniff.Numbers,
			Fit: func(h *sniff.Head) int { return sniff.ScoreIf(97, sniff.GWFLine(h.Line)) }},
		unit: swf.unit, gang: true, stops: true, byTasks: true, expects: swfFields, rows: readSWF,
	}
)

// fitsSWF recognises a line of 18 columns, or of more if some are not times: −1 means
// unknown, and Alea lists machines in braces.
func fitsSWF(h *sniff.Head) int {
	switch n := len(h.Fields); {
	case n == swfCount, n > swfCount && (h.Commented || slices.ContainsFunc(h.Fields, func(f string) bool { return f[0] == '-' || !sniff.IsNumber(f) })):
		return 95
	case h.Commented:
		return 50
	}
	return 0
}

// swfLog is the state of reading a log.
type swfLog struct {
	*workload.Remarks
	do      func(*row) error
	job     row  // the current job, which lines about its parts may follow
	held    bool // job has not been passed on yet
	later   int  // number of jobs that name a preceding one
	first   bool // no job has been read yet
	epochs  bool // times are in seconds since 1970
	columns int  // number of columns of the widest line
	fields  []csv.Field
}

func readSWF(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	log := &swfLog{Remarks: remarks, do: do, first: true, columns: swfCount}
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
		err := log.add(line)
		if err != nil && err != io.EOF {
			err = lines.Wrong(err, swfFields)
		}
		return err
	})
	if err == nil {
		err = log.pass()
	}
	if log.later > 0 {
		remarks.Said = append(remarks.Said, fmt.Sprintf("%s a preceding job and a think time: %s at the time of the log, whatever that job does",
			show.Count(log.later, "job")+" "+show.Verb(log.later, "has", "have"), show.Verb(log.later, "it arrives", "they arrive")))
	}
	for n := swfCount; n < log.columns; n++ {
		remarks.Ignored = append(remarks.Ignored, fmt.Sprint("column ", n+1))
	}
	return err
}

// pass passes the current job to l.do, unless it already has.
func (l *swfLog) pass() error {
	if !l.held {
		return nil
	}
	l.held = false
	return l.job.hand(l.Remarks, l.do)
}

// check checks that a line has enough fields and that the fields up to the requested time are
// numbers. Users and queues may have names.
func (l *swfLog) check() error {
	for i, v := range l.fields[:min(len(l.fields), swfEstimate+1)] {
		if !sniff.IsNumber(v.Text) {
			return csv.FaultAt(v.At, fieldNotNumber, i+1, v.Text)
		}
	}
	if len(l.fields) < swfCount {
		return csv.FaultAt(0, fieldCount, len(l.fields))
	}
	l.columns = max(l.columns, min(len(l.fields), maxSWFColumns))
	return nil
}

// number returns the value of a field, or 0 if it is not a number.
func (l *swfLog) number(field int) float64 {
	x, _ := show.ParseNumber(l.fields[field].Text)
	return x
}

// add reads a line. It passes on the previous job, unless the line describes a part of that job.
func (l *swfLog) add(line string) error {
	l.fields = csv.Words(line, l.fields)
	if err := l.check(); err != nil {
		return err
	}
	status := l.number(swfStatus)
	part := status == swfPart || status == swfLastPart || status == swfLastFailed
	same := part && l.held && l.job.id == l.fields[swfJob].Text
	if same && l.job.starts == 0 {
		l.LeftOut[workload.PartOfOther]++
		return nil
	}
	if !same {
		if err := l.pass(); err != nil {
			return err
		}
	}
	procs, ran := l.number(swfProcs), l.number(swfRun)
	if procs < 0 || procs == 0 && ran > 0 {
		procs = l.number(swfRequested) // the allocated number is unknown
	}
	switch {
	case status == swfCancelled && ran <= 0:
		l.LeftOut[workload.Withdrawn]++
		return nil
	case procs < 1 || ran < 0:
		l.LeftOut[workload.UnknownRun]++
		return nil
	}
	run, err := taskSeconds(l.fields[swfRun].Text)
	if err != nil {
		return csv.FaultAt(l.fields[swfRun].At, diag.InvalidPart, "run", err)
	}
	if same {
		l.job.run.at, l.job.starts = l.job.run.at+run, l.job.starts+1
		return nil
	}
	return l.hold(procs, run, part)
}

// hold starts a new current job. It is passed on after the lines about its parts.
func (l *swfLog) hold(procs float64, run sim.Nanoseconds, part bool) error {
	arrival, err := l.submitted(l.fields[swfSubmit].Text)
	if err != nil {
		return csv.FaultAt(l.fields[swfSubmit].At, diag.InvalidPart, "submit", err)
	}
	if procs > workload.MaxTasks {
		return csv.FaultAt(l.fields[swfProcs].At, diag.MoreThan, workload.MaxTasks, "tasks")
	}
	l.job, l.held = row{id: l.fields[swfJob].Text, tasks: int(procs), submit: moment{arrival, true}, run: moment{run, true}}, true
	if part {
		l.job.starts = 1
	}
	if estimate := l.number(swfEstimate); estimate > 0 && estimate <= workload.MaxSeconds {
		l.job.allows = moment{workload.Nanoseconds(estimate), true}
	}
	if l.number(swfUser) >= 0 {
		l.job.user = l.fields[swfUser].Text
	}
	if l.number(swfPreceding) > 0 {
		l.later++
	}
	return nil
}

// maxSWFColumns limits the number of columns that the remarks list.
const maxSWFColumns = 100

// submitted parses a submission time. The first job of a log determines whether times are in
// seconds since 1970.
func (l *swfLog) submitted(text string) (sim.Nanoseconds, error) {
	x, _ := show.ParseNumber(text)
	if epoch := x >= workload.EpochFrom && x <= workload.EpochTo; epoch && (l.epochs || l.first) {
		l.epochs, l.first = true, false
		return workload.Nanoseconds(x), nil
	}
	l.first = false
	return taskSeconds(text)
}

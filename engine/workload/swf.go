package workload

import (
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
)

// The fields of a line in the Standard Workload Format 2.2 of the Parallel Workloads
// Archive that are read; -1 is unknown. Logs may have more columns than swfCount.
const swfSubmit, swfRun, swfProcs, swfRequested, swfEstimate, swfUser, swfCount = 1, 3, 4, 7, 8, 11, 18

// swfLog is a log that is being read.
type swfLog struct {
	*Tasks
	users   map[string]int32
	work    work
	epochs  bool // times are seconds since 1970
	columns int  // of the widest line
}

// ReadSWF reads jobs in the Standard Workload Format, or in the Grid Workload Format,
// which has the same columns first: each is a gang of as many tasks as
// it had processors, which run as long as it did and take a slot each. Its estimate is
// the requested time. Jobs where the size or the running time is unknown or negative, or
// that had no processor, are left out and counted. A line of names may come first. If
// the first job was submitted at a time since 1970, the earliest one becomes 0.
func ReadSWF(name string, r io.Reader) (*Tasks, error) {
	t := &swfLog{Tasks: &Tasks{
		Resources: []string{SlotResource}, Kinds: []TaskKind{{Request: []cluster.Amount{cluster.Unit}}}, Remarks: Remarks{Unit: "job"},
	}, users: map[string]int32{}, columns: swfCount}
	lines := newLines(name, r)
	for names := true; ; {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if line[0] == ';' || line[0] == '#' {
			continue
		}
		if titled := names && sniff.Titles(line); titled {
			names = false
			continue
		}
		names = false
		if err := t.add(line); err != nil {
			return nil, lines.wrong(err, sniff.SWFFields)
		}
	}
	if len(t.Jobs) == 0 {
		return nil, diag.Errorf(name, 1, 1, "there is no job that ran for a known time on known processors; expected %s", sniff.SWFFields)
	}
	for n := swfCount; n < t.columns; n++ {
		t.Remarks.Ignored = append(t.Remarks.Ignored, fmt.Sprint("column ", n+1))
	}
	t.KindOf = make([]int32, len(t.Durations))
	t.sortJobs()
	if err := t.toOrigin(t.epochs); err != nil {
		return nil, diag.Errorf(name, 1, 1, "%v", err)
	}
	return t.Tasks, nil
}

// toOrigin has the first job of a workload whose times count from 1970 arrive at 0.
func (t *Tasks) toOrigin(epochs bool) error {
	if !epochs {
		return nil
	}
	origin := t.Jobs[0].Arrival
	t.Remarks.Origin = sim.Milliseconds(origin / 1e6)
	for i := range t.Jobs {
		t.Jobs[i].Arrival -= origin
	}
	if span := seconds(t.Jobs[len(t.Jobs)-1].Arrival); span > maxTaskSeconds {
		return fmt.Errorf("from the first job to the last %v s pass; at most %v s are read", span, float64(maxTaskSeconds))
	}
	return nil
}

func (t *swfLog) add(line string) error {
	var fields [swfCount]string
	var at [swfCount]int32
	w := words{line: line, rest: line}
	n := 0
	for ; w.more(); n++ {
		if n >= swfCount {
			w.next()
			continue
		}
		at[n] = w.at()
		fields[n] = w.next()
		if _, ok := show.ParseNumber(fields[n]); !ok && n <= swfEstimate { // users and queues may have names
			return faultf(at[n], "field %d: %.40q is not a number", n+1, fields[n])
		}
	}
	if n < swfCount {
		return faultf(0, "there are %d fields", n)
	}
	t.columns = max(t.columns, min(n, maxSWFColumns))
	procs, ran := swfNumber(fields[swfProcs]), swfNumber(fields[swfRun])
	if procs < 0 || procs == 0 && ran > 0 {
		procs = swfNumber(fields[swfRequested]) // those that it had are unknown
	}
	if procs < 1 || ran < 0 {
		t.Remarks.LeftOut[UnknownRun]++
		return nil
	}
	arrival, err := t.submitted(fields[swfSubmit])
	if err != nil {
		return faultf(at[swfSubmit], "submit: %w", err)
	}
	run, err := taskSeconds(fields[swfRun])
	if err != nil {
		return faultf(at[swfRun], "run: %w", err)
	}
	if float64(len(t.Durations))+procs > MaxTasks {
		return faultf(at[swfProcs], "there are more than %d tasks", MaxTasks)
	}
	job := TaskJob{
		Arrival: arrival, Mean: run, First: int32(len(t.Durations)), Count: int32(procs), User: t.userOf(fields[swfUser], t.users),
		Gang: true, Estimate: swfEstimated(fields[swfEstimate]),
	}
	if seconds(run)*procs > seconds(MaxWork) {
		return faultf(at[swfRun], "run: %s processors for %s s are too much", fields[swfProcs], fields[swfRun])
	}
	if err := t.work.add(run * sim.Nanoseconds(job.Count)); err != nil {
		return faultf(0, "%w", err)
	}
	t.Durations = slices.Grow(t.Durations, int(job.Count))
	for range job.Count {
		t.Durations = append(t.Durations, run)
	}
	t.Jobs = append(t.Jobs, job)
	return nil
}

// maxSWFColumns bounds the columns that are counted.
const maxSWFColumns = 100

// submitted reads a submission. The first one of a log tells whether its times count
// from 1970.
func (t *swfLog) submitted(text string) (sim.Nanoseconds, error) {
	x, _ := show.ParseNumber(text)
	if epoch := x >= epochFrom && x <= epochTo; epoch && (t.epochs || len(t.Jobs) == 0) {
		t.epochs = true
		return nanoseconds(x), nil
	}
	return taskSeconds(text)
}

// swfEstimated is a requested time, 0 for one that is unknown or out of range.
func swfEstimated(text string) sim.Nanoseconds {
	if x := swfNumber(text); x > 0 && x <= maxTaskSeconds {
		return nanoseconds(x)
	}
	return 0
}

func swfNumber(text string) float64 {
	x, _ := show.ParseNumber(text)
	return x
}

// userOf returns the number of a user; one that is not known is the user "?".
func (t *Tasks) userOf(text string, users map[string]int32) int32 {
	if swfNumber(text) < 0 {
		text = "?"
	}
	n, known := users[text]
	if !known {
		n = int32(len(t.Users))
		users[text] = n
		t.Users = append(t.Users, text)
	}
	return n
}

package workload

import (
	"io"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
)

// The fields of a line in the Standard Workload Format 2.2 of the Parallel Workloads
// Archive that are read; -1 is unknown.
const swfSubmit, swfRun, swfProcs, swfRequested, swfUser, swfCount = 1, 3, 4, 7, 11, 18

// ReadSWF reads jobs in the Standard Workload Format: each becomes as many tasks as it
// had processors, which run as long as it did and take a slot each. Jobs where one of
// the two is unknown, or that had no processor, are left out and counted.
func ReadSWF(name string, r io.Reader) (*Tasks, error) {
	t := &Tasks{Resources: []string{SlotResource}, Kinds: []TaskKind{{Request: []cluster.Amount{cluster.Unit}}}}
	lines := newLines(name, r)
	users := map[string]int32{}
	var all work
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if line[0] == ';' {
			continue
		}
		if err := t.addSWF(line, users, &all); err != nil {
			return nil, lines.wrong(err, sniff.SWFFields)
		}
	}
	if len(t.Jobs) == 0 {
		return nil, diag.Errorf(name, 1, 1, "there is no job that ran for a known time on known processors; expected %s", sniff.SWFFields)
	}
	t.KindOf = make([]int32, len(t.Durations))
	t.sortJobs()
	return t, nil
}

func (t *Tasks) addSWF(line string, users map[string]int32, all *work) error {
	var fields [swfCount]string
	var at [swfCount]int32
	w := words{line: line, rest: line}
	n := 0
	for ; w.more(); n++ {
		if n == swfCount {
			return faultf(w.at(), "there are more than %d fields", swfCount)
		}
		at[n] = w.at()
		fields[n] = w.next()
		if _, ok := show.ParseNumber(fields[n]); !ok {
			return faultf(at[n], "field %d: %.40q is not a number", n+1, fields[n])
		}
	}
	if n < swfCount {
		return faultf(0, "there are %d fields", n)
	}
	procs, ran := swfNumber(fields[swfProcs]), swfNumber(fields[swfRun])
	if procs < 0 || procs == 0 && ran > 0 {
		procs = swfNumber(fields[swfRequested]) // those that it had are unknown
	}
	if procs < 1 || ran < 0 {
		t.LeftOut++
		return nil
	}
	arrival, err := taskSeconds(fields[swfSubmit])
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
	job := TaskJob{Arrival: arrival, Mean: run, First: int32(len(t.Durations)), Count: int32(procs), User: t.userOf(fields[swfUser], users)}
	for range job.Count {
		if err := all.add(run); err != nil {
			return faultf(0, "%w", err)
		}
		t.Durations = append(t.Durations, run)
	}
	t.Jobs = append(t.Jobs, job)
	return nil
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

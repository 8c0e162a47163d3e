package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/golden"
)

// recorded is the record that the page shows.
func recorded(t *testing.T) *record {
	t.Helper()
	data, err := os.ReadFile("recorded.json")
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

func TestPageShowsTheRecord(t *testing.T) {
	golden.Part(t, "../../../web/docs/pages/cross-validation.md", "figures of the cross-validation", recorded(t).page())
}

// The mean responses of Sparrow, Hawk and Eagle are within 8 % of the authors' simulator
// once it draws without replacement.
func TestRecordIsWithinTheGoal(t *testing.T) {
	found := 0
	for _, p := range recorded(t).Runs {
		if p.Program != "eagle-mended" {
			continue
		}
		found++
		for k := range p.Berth {
			if d := p.Berth[k].All.Mean/p.Theirs[k].All.Mean - 1; math.Abs(d) > 0.08 {
				t.Errorf("%s, trace %d: the mean differs by %.1f %%", p.Scheduler, k+1, 100*d)
			}
		}
	}
	if found != 3 {
		t.Errorf("%d schedulers have a record beside the mended simulator: expected 3", found)
	}
}

// The record is of the schedulers as they are: Berth still gives its times.
func TestRecordIsReproduced(t *testing.T) {
	r := recorded(t)
	for _, p := range r.Runs {
		tr, err := newTrace(1, p.Jobs)
		if err != nil {
			t.Fatal(err)
		}
		got, err := berth(t.Context(), p.Scheduler, 1, tr)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Berth[0]
		got.Seconds, want.Seconds = 0, 0
		if got != want {
			t.Errorf("%s: now it is %+v, and what was recorded %+v", p.Scheduler, got, want)
		}
	}
}

// The text has the same jobs that Berth runs.
func TestTraceIsWhole(t *testing.T) {
	tr, err := newTrace(1, 50)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(tr.text)), "\n")
	if len(lines) != len(tr.tasks.Jobs) {
		t.Fatalf("%d lines for %d jobs", len(lines), len(tr.tasks.Jobs))
	}
	arrivals := map[string]bool{}
	for i, line := range lines {
		words := strings.Fields(line)
		if len(words) != 3+int(tr.tasks.Jobs[i].Count) || arrivals[words[0]] {
			t.Errorf("job %d: %q", i, line)
		}
		arrivals[words[0]] = true
		for _, word := range words[3:] {
			if strings.Contains(word, ".") || word == "0" {
				t.Errorf("job %d has a task of %s s", i, word)
			}
		}
	}
}

func TestOutputsAreRead(t *testing.T) {
	tr, err := newTrace(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("finished_file", "20.0  estimated_task_duration:  5  by_def:  0  total_job_running_time:  7.5\n30.0  estimated_task_duration:  200  by_def:  1  total_job_running_time:  250.0\n")
	write("output_file_name", "0  1  3   7.5  2.5\n1  0  9   250  50\n")
	write("logs/record_job_completion_time.csv", "Job ID,Job Completion Time\n1,0.5\n2,1.5\n")
	for _, read := range []func(string, *trace) (responses, error){readEagle, readPigeon} {
		r, err := read(dir, tr)
		if err != nil || len(r.short) != 1 || r.short[0] != 7.5 || len(r.long) != 1 || r.long[0] != 250 {
			t.Errorf("%+v, %v", r, err)
		}
	}
	r, err := readMegha(dir, tr)
	if all := r.outcome(0).All; err != nil || all.Jobs != 2 || math.Abs(2*all.Mean-tr.longest(0)-tr.longest(1)-2) > 1e-9 {
		t.Errorf("%+v, %v", r, err)
	}
	for file, text := range map[string]string{"finished_file": "one word\n", "output_file_name": "0 1 3 x 2\n", "logs/record_job_completion_time.csv": "Job ID,T\n3,0.5\n"} {
		write(file, text)
	}
	for _, p := range programs {
		if _, err := p.modes[0].read(dir, tr); err == nil {
			t.Errorf("%s: bad output is read", p.id)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, bad := range [][]string{{}, {"-record", "x", "-jobs", "0"}, {"-record", "x", "-seeds", "-1"}, {"-nothing"}} {
		if err := run(t.Context(), bad); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

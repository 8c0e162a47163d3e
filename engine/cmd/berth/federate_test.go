package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/must"
)

// ran matches the measured times of a run.
var ran = regexp.MustCompile(`(?m)"(seconds|decisionsPerSecond)": [\d.e+-]+|(ran for, s|decisions/s) .*$`)

// The golden files are like those of TestCommands.
func TestFederate(t *testing.T) {
	t.Chdir("testdata/federate")
	for name, lines := range map[string][]string{
		"small": {
			"federate --trace jobs.tr --workers 4 --gms 2 --lms 2 --scheduler megha --scheduler megha-1 --scheduler sparrow --scheduler pigeon --scheduler ideal --format text",
			"federate --trace jobs.tr --workers 4 --gms 1 --lms 1 --ideal-processing --scheduler centralised",
			"federate --trace jobs.tr --preset paper --delay 1ms --format text",
			"federate --trace tasks.csv --workers 3 --gms 2 --lms 1 --shares 0.25,0.75 --heartbeat 1s --launch-delay 2ms --seed 4 --format text",
			"federate --trace never.csv --workers 4 --gms 2 --lms 2 --format text",
			"federate --trace jobs.tr --workers 4 --gms 2 --lms 2 --scheduler fcfs --scheduler fair --tasks - --format text",
			"federate --trace jobs.tr --workers 4 --scheduler fcfs --first 1 --from 1s --format text",
			"federate --trace jobs.tr --workers 4 --scheduler fcfs --from 1000s", "federate --trace jobs.tr --workers 4 --scheduler fcfs --from 2s --to 1s",
		},
		"wrong-use": {
			"federate", "federate --trace", "federate --trace jobs.tr more", "federate --trace jobs.tr --scheduler best",
			"federate --trace jobs.tr --scheduler megha --scheduler megha", "federate --trace jobs.tr --workers 0",
			"federate --trace jobs.tr --workers 5 --gms 6 --lms 1", "federate --trace jobs.tr --workers 5 --gms 1 --lms 6",
			"federate --trace jobs.tr --gms -1", "federate --trace jobs.tr --lms 2000", "federate --trace jobs.tr --workers many",
			"federate --trace jobs.tr --shares 0.5,0.4", "federate --trace jobs.tr --shares 1.5,-0.5", "federate --trace jobs.tr --shares half",
			"federate --trace tasks.csv --shares 1", "federate --trace jobs.tr --heartbeat 0s", "federate --trace jobs.tr --heartbeat -1s",
			"federate --trace jobs.tr --delay 0s", "federate --trace jobs.tr --launch-delay 0s", "federate --trace jobs.tr --delay fast",
			"federate --trace tasks.csv --scheduler sparrow", "federate --trace jobs.tr --format xml", "federate --trace jobs.tr --preset best",
		},
		"wrong-file": {
			"federate --trace missing.tr", "federate --trace .", "federate --trace count.tr", "federate --trace negative.tr", "federate --trace none.tr",
			"federate --trace mean.tr", "federate --trace blank.tr", "federate --trace arrivals.csv", "federate --trace constraint.csv",
			"federate --trace column.csv", "federate --trace header.csv",
		},
		"scenarios": {
			"run scenario.json --format text", "run sweep.json --format text", "run wrong.json", "run fields.json", "link scenario.json",
		},
	} {
		golden.Check(t, name+".txt", transcript(t, lines, ran))
	}
}

// Every parameter has a flag, which refuses the same values as a document, with the same message.
func TestFlagsOfParameters(t *testing.T) {
	t.Chdir("testdata/federate")
	for _, p := range federatekind.SweepParameters() {
		for _, x := range []float64{p.Low - 1, p.High + 1} {
			text := strconv.FormatFloat(x, 'f', -1, 64)
			if p.Time() {
				text += "s"
			}
			want := "expected " + p.Expected()
			if strings.HasPrefix(p.JSONPath(), "window.") && p.Time() {
				want = "expected a number from " + p.Expected()
			}
			if p.Time() && x < 0 {
				want = "expected a time" // no time is below 0
			}
			_, stderr, code := exec(t, "", "federate", "--trace", "jobs.tr", "--"+p.Flag(), text)
			if math.IsInf(x, 1) {
				continue
			}
			if code != 2 || !strings.Contains(stderr, "--"+p.Flag()+": ") || !strings.Contains(stderr, want) {
				t.Errorf("--%s %s: status %d, %s; want %s", p.Flag(), text, code, stderr, want)
			}
		}
	}
	mean := func(args ...string) float64 {
		stdout, stderr, _ := exec(t, "", append([]string{"federate", "--trace", "jobs.tr", "--workers", "2", "--gms", "1", "--lms", "1", "--scheduler", "megha"}, args...)...)
		var report federatekind.Report
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			t.Fatal(err, stderr)
		}
		return float64(report.Schedulers[0].Allocation.Mean)
	}
	if usual := mean(); mean("--cost-take", "50us") != usual || mean("--cost-take", "1s") < usual+1 {
		t.Errorf("the mean is %v s, with its default given %v s and with a second for each task %v s", usual, mean("--cost-take", "50us"), mean("--cost-take", "1s"))
	}
}

// federated runs the published trace on 5,000 workers.
func federated(t *testing.T, args ...string) map[string]federatekind.SchedulerReport {
	t.Helper()
	data := golden.Data(t)
	stdout, stderr, code := exec(t, "", append([]string{"federate", "--trace", filepath.Join(data, "traces", "YH1_sub.tr")}, args...)...)
	if code != statusPlaced || stderr != "" {
		t.Fatalf("status %d: %s", code, stderr)
	}
	var report federatekind.Report
	must.Do(t, json.Unmarshal([]byte(stdout), &report))
	all := map[string]federatekind.SchedulerReport{}
	for _, s := range report.Schedulers {
		all[s.Name] = s
	}
	return all
}

// Berth reproduces the shapes of the results of the peers' own simulators (Megha's, Sparrow's,
// Pigeon's).
func TestFederateAsThePeersDo(t *testing.T) {
	all := federated(t, "--ideal-processing", "--scheduler", "megha", "--scheduler", "sparrow", "--scheduler", "pigeon", "--scheduler", "ideal", "--scheduler", "megha-1")
	for name, s := range all {
		if s.Tasks != 122878 || s.Jobs != 2910 {
			t.Errorf("%s ran %d tasks in %d jobs", name, s.Tasks, s.Jobs)
		}
		if ideal := all["ideal"]; s.JobCompletion.Mean < ideal.JobCompletion.Mean || float64(s.JobCompletion.At("p50")) < float64(ideal.JobCompletion.At("p50")) {
			t.Errorf("%s is better than the ideal", name)
		}
	}
	sparrow, pigeon, megha := all["sparrow"], all["pigeon"], all["megha"]
	if float64(sparrow.JobCompletion.At("p50")) < 10*float64(megha.JobCompletion.At("p50")) || float64(sparrow.JobCompletion.At("p50")) < 10*float64(pigeon.JobCompletion.At("p50")) {
		t.Errorf("median completion: Sparrow %v s, Pigeon %v s, Megha %v s; want the first an order of magnitude above", float64(sparrow.JobCompletion.At("p50")), float64(pigeon.JobCompletion.At("p50")), float64(megha.JobCompletion.At("p50")))
	}
	if float64(megha.JobDelay.At("p50")) != 0.001 {
		t.Errorf("Megha's median job delay is %v s, want that of two messages", float64(megha.JobDelay.At("p50")))
	}
}

// An audit has the worker and the times of every task: no worker has two at once, and the figures
// follow from it.
func TestFederateIsAudited(t *testing.T) {
	t.Chdir("testdata/federate")
	for _, names := range [][]string{{"easy"}, {"fcfs"}, {"megha", "ideal"}, {"sparrow", "pigeon"}} {
		folder := t.TempDir()
		tasksFile, jobsFile := filepath.Join(folder, "tasks.csv"), filepath.Join(folder, "jobs.csv")
		args := []string{"federate", "--trace", "jobs.tr", "--workers", "4", "--gms", "2", "--lms", "2", "--tasks", tasksFile, "--jobs", jobsFile}
		for _, name := range names {
			args = append(args, "--scheduler", name)
		}
		stdout := succeeds(t, "", args...)
		var report federatekind.Report
		must.Do(t, json.Unmarshal([]byte(stdout), &report))
		tasks, jobs := table(t, tasksFile), table(t, jobsFile)
		for i, name := range names {
			of := func(rows []map[string]string) (own []map[string]string) {
				for _, row := range rows {
					if len(names) == 1 || row["scheduler"] == name {
						own = append(own, row)
					}
				}
				return own
			}
			alone(t, name, of(tasks))
			sum := 0.0
			for _, row := range of(jobs) {
				sum += seconds(t, row["response"])
			}
			want := report.Schedulers[i]
			if got := sum / float64(len(of(jobs))); math.Abs(got-float64(want.JobCompletion.Mean)) > 1e-9 || len(of(tasks)) != want.Tasks || len(of(jobs)) != want.Jobs {
				t.Errorf("%s: %d tasks and %d jobs, which take %v s; want %d, %d and %v s", name, len(of(tasks)), len(of(jobs)), got, want.Tasks, want.Jobs, want.JobCompletion.Mean)
			}
		}
	}
}

// alone checks that no worker has two tasks at once.
func alone(t *testing.T, name string, rows []map[string]string) {
	t.Helper()
	for i, a := range rows {
		for _, b := range rows[:i] {
			if a["worker"] != "" && a["worker"] == b["worker"] && seconds(t, a["start"]) < seconds(t, b["end"]) && seconds(t, b["start"]) < seconds(t, a["end"]) {
				t.Errorf("%s: %v and %v are on one worker at once", name, a, b)
			}
		}
	}
}

func seconds(t *testing.T, text string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(text, 64))(t)
}

// table reads a CSV file.
func table(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	file := must.Get(os.Open(name))(t)
	defer file.Close()
	all := must.Get(csv.NewReader(file).ReadAll())(t)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// A job that waits for one that can never run is an error of the inputs, with its field and advice.
func TestFederateRefusesToWaitForEver(t *testing.T) {
	folder := t.TempDir()
	trace, machines := filepath.Join(folder, "jobs.csv"), filepath.Join(folder, "machines.csv")
	must.Do(t, os.WriteFile(trace, []byte("arrival,job,duration,cpu,memory,after\n0,a,1,9,1,\n0,b,1,1,1,a\n"), 0o600))
	must.Do(t, os.WriteFile(machines, []byte("name,cpu,memory\nm,1,1\n"), 0o600))
	_, stderr, code := exec(t, "", "federate", "--trace", trace, "--machines", machines, "--scheduler", "fcfs")
	if code != statusBadInput || !strings.Contains(stderr, "--trace: job 1 waits for job 0") || !strings.Contains(stderr, "expected workers") {
		t.Errorf("status %d: %s", code, stderr)
	}
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// kept is the folder with package kept's files from an earlier build.
const kept = "../../kept/testdata/"

// Commands keep their flags, and files keep their columns. New ones may be added.
func TestCommandsKeepTheirFlags(t *testing.T) {
	text := must.Get(os.ReadFile(kept + "surface.txt"))(t)
	flags, n := flagsByCommand(t), 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if words[0] == "flag" && words[1] != "help" && words[1] != "completion" {
			n++
			if !slices.Contains(flags[words[1]], strings.TrimPrefix(words[2], "--")) {
				t.Errorf("berth %s has no %s any more", words[1], words[2])
			}
		}
	}
	if n < 200 {
		t.Errorf("%d flags", n)
	}
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		if text != "" {
			must.Do(t, os.WriteFile(name, []byte(text), 0o666))
		}
		return name
	}
	requests, tasks, jobs := file("requests.csv", ""), file("tasks.csv", ""), file("jobs.csv", "")
	for _, line := range [][]string{
		{"simulate", "--workload", file("w.csv", "id,job,submit_s,duration_s,cpu,memory,class\n1,1,0,10,0.5,0.5,gold\n"), "--hosts", file("h.csv", "name,cpu,memory,attributes\na,1,1,\n"), "--requests", requests},
		{"federate", "--trace", file("j.tr", "0 1 5 5\n"), "--workers", "4", "--gms", "1", "--lms", "1", "--tasks", tasks, "--jobs", jobs},
	} {
		succeeds(t, "", line...)
	}
	for name, written := range map[string]string{"requests": requests, "tasks": tasks, "jobs": jobs} {
		data := must.Get(os.ReadFile(written))(t)
		header, _, _ := strings.Cut(string(data), "\n")
		_, was, _ := strings.Cut(string(text), "csv "+name+" ")
		was, _, _ = strings.Cut(was, "\n")
		if !strings.HasPrefix(header, was) {
			t.Errorf("the columns of %s are %s, were %s", name, header, was)
		}
	}
}

// A store of an earlier build can be opened and keeps its results. This engine repeats the runs.
func TestEarlierSweepGoesOn(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"experiment.json", storeFile} {
		data := must.Get(os.ReadFile(kept + "sweep/" + name))(t)
		must.Do(t, os.WriteFile(filepath.Join(folder, name), data, 0o666))
	}
	_, errs, code := exec(t, "", "sweep", filepath.Join(folder, "experiment.json"), "--store", folder)
	if code != statusPlaced || !strings.Contains(errs, "4 results") || !strings.Contains(errs, "the sweep repeats these runs") {
		t.Errorf("%d, %s", code, errs)
	}
}

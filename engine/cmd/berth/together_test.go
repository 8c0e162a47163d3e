package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/must"
)

// Tables that belong together are one trace, as several flags in any order, as a folder and as a
// zip.
func TestTablesTogether(t *testing.T) {
	folder := t.TempDir()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range map[string]string{
		"job.csv":  "j1,i1,alice,Terminated,100.0,400.0\n",
		"task.csv": "j1,worker,2,Terminated,120.0,400.0,600.0,1,,\n",
		"inst.csv": "j1,worker,a,w1,i1,Terminated,120.0,300.0,m1\nj1,worker,b,w2,i1,Terminated,125.0,400.0,m2\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
		if f, err := w.Create(name); err != nil {
			t.Fatal(err)
		} else if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	archive := must.File(t, "pai.zip", packed.Bytes())
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, traces := range [][]string{{at("task.csv"), at("inst.csv"), at("job.csv")}, {folder}, {archive}} {
		var flags []string
		for _, trace := range traces {
			flags = append(flags, "--trace", trace)
		}
		tasks := filepath.Join(t.TempDir(), "tasks.csv")
		if _, stderr, code := exec(t, "", append([]string{"federate", "--workers", "2", "--scheduler", "fcfs", "--tasks", tasks}, flags...)...); code != 0 {
			t.Fatalf("%v: status %d: %s", traces, code, stderr)
		}
		got := must.Get(os.ReadFile(tasks))(t)
		if want := "job,task,submit,start,end,worker,attempts\n0,0,100,100.001,280.001,0,1\n0,1,100,100.001,375.001,0,1\n"; string(got) != want {
			t.Errorf("%v: %s", traces, got)
		}
		hosts := at("../hosts.csv")
		must.Do(t, os.WriteFile(hosts, []byte("name,cpu,memory\nh,64,64\n"), 0o600))
		for i := range flags {
			flags[i] = strings.Replace(flags[i], "--trace", "--workload", 1)
		}
		if stdout, stderr, code := exec(t, "", append([]string{"simulate", "--hosts", hosts, "--policy", "qos"}, flags...)...); code != 0 || !strings.Contains(stdout, `"requests": 2`) {
			t.Errorf("%v: status %d: %s", traces, code, stderr)
		}
	}
}

func TestFilesThatDoNotBelongTogether(t *testing.T) {
	folder := t.TempDir()
	a, b := filepath.Join(folder, "a.tr"), filepath.Join(folder, "b.tr")
	for _, name := range []string{a, b} {
		must.Do(t, os.WriteFile(name, []byte("0 1 1 1\n"), 0o600))
	}
	for want, args := range map[string][]string{
		"does not belong to":                  {"--trace", a, "--trace", b},
		"without tables that belong together": {"--trace", folder},
		"no such file":                        {"--trace", a, "--trace", filepath.Join(folder, "c.tr")},
	} {
		if _, stderr, code := exec(t, "", append([]string{"federate"}, args...)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v: status %d: %s", args, code, stderr)
		}
	}
}

// In the files of tasks and jobs a task is submitted when the last of its parents has ended.
func TestAuditOfDependencies(t *testing.T) {
	folder := t.TempDir()
	trace, tasks, jobs := filepath.Join(folder, "tasks.csv"), filepath.Join(folder, "t.csv"), filepath.Join(folder, "j.csv")
	must.Do(t, os.WriteFile(trace, []byte("id,submission_time,duration,cpu_count,parents\na,0,10000,1,[]\nb,0,1000,1,[a]\nc,50000,1000,1,[b]\n"), 0o600))
	if _, stderr, code := exec(t, "", "federate", "--trace", trace, "--workers", "1", "--scheduler", "fcfs", "--tasks", tasks, "--jobs", jobs); code != 0 {
		t.Fatalf("status %d: %s", code, stderr)
	}
	for name, want := range map[string]string{
		tasks: "job,task,submit,start,end,worker,attempts\n0,0,0,0.001,10.001,0,1\n1,1,10.001,10.002,11.002,0,1\n2,2,50,50.001,51.001,0,1\n",
		jobs:  "job,tasks,submit,start,end,response,class\n0,1,0,0.001,10.001,10.001,short\n1,1,10.001,10.002,11.002,1.001,short\n2,1,50,50.001,51.001,1.001,short\n",
	} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}

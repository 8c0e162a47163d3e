package trace_test

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/diag/diagtest"
	"berth/engine/golden"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// Files of other systems have the same meaning in both laboratories: the golden file has arrival,
// run time and resources of each job and of each request, and what is said about the file.
func TestForeignFormats(t *testing.T) {
	var got strings.Builder
	for _, file := range must.Get(os.ReadDir("testdata/foreign"))(t) {
		name := file.Name()
		text := string(must.Get(os.ReadFile("testdata/foreign/" + name))(t))
		open := func() (io.Reader, error) { return strings.NewReader(text), nil }
		tasks := must.Get(trace.OpenTasks(name, workload.Window{}, open))(t)
		var jobs, asked []string
		for i, j := range tasks.Jobs {
			one := fmt.Sprintf("%v %v ×%d %s %v", float64(j.Arrival)/1e9, float64(tasks.Durations[j.First])/1e9, j.Count, tasks.Users[j.User], float64(j.Estimate)/1e9)
			if j.Gang {
				one += " gang"
			}
			if tasks.After != nil && len(tasks.After[i]) > 0 {
				one += " after " + strings.Trim(fmt.Sprint(tasks.After[i]), "[]")
			}
			jobs = append(jobs, one)
		}
		source := must.Get(trace.OpenRequests(name, open))(t)
		requests := must.Get(workload.ReadAll(source))(t)
		if remarked, ok := source.(workload.Remarked); ok && len(requests) > 0 && requests[0].Class == "silver" &&
			!slices.Contains(remarked.Remarks().Notes(), "the file has no service classes: all requests are silver") {
			t.Errorf("%s: nothing is said about classes", name)
		}
		for _, r := range requests {
			asked = append(asked, fmt.Sprintf("%s %v %v %v/%v/%d", r.ID, float64(r.Submit)/1000, float64(r.Duration)/1000, r.CPU.Units(), r.Memory.Units(), r.GPUs))
		}
		said := slices.Concat(tasks.Remarks.Notes(), tasks.Remarks.Warnings())
		fmt.Fprintf(&got, "%[1]s:tasks %[2]s\n%[1]s:requests %[3]s\n%[1]s:notes %[4]s\n", name, strings.Join(jobs, ", "), strings.Join(asked, ", "), strings.Join(said, "; "))
	}
	golden.Lines(t, "testdata/foreign.txt", got.String())
}

// An error in a file of another system has a position.
func TestForeignFormatsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,x,1\n": `f:2:1: ContextTokens: "x" is not a whole number`,
		"TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,1\n":           `f:2:1: TIMESTAMP: "yesterday" is not a date such as`,
		"JobID|Submit\n1|2025-11-02T01:30:00\n":                              "there is no job that ran for a known time",
		`{"nb_res": 1, "jobs": 7, "profiles": {}}`:                           "f:1:",
		`{"name": "w", "workflow": {"jobs": [{"name": "a", "runtime": 1, "parents": ["b"]}, {"name": "b", "runtime": 1, "parents": ["a"]}]}}`: "is among its own parents",
		`{"name": "w", "workflow": {"jobs": [{"name": "a", "runtime": 1, "parents": ["z"]}]}}`:                                                `has the parent "z", which is not in the file`,
		"job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\nj,t,-5,Terminated,1,2,1,1,1,T\n":         `f:2:5: inst_num: "-5" is not a number from 0 on`,
		"HashApp,HashFunction,1,Average\na,f,x,1\n":            `f:2:5: 1: "x" is not a whole number`,
		"HashApp,HashFunction,1,Average\na,f,1,-1\n":           `f:2:7: Average: "-1" is not a time`,
		"submission_time,requested_number_of_resources\n1,1\n": "f:1:46: the column execution_time is missing",
	} {
		open := func() (io.Reader, error) { return strings.NewReader(text), nil }
		if _, err := trace.OpenTasks("f", workload.Window{}, open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, err := trace.OpenRequests("f", open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNodesOfOthers(t *testing.T) {
	for text, want := range map[string]string{
		"gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,4,128,7\n": "7 128 1024 4",
		"82e5,T4,96,512,2\n": "82e5 96 512 2",
		"machine,gpu_type,cap_cpu,cap_mem,cap_gpu\n8,T4,96,512,2\n": "8 96 512 2",
		"m_1,0,1,2,96,100,USING\nm_1,5,1,2,96,100,USING\n":          "m_1 96 100 0",
	} {
		hosts, _, err := trace.ReadHosts("n", strings.NewReader(text))
		if err != nil || len(hosts) != 1 {
			t.Errorf("%v, %v", hosts, err)
			continue
		}
		h := hosts[0]
		if got := fmt.Sprint(h.Name, " ", h.CPU.Units(), h.Memory.Units(), h.GPUs); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Both laboratories accept any bytes without a panic, and their values are in range. Errors have a
// position in the text.
func FuzzForeign(f *testing.F) {
	for _, file := range must.Get(os.ReadDir("testdata/foreign"))(f) {
		f.Add(string(must.Get(os.ReadFile("testdata/foreign/" + file.Name()))(f)))
	}
	for _, text := range []string{
		openbNodeList, openbPodList, swf,
		`{1.5,7,3,60,0.25,0.5,9,1,[{"disk","=","ssd"},{"cores",">","2"}]}.`,
		"id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,x=y;z>3",
		"id,submit_s,duration_s,cpu,memory,class,user\na,1,1,1,1,gold,\"Ada, L.\"\nb,1,1,1,1,gold,",
		"0,1,1,any,0,1,7200,-1,0.375,0.375,free,0.5",
		`{1,"a",0.25,0.5,[{"k","v"}]}.`, "name,cpu,memory,attributes\na,0.25,0.5,k=v", "0,5,0,p,0.5,0.25",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		open := func() (io.Reader, error) { return strings.NewReader(text), nil }
		tasks, err := trace.OpenTasks("f", workload.Window{}, open)
		diagtest.InText(t, text, err)
		if err == nil && len(tasks.Jobs) == 0 {
			t.Error("no jobs and no error")
		}
		for i := 0; err == nil && i < len(tasks.Jobs); i++ {
			if j := tasks.Jobs[i]; j.Arrival < 0 || j.Count < 1 || int(j.First+j.Count) > len(tasks.Durations) || tasks.Durations[j.First] < 0 {
				t.Fatalf("%+v", j)
			}
		}
		source, err := trace.OpenRequests("f", open)
		for n := 0; err == nil && n < 1<<14; { // one row may ask for millions
			requests := make([]workload.Request, 256)
			var read int
			read, err = source.Read(requests)
			n += read
			for _, r := range requests[:read] {
				r.Memory = max(r.Memory, 1) // some logs do not have it
				if err := r.Check(); err != nil || r.Submit < 0 || r.Submit > workload.MaxTime || r.CPU > cluster.MaxAmount {
					t.Errorf("%+v was read: %v", r, err)
				}
			}
		}
		if err != io.EOF {
			diagtest.InText(t, text, err)
		}
		hosts, _, err := trace.ReadHosts("f", strings.NewReader(text))
		diagtest.InText(t, text, err)
		for _, h := range hosts {
			if err == nil && (h.CPU <= 0 || h.Memory <= 0) {
				t.Errorf("%+v was read", h)
			}
		}
	})
}

// Tasks of OpenDC wait for their parents, and arrive when they are submitted.
func TestParentsOfOpenDC(t *testing.T) {
	load := must.Get(readTasks("tasks.csv", strings.NewReader("id,submission_time,duration,cpu_count,parents\na,0,10000,1,[]\nb,0,1000,1,[a]\nc,50000,1000,1,\"[a, b]\"\nd,60000,1000,1,b;x\n")))(t)
	if want := [][]int32{nil, {0}, {0, 1}, {1}}; !reflect.DeepEqual(load.After, want) {
		t.Errorf("after %v, want %v", load.After, want)
	}
	if got := load.Jobs[2].Arrival; got != 50e9 {
		t.Errorf("c comes at %d", got)
	}
	if said := strings.Join(load.Remarks.Said, "; "); !strings.Contains(said, "1 dependency on tasks that are not in the file") {
		t.Error(said)
	}
}

// Nodes are down from the start of an event of type 0 to its end.
func TestFailureTraceArchive(t *testing.T) {
	const text = "# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n" +
		"0 0 1 0 n1 1 1175000000.0 1175003600.0 0\n1 0 1 0 n1 0 1175003600.0 1175007200.5 0\n2 0 2 0 n2 0 1175000010 1175000020 0\n"
	events := must.Get(trace.HostEvents("f", strings.NewReader(text)))(t)
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprint(e.Host, " ", e.Up, " ", e.At))
	}
	if want := "[n2 false 10000 n2 true 20000 n1 false 3600000 n1 true 7200500]"; fmt.Sprint(got) != want {
		t.Errorf("events %v, want %s", got, want)
	}
	if _, err := trace.HostEvents("f", strings.NewReader(text+"3 0 2 0 n2 0 now 1175000020 0\n")); err == nil || !strings.HasPrefix(err.Error(), "f:5:14: event_start_time") {
		t.Error(err)
	}
}

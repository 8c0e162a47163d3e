package federatekind_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	_ "berth/engine/input/trace"
	"berth/engine/scenario"
)

// onMachines returns a document with a list of machines.
func onMachines(trace, machines string, schedulers ...string) *federatekind.Document {
	return &federatekind.Document{
		Trace: scenario.Source{Name: "jobs", Text: trace}, Machines: &scenario.Source{Name: "machines.csv", Text: machines},
		GMs: 10, LMs: 10, Schedulers: schedulers, Seed: 1, Delay: number(0.0005),
	}
}

// Two tasks of 10 s and one of 4 s run on two machines. One machine has two slots and half the
// speed of the other, which has one slot. The first two tasks take 20 s, and the third takes 4 s.
func TestMachinesHaveSlotsAndSpeeds(t *testing.T) {
	d := onMachines("0 2 10 10 10\n1 1 4 4\n", "name,cpu,memory,slots,speed\nslow,1,1,2,0.5\nfast,1,1,1,1\n", "fcfs", "sjf", "srpt", "easy", "conservative", "fair", "least-loaded")
	r := run(t, d)
	for _, s := range r.Schedulers {
		if s.Jobs != 2 || s.JobCompletion.At("max") != 20.001 || s.End != 20.001 {
			t.Errorf("%s: %d jobs, the longest takes %v s, the last ends at %v s", s.Name, s.Jobs, s.JobCompletion.At("max"), s.End)
		}
	}
	if r.Workload.Capacity[0] != 3 {
		t.Errorf("there are %v slots, want 3", r.Workload.Capacity[0])
	}
	d.Schedulers = []string{"sparrow"}
	if _, err := federatekind.Prepare(t.Context(), d, scenario.Env{}); err == nil {
		t.Error("sparrow runs several tasks on a worker")
	}
}

// The classes of a document give the same machines as a table.
func TestClassesAreMachines(t *testing.T) {
	trace := "0 3 10 10 10 10\n1 1 4 4\n"
	d := onMachines(trace, "name,cpu,memory,slots,speed,count\na,1,1,2,0.5,2\nb,1,1,1,3,1\n", "fcfs")
	want := run(t, d).Schedulers[0]
	slots, slow, fast := 2, 0.5, 3.0
	d.Machines, d.Classes = nil, []federatekind.MachineClass{{Name: "a", Count: 2, Slots: &slots, Speed: &slow}, {Name: "b", Count: 1, Speed: &fast}}
	if got := run(t, d).Schedulers[0]; text(t, got) != text(t, want) {
		t.Errorf("classes give %v s, the table %v s", got.JobCompletion.Mean, want.JobCompletion.Mean)
	}
}

// The nodes of a table of the Failure Trace Archive are the workers of the document, in the order
// in which they fail. Failures that overlap or meet are one. Failures of nodes beyond the last
// worker do not count.
func TestFailuresOfNodesAreOutages(t *testing.T) {
	const table = "# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n" +
		"0 0 1 0 n1 1 1175000000 1175000001 0\n1 0 1 0 n1 0 1175000001 1175000003 0\n2 0 1 0 n1 0 1175000003 1175000004 0\n" +
		"3 0 2 0 n2 0 1175000000 1175000002 0\n4 0 2 0 n2 0 1175000001 1175000009 0\n5 0 3 0 n3 0 1175000005 1175000007 0\n"
	d := onMachines("0 2 1 1 1\n1 2 5 5 5\n", table, "fcfs", "megha", "sparrow")
	d.Workers, d.GMs, d.LMs = 2, 1, 1
	got := run(t, d)
	if !strings.Contains(strings.Join(got.Warnings, "\n"), federatekind.FailuresAssumed) {
		t.Errorf("the report does not say what the table counts as: %q", got.Warnings)
	}
	alike := run(t, &federatekind.Document{Trace: d.Trace, Workers: 2, GMs: 1, LMs: 1, Schedulers: d.Schedulers, Seed: 1, Delay: d.Delay})
	d.Machines, d.Outages = nil, []federatekind.Outage{{Subject: "worker", Index: 0, At: 0, Duration: 9}, {Subject: "worker", Index: 1, At: 1, Duration: 3}}
	want := run(t, d)
	for i := range want.Schedulers {
		if text(t, got.Schedulers[i]) != text(t, want.Schedulers[i]) || text(t, got.Schedulers[i]) == text(t, alike.Schedulers[i]) {
			t.Errorf("%s: jobs take %v s with the table, %v s with its outages, and %v s without", want.Schedulers[i].Name,
				got.Schedulers[i].JobCompletion.Mean, want.Schedulers[i].JobCompletion.Mean, alike.Schedulers[i].JobCompletion.Mean)
		}
	}
}

// Tasks of openb take GPUs of a model that they name, whole ones or a share of one. Three tasks
// with a whole GPU each run one after the other; two with half a GPU run at once.
func TestMachinesHaveGPUs(t *testing.T) {
	pods := "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time\n"
	nodes := "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,0,\nn1,64000,262144,1,V100\nn2,64000,262144,1,T4\n"
	for _, test := range []struct {
		pods string
		end  float64
		left int
	}{
		{"a,1000,1024,1,1000,T4,0,10,0\nb,1000,1024,1,1000,T4,0,10,0\nc,1000,1024,1,1000,T4|P100,0,10,0\n", 30, 0},
		{"a,1000,1024,1,500,T4,0,10,0\nb,1000,1024,1,500,T4,0,10,0\n", 10, 0},
		{"a,1000,1024,1,600,T4,0,10,0\nb,1000,1024,1,500,T4,0,10,0\n", 20, 0},
		{"a,1000,1024,1,1000,,0,10,0\nb,1000,1024,1,1000,,0,10,0\n", 10, 0},
		{"a,1000,1024,1,1000,P100,0,10,0\nb,1000,1024,2,1000,,0,10,0\n", 0, 2},
	} {
		d := onMachines(pods+test.pods, nodes, "fcfs", "fair")
		d.Delay = number(1e-6)
		for _, s := range run(t, d).Schedulers {
			left := 0
			for _, n := range s.Never {
				left += n.Tasks
			}
			if s.End < test.end || s.End > test.end+0.001 || left != test.left {
				t.Errorf("%s: %q end at %v s, and %d never run; want %v and %d", s.Name, test.pods, s.End, left, test.end, test.left)
			}
		}
	}
}

// Without machines their attributes are unknown, and the report says so.
func TestConditionsNeedMachines(t *testing.T) {
	d := onMachines("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time\na,1000,1024,1,1000,T4,0,10,0\n", "", "fcfs")
	d.Machines, d.Workers = nil, 10
	if r := run(t, d); r.Schedulers[0].Tasks != 1 || !strings.Contains(strings.Join(r.Warnings, "\n"), "needs a list of machines") {
		t.Errorf("%d tasks, warnings %q", r.Schedulers[0].Tasks, r.Warnings)
	}
}

func TestMachinesAreChecked(t *testing.T) {
	for machines, want := range map[string]string{
		"name,cpu,memory,speed\na,1,1,0\n": "machines.csv:2:7: speed: \"0\" is not from 0.001 to 1000",
		"name,cpu,memory,slots\na,1,1,x\n": "machines.csv:2:7: slots:",
		"name,cpu,memory,row\na,1,1,x\n":   "row",
		"name,cpu,memory,count\na,1,1,0\n": "there are no machines",
	} {
		if _, err := federatekind.Prepare(t.Context(), onMachines("0 1 1 1\n", machines, "fcfs"), scenario.Env{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", machines, err, want)
		}
	}
	d := onMachines("0 1 1 1\n", "", "fcfs")
	zero := 0.0
	d.Classes = []federatekind.MachineClass{{Count: 0, Speed: &zero}}
	for _, want := range []string{"classes: the document has a list", "classes[0].count", "classes[0].speed"} {
		if got := problems(d); !strings.Contains(got, want) {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// Two machines: one leaves at 5 s and comes back at 20 s, and a third is added at 12 s. The task
// that ran on the first starts again as soon as another machine is free.
func TestMachinesComeAndGo(t *testing.T) {
	events := "0,1,0,p,0.5,0.5\n0,2,0,p,0.5,0.5\n5000000,1,1,p,,\n12000000,3,0,p,0.5,0.5\n20000000,1,0,p,0.5,0.5\n"
	trace := "arrival,job,duration,cpu,memory\n0,1,10,0.5,0.5\n0,2,30,0.5,0.5\n0,3,10,0.5,0.5\n"
	d := onMachines(trace, events, "fcfs", "sjf", "srpt", "fair")
	d.Delay = number(1e-6)
	for _, s := range run(t, d).Schedulers {
		end, median := 30.0, 30.0
		if s.Name == "sjf" || s.Name == "srpt" { // task 1 starts at 10 s where task 3 was, then task 2 on the added machine
			end, median = 42, 20
		}
		if s.Tasks != 3 || math.Round(s.End) != end || math.Round(float64(s.JobCompletion.At("p50"))) != median {
			t.Errorf("%s: %d tasks, the last ends at %v s, the median takes %v s", s.Name, s.Tasks, s.End, s.JobCompletion.At("p50"))
		}
	}
	d.Schedulers = []string{"megha"}
	if _, err := federatekind.Prepare(t.Context(), d, scenario.Env{}); err == nil || !strings.Contains(err.Error(), "come and go") {
		t.Errorf("the error is %v", err)
	}
}

// A job that waits for one that can never run is an error of the inputs, with a position.
func TestAJobThatWaitsForEver(t *testing.T) {
	d := onMachines("arrival,job,duration,cpu,memory,after\n0,a,1,9,1,\n0,b,1,1,1,a\n", "name,cpu,memory\nm,1,1\n", "fcfs")
	_, err := federatekind.Prepare(t.Context(), d, scenario.Env{})
	if _, input := errors.AsType[*scenario.InputError](err); !input || !strings.HasPrefix(err.Error(), "federate.trace: job ") {
		t.Errorf("the error is %v", err)
	}
}

package workload_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
)

func TestJobsWaitForOthers(t *testing.T) {
	const header = "arrival,job,duration,after\n"
	for name, test := range map[string]struct{ text, want, apart, wrong string }{
		"a chain":          {header + "5,c,1,a;b\n0,a,4,\n1,b,2,a\n", "a0 [] b1 [0] c5 [0 1]", "0 4 6", ""},
		"several tasks":    {header + "0,a,4,\n0,a,9,\n0,b,1,a\n0,b,1,a\n", "a0 [] b0 [0]", "0 9", ""},
		"earlier than its": {header + "0,b,1,a\n3,a,4,\n", "b0 [1] a3 []", "3 7", ""},
		"nothing waits":    {header + "0,a,4,\n", "a0 []", "0", ""},
		"itself":           {header + "0,a,4,a\n", "", "", `after: jobs wait for each other: "a", which waits for "a"`},
		"a cycle":          {header + "0,x,1,b\n0,a,4,c\n0,b,4,a\n0,c,4,b\n", "", "", `after: jobs wait for each other: "b", which waits for "a", which waits for "c", which waits for "b"`},
		"not in the file":  {header + "0,a,4,z\n", "", "", `after: a job waits for "z", which is not in the file`},
	} {
		t.Run(name, func(t *testing.T) {
			tasks, err := trace.ReadTaskTable("t.csv", strings.NewReader(test.text), workload.Window{})
			if err != nil || test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Fatalf("the error is %v, want %q", err, test.wrong)
				}
				return
			}
			var got, apart []string
			for j, job := range tasks.Jobs {
				after, name := []int32{}, map[int64]string{4: "a", 2: "b", 1: "c", 9: "a"}[int64(tasks.Durations[job.First]/1e9)]
				if name == "c" && !strings.Contains(test.text, ",c,") {
					name = "b"
				}
				if tasks.After != nil {
					after = tasks.After[j]
				}
				got = append(got, fmt.Sprint(name, job.Arrival/1e9, after))
			}
			for _, job := range tasks.Apart().Jobs {
				apart = append(apart, fmt.Sprint(job.Arrival/1e9))
			}
			if s, free := strings.Join(got, " "), strings.Join(apart, " "); s != test.want || free != test.apart {
				t.Errorf("jobs %s, and apart they come at %s; want %s and %s", s, free, test.want, test.apart)
			}
		})
	}
}

// A window keeps the dependencies between its jobs.
func TestWindowKeepsDependencies(t *testing.T) {
	tasks := must.Get(trace.ReadTaskTable("t.csv", strings.NewReader("arrival,job,duration,after\n0,a,1,\n1,b,1,a\n2,c,1,a;b\n"), workload.Window{}))(t)
	if got := fmt.Sprint(workload.Window{From: 1}.Of(tasks).After); got != "[[] [0]]" {
		t.Errorf("within the window jobs wait for %s", got)
	}
}

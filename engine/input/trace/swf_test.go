package trace_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
)

const swf = `; Version: 2.2
; Computer: a machine of our own
;
1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1
2 30 0 10 -1 -1 -1 3 60 -1 1 8 1 -1 1 -1 -1 -1
3 20 0 -1 4 -1 -1 4 60 -1 5 7 1 -1 1 -1 -1 -1
4 20 0 7.5 1 -1 -1 1 60 -1 1 -1 1 -1 1 -1 -1 -1
`

func TestSWF(t *testing.T) {
	tasks := must.Get(readTasks("log.swf", strings.NewReader(swf)))(t)
	if len(tasks.Jobs) != 3 || len(tasks.Durations) != 6 || tasks.Remarks.LeftOut[workload.Withdrawn] != 1 || !tasks.Unordered || len(tasks.Users) != 3 {
		t.Fatalf("%+v", tasks)
	}
	for i, want := range []struct {
		arrival, run float64
		count        int32
		user         string
	}{{0, 100, 2, "7"}, {20, 7.5, 1, "?"}, {30, 10, 3, "8"}} {
		j := tasks.Jobs[i]
		if float64(j.Arrival)/1e9 != want.arrival || float64(tasks.Durations[j.First])/1e9 != want.run || j.Count != want.count || tasks.Users[j.User] != want.user {
			t.Errorf("job %d: %+v", i, j)
		}
	}
}

// A run time of 0 is valid, as in a trace; −1 means unknown. A job that was cancelled before its
// start does not count as demand.
func TestSWFJobsOfNoTime(t *testing.T) {
	tasks := must.Get(readTasks("log", strings.NewReader("1 0 5 0 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1\n2 0 5 -1 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1\n"+
		"3 0 5 0 0 -1 -1 2 200 -1 5 7 1 -1 1 -1 -1 -1\n4 0 5 9 0 -1 -1 1 200 -1 1 7 1 -1 1 -1 -1 -1\n")))(t)
	if !slices.Equal(tasks.Durations, []sim.Nanoseconds{0, 0, 9e9}) || tasks.Remarks.LeftOut[workload.UnknownRun] != 1 || tasks.Remarks.LeftOut[workload.Withdrawn] != 1 {
		t.Errorf("durations %v, %d left out", tasks.Durations, tasks.Remarks.LeftOut)
	}
}

func TestSWFErrorsAndRecognition(t *testing.T) {
	line := "1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1"
	for text, want := range map[string]string{
		";\n1 2 3": "log:2:1: there are 3 fields; expected 18 or more columns",
		";\n" + strings.Replace(line, "100", "x", 1): `log:2:7: field 4: "x" is not a number`,
		"; nothing": "there is no job that ran",
		";\n" + strings.Replace(line, "100", "1e99", 1): "log:2:7: run:",
	} {
		if _, err := readTasks("log", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if tasks, err := readTasks("log", strings.NewReader(line)); err != nil || len(tasks.Durations) != 2 {
		t.Errorf("a log without comments: %v, %+v", err, tasks)
	}
	if tasks, err := readTasks("trace", strings.NewReader("0 15 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1")); err != nil || len(tasks.Durations) != 15 {
		t.Errorf("a trace of 15 tasks: %v, %+v", err, tasks)
	}
}

// The reader accepts columns after the 18th, names above them and times since 1970. A run time
// below −1 is unknown. Jobs are rigid, and last at most as long as requested.
func TestSWFOfOthers(t *testing.T) {
	log := "Job Submit Wait Run N a b c d e f g h i j k l m n\n" +
		"1 1356996157 0 10 2 -1 -1 2 60 -1 1 7 1 -1 1 -1 -1 -1 {3,4}\n" +
		"2 1356996147 0 20 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1 {3} 5\n" +
		"3 1356996150 0 -20 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1 {3}\n"
	tasks := must.Get(readTasks("log.swf", strings.NewReader(log)))(t)
	if len(tasks.Jobs) != 2 || tasks.Remarks.LeftOut[workload.UnknownRun] != 1 {
		t.Fatalf("%+v", tasks)
	}
	first, second := tasks.Jobs[0], tasks.Jobs[1]
	if first.Arrival != 0 || second.Arrival != 10e9 || !first.Gang || first.Estimate != 0 || second.Estimate != 60e9 || second.Count != 2 {
		t.Errorf("%+v", tasks.Jobs)
	}
	if got := strings.Join(tasks.Remarks.Notes(), "; "); got != "time 0 is 2012-12-31 23:22:27 UTC, the first moment of the file; 2 columns are not used: column 19, column 20" {
		t.Error(got)
	}
}

// Times since 1970 and dates are refused with advice on how to convert them.
func TestEpochsAreRefusedWithAHint(t *testing.T) {
	log := func(submit string) string { return ";\n1 " + submit + " 0 10 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1" }
	for text, want := range map[string]string{
		log("1356996147000"):                        "it looks like milliseconds since 1970",
		log("200000000"):                            "log:2:3: submit: 2e+08 is not a time from 0 to 100000000 s; expected 18 or more columns",
		"arrival,duration\n2025-11-02T01:30:00,1\n": `log:2:1: arrival: "2025-11-02T01:30:00" is a date: write the seconds since the first one of the file`,
	} {
		if _, err := readTasks("log", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	requests := "id,submit_s,duration_s,cpu,memory,class\na,1356996147,1,1,1,gold\n"
	source, err := trace.OpenRequests("r", func() (io.Reader, error) { return strings.NewReader(requests), nil })
	if err == nil {
		_, err = source.Read(make([]workload.Request, 1))
	}
	if err == nil || !strings.Contains(err.Error(), "r:2:3: submit_s: 1356996147 is not a time from 0 to 34359738 s: it looks like seconds since 1970") {
		t.Error(err)
	}
}

// readTasks reads jobs from input that can be read only once.
func readTasks(name string, r io.Reader) (*workload.Tasks, error) {
	return trace.OpenTasks(name, workload.Window{}, func() (io.Reader, error) { return r, nil })
}

package trace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/diag/diagtest"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

func open(text string) func() (io.Reader, error) {
	return func() (io.Reader, error) { return strings.NewReader(text), nil }
}

func readAll(t *testing.T, text string) []workload.Request {
	t.Helper()
	s, err := OpenRequests("f", open(text))
	if err != nil {
		t.Fatal(err)
	}
	all, err := workload.ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const (
	quarter = cluster.Unit / 4
	ssdOnly = `[{"disk","=","ssd"},{"cores",">","2"}]`
)

// These are the same two requests in every format that can express them.
func TestFormatsSayTheSame(t *testing.T) {
	constraints := []cluster.Constraint{{Key: "disk", Op: cluster.Equal, Value: "ssd"}, {Key: "cores", Op: cluster.Greater, Value: "2"}}
	want := []workload.Request{
		{ID: "7", Job: 3, Submit: 1500, Duration: 60 * sim.Second, CPU: quarter, Memory: 2 * quarter, Priority: 9, AntiAffinity: true, Constraints: constraints, Line: 1, Column: 22},
		{ID: "8", Job: 3, Submit: 2000, Duration: sim.Second, CPU: quarter, Memory: quarter, Priority: 0, Line: 3, Column: 26},
	}
	got := readAll(t, "{1.5,7,3,60,0.25,0.5,9,1,"+ssdOnly+"}.\n\n{2, 8, 3, 1, 0.25, 0.25, 0, 0, []}.\n")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("erlang: got %+v, want %+v", got, want)
	}
	got = readAll(t, "\ufeffid,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\r\n7,3,1.5,60,0.25,0.5,gold,1,disk=ssd;cores>2\r\n8,3,2,1,.25,.25,bronze,false,\r\n")
	want[0].Class, want[0].Priority, want[0].Line, want[0].Column = "gold", workload.NoPriority, 2, 21
	want[1].Class, want[1].Priority, want[1].Column = "bronze", workload.NoPriority, 17
	if !reflect.DeepEqual(got, want) {
		t.Errorf("csv: got %+v, want %+v", got, want)
	}
	got = readAll(t, "user,id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n\"Ada, L.\",7,3,1.5,60,0.25,0.5,gold,1,disk=ssd;cores>2\n,8,3,2,1,.25,.25,bronze,false,\n")
	want[0].User, want[0].Column, want[1].Column = "Ada, L.", 31, 18
	if !reflect.DeepEqual(got, want) {
		t.Errorf("csv with users: got %+v, want %+v", got, want)
	}
	got = readAll(t, "1.5,7,3,any,1,9,60,-1,0.25,0.5,prod,1\n2,8,3,any,0,0,1,-1,0.25,0.25,free,0.5\n")
	want[0].Class, want[0].Priority, want[0].Constraints, want[0].Line, want[0].Column = "prod", 9, nil, 1, 32
	want[0].SLO, want[1].SLO = 1, 0.5
	want[0].User, want[1].User = "any", "any"
	want[1].Class, want[1].Priority, want[1].Line, want[1].Column = "free", 0, 2, 30
	if !reflect.DeepEqual(got, want) {
		t.Errorf("broker: got %+v, want %+v", got, want)
	}
}

// The tasks are: one that is evicted and resumes, one that never runs, one that runs to the end of
// the trace, one without resources, and one whose submission is not in the file.
func TestGoogleTasks(t *testing.T) {
	const trace = `0,,1,0,,0,u,3,9,0.25,0.5,0,1
0,,1,1,,0,u,0,0,0.25,0.25,0,0
1000000,,1,0,5,1,u,3,9,0.25,0.5,0,1
2000000,,2,0,,0,u,0,1,0.5,0.25,0,0
3000000,,1,0,5,2,u,3,9,0.25,0.5,0,1
3000000,,1,0,,0,u,3,9,0.25,0.5,0,1
4000000,,2,0,6,1,u,0,1,0.5,0.25,0,0
4500000,,3,0,,0,u,0,1,,,,
5000000,,1,0,5,1,u,3,9,0.25,0.5,0,1
5000000,,3,0,6,1,u,0,1,,,,
9500000,,1,0,5,4,u,3,9,0.25,0.5,0,1
9500000,,9,0,7,1,u,3,9,0.25,0.5,0,1
`
	s, err := OpenRequests("trace", open(trace))
	if err != nil {
		t.Fatal(err)
	}
	got, err := workload.ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	want := []workload.Request{
		{ID: "1-0", User: "u", Job: 1, Duration: 6500, CPU: quarter, Memory: 2 * quarter, Priority: 9, AntiAffinity: true, Line: 1, Column: 15},
		{ID: "2-0", User: "u", Job: 2, Submit: 2000, Duration: 5500, CPU: 2 * quarter, Memory: quarter, Priority: 1, Line: 4, Column: 21},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if left := s.(*googleTasks).Remarks().LeftOut; left[workload.UnknownRun] != 3 || left[workload.Withdrawn] != 0 {
		t.Errorf("%d tasks are left out, want 3 of an unknown size or time", left)
	}
}

func TestHosts(t *testing.T) {
	want := []cluster.Host{{Name: "a", CPU: quarter, Memory: 2 * quarter, Attributes: []cluster.Attribute{{Key: "k", Value: "v"}}}, {Name: "b", CPU: cluster.Unit, Memory: cluster.Unit}}
	for format, text := range map[string]string{
		"erlang": `{1,"a",0.25,0.5,[{"k","v"}]}.` + "\n" + `{2,"b",1,1,[]}.`,
		"csv":    "name,cpu,memory,attributes\na,0.25,0.5,k=v\nb,1,1,\n",
	} {
		got, events, err := ReadHosts("h", strings.NewReader(text))
		if err != nil || len(events) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, %v", format, got, events, err)
		}
	}
	got, events, err := ReadHosts("h", strings.NewReader("0,5,0,p,0.5,0.25\n0,6,0,p,1,1\n7000000,5,1,p,,\n8000000,7,0,p,0.5,0.5\n9000000,6,2,p,1,1\n9000000,8,0,p,,\n9500000,8,1,p,,\n"))
	wantEvents := []workload.HostEvent{
		{At: 7000, Host: "5", File: "h", Line: 3, Column: 9},
		{At: 8000, Host: "7", Up: true, CPU: 2 * quarter, Memory: 2 * quarter, File: "h", Line: 4, Column: 9},
	}
	if err != nil || len(got) != 2 || !reflect.DeepEqual(events, wantEvents) {
		t.Errorf("google: %+v, %+v, %v", got, events, err)
	}
}

// As for Berth's own tables, every message has the position and the error.
func TestBadInput(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "f:1:1: the file is empty; expected {timestamp"},
		{" \r\n\n", "f:1:1: the file is empty"},
		{"hello", "f:1:1: the format is unknown; expected {timestamp"},
		{"\xff\xfei\x00d\x00", "f:1:1: found text in UTF-16: save it in UTF-8"},
		{"{1,2,3}.", "f:1:1: the term has 3 fields, not 9; expected {timestamp"},
		{"{1,7,3,60,0.25,0.5,9,1,[]}", "f:1:27: the full stop at the end is missing"},
		{"{1,7,3,60,0.25,0.5,9,1,[]}.\n{1,7,3,60,x,0.5,9,1,[]}.", `f:2:11: cpu: "x" is not a number`},
		{"{1,7,3,60,-1,0.5,9,1,[]}.", "f:1:11: cpu: -1 is not a quantity from 0"},
		{"{1,7,3,60,0,0.5,9,1,[]}.", "f:1:11: cpu must be more than 0"},
		{"{1,7,3,-1,1,0.5,9,1,[]}.", "f:1:8: duration: -1 is not a time from 0"},
		{"{1e99,7,3,1,1,0.5,9,1,[]}.", "f:1:2: timestamp: 1e+99 is not a time"},
		{"{1,7,3,1e999,1,0.5,9,1,[]}.", "f:1:8: duration: a number beyond 1.8e308 is not a time from 0"},
		{"{1,7,3,60,1e999,0.5,9,1,[]}.", "f:1:11: cpu: a number beyond 1.8e308 is not a quantity from 0"},
		{"{1,7,3,60,1,0.5,nine,1,[]}.", `f:1:17: priority: "nine"`},
		{"{1,7,3,60,1,0.5,9,2,[]}.", `f:1:19: antiaffinity: "2" is neither 0 nor 1`},
		{`{1,7,3,60,1,0.5,9,1,[{"a","~","b"}]}.`, `f:1:27: unknown operator "~"`},
		{`{1,7,3,60,1,0.5,9,1,[{"a","=`, "f:1:27: a string does not end"},
		{"{{{{{{{{{{{{{{1", "f:1:9: the term is nested more than 8 deep"},
		{"0,1,1,any,0,1,7200,-1,0.375,0.375,free,0.5\n1,2", "f:2:4: the line has 2 fields, not 12"},
		{"0,1,1,any,0,1,7200,-1,0.375,0.375,free,high", `f:1:40: slo: "high" is not a number above 0 and up to 1`},
		{"0,,1,0,,9,u,3,9,0.25,0.5,0,1", `f:1:9: event: "9" is not`},
		{"0,,x,0,,0,u,3,9,0.25,0.5,0,1", `f:1:4: job: "x" is not a whole number`},
		{"\ufeff  {1,7,3,60,x,0.5,9,1,[]}.", `f:1:13: cpu: "x"`},
		{"\ufeff\r\n\t{1,\"→\",3,60,x,0.5,9,1,[]}.\r\n", `f:2:14: cpu: "x"`},
		{"0,1,1,any,0,1,7200,-1,1,1,free,0_1", `f:1:32: slo: "0_1" is not a number`},
	} {
		wantRefused(t, test.text, test.want)
	}
}

// wantRefused reads requests with an error.
func wantRefused(t *testing.T, text, want string) {
	t.Helper()
	s, err := OpenRequests("f", open(text))
	if err == nil {
		_, err = workload.ReadAll(s)
	}
	var syntax *diag.Diagnostic
	if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &syntax) {
		t.Errorf("%.40q: got %v, want %s…", text, err, want)
	}
}

func TestBadHosts(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "f:1:1: the file is empty; expected {id"},
		{"hello", "f:1:1: the format is unknown"},
		{`{1,"a",1,1,none}.`, `f:1:12: the attributes are "none", not a list`},
		{"{1,\"a\",1,1,[]}.\n{2,\"a\",1,1,[]}.", `f:2:4: the host "a" is given twice`},
		{"0,5,0,p,0.5,0.25\n0,5,0,p,0.5,0.25", `f:2:3: the host "5" is given twice`},
		{`{1,"a",0,1,[]}.`, "f:1:8: a host needs cpu and ram"},
		{`{1,"a",1,1,[{"k"}]}.`, "f:1:13: an attribute has 1 field, not 2"},
		{"0,5,7,p,0.5,0.25", `f:1:5: event: "7" is not 0, 1 or 2`},
	} {
		_, _, err := ReadHosts("f", strings.NewReader(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %s…", test.text, err, test.want)
		}
	}
	if got, err := Overheads("o", strings.NewReader("\ufeff\n{1.5}.\n{2}.\n")); err != nil || !slices.Equal(got, []sim.Milliseconds{1500, 2000}) {
		t.Errorf("of terms: got %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"{1}.\n{-2}.":         "o:2:2: overhead: -2 is not a time",
		"{1}.\n{2}":           "o:2:4: the full stop at the end is missing",
		"{1,2}.":              "o:1:1: the term has 2 fields, not 1",
		"{1}.\noverhead_s\n3": "o:2:1: ",
		"overhead_s\n1\nlong": `o:3:1: overhead_s: "long" is not`,
	} {
		if _, err := Overheads("o", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s…", text, err, want)
		}
	}
}

// The published files have 256 requests and 20 hosts, and three samples of the Google trace with
// attributes.
func TestPublishedFiles(t *testing.T) {
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is not set: the published experiments are not at hand")
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(folder, "qos", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	erlang := readAll(t, string(read("workload_validation1.erl.txt")))
	broker := readAll(t, string(read("workload_validation1.broker.csv")))
	if len(erlang) != 256 || len(broker) != 256 {
		t.Fatalf("%d and %d requests, want 256", len(erlang), len(broker))
	}
	for i := range erlang {
		broker[i].Class, broker[i].SLO = "", 0
		broker[i].User, broker[i].Column = "", erlang[i].Column // each has a different one
		if !reflect.DeepEqual(erlang[i], broker[i]) {
			t.Fatalf("request %d: %+v in one format, %+v in the other", i, erlang[i], broker[i])
		}
	}
	for name, want := range map[string]int{"hosts_validation": 20, "hosts_google_sample1_N": 1452, "hosts_google_sample1_N-10": 1312, "hosts_google_sample1_N-20": 1158} {
		hosts, _, err := ReadHosts(name, strings.NewReader(string(read(name+".erl.txt"))))
		if err != nil || len(hosts) < want || len(hosts) > want+1 {
			t.Errorf("%s: %d hosts, %v; want about %d", name, len(hosts), err, want)
		}
	}
}

func FuzzOverheads(f *testing.F) {
	f.Add("overhead_s\n\"1.5\"\n2")
	f.Add("{1.5}.\n{2}.\n")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := Overheads("f", strings.NewReader(text))
		diagtest.InText(t, text, err)
		if err == nil && (len(set) == 0 || slices.Min(set) < 0) {
			t.Errorf("%v was read", set)
		}
	})
}

// A trace that grows between its two readings is an error.
func TestGoogleTasksThatChange(t *testing.T) {
	const one, two = "0,,1,0,,0,u,3,9,0.25,0.5,0,1\n", "0,,2,0,,0,u,3,9,0.25,0.5,0,1\n"
	times := 0
	s, err := newGoogleTasks("trace", nil, func() (io.Reader, error) {
		times++
		if times == 1 {
			return strings.NewReader(one), nil
		}
		return strings.NewReader(one + two), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := workload.ReadAll(s); err == nil || !strings.Contains(err.Error(), "trace: the file has changed: it has more tasks") {
		t.Errorf("got the error %v", err)
	}
}

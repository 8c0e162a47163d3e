package workload

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/sim"
)

func open(text string) func() (io.Reader, error) {
	return func() (io.Reader, error) { return strings.NewReader(text), nil }
}

func readAll(t *testing.T, text string) []Request {
	t.Helper()
	s, err := OpenRequests("f", open(text))
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const (
	quarter = cluster.Unit / 4
	ssdOnly = `[{"disk","=","ssd"},{"cores",">","2"}]`
)

// The same two requests in every format that can say all of it.
func TestFormatsSayTheSame(t *testing.T) {
	constraints := []cluster.Constraint{{Key: "disk", Op: cluster.Equal, Value: "ssd"}, {Key: "cores", Op: cluster.Greater, Value: "2"}}
	want := []Request{
		{ID: "7", Job: 3, Submit: 1500, Duration: 60 * sim.Second, CPU: quarter, Memory: 2 * quarter, Priority: 9, AntiAffinity: true, Constraints: constraints, Line: 1, Column: 22},
		{ID: "8", Job: 3, Submit: 2000, Duration: sim.Second, CPU: quarter, Memory: quarter, Priority: 0, Line: 3, Column: 26},
	}
	got := readAll(t, "{1.5,7,3,60,0.25,0.5,9,1,"+ssdOnly+"}.\n\n{2, 8, 3, 1, 0.25, 0.25, 0, 0, []}.\n")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("erlang: got %+v, want %+v", got, want)
	}
	got = readAll(t, "\ufeffid,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\r\n7,3,1.5,60,0.25,0.5,gold,1,disk=ssd;cores>2\r\n8,3,2,1,.25,.25,bronze,false,\r\n")
	want[0].Class, want[0].Priority, want[0].Line, want[0].Column = "gold", NoPriority, 2, 21
	want[1].Class, want[1].Priority, want[1].Column = "bronze", NoPriority, 17
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

// Requests that name no job share none, so that anti-affinity does not part them.
func TestRequestsWithoutAJob(t *testing.T) {
	for _, text := range []string{
		"id,submit_s,duration_s,cpu,memory,class,anti_affinity\na,0,1,1,1,gold,1\nb,0,1,1,1,gold,1\n",
		"id,job,submit_s,duration_s,cpu,memory,class,anti_affinity\na,,0,1,1,1,gold,1\nb,,0,1,1,1,gold,1\n",
	} {
		if got := readAll(t, text); got[0].Job == got[1].Job {
			t.Errorf("%q: both are of job %d", text, got[0].Job)
		}
	}
}

// A name that a spreadsheet would take as a formula comes back as it was.
func TestNamesLikeFormulas(t *testing.T) {
	for _, name := range []string{"=1+1", "'=1", "@home", "-a", "+b", "-5", "'c", "=a,\"b\""} {
		requests := readAll(t, string(csv.Table([][]string{{"id", "submit_s", "duration_s", "cpu", "memory", "class"}, {name, "0", "1", "1", "1", "gold"}})))
		hosts, _, err := ReadHosts("f", strings.NewReader(string(csv.Table([][]string{{"name", "cpu", "memory"}, {name, "1", "1"}}))))
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if requests[0].ID != name || hosts[0].Name != name {
			t.Errorf("%q is read as the request %q and the host %q", name, requests[0].ID, hosts[0].Name)
		}
	}
}

// A task that is evicted and goes on, one that never runs, one that runs to the
// end of the trace, and one whose resources are missing.
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
`
	s, err := OpenRequests("trace", open(trace))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	want := []Request{
		{ID: "1-0", User: "u", Job: 1, Duration: 6500, CPU: quarter, Memory: 2 * quarter, Priority: 9, AntiAffinity: true, Line: 1, Column: 15},
		{ID: "2-0", User: "u", Job: 2, Submit: 2000, Duration: 5500, CPU: 2 * quarter, Memory: quarter, Priority: 1, Line: 4, Column: 21},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if left := s.(*GoogleTasks).LeftOut; left != 2 {
		t.Errorf("%d tasks are left out, want 2", left)
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
	wantEvents := []HostEvent{
		{At: 7000, Host: "5", File: "h", Line: 3, Column: 9},
		{At: 8000, Host: "7", Up: true, CPU: 2 * quarter, Memory: 2 * quarter, File: "h", Line: 4, Column: 9},
	}
	if err != nil || len(got) != 2 || !reflect.DeepEqual(events, wantEvents) {
		t.Errorf("google: %+v, %+v, %v", got, events, err)
	}
}

func TestHostEvents(t *testing.T) {
	got, err := HostEvents("e", strings.NewReader("time_s,host,event\n1,a,fail\n2.5,a,return\n"))
	if want := []HostEvent{{At: 1000, Host: "a", File: "e", Line: 2, Column: 3}, {At: 2500, Host: "a", Up: true, File: "e", Line: 3, Column: 5}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// Every message names the file, the line, the column, and what is wrong. Columns
// count characters, with the space before a line and without a byte order mark.
func TestBadInput(t *testing.T) {
	header := "id,submit_s,duration_s,cpu,memory,class\n"
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
		{"{1,7,3,60,1e999,0.5,9,1,[]}.", "f:1:11: cpu: +Inf is not a quantity from 0"},
		{header + "a,1,1," + strings.Repeat("x", 1000) + ",1,gold", `f:2:7: cpu: "` + strings.Repeat("x", 40) + `" is not a number`},
		{"{1,7,3,60,1,0.5,nine,1,[]}.", `f:1:17: priority: "nine"`},
		{"{1,7,3,60,1,0.5,9,2,[]}.", `f:1:19: antiaffinity: "2" is neither 0 nor 1`},
		{`{1,7,3,60,1,0.5,9,1,[{"a","~","b"}]}.`, `f:1:27: unknown operator "~"`},
		{`{1,7,3,60,1,0.5,9,1,[{"a","=`, "f:1:27: a string does not end"},
		{"{{{{{{{{{{{{{{1", "f:1:9: the term is nested more than 8 deep"},
		{"id,cpu,memory,colour", `f:1:15: unknown column "colour"`},
		{"id,cpu,memory", "f:1:14: the column submit_s is missing"},
		{"id,cpu,memory,cpu", "f:1:15: the column cpu is given twice"},
		{header + "a,1,1", "f:2:6: the line has 3 fields, the header 6"},
		{header + "a,NaN,1,1,1,gold", "f:2:3: submit_s: NaN is not a time"},
		{header + `"a,1,1,1,1,gold`, "f:2:1: field 1: the closing quote is missing"},
		{header + "a,1,1,1,1,", "f:2:11: class: a name is missing"},
		{"id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,x<>=y", `f:2:16: constraints: unknown operator "<>="`},
		{"0,1,1,any,0,1,7200,-1,0.375,0.375,free,0.5\n1,2", "f:2:4: the line has 2 fields, not 12"},
		{"0,1,1,any,0,1,7200,-1,0.375,0.375,free,high", `f:1:40: slo: "high" is not a number above 0 and up to 1`},
		{"0,,1,0,,9,u,3,9,0.25,0.5,0,1", `f:1:9: event: "9" is not`},
		{"0,,x,0,,0,u,3,9,0.25,0.5,0,1", `f:1:4: job: "x" is not a whole number`},
		{"\ufeff  {1,7,3,60,x,0.5,9,1,[]}.", `f:1:13: cpu: "x"`},
		{"\ufeff\r\n\t{1,\"→\",3,60,x,0.5,9,1,[]}.\r\n", `f:2:14: cpu: "x"`},
		{header + "é, \u00a0NaN,1,1,1,gold\r\n", "f:2:5: submit_s: NaN"},
		{header + `"a ""b""",NaN,1,1,1,gold`, "f:2:11: submit_s: NaN"},
		{header + "a,1,1,1,1,gold,x", "f:2:16: the line has 7 fields, the header 6"},
		{header + "a,1,1,1,-1,gold", "f:2:9: memory: -1 is not a quantity"},
		{header + "a,1,1,1_0,1,gold", `f:2:7: cpu: "1_0" is not a number`},
		{header + "a,0x1p4,1,1,1,gold", `f:2:3: submit_s: "0x1p4" is not a number of seconds`},
		{"0,1,1,any,0,1,7200,-1,1,1,free,0_1", `f:1:32: slo: "0_1" is not a number`},
		{header + "a,1,1,1,0,gold", "f:2:9: memory must be more than 0"},
		{"id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,os=linux; x<>=y", `f:2:25: constraints: unknown operator`},
		{header + strings.Repeat("x", maxLine+1), "f:2:1: the line has more than"},
	} {
		s, err := OpenRequests("f", open(test.text))
		if err == nil {
			_, err = ReadAll(s)
		}
		var syntax *diag.Diagnostic
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || !errors.As(err, &syntax) {
			t.Errorf("%.40q: got %v, want %s…", test.text, err, test.want)
		}
	}
}

func TestBadHosts(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "f:1:1: the file is empty; expected {id"},
		{"hello", "f:1:1: the format is unknown"},
		{`{1,"a",1,1,none}.`, `f:1:12: the attributes are "none", not a list`},
		{"{1,\"a\",1,1,[]}.\n{2,\"a\",1,1,[]}.", `f:2:4: the host "a" is given twice`},
		{"0,5,0,p,0.5,0.25\n0,5,0,p,0.5,0.25", `f:2:3: the host "5" is given twice`},
		{"name,cpu,memory\n,1,1\n", "f:2:1: the name of the host is missing"},
		{`{1,"a",0,1,[]}.`, "f:1:8: a host needs cpu and ram"},
		{`{1,"a",1,1,[{"k"}]}.`, "f:1:13: an attribute has 1 field, not 2"},
		{"name,cpu,memory\n", "f:1:1: there are no hosts"},
		{"name,cpu,memory\na,1,1\na,1,1\n", `f:3:1: the host "a" is given twice`},
		{"name,cpu,memory,attributes\na,1,1,k\n", `f:2:7: attributes: "k" is not key=value`},
		{"0,5,7,p,0.5,0.25", `f:1:5: event: "7" is not 0, 1 or 2`},
	} {
		_, _, err := ReadHosts("f", strings.NewReader(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %s…", test.text, err, test.want)
		}
	}
	for _, test := range []struct{ text, want string }{
		{"time_s,host,event\n1,a,explode", `e:2:5: event: "explode" is unknown`},
		{"time_s,host,event\n2,a,fail\n1,a,return", "e:3:1: time_s: the event is earlier"},
		{"time_s,host,event,cpu,memory\n1,,add,1,1", "e:2:3: host: a name is missing"},
	} {
		if _, err := HostEvents("e", strings.NewReader(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %s…", test.text, err, test.want)
		}
	}
	if got, err := Overheads("o", strings.NewReader("\"overhead_s\"\n\"1.5\"\n2")); err != nil || !slices.Equal(got, []sim.Milliseconds{1500, 2000}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := Overheads("o", strings.NewReader("\ufeff\n{1.5}.\n{2}.\n")); err != nil || !slices.Equal(got, []sim.Milliseconds{1500, 2000}) {
		t.Errorf("of terms: got %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"{1}.\n{-2}.":         "o:2:2: overhead: -2 is not a time",
		"{1}.\n{2}":           "o:2:4: the full stop at the end is missing",
		"{1,2}.":              "o:1:1: the term has 2 fields, not 1",
		"{1}.\noverhead_s\n3": "o:2:1: ",
		"":                    "o:1:1: the file is empty",
		"overhead_s\n":        "o:1:1: the set of overheads is empty",
		"overhead_s\n1\nlong": `o:3:1: overhead_s: "long" is not`,
		"overhead_s\n-1":      "o:2:1: overhead_s: -1 is not a time",
		"seconds\n1":          `o:1:1: unknown column "seconds"`,
	} {
		if _, err := Overheads("o", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s…", text, err, want)
		}
	}
}

// The published files: 256 requests and 20 hosts, and three samples of the
// Google trace with attributes.
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
		broker[i].User, broker[i].Column = "", erlang[i].Column // each has its own
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

func FuzzRequests(f *testing.F) {
	f.Add("{1.5,7,3,60,0.25,0.5,9,1," + ssdOnly + "}.")
	f.Add("id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,x=y;z>3")
	f.Add("id,submit_s,duration_s,cpu,memory,class,user\na,1,1,1,1,gold,\"Ada, L.\"\nb,1,1,1,1,gold,")
	f.Add("0,1,1,any,0,1,7200,-1,0.375,0.375,free,0.5")
	f.Add("0,,1,0,,0,u,3,9,0.25,0.5,0,1\n1000000,,1,0,5,1,u,3,9,0.25,0.5,0,1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := OpenRequests("f", open(text))
		var all []Request
		if err == nil {
			all, err = ReadAll(s)
		}
		InText(t, text, err)
		for _, r := range all {
			if err := r.Check(); err != nil || r.Submit < 0 || r.Submit > MaxTime || r.CPU > cluster.MaxAmount {
				t.Errorf("%+v was read: %v", r, err)
			}
		}
	})
}

func FuzzHosts(f *testing.F) {
	f.Add(`{1,"a",0.25,0.5,[{"k","v"}]}.`)
	f.Add("name,cpu,memory,attributes\na,0.25,0.5,k=v")
	f.Add("0,5,0,p,0.5,0.25")
	f.Fuzz(func(t *testing.T, text string) {
		hosts, _, err := ReadHosts("f", strings.NewReader(text))
		InText(t, text, err)
		for _, h := range hosts {
			if err == nil && (h.CPU <= 0 || h.Memory <= 0) {
				t.Errorf("%+v was read", h)
			}
		}
	})
}

func FuzzHostEvents(f *testing.F) {
	f.Add("time_s,host,event,cpu,memory\n1,a,fail,,\n2,é,add,1,\"1\"")
	f.Fuzz(func(t *testing.T, text string) {
		events, err := HostEvents("f", strings.NewReader(text))
		InText(t, text, err)
		if !slices.IsSortedFunc(events, func(a, b HostEvent) int { return cmp.Compare(a.At, b.At) }) {
			t.Errorf("%v is out of order", events)
		}
	})
}

func FuzzOverheads(f *testing.F) {
	f.Add("overhead_s\n\"1.5\"\n2")
	f.Add("{1.5}.\n{2}.\n")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := Overheads("f", strings.NewReader(text))
		InText(t, text, err)
		if err == nil && (len(set) == 0 || slices.Min(set) < 0) {
			t.Errorf("%v was read", set)
		}
	})
}

// InText holds an error of a reader to a place inside the text, or right behind
// its line.
func InText(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	syntax, ok := errors.AsType[*diag.Diagnostic](err)
	if !ok {
		t.Fatalf("the error is %T: %v", err, err)
	}
	lines := strings.Split(text, "\n")
	if syntax.Line < 1 || syntax.Line > len(lines) || syntax.Column < 1 || syntax.Column > utf8.RuneCountInString(lines[syntax.Line-1])+1 {
		t.Errorf("%d:%d is not in %q: %v", syntax.Line, syntax.Column, text, err)
	}
}

func TestValidationWorkloads(t *testing.T) {
	count := map[string]int{}
	for i, r := range Validation1(1) {
		count[r.Class]++
		if r.Submit != sim.Milliseconds(i)*sim.Second || r.Check() != nil {
			t.Fatalf("request %d is %+v", i, r)
		}
	}
	if want := map[string]int{"gold": 80, "silver": 80, "bronze": 96}; !reflect.DeepEqual(count, want) {
		t.Errorf("got %v, want %v", count, want)
	}
	if reflect.DeepEqual(Validation1(1), Validation1(2)) || !reflect.DeepEqual(Validation1(1), Validation1(1)) {
		t.Error("the order does not depend on the seed alone")
	}
	if n := len(Validation2(1)); n != 221 {
		t.Errorf("%d requests in the second one, want 221", n)
	}
}

// A trace that grows between its two readings is not taken for what it was.
func TestGoogleTasksThatChange(t *testing.T) {
	const one, two = "0,,1,0,,0,u,3,9,0.25,0.5,0,1\n", "0,,2,0,,0,u,3,9,0.25,0.5,0,1\n"
	times := 0
	s, err := NewGoogleTasks("trace", func() (io.Reader, error) {
		times++
		if times == 1 {
			return strings.NewReader(one), nil
		}
		return strings.NewReader(one + two), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAll(s); err == nil || !strings.Contains(err.Error(), "trace: the file has changed: it has more tasks") {
		t.Errorf("got the error %v", err)
	}
}

func TestGoogleLikeIsInOrderAndReproducible(t *testing.T) {
	g := GoogleLike{Requests: 20000, Length: 2 * sim.Day, Seed: 3}
	a, err := ReadAll(g.Stream())
	b, _ := ReadAll(g.Stream())
	if err != nil || len(a) != g.Requests || !reflect.DeepEqual(a, b) {
		t.Fatalf("%d requests, %v; equal again: %t", len(a), err, reflect.DeepEqual(a, b))
	}
	if !slices.IsSortedFunc(a, func(x, y Request) int { return int(x.Submit - y.Submit) }) {
		t.Error("the requests are not in order")
	}
	last := a[len(a)-1].Submit
	if last < g.Length*8/10 || last > g.Length {
		t.Errorf("the last request comes at %v h of %v h", last/sim.Hour, g.Length/sim.Hour)
	}
	for _, r := range a {
		if r.Check() != nil {
			t.Fatalf("%+v", r)
		}
	}
}

// Requests of 1, 2 and 3 CPU over [0, 10), [5, 15) and [10, 20) s: 3 CPU from
// 5 s, and 5 from 10 s, when the first has just ended; memory is 1 each, so 2.
func TestPeakDemand(t *testing.T) {
	var all []Request
	for i := range 3 {
		all = append(all, Request{Submit: sim.Milliseconds(i) * 5000, Duration: 10000, CPU: cluster.Amount(i+1) * cluster.Unit, Memory: cluster.Unit})
	}
	got, err := PeakDemand(&Slice{Requests: all})
	if want := (Peak{CPU: 5 * cluster.Unit, Memory: 2 * cluster.Unit}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for range 10 { // their sum would not fit into 64 bits
		all = append(all, Request{Submit: sim.Hour, Duration: 1, CPU: cluster.Unit, Memory: cluster.MaxAmount})
	}
	if got, err := PeakDemand(&Slice{Requests: all}); err == nil {
		t.Errorf("%+v of too much", got)
	}
}

func TestSize(t *testing.T) {
	pool := GoogleHosts(2000, 1)
	peak := Peak{CPU: 100 * cluster.Unit, Memory: 120 * cluster.Unit}
	var whole map[string]bool
	for _, part := range []float64{1, 0.9, 0.8} {
		hosts, err := Size(pool, peak, part, 5)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		var memory cluster.Amount
		for _, h := range hosts {
			names[h.Name] = true
			memory += h.Memory
			if whole != nil && !whole[h.Name] {
				t.Fatalf("%v N has the host %s, which N has not", part, h.Name)
			}
		}
		if len(names) != len(hosts) {
			t.Error("a host is there twice")
		}
		if at := memory.Units(); at < part*120 || at > part*120+1 {
			t.Errorf("%v N has %v of memory, want %v and at most one host more", part, at, part*120)
		}
		if part == 1 {
			whole = names
		}
	}
	if _, err := Size(pool[:3], peak, 1, 5); err == nil {
		t.Error("three hosts were enough")
	}
	if _, err := Size(pool, peak, 1.1, 5); err == nil {
		t.Error("a part of 1.1 was taken")
	}
}

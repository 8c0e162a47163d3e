package trace

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/diag/diagtest"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Requests without a job do not share one, so anti-affinity does not separate them.
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

// A name that a spreadsheet would read as a formula is restored exactly.
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

func TestHostEvents(t *testing.T) {
	got, err := HostEvents("e", strings.NewReader("time_s,host,event\n1,a,fail\n2.5,a,return\n"))
	if want := []workload.HostEvent{{At: 1000, Host: "a", File: "e", Line: 2, Column: 3}, {At: 2500, Host: "a", Up: true, File: "e", Line: 3, Column: 5}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// Every message names the file, the line, the column and the error. Columns count
// characters, including the space before a line and without a byte order mark.
func TestBadRequests(t *testing.T) {
	header := "id,submit_s,duration_s,cpu,memory,class\n"
	for _, test := range []struct{ text, want string }{
		{header + "a,1,1," + strings.Repeat("x", 1000) + ",1,gold", `f:2:7: cpu: "` + strings.Repeat("x", 40) + `" is not a number`},
		{"id,cpu,memory,colour", `f:1:15: unknown column "colour"`},
		{"id,cpu,memory", "f:1:14: the column submit_s is missing"},
		{"id,cpu,memory,cpu", "f:1:15: the column cpu is given twice"},
		{header + "a,1,1", "f:2:6: the line has 3 fields, the header 6"},
		{header + "a,NaN,1,1,1,gold", "f:2:3: submit_s: NaN is not a time"},
		{header + `"a,1,1,1,1,gold`, "f:2:1: field 1: the closing quote is missing"},
		{header + "a,1,1,1,1,", "f:2:11: class: a name is missing"},
		{"id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,x<>=y", `f:2:16: constraints: unknown operator "<>="`},
		{header + "é, \u00a0NaN,1,1,1,gold\r\n", "f:2:5: submit_s: NaN"},
		{header + `"a ""b""",NaN,1,1,1,gold`, "f:2:11: submit_s: NaN"},
		{header + "a,1,1,1,1,gold,x", "f:2:16: the line has 7 fields, the header 6"},
		{header + "a,1,1,1,-1,gold", "f:2:9: memory: -1 is not a quantity"},
		{header + "a,1,1,1_0,1,gold", `f:2:7: cpu: "1_0" is not a number`},
		{header + "a,0x1p4,1,1,1,gold", `f:2:3: submit_s: "0x1p4" is not a number of seconds`},
		{header + "a,1,1,1,0,gold", "f:2:9: memory must be more than 0"},
		{"id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,os=linux; x<>=y", `f:2:25: constraints: unknown operator`},
		{header + strings.Repeat("x", 1<<20+1), "f:2:1: the line has more than"},
	} {
		wantRefused(t, test.text, test.want)
	}
}

func TestBadOwnHosts(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"name,cpu,memory\n,1,1\n", "f:2:1: the name of the host is missing"},
		{"name,cpu,memory\n", "f:1:1: there are no hosts"},
		{"name,cpu,memory\na,1,1\na,1,1\n", `f:3:1: the host "a" is given twice`},
		{"name,cpu,memory,attributes\na,1,1,k\n", `f:2:7: attributes: "k" is not key=value`},
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
	for text, want := range map[string]string{
		"":               "o:1:1: the file is empty",
		"overhead_s\n":   "o:1:1: the set of overheads is empty",
		"overhead_s\n-1": "o:2:1: overhead_s: -1 is not a time",
		"seconds\n1":     `o:1:1: unknown column "seconds"`,
	} {
		if _, err := Overheads("o", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s…", text, err, want)
		}
	}
}

func FuzzHostEvents(f *testing.F) {
	f.Add("time_s,host,event,cpu,memory\n1,a,fail,,\n2,é,add,1,\"1\"")
	f.Fuzz(func(t *testing.T, text string) {
		events, err := HostEvents("f", strings.NewReader(text))
		diagtest.InText(t, text, err)
		if !slices.IsSortedFunc(events, func(a, b workload.HostEvent) int { return cmp.Compare(a.At, b.At) }) {
			t.Errorf("%v is out of order", events)
		}
	})
}

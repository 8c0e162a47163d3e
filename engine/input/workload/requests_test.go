package workload

import (
	"cmp"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/diag/diagtest"
	"berth/engine/input/csv"
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

func TestHostEvents(t *testing.T) {
	got, err := HostEvents("e", strings.NewReader("time_s,host,event\n1,a,fail\n2.5,a,return\n"))
	if want := []HostEvent{{At: 1000, Host: "a", File: "e", Line: 2, Column: 3}, {At: 2500, Host: "a", Up: true, File: "e", Line: 3, Column: 5}}; err != nil || !reflect.DeepEqual(got, want) {
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

func FuzzRequests(f *testing.F) {
	f.Add("id,submit_s,duration_s,cpu,memory,class,constraints\na,1,1,1,1,gold,x=y;z>3")
	f.Add("id,submit_s,duration_s,cpu,memory,class,user\na,1,1,1,1,gold,\"Ada, L.\"\nb,1,1,1,1,gold,")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ReadRequests("f", strings.NewReader(text)); err == nil {
			_, err = ReadAll(c)
			diagtest.InText(t, text, err)
		}
	})
}

func FuzzHostEvents(f *testing.F) {
	f.Add("time_s,host,event,cpu,memory\n1,a,fail,,\n2,é,add,1,\"1\"")
	f.Fuzz(func(t *testing.T, text string) {
		events, err := HostEvents("f", strings.NewReader(text))
		diagtest.InText(t, text, err)
		if !slices.IsSortedFunc(events, func(a, b HostEvent) int { return cmp.Compare(a.At, b.At) }) {
			t.Errorf("%v is out of order", events)
		}
	})
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

package qoskind_test

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/sim"
)

// usersCSV is CSV in the broker's format: each of 40 users submits four requests, one per second,
// and those of every tenth user are large.
func usersCSV() string {
	var b strings.Builder
	for i := range 160 {
		cpu := 1
		if i%10 == 0 {
			cpu = 2
		}
		fmt.Fprintf(&b, "%d,%d,%d,user-%d,0,%d,30,-1,%d,1,x,0.5\n", i, i, i, i%40, i%12, cpu)
	}
	return b.String()
}

func sampled(sample *qoskind.Sample, admission *qoskind.Admission) *qoskind.Document {
	return &qoskind.Document{
		Workload: text("users.csv", usersCSV()), Hosts: text("hosts.csv", "name,cpu,memory\na,10,10\nb,10,10\n"),
		Policies: []qoskind.PolicyRun{{Name: "qos"}}, Sample: sample, Admission: admission,
	}
}

// listed returns the lines of a document's requests.
func listed(t *testing.T, d *qoskind.Document) []string {
	t.Helper()
	e, _ := run(t, d)
	list := must.Get(e.List(t.Context(), qoskind.PolicyQuery{}))(t)
	return strings.Split(strings.TrimSpace(string(list.Data)), "\n")[1:]
}

func TestSampleKeepsRequestsOfSomeUsers(t *testing.T) {
	d := sampled(&qoskind.Sample{Part: 0.25, Groups: 2, Seed: 3}, nil)
	_, r := run(t, d)
	s := r.Workload.Sample
	if s == nil || s.UsersInAll != 40 || s.Users < 10 || s.Users > 11 || s.RequestsInAll != 160 || s.Requests != 4*s.Users {
		t.Fatalf("the sample is %+v", s)
	}
	if r.Workload.Requests != s.Requests || r.Policies[0].Run.Requests != s.Requests || len(listed(t, d)) != s.Requests {
		t.Errorf("%d requests of the sample, %d in the workload, %d in the run", s.Requests, r.Workload.Requests, r.Policies[0].Run.Requests)
	}
	if want := fmt.Sprintf("the sample has %d of 40 users, with %d of 160 requests", s.Users, s.Requests); !slices.Contains(r.Notes, want) {
		t.Errorf("the notes are %q", r.Notes)
	}
	if r.Inputs[0].Slot != qoskind.WorkloadSlot || len(r.Inputs) != 2 {
		t.Errorf("the inputs are %+v", r.Inputs)
	}
	other := sampled(&qoskind.Sample{Part: 0.25, Groups: 2, Seed: 4}, nil)
	if slices.Equal(listed(t, d), listed(t, other)) {
		t.Error("two seeds draw the same users")
	}
	if !slices.Equal(listed(t, d), listed(t, sampled(&qoskind.Sample{Part: 0.25, Groups: 2, Seed: 3}, nil))) {
		t.Error("one seed draws different users")
	}
}

// The same requests are drawn from CSV with a header.
func TestSampleGoesByTheColumnUser(t *testing.T) {
	classes := map[string]string{}
	for priority := range 12 {
		class := "silver"
		switch {
		case priority < 2:
			class = "bronze"
		case priority > 8:
			class = "gold"
		}
		classes[strconv.Itoa(priority)] = class
	}
	rows := []string{"id,job,submit_s,duration_s,cpu,memory,class,user"}
	for row := range strings.Lines(usersCSV()) {
		f := strings.Split(row, ",")
		rows = append(rows, strings.Join([]string{f[1], f[2], f[0], f[6], f[8], f[9], classes[f[5]], f[3]}, ","))
	}
	sample := &qoskind.Sample{Part: 0.25, Groups: 2, Seed: 3}
	d := sampled(sample, nil)
	d.Workload = text("header.csv", strings.Join(rows, "\n"))
	if got, want := listed(t, d), listed(t, sampled(sample, nil)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Admission control admits the same requests as the filter of the engine.
func TestAdmissionLetsInWhatFits(t *testing.T) {
	d := sampled(nil, &qoskind.Admission{Limit: 0.95})
	_, r := run(t, d)
	source := must.Get(trace.OpenRequests("users.csv", func() (io.Reader, error) { return strings.NewReader(usersCSV()), nil }))(t)
	hosts, _, err := trace.ReadHosts("hosts.csv", strings.NewReader(d.Hosts.Text))
	if err != nil {
		t.Fatal(err)
	}
	filtered := must.Get(workload.Admission{Limit: 0.95, AtStart: 0.75}.Filter(source, hosts))(t)
	want := must.Get(workload.ReadAll(filtered))(t)
	got := listed(t, d)
	if len(got) != len(want) || len(got) > 150 || len(got) < 50 {
		t.Fatalf("%d requests are let in, want %d", len(got), len(want))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], "qos,"+want[i].ID+",") {
			t.Errorf("%s is let in, want %s", got[i], want[i].ID)
		}
	}
	if a := r.Workload.Admission; a.Offered != 160 || a.Admitted != len(want) || r.Workload.Requests != len(want) {
		t.Errorf("the report has %+v", a)
	}
	if note := fmt.Sprintf("admission control admits %d of 160 requests and rejects %d", len(want), 160-len(want)); !slices.Contains(r.Notes, note) {
		t.Errorf("the notes are %q", r.Notes)
	}
}

// Admission control sees the requests of the sample in the order of their submission.
func TestAdmissionOfAnUnorderedSample(t *testing.T) {
	sample, admission := &qoskind.Sample{Part: 0.9}, &qoskind.Admission{Limit: 0.9}
	ordered := sampled(sample, admission)
	lines := strings.Split(strings.TrimSpace(usersCSV()), "\n")
	slices.Reverse(lines)
	reversed := sampled(sample, admission)
	reversed.Workload.Text = strings.Join(lines, "\n")
	_, r := run(t, reversed)
	if r.Workload.Ordered || len(r.Warnings) == 0 || r.Workload.Admission.Offered != r.Workload.Sample.Requests {
		t.Errorf("%+v, warnings %q", r.Workload, r.Warnings)
	}
	if got, want := listed(t, reversed), listed(t, ordered); !slices.Equal(got, want) {
		t.Errorf("out of order %d requests are let in, in order %d", len(got), len(want))
	}
}

// The hosts that are sized for a workload depend on the sample, not on the admitted requests.
func TestSizingBeforeAdmission(t *testing.T) {
	hosts := func(admission *qoskind.Admission) int {
		d := sampled(nil, admission)
		d.Hosts = scenario.Source{Name: "h", Recipe: &workload.Recipe{Generator: "hosts", Preset: qoskind.GoogleLike, Seed: 2}}
		_, r := run(t, d)
		return r.Hosts.Hosts
	}
	if all, some := hosts(nil), hosts(&qoskind.Admission{Limit: 0.5}); all != some {
		t.Errorf("%d hosts without admission control, %d with it", all, some)
	}
}

// The setting of table 7.1 of the thesis, given as a document, needs as many operations as the
// engine's own experiment with it.
func TestTheSettingOfTable71(t *testing.T) {
	recipe := func(generator string, parameters map[string]float64) scenario.Source {
		return scenario.Source{Name: generator, Recipe: &workload.Recipe{Generator: generator, Preset: qoskind.GoogleLike, Seed: 1, Parameters: parameters}}
	}
	d := &qoskind.Document{
		Workload: recipe(qoskind.RequestsGenerator, map[string]float64{"requests": 2000, "days": 1.0 / 24}),
		Hosts:    recipe(qoskind.HostsGenerator, map[string]float64{"count": 10}),
		Policies: []qoskind.PolicyRun{{Name: "qos", Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05, Pruning: "printed"}}},
		Horizon:  3600, Seed: 5, Admission: &qoskind.Admission{Limit: 0.9},
	}
	_, r := run(t, d)
	hosts := workload.GoogleHosts(10, 1)
	g := workload.GoogleLike{Requests: 2000, Length: sim.Hour, Seed: 1}
	source := must.Get(workload.Admissions[2].Filter(g.Stream(), hosts))(t)
	none := []sim.Milliseconds{0}
	want := must.Get(qos.Run(t.Context(), qos.Input{Hosts: hosts, Requests: source}, qos.Config{
		Policy: qos.QoSDriven(), Classes: qos.GoogleClasses(qos.Logs.Margin), Watchdog: qos.Logs.Watchdog, Alpha: -1, Horizon: sim.Hour, Seed: 5,
		HotSet: none, ColdSet: none, Savings: qos.Savings{EquivalenceClass: true, Relaxed: 0.05, Pruning: qos.PruneAsPrinted},
	}))(t)
	if got := r.Policies[0].Run; got.Operations != want.Operations || got.Requests != want.Requests || got.Operations == 0 {
		t.Errorf("%d operations for %d requests, want %d for %d", got.Operations, got.Requests, want.Operations, want.Requests)
	}
}

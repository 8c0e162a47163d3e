package qoskind_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"berth/engine/golden"
	"berth/engine/input/packed"
	_ "berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
)

// Five requests run on two hosts of two units. One host fails and comes back. The file has each
// kind of figure.
const (
	requestsCSV = `id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints
a,1,0,300,1,1,bronze,0,
b,2,0,300,1,1,bronze,0,
c,3,10,200,2,2,gold,0,
d,4,20,100,1,1,silver,0,
e,5,30,400,2,2,silver,0,
`
	hostsCSV     = "name,cpu,memory,attributes\nleft,2,2,\nright,2,2,\n"
	overheadsCSV = "overhead_s\n1\n2\n"
	eventsCSV    = "time_s,host,event,cpu,memory\n100,right,fail,,\n150,right,return,,\n"
)

func text(name, text string) scenario.Source { return scenario.Source{Name: name, Text: text} }

// small is a document that contains its texts.
func small() *qoskind.Document {
	overheads, events := text("overheads.csv", overheadsCSV), text("events.csv", eventsCSV)
	every := 30.0
	return &qoskind.Document{
		Workload: text("requests.csv", requestsCSV), Hosts: text("hosts.csv", hostsCSV), Overheads: &overheads, HostEventSource: &events,
		Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Horizon: 600, Seed: 1, FairnessEvery: &every, PointEvery: &every,
	}
}

// validation is the first validation test, as a recipe.
func validation(policies ...qoskind.PolicyRun) *qoskind.Document {
	return &qoskind.Document{
		Workload:  scenario.Source{Name: "workload", Recipe: &workload.Recipe{Generator: "requests", Preset: qoskind.Validation1, Seed: 1}},
		Hosts:     scenario.Source{Name: "hosts", Recipe: &workload.Recipe{Generator: "hosts", Preset: qoskind.Validation}},
		Overheads: &scenario.Source{Name: "overheads", Recipe: &workload.Recipe{Generator: "overheads", Preset: qoskind.Validation}},
		Policies:  policies, Horizon: 3599,
	}
}

// carriedOut runs an experiment and returns how long each run took. progress may be nil.
func carriedOut(t *testing.T, ctx context.Context, e *qoskind.Prepared, progress func(scenario.Progress)) (*qoskind.Report, [][]float64) {
	t.Helper()
	r := &scenario.Report{}
	body := must.Get(r.RunRows(ctx, qoskind.Kind, e, &scenario.Env{Progress: progress}))(t)
	return body.(*qoskind.Report), r.Timings.Running
}

func prepare(t *testing.T, d *qoskind.Document, env scenario.Env) *qoskind.Prepared {
	t.Helper()
	must.Do(t, qoskind.New("", *d).Validate())
	return must.Get(qoskind.Prepare(t.Context(), d, env))(t)
}

func run(t *testing.T, d *qoskind.Document) (*qoskind.Prepared, *qoskind.Report) {
	t.Helper()
	e := prepare(t, d, scenario.Env{})
	r, times := carriedOut(t, t.Context(), e, nil)
	if len(times) != len(d.Policies) {
		t.Errorf("times of %d policies", len(times))
	}
	return e, r
}

func indented(t *testing.T, v any) string {
	t.Helper()
	data := must.Get(scenario.JSON(v))(t)
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", " ")
	return b.String()
}

func TestReportIsGolden(t *testing.T) {
	_, r := run(t, small())
	for i := range r.Policies {
		r.Policies[i].Run.Operations = 0 // the engine may need fewer
	}
	got := indented(t, r)
	golden.Check(t, "testdata/report.json", got)
	var back qoskind.Report
	must.Do(t, json.Unmarshal([]byte(got), &back))
	if again := indented(t, &back); again != got {
		t.Errorf("read and written again the report is\n%s", again)
	}
}

// These are the figures of the published simulation, within bounds that hold for any seed.
func TestValidationAsARecipe(t *testing.T) {
	d := validation(qoskind.PolicyRun{Name: "qos"}, qoskind.PolicyRun{Name: "priority"})
	d.Seeds = 3
	_, r := run(t, d)
	for i, want := range [][]float64{{1, 0.9054, 0.4719}, {1, 1, 0.4258}} {
		p := &r.Policies[i]
		for k, mean := range want {
			got := &p.Run.Classes[k]
			if off := float64(got.Availability.Mean) - mean; off > 0.006 || off < -0.006 {
				t.Errorf("%s, %s: mean availability %v, published %v", p.Title, got.Name, got.Availability.Mean, mean)
			}
			over := p.Seeds.Classes[k].Of.At("availability")
			if over.N != 3 || float64(over.HalfWidth) < 0 || float64(over.HalfWidth) > 0.02 {
				t.Errorf("%s, %s: over seeds %+v", p.Title, got.Name, over)
			}
		}
	}
}

// If a document is the base of an experiment, the experiment has its seeds: one run for each, and
// the same means as in the document's own report.
func TestSeedsAreThoseOfAnExperiment(t *testing.T) {
	d := small()
	d.Seeds = 3
	_, own := run(t, d)
	report := must.Get(scenario.Run(t.Context(), study.New("", study.Document{Base: qoskind.New("", *d)}), scenario.Env{}))(t)
	r := report.Body.(*study.Report)
	if r.Runs != (study.Count{All: 3, Done: 3}) || len(r.Cells) != len(own.Policies) || d.Seeds != 3 {
		t.Fatalf("%+v, %d cells", r.Runs, len(r.Cells))
	}
	for i, c := range r.Cells {
		got, want := c.Metrics["availability.mean"], own.Policies[i].Seeds.All.Of.At("availability")
		if got.N != 3 || got.Mean != want.Mean || got.HalfWidth != want.HalfWidth {
			t.Errorf("%v: %s, want %s", c.Levels, got, want)
		}
	}
}

// A run that is stopped before it begins has the first policy, and is partial.
func TestStoppedBeforeItBegins(t *testing.T) {
	d := small()
	d.Seeds = 2
	e := prepare(t, d, scenario.Env{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, times := carriedOut(t, ctx, e, nil)
	if !r.Partial() || len(r.Policies) != 1 || len(times) != 1 {
		t.Errorf("%+v, times %v", r, times)
	}
}

// Only the workload is streamed.
func TestLargeFileIsRefusedUnread(t *testing.T) {
	d := small()
	d.Hosts.Text = ""
	_, err := qoskind.Prepare(t.Context(), d, scenario.Env{Beside: func(string) (io.Reader, int64, error) {
		return iotest.ErrReader(errors.New("was read")), packed.MaxText + 1, nil
	}})
	if err == nil || !strings.HasPrefix(err.Error(), "hosts.csv: the file is too large") {
		t.Errorf("got %v", err)
	}
}

// Parts that have not run are left out. A later seed may be back before the first one.
func TestPartsThatAreMissing(t *testing.T) {
	d := small()
	d.Seeds = 2
	var parts []*scenario.Report
	for _, part := range scenario.Parts(qoskind.New("", *d)) {
		_, r := run(t, qoskind.Of(part.Scenario))
		parts = append(parts, &scenario.Report{Body: r})
	}
	join := func(parts ...*scenario.Report) []qoskind.PolicyReport {
		r := must.Get(scenario.Join(qoskind.New("", *d), parts))(t)
		return qoskind.ReportOf(r).Policies
	}
	if got := join(nil, parts[1], nil, nil); len(got) != 1 || got[0].Name != "priority" {
		t.Errorf("with one part: %+v", got)
	}
	if got := join(nil, parts[1], parts[2], parts[3]); len(got) != 2 || got[0].Run.Seed != d.Seed+1 || got[0].Seeds != nil || got[1].Run.Seed != d.Seed || got[1].Seeds.Runs != 2 {
		t.Errorf("without the first part: %+v", got)
	}
}

// A stopped run has the figures up to that point, and says so.
func TestStoppedRunIsPartial(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var last scenario.Progress
	progress := func(p scenario.Progress) {
		if p.Phase == "running" && p.Time > 1000 {
			stop()
		}
		if last.Phase == p.Phase && p.Fraction < last.Fraction {
			t.Errorf("after %+v comes %+v", last, p)
		}
		last = p
	}
	policies := []qoskind.PolicyRun{{Name: "qos", Scheduler: qoskind.Literal}, {Name: "priority"}}
	e := must.Get(qoskind.Prepare(ctx, validation(policies...), scenario.Env{Progress: progress}))(t)
	r, _ := carriedOut(t, ctx, e, progress)
	if len(r.Policies) != 1 || !r.Partial() {
		t.Fatalf("%d policies, partial %v", len(r.Policies), r.Partial())
	}
	p := &r.Policies[0]
	if p.Run.End < 1000 || p.Run.End > 3000 || p.Run.Requests != 256 || p.Run.All.Requests != 256 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "stopped at") {
		t.Errorf("end %v, %d requests, warnings %q", p.Run.End, p.Run.Requests, p.Warnings)
	}
	if last.Events == 0 || last.Unit != "requests" {
		t.Errorf("the last progress was %+v", last)
	}
	// Questions about it cover the time until the stop.
	timeline, err := e.Timeline(t.Context(), qoskind.PolicyQuery{})
	if err != nil || timeline.End != p.Run.End {
		t.Errorf("the timeline ends at %v, the run at %v: %v", timeline.End, p.Run.End, err)
	}
}

func TestCancelledWhileReading(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := qoskind.Prepare(ctx, small(), scenario.Env{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBadInputsAreNamed(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(d *qoskind.Document)
		want   string
	}{
		{"a line of the workload", func(d *qoskind.Document) {
			d.Workload.Text = strings.Replace(requestsCSV, ",10,", ",soon,", 1)
		}, `requests.csv:4:5: submit_s: "soon" is not a number of seconds`},
		{"no requests", func(d *qoskind.Document) {
			d.Workload.Text, _, _ = strings.Cut(requestsCSV, "a,")
		}, "requests.csv:1:1: there are no requests in the file"},
		{"an unknown class", func(d *qoskind.Document) {
			d.Workload.Text = strings.Replace(requestsCSV, "gold", "platinum", 1)
		}, `requests.csv:4:16: request 3, "c": the class is "platinum", which no table defines`},
		{"a missing text", func(d *qoskind.Document) { d.Hosts.Text = "" }, "hosts.csv: the file it refers to was not found: choose it again"},
		{"a sample without users", func(d *qoskind.Document) { d.Sample = &qoskind.Sample{} }, "qos.sample: the workload does not name users"},
		{"a window without requests", func(d *qoskind.Document) { d.Window = &workload.Window{From: 1e6} }, "qos.window: none of 5 requests is within it"},
		{"hosts sized for no requests", func(d *qoskind.Document) {
			*d = *alone()
			d.Hosts = validation().Hosts
			d.Hosts.Recipe.Preset = qoskind.GoogleLike
		}, "qos.hosts.recipe: count: missing: there are no requests that hosts could be sized for"},
		{"hosts", func(d *qoskind.Document) { d.Hosts.Text = requestsCSV }, `hosts.csv:1:1: found a workload of requests: choose it as the workload in QoS; expected `},
		{"an unknown host", func(d *qoskind.Document) {
			d.HostEvents = []qoskind.HostEvent{{Time: 9, Host: "left", Event: "fail"}, {Time: 1, Host: "middle", Event: "fail"}}
		}, `host event 2: removes the host "middle", which does not exist`},
		{"a recipe", func(d *qoskind.Document) {
			*d = *validation(d.Policies...)
			d.Workload.Recipe.Preset = "best"
		}, `qos.workload.recipe: preset: "best" is unknown`},
		{"a parameter", func(d *qoskind.Document) {
			*d = *validation(d.Policies...)
			d.Overheads.Recipe.Parameters = map[string]float64{"count": 0}
		}, "qos.overheads.recipe: count: 0 is out of range: expected a whole number from 1 to 1000000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := small()
			test.change(d)
			_, err := qoskind.Prepare(t.Context(), d, scenario.Env{})
			var input *scenario.InputError
			if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// Sizing removes random hosts, and generators stay within their bounds.
func TestGoogleLikeRecipes(t *testing.T) {
	hosts := map[float64]int{}
	for _, part := range []float64{1, 0.8} {
		d := validation(qoskind.PolicyRun{Name: "qos"})
		d.Workload.Recipe = &workload.Recipe{Generator: "requests", Preset: qoskind.GoogleLike, Seed: 2, Parameters: map[string]float64{"requests": 2000, "days": 0.1}}
		d.Hosts.Recipe = &workload.Recipe{Generator: "hosts", Preset: qoskind.GoogleLike, Seed: 2, Parameters: map[string]float64{"part": part}}
		d.Horizon = 0
		_, r := run(t, d)
		hosts[part] = r.Hosts.Hosts
		if r.Workload.Requests != 2000 || r.Policies[0].Run.Requests != 2000 {
			t.Errorf("%+v", r.Workload)
		}
	}
	if hosts[0.8] >= hosts[1] || hosts[0.8] < hosts[1]/2 {
		t.Errorf("hosts by part of N: %v", hosts)
	}
}

// The infrastructure for a trace is the one for its requests in order of time.
func TestHostsAreSizedForRequestsInOrder(t *testing.T) {
	rows := []string{}
	for i := range 50 {
		rows = append(rows, fmt.Sprintf("r%d,,%d,40,0.05,0.05,gold,,", i, i))
	}
	hosts := func() int {
		d := validation(qoskind.PolicyRun{Name: "qos"})
		d.Workload = scenario.Source{Name: "w.csv", Text: "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n" + strings.Join(rows, "\n")}
		d.Hosts.Recipe = &workload.Recipe{Generator: "hosts", Preset: qoskind.GoogleLike, Seed: 2}
		d.Horizon = 0
		_, r := run(t, d)
		return r.Hosts.Hosts
	}
	inOrder := hosts()
	slices.Reverse(rows)
	if got := hosts(); got != inOrder {
		t.Errorf("%d hosts for the requests in reverse order, %d in order", got, inOrder)
	}
}

// Requests that end when they start are accepted, with a warning.
func TestRequestsWithoutDuration(t *testing.T) {
	d := &qoskind.Document{
		Workload: scenario.Source{Name: "w.csv", Text: "id,submit_s,duration_s,cpu,memory,class\na,0,0,1,1,gold\nb,1,10,1,1,gold\nc,2,0,1,1,gold\n"},
		Hosts:    scenario.Source{Name: "h.csv", Text: "name,cpu,memory\nh,1,1\n"},
		Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "qos", Label: "literal", Scheduler: "literal"}},
	}
	e, r := run(t, d)
	want := "2 requests have a duration of 0 and end as they start: the availability is 1 without waiting, and 0 otherwise; the first is a"
	if got := e.Warnings(); len(got) != 1 || got[0] != want {
		t.Errorf("got %q", got)
	}
	for _, p := range r.Policies { // c waits for b
		if a := p.Run.All.Availability; p.Run.Requests != 3 || a.At("min") != 0 || math.Abs(float64(a.Mean)-2./3) > 1e-9 {
			t.Errorf("%s: %d requests, availability %+v", p.Title, p.Run.Requests, a)
		}
	}
}

// A run that needs more memory than it may use is refused before it starts.
func TestMemoryIsBounded(t *testing.T) {
	d := &qoskind.Document{
		Workload: scenario.Source{Name: "w", Recipe: &workload.Recipe{Generator: qoskind.RequestsGenerator, Preset: "google-like", Seed: 1, Parameters: map[string]float64{"requests": 1000}}},
		Hosts:    scenario.Source{Name: "h.csv", Text: "name,cpu,memory\nh,1,1\n"},
		Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}},
	}
	if _, err := qoskind.Prepare(t.Context(), d, scenario.Env{Memory: 9000}); err == nil || !strings.Contains(err.Error(), "qos: 1000 requests: the run may take ") {
		t.Errorf("got %v", err)
	}
	if _, err := qoskind.Prepare(t.Context(), d, scenario.Env{Memory: 20_000}); err != nil {
		t.Error(err)
	}
}

// The headline about two simulations names the figure of the first policy that has changed.
func TestTheHeadlineOfADifferenceTellsWhatChanged(t *testing.T) {
	report := func(d *qoskind.Document) *scenario.Report {
		_, r := run(t, d)
		return &scenario.Report{Kind: qoskind.Name, Body: r}
	}
	steady := small()
	steady.HostEventSource = nil
	before, after := report(small()), report(steady)
	for _, test := range []struct {
		after *scenario.Report
		want  string
	}{{before, "qos: penalty "}, {after, "qos: "}} {
		d, err := scenario.Compare(before, test.after)
		if err != nil || !strings.HasPrefix(d.Headline, test.want) || strings.HasSuffix(d.Headline, "as before") != (test.after == before) {
			t.Errorf("%q, %v", d.Headline, err)
		}
	}
}

// Three pods of openb request a GPU each, on a host with one. They never share it, and not all of
// their SLOs are met. Two that request half of it share it. Without GPUs a report does not mention
// them.
func TestGPUsOfOpenb(t *testing.T) {
	d := small()
	d.Workload = scenario.Source{Name: "pods.csv", Text: "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time,deletion_time,scheduled_time\n" +
		"a,1000,1024,1,1000,,LS,0,100,0\nb,1000,1024,1,1000,V100|T4,LS,0,100,0\nc,1000,1024,1,1000,,LS,0,100,0\n"}
	d.Hosts = scenario.Source{Name: "nodes.csv", Text: "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,1,T4\n"}
	d.Policies = []qoskind.PolicyRun{{Name: "priority"}}
	d.Classes, d.HostEvents, d.HostEventSource, d.Controllers = nil, nil, nil, nil
	_, r := run(t, d)
	if got := r.Policies[0].Run; got.All.Fulfilled != 1 || got.Peak.GPUs != 3 || r.Hosts.GPUs != 1 || r.Workload.Misfit != nil {
		t.Errorf("%d of 3 met their SLO, at most %d GPUs of %d are asked for, misfit %+v", got.All.Fulfilled, got.Peak.GPUs, r.Hosts.GPUs, r.Workload.Misfit)
	}
	if got, want := said(r), "Requests ask for 3 GPUs at once, and the hosts have 1"; !strings.Contains(got, want) {
		t.Errorf("said %q", got)
	}
	shared := d.Clone().(*qoskind.Document)
	shared.Workload.Text = strings.NewReplacer("a,1000,1024,1,1000,", "a,1000,1024,1,460,", "b,1000,1024,1,1000,", "b,1000,1024,1,540,").Replace(d.Workload.Text)
	if _, r := run(t, shared); r.Policies[0].Run.All.Fulfilled != 2 || r.Policies[0].Run.Peak.GPUs != 2 {
		t.Errorf("%d of 3 met their SLO, at most %d GPUs are asked for, want 2 and 2", r.Policies[0].Run.All.Fulfilled, r.Policies[0].Run.Peak.GPUs)
	}
	d.Workload.Text = strings.Replace(d.Workload.Text, "V100|T4", "V100|P100", 1)
	if _, r := run(t, d); r.Workload.Hopeless != 1 {
		t.Errorf("%d pods find no host of their models, want 1", r.Workload.Hopeless)
	}
	d.Workload.Text += "d,1000,1024,0,0,,LS,100,50,100\ne,1000,1024,0,0,,LS,100,,100\n"
	if _, r := run(t, d); r.Workload.Requests != 4 || r.Warnings[0] != "1 pod is left out: withdrawn before it started" || !slices.Contains(r.Notes, "1 pod has no end and runs to the horizon") {
		t.Errorf("%d requests, warnings %q, notes %q", r.Workload.Requests, r.Warnings, r.Notes)
	}
	d.Horizon = 0
	if _, r := run(t, d); !slices.Contains(r.Warnings, "without a horizon rows without an end run for 397 days: set a horizon") {
		t.Errorf("warnings %q", r.Warnings)
	}
	_, plain := run(t, small())
	if text, err := json.Marshal(plain); err != nil || strings.Contains(strings.ToLower(string(text)), "gpu") {
		t.Errorf("a report without GPUs speaks of them: %v", err)
	}
}

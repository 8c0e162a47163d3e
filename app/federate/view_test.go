//go:build !js

// These tests run the view with an engine in the same process. The end-to-end tests run the whole
// page in a browser, with its scripts.

package federate

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
)

type bench struct {
	*View
	t      *testing.T
	engine app.TestEngine
}

// open mounts a view whose engine works in this process and waits until it has
// settled.
func open(t *testing.T) *bench {
	t.Helper()
	return openWith(t, labtest.Engine(2))
}

func openWith(t *testing.T, engine *bridge.WorkerPool) *bench {
	t.Helper()
	v := New(lab.Services{Engine: engine, Shelf: labtest.Shelf(), Drafts: labtest.Drafts()})
	return &bench{View: v, t: t, engine: labtest.Mount(t, v)}
}

// settle waits until no work is left.
func (b *bench) settle() { b.engine.ConsumeAll() }

// do changes the inputs and waits until everything has settled.
func (b *bench) do(change func(*inputs)) {
	b.t.Helper()
	b.Edit("change", change)
	b.settle()
}

// wantDone waits until no work is left, and checks that there is a result.
func (b *bench) wantDone() {
	b.t.Helper()
	b.settle()
	if b.Phase != lab.Done {
		b.t.Fatalf("the phase is %q (%v), want done", b.Phase, b.Err)
	}
}

// drop does the same as dropping files on the page, and waits until they have run.
func (b *bench) drop(files ...*lab.Source) {
	b.t.Helper()
	b.Files.AwaitFiles()
	b.files.takeTexts(b.Files.Own(files))
	b.wantDone()
}

// twoJobs has three tasks, which take one slot each.
const twoJobs = "0 2 5 4 6\n1 1 5 5\n"

// small sets two workers and one scheduler.
func small(in *inputs) {
	in.sources[federatekind.TraceSlot] = lab.TextSource("small.tr", twoJobs)
	in.options = federatekind.Document{Workers: 2, GMs: 1, LMs: 1, Schedulers: []string{"megha"}, Seed: 1}
}

func TestOpensWithAnExampleThatHasRun(t *testing.T) {
	b := open(t)
	b.wantDone()
	if got := len(b.result.report().Schedulers); got != 5 || b.Unsaved {
		t.Errorf("%d schedulers, unsaved %v; want 5, false", got, b.Unsaved)
	}
	if b.result.Report.Scenario != b.Inputs.Input().Scenario.Hash() {
		t.Error("the report does not belong to the scenario that is shared")
	}
	if b.why.explained().Answer == nil || len(b.why.explained().Answer.rows) == 0 {
		t.Error("nothing is explained")
	}
}

func TestTheReportIsTheOneOfTheCommandLine(t *testing.T) {
	b := open(t)
	s := b.Inputs.Input().Scenario
	report := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	if got, want := string(scenario.EncodeReport(b.result.Report.Untimed())), string(scenario.EncodeReport(report)); got != want {
		t.Errorf("the bytes differ: %d of them, want %d", len(got), len(want))
	}
}

// idle is a scheduler that schedules nothing.
type idle struct{}

func (idle) Submit(int32)                 {}
func (idle) Handle(federate.Event)        {}
func (idle) Ended(task, worker int32)     {}
func (idle) Outage(federate.Outage, bool) {}

// slow is the ideal scheduler with a delay, which is its parameter.
type slow struct{ *federate.Model }

func (s slow) Submit(job int32) {
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.At(s.Now()+federate.Span(s.Parameters["wait"]), federate.FirstKind, uint32(task), 0)
	}
}
func (s slow) Handle(e federate.Event)    { s.Start(int32(e.Ref), -1) }
func (slow) Ended(task, worker int32)     {}
func (slow) Outage(federate.Outage, bool) {}

// The parameters of an outside scheduler have fields and are part of the document, and the
// scheduler receives them.
func TestAParameterOfAnotherScheduler(t *testing.T) {
	slowly := federate.Plugin{
		Name: "slow", Title: "Slow",
		Parameters: []parameter.Parameter{{Name: "slowWait", Title: "wait", Help: "`TIME` to wait", Unit: "ms", High: 10, Default: 2}},
		Facts:      federate.Facts{Unbounded: true},
		New:        func(m *federate.Model) federate.Scheduler { return slow{m} },
	}
	slowly.Parameters[0].Name = "probes"
	if federate.Register(slowly) == nil {
		t.Error("registered a second parameter of that name")
	}
	slowly.Parameters[0].Name = "wait"
	must.Do(t, federate.Register(slowly))
	b := open(t)
	b.do(small)
	b.do(func(in *inputs) { in.options.Schedulers = []string{"slow"} })
	b.wantDone()
	if got := b.result.report().Schedulers[0].Allocation.Mean; got != 2 {
		t.Errorf("by default a task waits %v s, want 2", got)
	}
	if field := b.field("fed-wait"); !strings.Contains(field, "Slow: wait, ms<") || !strings.Contains(field, `placeholder="2000"`) {
		t.Errorf("the field is %s", field)
	}
	b.setField("fed-wait", "500")
	b.settle()
	if got := b.result.report().Schedulers[0].Allocation.Mean; got != 0.5 {
		t.Errorf("a task waits %v s, want 0.5", got)
	}
	b.do(func(in *inputs) { in.options.Parameters = map[string]map[string]float64{"slow": {"wait": 11}} })
	if got := b.Form.Wrong("fed-wait"); got != "Slow: wait, ms: 11 s is out of range: expected 0 to 10 s" {
		t.Errorf("beside the field stands %q", got)
	}
}

func TestTasksThatWaitForEverAreTold(t *testing.T) {
	must.Do(t, federate.Register(federate.Plugin{Name: "idle", New: func(*federate.Model) federate.Scheduler { return idle{} }}))
	b := open(t)
	b.do(small)
	b.do(func(in *inputs) { in.options.Schedulers = []string{"idle", "megha"} })
	b.wantDone()
	if got := strings.Join(b.warningLines(), "\n"); !strings.HasPrefix(got, "idle: 3 tasks of user 1 that ask for 1 slot have not ended: ") || strings.Contains(got, "megha") {
		t.Errorf("the warnings are %q", got)
	}
}

func TestWhatIsWrongStandsBesideItsField(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*inputs)
		id     string
		want   string
	}{
		{"more GMs than workers", func(in *inputs) { in.options.GMs = 5 }, "fed-gms", "GMs: "},
		{"shares", func(in *inputs) { in.options.Shares = []float64{0.5, 0.4} }, "fed-shares", "0.9"},
		{"heartbeat of 0", func(in *inputs) { zero := 0.0; in.options.Heartbeat = &zero }, "fed-heartbeat", "Heartbeat, s: 0 s is out of range: expected more than 0"},
		{"delay of 0", func(in *inputs) { zero := 0.0; in.options.Delay = &zero }, "fed-delay", "0"},
		{"outage", func(in *inputs) {
			in.options.Outages = []federatekind.Outage{{Subject: "gm", Index: 7, At: 1, Duration: 1}}
		}, "fed-outage-0", "GM 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t)
			b.do(small)
			shown := b.result
			b.do(c.change)
			if got := b.Form.Wrong(c.id); !strings.Contains(got, c.want) {
				t.Errorf("beside %s stands %q, want something about %q; all: %v", c.id, got, c.want, b.Form.Blamed)
			}
			if b.Phase != lab.Failed || b.result != shown {
				t.Errorf("phase %q, last result kept %v; want error, true", b.Phase, b.result == shown)
			}
			b.GoBack()
			b.wantDone()
			if len(b.Form.Refused)+len(b.Form.Blamed) > 0 {
				t.Errorf("after going back there is still %v, %v", b.Form.Refused, b.Form.Blamed)
			}
		})
	}
}

func TestAWrongLineOfTheTraceIsNamed(t *testing.T) {
	b := open(t)
	b.do(small)
	b.do(func(in *inputs) {
		in.sources[federatekind.TraceSlot] = lab.TextSource("bad.tr", "0 1 5 5\n1 3 5 5 5\n")
	})
	if b.Phase != lab.Failed || len(b.Form.Found(b.Inputs.trace())) != 1 || b.Form.Found(b.Inputs.trace())[0].Line != 2 {
		t.Fatalf("phase %q, remarks %v; want error and one on line 2", b.Phase, b.Form.Found(b.Inputs.trace()))
	}
	b.Slots.TypeIn(federatekind.TraceSlot, "0 1 5 5\n1 2 5 5 5\n")
	b.wantDone()
	if found := b.Form.Found(b.Inputs.trace()); len(found) > 0 {
		t.Errorf("remarks %v on a trace that was read", found)
	}
}

// parameterOf returns the parameter of a field by its id; nil for another field.
func parameterOf(id string) *parameter.Parameter {
	for _, p := range federatekind.Parameters() {
		if idOf(&p) == id {
			return &p
		}
	}
	return nil
}

// field returns the HTML of a field.
func (b *bench) field(id string) string {
	if id == sharesID {
		return app.HTMLString(b.sharesField())
	}
	return app.HTMLString(b.option(parameterOf(id)))
}

// setField types a text into a field.
func (b *bench) setField(id, text string) {
	switch p := parameterOf(id); {
	case id == sharesID:
		b.Form.SetOption(id, sharesLabel, text, setShares)
	case id == seedID:
		b.Form.SetOption(id, seedLabel, text, func(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) })
	default:
		b.Form.SetOption(id, p.In(p.Unit), text, setOption(p))
	}
}

func TestFieldsRefuseNonsense(t *testing.T) {
	b := open(t)
	before := b.Inputs.Input().Scenario.Hash()
	for _, c := range []struct{ id, text string }{
		{"fed-workers", "0"}, {"fed-workers", "x"}, {"fed-gms", "-1"}, {"fed-lms", "1.5"}, {"fed-heartbeat", "0"}, {"fed-heartbeat", "-3"},
		{"fed-delay", "0"}, {"fed-shares", "0.5, 0.6"}, {"fed-shares", "a"}, {"fed-seed", "-1"}, {"fed-seeds", "0"},
		{"fed-cost-take", "-1"}, {"fed-interference", "NaN"}, {"fed-probes", "0"}, {"fed-cutoff", "x"}, {"fed-capacity-cpu", "-1"},
	} {
		b.Form.Refused = map[string]string{}
		b.setField(c.id, c.text)
		if b.Form.Refused[c.id] == "" {
			t.Errorf("%s took %q", c.id, c.text)
		}
	}
	b.Form.Refused = map[string]string{}
	b.settle()
	if got := b.Inputs.Input().Scenario.Hash(); got != before {
		t.Error("a refused text changed the inputs")
	}
}

func TestFieldsShowWhatTheyTook(t *testing.T) {
	b := open(t)
	for _, c := range []struct{ id, text string }{
		{"fed-workers", "90"}, {"fed-heartbeat", "2.5"}, {"fed-delay", "0.7"}, {"fed-launch-delay", "20"}, {"fed-shares", "0.1, 0.9"},
		{"fed-cost-word", "12"}, {"fed-cost-take", ""}, {"fed-capacity-memory", "32"}, {"fed-load", "2"}, {"fed-probes", "3"}, {"fed-group-size", "7"},
	} {
		b.setField(c.id, c.text)
		if got := b.field(c.id); strings.Contains(got, `data-value="`) != (c.text != "") || c.text != "" && !strings.Contains(got, `data-value="`+c.text+`"`) || b.Form.Refused[c.id] != "" {
			t.Errorf("%s shows %s after %q (%s)", c.id, got, c.text, b.Form.Refused[c.id])
		}
	}
}

func TestTasksThatCanNeverRunAreSaid(t *testing.T) {
	b := open(t)
	b.do(func(in *inputs) {
		small(in)
		in.sources[federatekind.TraceSlot] = lab.TextSource("t.csv", "arrival,job,user,duration,cpu,memory,constraints\n0,a,u,1,1,1,\n1,b,u,1,100,1,\n")
	})
	b.wantDone()
	if got := strings.Join(b.result.report().Warnings, "\n"); !strings.Contains(got, "can never run") {
		t.Errorf("the warnings are %q", got)
	}
	if got := b.Status().State; got != shell.Partial {
		t.Errorf("the mark is %q, want %q", got, shell.Partial)
	}
}

func TestASchedulerThatDoesNotSuitLeavesTheOthers(t *testing.T) {
	b := open(t)
	b.do(func(in *inputs) {
		small(in)
		in.sources[federatekind.TraceSlot] = lab.TextSource("t.csv", "arrival,job,user,duration,cpu,memory,constraints\n0,a,u,1,1,1,\n1,b,u,1,2,1,\n")
		in.options.Schedulers = []string{"megha", "sparrow", "ideal"}
	})
	b.wantDone()
	if got := len(b.result.report().Schedulers); got != 2 {
		t.Errorf("%d schedulers ran, want 2", got)
	}
	if got := b.Form.Wrong(schedulersID); !strings.Contains(got, "slots") {
		t.Errorf("beside the schedulers stands %q", got)
	}
}

// The curve of a stopped run ends where its tasks end, and says so.
func TestACurveIsOfAllTasks(t *testing.T) {
	b := open(t)
	b.do(small)
	r := b.result.report()
	for _, c := range []struct {
		partial bool
		tasks   int
		name    string
		end     float64
	}{{false, 3, "megha", 1}, {true, 12, "megha (partial)", 0.25}} {
		r.Schedulers[0].Partial, r.Workload.Tasks = c.partial, c.tasks
		s := cdfs(r)[0]
		if end := s.Points[len(s.Points)-1].Y; s.Name != c.name || end != c.end {
			t.Errorf("3 of %d tasks ended: %s ends at %v, want %s at %v", c.tasks, s.Name, end, c.name, c.end)
		}
	}
}

// taskReport waits for the explanation of the task and returns it.
func (b *bench) taskReport() *taskReport {
	b.why.explained()
	b.settle()
	return b.why.explained().Answer
}

func TestATaskIsExplained(t *testing.T) {
	b := open(t)
	b.do(small)
	b.why.explainTask(2)
	r := b.taskReport()
	if r == nil || r.Task != 2 || r.Job != 1 {
		t.Fatalf("explained %+v (%s), want task 2 of job 1", r, b.why.explained().Problem)
	}
	sum := 0.0
	for _, part := range partsOf(r.Components) {
		sum += part
	}
	if d := sum - r.Time; d > 1e-9 || d < -1e-9 {
		t.Errorf("the components add up to %v, the task waited %v", sum, r.Time)
	}
	b.why.stepTask(+1) // stays at the last step
	b.why.stepTask(-1)
	if got := b.taskReport().Task; got != 1 {
		t.Errorf("one task back is %d, want 1", got)
	}
}

func TestAPlaybackFillsEveryWorkerAndEmptiesIt(t *testing.T) {
	b := open(t)
	b.do(small)
	b.Address.ShowTab(tabPlay)
	b.settle()
	b.film(b.run())
	b.settle()
	f := b.film(b.run()).Answer
	if f == nil {
		t.Fatal(b.film(b.run()).Problem)
	}
	if len(f.Items) != 2 || len(f.Cells.Events) == 0 || len(f.ran[0])+len(f.ran[1]) != 3 {
		t.Fatalf("%d cells, %d events, ran %v", len(f.Items), len(f.Cells.Events), f.ran)
	}
	last := map[int]string{}
	for i, c := range f.Changes {
		if i > 0 && c.Time < f.Changes[i-1].Time {
			t.Fatalf("change %d is at %v, the one before at %v", i, c.Time, f.Changes[i-1].Time)
		}
		if c.Layer == chart.States {
			last[c.At] = chart.CellState(c.Value).String()
		}
	}
	for cell, state := range last {
		if state != "free" {
			t.Errorf("worker %d ends %s", cell, state)
		}
	}
}

func TestLargeRunsAreNotPlayed(t *testing.T) {
	b := open(t)
	b.do(func(in *inputs) {
		small(in)
		in.options.Workers = federatekind.MaxPlayedWorkers + 1
	})
	b.Address.ShowTab(tabPlay)
	b.settle()
	if f := b.film(b.run()); b.tooLarge() == "" || f.Answer != nil || f.Problem != "" {
		t.Errorf("too large: %q, problem %q", b.tooLarge(), f.Problem)
	}
}

// A document with a sweep opens as an experiment, and the inputs on screen stay.
func TestASweepOpensAsAnExperiment(t *testing.T) {
	b := open(t)
	before := b.Inputs
	s := before.Input().Scenario.Clone()
	d := federatekind.Of(s)
	d.Sweep = []federatekind.Sweep{{Parameter: "workers", Values: []float64{30, 60}}}
	lab.Open(b.Page, "open", s)
	b.settle()
	b.OnNav(b.Page)
	b.settle()
	opened, _ := lab.Requested(study.Kind)
	if opened == nil || opened.Hash() != study.Expand(s).Hash() || b.Inputs != before {
		t.Errorf("opened %+v, the inputs stay: %v", opened, b.Inputs == before)
	}
}

// A scheduler has the same colour whatever others run, and nothing else has that colour.
func TestOneColourAScheduler(t *testing.T) {
	b := open(t)
	b.do(small)
	b.do(func(in *inputs) { in.options.Schedulers = []string{"sparrow", "megha"} })
	b.wantDone()
	colours := map[chart.Style]string{}
	for i, name := range federate.Names() {
		colours[chart.StyleAt(i)] = name
	}
	own := func(lines app.UI) {
		t.Helper()
		for _, s := range lines.(*chart.Chart).Of.(chart.Lines).Series {
			if want := chart.StyleAt(placeOf(s.Name)); s.Style != want {
				t.Errorf("%s looks like %s (%s), want %s", s.Name, s.Style, colours[s.Style], want)
			}
		}
	}
	own(b.charts.utilisationChart())
	own(b.charts.delayChart())
	for i := range partNames {
		if name, taken := colours[chart.PartAt(i)]; taken {
			t.Errorf("the component %s has the colour of %s", partNames[i], name)
		}
	}
	for _, s := range b.charts.demandChart(b.result.report().Workload).(*chart.Chart).Of.(chart.Lines).Series {
		if name, taken := colours[s.Style]; taken {
			t.Errorf("the demand for %s has the colour of %s", s.Name, name)
		}
	}
}

// The claim of an example is shown with its result, and only there.
func TestTheClaimOfAnExampleStaysBesideItsResult(t *testing.T) {
	b := open(t)
	b.wantDone()
	if got := app.HTMLString(b.Opening.Claim()); !strings.Contains(got, "Three masters share 60 workers") || !strings.Contains(got, "copies of the state are stale") {
		t.Errorf("beside the example stands %s", got)
	}
	b.do(small)
	b.wantDone()
	if got := app.HTMLString(b.Opening.Claim()); !strings.Contains(got, " hidden") || strings.Contains(got, "Three masters") {
		t.Errorf("beside other *inputs stands %s", got)
	}
}

// The page shows next to each figure and share how much it differs from the pinned result, and
// draws the pinned curves behind the current ones.
func TestAPinnedRunIsComparedFigureByFigure(t *testing.T) {
	b := open(t)
	b.do(small)
	b.wantDone()
	before := b.comparedRows()
	if len(before["Jain's index"]) != 1 {
		t.Fatalf("without a pinned result there are %q", before["Jain's index"])
	}
	b.Pins.Toggle()
	b.do(func(in *inputs) { in.options.Workers = 1 })
	b.wantDone()
	after := b.comparedRows()
	for _, name := range []string{"Jain's index", "share of user 1", "job delay, p50", "utilisation"} {
		if got := after[name]; len(got) != 2 || got[0] == "" {
			t.Errorf("%s: %q, before %q", name, got, before[name])
		}
	}
	if got := after["job delay, p50"][0]; !strings.HasPrefix(got, "+") {
		t.Errorf("on half of the workers the job delay differs by %q", got)
	}
	s := b.scheduler().Name
	for name, series := range map[string][]chart.Series{
		"shares": b.overPinned(func(r *federatekind.Report) []chart.Series { return b.charts.shareSeries(r, s) }), "Jain's index": b.overPinned(jainSeries),
	} {
		if len(series) != 2 || !series[0].Behind || series[1].Behind {
			t.Errorf("%s: the curves are %+v", name, series)
		}
	}
}

// comparedRows returns the texts of the cells of the comparison, by the name of the row.
func (b *bench) comparedRows() map[string][]string {
	b.t.Helper()
	rows := map[string][]string{}
	for _, row := range b.charts.comparison().(*ui.Table).Rows {
		var cells []string
		for _, cell := range row.Cells[1:] {
			cells = append(cells, cell.Text)
		}
		rows[row.Cells[0].Text] = cells
	}
	return rows
}

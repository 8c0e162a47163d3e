//go:build !js

package federate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
)

// A file that cannot be read changes nothing, whether it was dropped, chosen or pasted.
func TestARefusedTraceChangesNothing(t *testing.T) {
	b := open(t)
	before := b.Inputs.Clone()
	for name, text := range map[string]string{
		"broken.tr": "0 2 5 4\nnothing\n", "letter.txt": "Dear Sir or Madam,\n", "binary.tr": "\x00",
		"s.json": `{"version": 1, "kind": "federate", "federate": {"workerz": 3}}`,
	} {
		for way, bring := range map[string]func(){
			"drop":  func() { b.drop(lab.TextSource(name, text)) },
			"paste": func() { b.files.takeTexts(b.Files.Own([]*lab.Source{lab.TextSource("pasted", text)})) },
		} {
			b.Complaint = ""
			bring()
			b.settle()
			if !b.Inputs.SameWork(before) || !strings.Contains(strings.ToLower(b.Complaint), "nothing was changed") {
				t.Errorf("%s by %s: complained %q", name, way, b.Complaint)
			}
			b.wantDone()
		}
	}
}

// The page asks before it reads a trace whose file is small and whose unpacked text is large.
func TestAPackedTraceIsAskedFor(t *testing.T) {
	b := open(t)
	before := b.Inputs.Clone()
	asked := ""
	b.Page.Handle("berth/notice", func(_ app.Context, a app.Action) { asked = fmt.Sprintf("%+v", a.Value) })
	b.Files.TakeAll(b.Page, []ui.File{{Name: "alike.tr.gz", Size: 300_000, Unpacked: 42_000_000}})
	b.settle()
	labtest.Has(t, asked, "Reading alike.tr.gz may take 2.9", "Nothing was read yet", "Read it anyway")
	if !b.Inputs.SameWork(before) {
		t.Error("the inputs changed before the answer")
	}
	b.wantDone()
}

// The user's own trace does not run on an example's data centre.
func TestWhatAnExampleLeavesOfADataCentre(t *testing.T) {
	b := open(t)
	b.drop(lab.TextSource("mine.tr", twoJobs))
	if x := b.Intake.LeftOver(); x == nil || x.Name != "workers" || !slices.Contains(b.details(), "This is with the example's workers.") {
		t.Fatalf("left is %+v: %q", x, b.details())
	}
	b.do(func(in *inputs) { in.options.Workers++ })
	if x := b.Intake.LeftOver(); x != nil {
		t.Errorf("with workers of the user's own left is %+v", x)
	}
}

// A trace and a list of machines that are dropped together go to their slots, and the run has as
// many workers as there are machines.
func TestMachinesAreDropped(t *testing.T) {
	b := open(t)
	b.drop(
		lab.TextSource("nodes.csv", "name,cpu,memory,attributes,gpus,count,slots,speed\nsmall,1,1,,,3,1,1\nfast,1,1,,,1,1,2\n"),
		lab.TextSource("mine.tr", "0 2 5 4 6\n1 1 5 5\n"),
	)
	if b.Inputs.trace().Name != "mine.tr" || b.Inputs.machines() == nil || b.Inputs.machines().Name != "nodes.csv" {
		t.Fatalf("the trace is %v, the machines are %v: %s", b.Inputs.trace().Name, b.Inputs.machines(), b.Complaint)
	}
	if workers := b.result.workers(); workers != 4 {
		t.Errorf("%d workers, want the 4 machines", workers)
	}
	if x := b.Intake.LeftOver(); x != nil {
		t.Errorf("the page says that %s are left of the example", x.Name)
	}
	sent := b.Inputs.Input().Scenario
	back := inputsOf(&sent)
	if back.machines() == nil || back.machines().Text != b.Inputs.machines().Text || back.options.Machines != nil {
		t.Errorf("a link would bring the machines %v", back.machines())
	}
	b.do(func(in *inputs) {
		in.sources[federatekind.MachinesSlot] = lab.TextSource("bad.csv", "name,cpu,memory\nsmall,much,1\n")
	})
	b.settle()
	if len(b.Form.Found(b.Inputs.machines()).Errors()) == 0 {
		t.Errorf("the page does not say that the machines are broken: %q", b.Complaint)
	}
}

// Tables that belong together are one trace, in any order of the drop.
func TestTablesTogether(t *testing.T) {
	b := open(t)
	b.drop(
		lab.TextSource("task.csv", "j1,worker,2,Terminated,120.0,400.0,600.0,1,,\n"),
		lab.TextSource("job.csv", "j1,i1,alice,Terminated,100.0,400.0\n"),
	)
	if got := b.Inputs.trace().Name; got != "job.csv + task.csv" || b.Complaint != "" {
		t.Errorf("the trace is %s; complained %q", got, b.Complaint)
	}
	if got := b.result.report().Workload.Tasks; got != 2 {
		t.Errorf("%d tasks", got)
	}
}

// Failures of workers and racks that the user's machines do not have are removed.
func TestWhatIsGoneIsDropped(t *testing.T) {
	b := open(t)
	told := func() string { return app.HTMLString(b.Intake.Line()) }
	b.do(func(in *inputs) {
		small(in)
		in.options.Workers = 9
		in.options.Outages = []federatekind.Outage{
			{Subject: "worker", Index: 8, At: 1, Duration: 1}, {Subject: "worker", Index: 7, At: 1, Duration: 1}, {Subject: "gm", Index: 0, At: 2, Duration: 1},
		}
	})
	b.wantDone()
	before := b.Inputs
	b.drop(lab.TextSource("nodes.csv", "name,cpu,memory,attributes,gpus,count,slots,speed\nsmall,1,1,,,3,1,1\n"))
	if got := b.Inputs.options.Outages; len(got) != 1 || got[0].Subject != "gm" ||
		!strings.Contains(told(), "Dropped with what it was about: the failure of worker 9 at 1 s, the failure of worker 8 at 1 s.") {
		t.Errorf("left are %+v; it says %q", got, told())
	}
	b.GoBack()
	b.wantDone()
	if b.Inputs != before {
		t.Errorf("back are %+v", b.Inputs.options.Outages)
	}
	b.do(func(in *inputs) { in.options.Workers = 8 })
	if got := b.Inputs.options.Outages; b.Phase != lab.Failed || len(got) != 3 {
		t.Errorf("with fewer workers typed in the phase is %q, left are %+v", b.Phase, got)
	}
}

// A table of failures keeps the workers, which fail like its nodes, and the line says so.
func TestFailuresOfNodesArriveInAFile(t *testing.T) {
	b := open(t)
	b.do(small)
	b.wantDone()
	workers := b.Inputs.options.Workers
	b.drop(lab.TextSource("event_trace.tab", "# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n0 0 1 0 n1 0 1175000000 1175007200 0\n"))
	if got := b.result.workers(); got != workers || b.Complaint != "" {
		t.Errorf("%d workers, want %d; complained %q", got, workers, b.Complaint)
	}
	if line := app.HTMLString(b.Intake.Line()); strings.Count(line, "odes of the table of failures count as workers in the order in which they first fail") != 1 {
		t.Errorf("the line does not say what was assumed: %s", line)
	}
}

// If tasks request more than the example's workers have, the data centre gets more workers.
func TestMuchWorkGetsManyWorkers(t *testing.T) {
	b := open(t)
	b.drop(lab.TextSource("much.tr", "0 100 80 80"+strings.Repeat(" 80", 99)+"\n100 1 1 1\n"))
	if got := b.Inputs.options.Workers; got != 101 || !strings.Contains(app.HTMLString(b.Intake.Line()), "101 workers, which are 79.2\u202f% busy while jobs arrive") {
		t.Errorf("8001 seconds of work within 100 run on %d workers: %s", got, app.HTMLString(b.Intake.Line()))
	}
}

// A log of an HPC machine runs on that machine, under schedulers that start rigid jobs. Undo
// reverts that together with the file.
func TestALogSuitsItself(t *testing.T) {
	b := open(t)
	b.do(small)
	before := b.Inputs.options
	log := "; MaxProcs: 24\n1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1\n2 30 0 10 3 -1 -1 3 60 -1 1 8 1 -1 1 -1 -1 -1\n"
	b.drop(lab.TextSource("log.swf", log))
	if got := b.Inputs.options; got.Workers != 24 || !slices.Equal(got.Schedulers, []string{"fcfs", "easy", "fair"}) {
		t.Errorf("the log runs on %d workers under %v", got.Workers, got.Schedulers)
	}
	line := app.HTMLString(b.Intake.Line())
	for _, part := range []string{"24 workers, as many as the machine of the log has processors", "the jobs are rigid: their tasks start together, so these run: FCFS, EASY, DRF"} {
		if !strings.Contains(line, part) {
			t.Errorf("the line does not say %q: %s", part, line)
		}
	}
	b.drop(lab.TextSource("wide.swf", "1 0 5 100 40 -1 -1 40 200 -1 1 7 1 -1 1 -1 -1 -1\n"))
	if got := b.Inputs.options.Workers; got != 40 || !strings.Contains(app.HTMLString(b.Intake.Line()), "40 workers, as many as the largest job takes") {
		t.Errorf("the job of 40 processors runs on %d workers: %s", got, app.HTMLString(b.Intake.Line()))
	}
	b.do(func(in *inputs) { in.options.Schedulers = []string{"sparrow", "megha"} })
	b.drop(lab.TextSource("tasks.csv", "arrival,job,duration,cpu,memory\n0,a,3,0.1,0.1\n1,b,4,0.1,0.1\n"))
	if got := b.Inputs.options.Schedulers; !slices.Equal(got, []string{"megha"}) {
		t.Errorf("tasks that ask for cpu run under %v", got)
	}
	b.GoBack()
	b.GoBack()
	b.GoBack()
	b.wantDone()
	if strings.Contains(line, "replaced") {
		t.Errorf("numbers of the page count as a file: %s", line)
	}
	b.GoBack()
	b.wantDone()
	if got := b.Inputs.options; got.Workers != before.Workers || !slices.Equal(got.Schedulers, before.Schedulers) {
		t.Errorf("undone it runs on %d workers under %v", got.Workers, got.Schedulers)
	}
}

//go:build !js

// These tests run the view with an engine in the same process. The end-to-end tests run the whole
// page in a browser, with its scripts.

package qos

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/library"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
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
	return openWith(t, labtest.Engine(3))
}

func openWith(t *testing.T, engine *bridge.WorkerPool) *bench {
	t.Helper()
	v := New(lab.Services{Engine: engine, Shelf: labtest.Shelf(), Drafts: labtest.Drafts()})
	return &bench{View: v, t: t, engine: labtest.Mount(t, v)}
}

// settle waits until no work is left.
func (b *bench) settle() { b.engine.ConsumeAll() }

// drop does the same as dropping files on the page.
func (b *bench) drop(files ...*lab.Source) {
	b.Files.AwaitFiles()
	b.takeTexts(b.Files.Own(files))
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

func TestOpensWithAnExampleSimulated(t *testing.T) {
	b := open(t)
	b.wantDone()
	if b.Inputs.name == "" || b.Unsaved || b.result.Document.Hash == "" {
		t.Errorf("name %q, unsaved %v, hash %q", b.Inputs.name, b.Unsaved, b.result.Document.Hash)
	}
	if b.result.Report.Scenario != b.result.Document.Hash {
		t.Errorf("the joined report is of %s, what is shared of %s", b.result.Report.Scenario, b.result.Document.Hash)
	}
	if got := len(b.result.policies()); got != 2 {
		t.Fatalf("%d policies", got)
	}
}

// row returns a row of the table of classes.
func (b *bench) row(policy, class string) []ui.Cell {
	b.t.Helper()
	for _, r := range b.charts.rows() {
		if r.Cells[0].Text == policy && r.Cells[1].Text == class {
			return r.Cells
		}
	}
	b.t.Fatalf("there is no row for %s, %s", policy, class)
	return nil
}

func (b *bench) wantFigure(policy, class, figure string, low, high float64) {
	b.t.Helper()
	cells := b.row(policy, class)
	for i, c := range b.charts.classColumns() {
		if c.Name == figure {
			if x := cells[i].Value; !(x >= low && x <= high) {
				b.t.Errorf("%s of %s under %s is %v, want %v to %v", figure, class, policy, x, low, high)
			}
			return
		}
	}
	b.t.Fatalf("there is no figure %s", figure)
}

// The bounds follow from the paper's own simulations; the overheads differ slightly.
func TestTheTableHasEachPolicyAndClassAndDifferences(t *testing.T) {
	b := open(t)
	if got, want := len(b.charts.rows()), 3*4; got != want {
		t.Fatalf("%d rows, want %d", got, want)
	}
	b.wantFigure("qos", "silver", "mean availability", 0.89, 0.92)
	b.wantFigure("qos", "bronze", "mean availability", 0.45, 0.5)
	b.wantFigure("priority", "silver", "mean availability", 1, 1)
	b.wantFigure("Δ qos", "silver", "mean availability", -0.11, -0.08)
	b.wantFigure("priority", "all", "requests", 256, 256)
}

const (
	twoHosts = "name,cpu,memory,attributes\na,1,1,\nb,1,1,\n"
	fewAsk   = "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n" +
		"1,1,0,60,1,1,gold,,\n2,2,1,60,1,1,silver,,\n3,3,2,60,1,1,bronze,,\n"
)

// choose does the same as choosing a file that has been read.
func (b *bench) choose(slot, name, text string) {
	b.Change("choose "+name, func(in *inputs) { b.Unname(in); in.sources[slot] = lab.TextSource(name, text) })
	b.Edited(0)
	b.settle()
}

func TestChosenFilesReplaceTheExample(t *testing.T) {
	b := open(t)
	b.choose(qoskind.WorkloadSlot, "few.csv", fewAsk)
	b.choose(qoskind.HostsSlot, "two.csv", twoHosts)
	b.wantDone()
	b.wantFigure("qos", "all", "requests", 3, 3)
	if b.Inputs.name != "" || !b.Unsaved || b.sizes(qoskind.HostsSlot) != "2 hosts" {
		t.Errorf("name %q, unsaved %v, %s", b.Inputs.name, b.Unsaved, b.sizes(qoskind.HostsSlot))
	}
	b.GoBack()
	b.GoBack()
	b.settle()
	b.wantFigure("qos", "all", "requests", 256, 256)
}

func TestABadLineStandsBesideItsInput(t *testing.T) {
	b := open(t)
	b.choose(qoskind.WorkloadSlot, "bad.csv", fewAsk+"4,4,3,sixty,1,1,gold,,\n")
	if b.Phase != lab.Failed || b.result == nil {
		t.Fatalf("the phase is %s with result %v; want a failure that keeps the last result", b.Phase, b.result)
	}
	found := b.Form.Found(b.Inputs.sources[qoskind.WorkloadSlot])
	if len(found) != 1 || !strings.HasPrefix(found[0].String(), "bad.csv:5:7: ") || !strings.Contains(found[0].Text(), "duration_s") {
		t.Errorf("found %v", found)
	}
	b.choose(qoskind.WorkloadSlot, "few.csv", fewAsk)
	b.wantDone()
	if found := b.Form.Found(b.Inputs.sources[qoskind.WorkloadSlot]); len(found) != 0 {
		t.Errorf("still %v", found)
	}
}

// setClass and setFailure type a text into a field of their tables.
func (b *bench) setClass(i, column int, text string) {
	rows := b.fields.classRows()
	b.Form.SetOption(classField(i, column), rows.Columns[column].Name, text, rows.Setter(i, &rows.Columns[column]))
}

func classField(i, column int) string {
	return (&lab.Rows[*inputs, qoskind.Class]{Lead: classFields}).ID(i, strconv.Itoa(column))
}

func (b *bench) setFailure(i int, name, text string) {
	rows := b.fields.failureRows()
	for k := range rows.Columns {
		if c := &rows.Columns[k]; c.Key == name {
			b.Form.SetOption(rows.ID(i, name), name, text, rows.Setter(i, c))
		}
	}
}

func TestAClassThatNoTableDefines(t *testing.T) {
	b := open(t)
	b.choose(qoskind.WorkloadSlot, "odd.csv", strings.ReplaceAll(fewAsk, "gold", "platinum"))
	if found := b.Form.Found(b.Inputs.sources[qoskind.WorkloadSlot]); len(found) != 1 || !strings.Contains(found[0].Text(), `"platinum"`) {
		t.Fatalf("found %v", found)
	}
	b.setClass(0, 0, "platinum")
	b.wantDone()
	b.wantFigure("qos", "platinum", "requests", 1, 1)
}

func TestClassesAreEdited(t *testing.T) {
	b := open(t)
	edit := func(i, column int, text string) {
		b.setClass(i, column, text)
		b.settle()
	}
	edit(1, 1, "0.5")
	b.wantDone()
	if got := b.Inputs.options.Classes[1].SLO; got != 0.5 || b.result.report().Classes[1].SLO != 0.5 {
		t.Errorf("the SLO is %v, the run had %v", got, b.result.report().Classes[1].SLO)
	}
	for _, c := range []struct {
		column     int
		text, want string
	}{
		{0, "gold", "already"}, {0, " ", "name"}, {1, "1.5", "0.01 to 1"}, {2, "0", "whole number"}, {3, "x", "number"},
		{4, "2", "0 to 1"}, {5, "9-x", "range"}, {6, "0.9:1 0.8:1", "ascend"}, {6, "0.9", "number"},
	} {
		edit(1, c.column, c.text)
		if got := b.Form.Wrong(classField(1, c.column)); !strings.Contains(got, c.want) {
			t.Errorf("%q in column %d: %q, want it to say %q", c.text, c.column, got, c.want)
		}
	}
	edit(2, 5, "0-3")
	edit(2, 6, "0.4:1 0.5:.2")
	edit(2, 3, "5")
	edit(2, 4, "0.25")
	want := qoskind.Class{Name: "bronze", SLO: 0.5, Importance: 3, Margin: new(5.0), Limit: new(0.25),
		Priorities: []int{0, 3}, Bonus: []qos.Bonus{{Below: 0.4, Credit: 1}, {Below: 0.5, Credit: 0.2}}}
	if got := b.Inputs.options.Classes[2]; !reflect.DeepEqual(got, want) {
		t.Errorf("the row is %+v", got)
	}
	b.fields.addClass()
	b.fields.classRows().Remove(b.Lab, 0)
	b.settle()
	if got := len(b.Inputs.classes()); got != 3 {
		t.Errorf("%d classes", got)
	}
}

func TestPoliciesAreChosen(t *testing.T) {
	b := open(t)
	choose := func(name, scheduler string) {
		b.Edit("change", func(in *inputs) { in.setScheduler(name, scheduler) })
		b.settle()
	}
	choose("hybrid", qoskind.Fast)
	choose("qos", both)
	b.wantDone()
	if got, want := b.Inputs.policyNames(), "qos, qos literal, priority, hybrid(100)"; got != want {
		t.Fatalf("the policies are %s, want %s", got, want)
	}
	for _, m := range []string{"fulfilled", "mean availability", "penalty", "preemptions"} {
		fast, literal := b.row("qos", "all"), b.row("qos literal", "all")
		for i, c := range b.charts.classColumns() {
			if c.Name == m && fast[i].Value != literal[i].Value {
				t.Errorf("%s is %v with the fast scheduler, %v with the literal one", m, fast[i].Value, literal[i].Value)
			}
		}
	}
	choose("qos", "")
	choose("priority", "")
	choose("hybrid", "")
	if b.Phase == lab.Done || b.Inputs.Missing() == "" {
		t.Errorf("without a policy the phase is %s", b.Phase)
	}
}

func TestAHorizonThatNoRunCanHaveIsRefused(t *testing.T) {
	in := emptyInputs()
	for text, want := range map[string]bool{"": true, "0": true, "0.001": true, "0.0001": false, "-1": false, "34359739": false, "1e3": true} {
		if err := setOption("horizon")(in, text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSeedsGiveIntervals(t *testing.T) {
	b := open(t)
	b.Form.SetOption("qos-seeds", "seeds", "3", setOption("seeds"))
	b.wantDone()
	if cell := b.row("qos", "bronze")[4]; !strings.Contains(cell.Text, "±") {
		t.Errorf("the mean availability is %q", cell.Text)
	}
	b.Form.SetOption("qos-seeds", "seeds", "0", setOption("seeds"))
	if got := b.Form.Wrong("qos-seeds"); !strings.Contains(got, "Seeds: enter a whole number from 1 to ") {
		t.Errorf("wrong: %q", got)
	}
}

func TestHostsFail(t *testing.T) {
	b := open(t)
	before := b.row("qos", "all")[4].Value
	b.fields.addFailure(1800)
	b.fields.addFailure(600)
	b.setFailure(1, "host", "Host_2")
	b.wantDone()
	if got := b.Inputs.options.HostEvents; len(got) != 2 || got[0].Time != 600 || got[1].Host != "Host_2" {
		t.Fatalf("the events are %+v", got)
	}
	if after := b.row("qos", "all")[4].Value; !(after < before) {
		t.Errorf("without two hosts the availability is %v, with them %v", after, before)
	}
	b.setFailure(0, "time", "-3")
	wrong := b.fields.failureRows().ID(0, "time")
	if got := b.Form.Wrong(wrong); !strings.Contains(got, "number from 0") {
		t.Errorf("wrong: %q", got)
	}
	b.setFailure(0, "host", "Host_3")
	if b.Form.Wrong(wrong) == "" {
		t.Error("a wrong time is forgotten for another field, though it still stands there")
	}
	b.fields.addFailure(0)
	if got := b.Form.Wrong(wrong); got != "" {
		t.Errorf("said of another event that took the place: %q", got)
	}
}

func TestOverheadsOfHotAndColdHosts(t *testing.T) {
	b := open(t)
	b.Edit("apart", func(in *inputs) { in.setApart(true) })
	b.wantDone()
	if got := len(b.result.report().Overheads); got != 2 || b.sizes(qoskind.ColdSlot) == "" {
		t.Errorf("%d sets, %q", got, b.sizes(qoskind.ColdSlot))
	}
	b.Edit("together", func(in *inputs) { in.setApart(false) })
	b.wantDone()
	b.choose(qoskind.OverheadsSlot, "empty.csv", "overhead_s\n")
	if b.Phase != lab.Failed || len(b.Form.Found(b.Inputs.sources[qoskind.OverheadsSlot])) == 0 {
		t.Errorf("phase %s, problems %v", b.Phase, b.Form.Found(b.Inputs.sources[qoskind.OverheadsSlot]))
	}
}

func TestRecipes(t *testing.T) {
	b := open(t)
	workload := slotNamed(qoskind.WorkloadSlot)
	b.Slots.Generate(workload, workload.First())
	recipe := &b.Generator.Recipe
	recipe.Preset, recipe.Parameters = qoskind.GoogleLike, map[string]float64{"requests": 0.5}
	b.Generator.Generate(b.Slots.Generator())
	if !strings.Contains(b.Generator.Refused, "out of range") {
		t.Errorf("refused: %q", b.Generator.Refused)
	}
	recipe.Parameters["requests"] = 500
	b.Generator.Generate(b.Slots.Generator())
	b.wantDone()
	if got := b.sizes(qoskind.WorkloadSlot); got != "500 requests" {
		t.Errorf("the workload has %s", got)
	}
	if b.Dialog != "" {
		t.Error("the dialog is still open")
	}
}

func TestTextsAreSorted(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"w.csv", fewAsk, qoskind.WorkloadSlot},
		{"h.csv", twoHosts, qoskind.HostsSlot},
		{"o.csv", "overhead_s\n2.1\n", qoskind.OverheadsSlot},
		{"overheads_hot.csv", "overhead_s\n2.1\n", qoskind.HotSlot},
		{"cold.csv", "2.1\n2.2\n", qoskind.ColdSlot},
		{"e.csv", "time_s,host,event\n", qoskind.HostEventsSlot},
		{"workload.erl", "{0,1,1,60,0.5,0.5,9,0,[]}.", qoskind.WorkloadSlot},
		{"h.erl", `{1,"Host_1",3.75,3.75,[]}.`, qoskind.HostsSlot},
		{"part-0.csv", "0,5,0,HofLG,0.5,0.2\n", qoskind.HostsSlot},
		{"task_events.csv", "0,,3418309,0,4155527081,0,x,3,9,0.1,0.1,0.1,\n", qoskind.WorkloadSlot},
		{"machine_events.csv", "", qoskind.HostsSlot}, // too large for a look
	} {
		if got := slotOf(&lab.Source{Source: scenario.Source{Name: c.name, Text: c.text}}); got != c.want {
			t.Errorf("%s goes to %s, want %s", c.name, got, c.want)
		}
	}
}

func TestInputsSurviveTheirDocument(t *testing.T) {
	b := open(t)
	b.fields.addFailure(5)
	b.setClass(0, 1, "0.99")
	b.Edit("apart", func(in *inputs) { in.setApart(true) })
	b.settle()
	again := inputsOf(new(b.Inputs.Input().Scenario))
	if !reflect.DeepEqual(again.Input().Scenario, b.Inputs.Input().Scenario) {
		t.Errorf("the document becomes %+v", qoskind.Of(again.Input().Scenario))
	}
}

// A finished run belongs to the result only with the next report.
func TestTheResultHasTheRunsOfItsReport(t *testing.T) {
	batch := open(t).result.Batch
	part, back := *qoskind.ReportOf(batch.Report), batch.Parts[0].Result
	part.Policies = part.Policies[1:]
	batch.Report, batch.Parts[0].Result = &scenario.Report{Body: &part}, nil
	r := newResult(batch)
	r.take()
	batch.Parts[0].Result = back
	r.take()
	if r.runs[0].did != nil || r.runs[1].did != &part.Policies[0] {
		t.Errorf("the runs did %+v and %+v", r.runs[0].did, r.runs[1].did)
	}
}

// The seeds of a policy run in parallel, and give the same report as one run.
func TestSeedsMakeOneResult(t *testing.T) {
	b := smallQoS(t)
	b.Edit("run longer", func(in *inputs) { in.options.Seeds = 3 })
	b.Runs.Run()
	b.wantDone()
	if len(b.result.Parts) != 6 || len(b.result.policies()) != 2 {
		t.Fatalf("%d parts of %d policies, want 6 of 2", len(b.result.Parts), len(b.result.policies()))
	}
	whole, err := scenario.Run(t.Context(), b.Inputs.Input().Scenario, scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.result.Report; got.Results != whole.Results || got.Scenario != whole.Scenario {
		t.Errorf("the parts give\n%.2000s\nthe whole\n%.2000s", scenario.EncodeReport(got.Untimed()), scenario.EncodeReport(whole))
	}
	for i, p := range b.result.Parts {
		if drawn := i < 2; drawn != (p.Result.Arrays != nil) {
			t.Errorf("part %d: its arrays are kept: %v, want %v", i, !drawn, drawn)
		}
	}
	parts := b.result.Parts
	kept := parts[3].Result
	parts[2].Result = nil // as if it were stopped
	b.Runs.Resume(b.result.Batch)
	b.settle()
	if parts[2].Result == nil || parts[3].Result != kept {
		t.Errorf("the part that was missing is back: %v, another one ran again: %v", parts[2].Result != nil, parts[3].Result != kept)
	}
	if got := b.result.Parts[3].Name; got != "priority, seed 2" {
		t.Errorf("the fourth part is %q", got)
	}
	if got := b.row("qos", "all")[4].Text; !strings.Contains(got, " ± ") {
		t.Errorf("a mean over seeds is %q", got)
	}
}

func TestInputsThatWaitAreLookedThrough(t *testing.T) {
	b := open(t)
	b.Edit("run longer", func(in *inputs) { in.options.Seeds = 2 })
	b.Runs.Run()
	b.Runs.Cancel() // from now on runs wait for the user
	b.settle()
	b.choose(qoskind.HostsSlot, "small.csv", "name,cpu,memory,attributes\na,0.1,0.1,\n")
	if b.Phase != lab.Idle {
		t.Fatalf("the phase is %s", b.Phase)
	}
	r := b.Runs.Looked.Found.(*qoskind.Report)
	if r == nil || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "256 of 256 requests fit no host") {
		t.Fatalf("found %+v", r)
	}
	if got := b.sizes(qoskind.HostsSlot); got != "1 host" {
		t.Errorf("the hosts are %q", got)
	}
	if got := b.sentence(); !strings.Contains(got, "press Run to start") {
		t.Errorf("of inputs that can run it says %q", got)
	}
	b.choose(qoskind.HostsSlot, "bad.csv", "name,cpu,memory,attributes\na,much,1,\n")
	if len(b.Form.Found(b.Inputs.sources[qoskind.HostsSlot])) != 1 {
		t.Errorf("problems: %v", b.Form.Found(b.Inputs.sources[qoskind.HostsSlot]))
	}
	if got := b.sentence(); !strings.Contains(got, "1 error to fix") || strings.Contains(got, "press Run to start") {
		t.Errorf("of inputs with an error it says %q", got)
	}
}

func TestPairsAndFairness(t *testing.T) {
	b := open(t)
	b.charts.pairing()
	b.why.stripsChart()
	b.charts.deficits()
	b.settle()
	p := b.charts.pairing()
	if p == nil || p.Answer.Pair == nil {
		t.Fatal("nothing is paired")
	}
	if x, y := p.x.policy.Name, p.y.policy.Name; x != "priority" || y != "qos" {
		t.Errorf("x is %s and y is %s", x, y)
	}
	c := p.Answer.class("")
	if q := c.Quadrants; c.Name != "bronze" || q.Both != 0 || !(q.First > 0.3 && q.First < 0.5) || q.First+q.Neither != 1 {
		t.Errorf("of %s the quadrants are %+v", c.Name, q)
	}
	sum := 0.0
	for _, n := range p.Answer.counts["all"] {
		sum += n
	}
	if sum != 256 {
		t.Errorf("the heat map has %v requests", sum)
	}
	for i, bars := range b.charts.fairnessFigures() {
		if len(bars) != 6 {
			t.Errorf("metric %d of fairness has %d bars, want one for each of three classes and two policies", i, len(bars))
		}
	}
	for _, box := range b.charts.deficits().(*chart.Chart).Of.(chart.Boxes).Items {
		if len(box.Shape) != qoskind.ShapePoints {
			t.Errorf("the deficits of %s under %s have the shape %v", box.Group, box.Name, box.Shape)
		}
	}
	strips := b.why.stripsChart().(*chart.Chart).Of.(chart.Strips).Items
	if len(strips) != 6 || len(strips[5].Values) == 0 {
		t.Errorf("%d strips", len(strips))
	}
}

func TestDecisionsAreExplained(t *testing.T) {
	b := open(t)
	w := b.why.explained().Answer
	if w == nil || b.why.decisions() < 5000 {
		t.Fatalf("%d decisions, explained %v (%s)", b.why.decisions(), w, b.why.explained().Problem)
	}
	if head := w.head(); !strings.Contains(head, "goes to Host_") || !strings.Contains(head, "in place of") {
		t.Errorf("the first thing that is explained should be a preemption: %s", head)
	}
	if got := w.rows[0].Cells[1].Text; got != "✓ chosen" || len(w.rows) != 20 {
		t.Errorf("%d hosts, the first is %q", len(w.rows), got)
	}
	if len(w.residents) != 10 {
		t.Errorf("%d instances on a host that has room for ten", len(w.residents))
	}
	b.why.goToDecision(0)
	b.settle()
	if head := b.why.explained().Answer.head(); b.why.decision != 0 || !strings.Contains(head, "since it is new, goes to") {
		t.Errorf("the first decision: %s", head)
	}
	b.why.chooseFollowed(1)
	b.settle()
	if got := b.followedExplanation().Policy; got != "priority" {
		t.Errorf("explained by %s", got)
	}
}

// followedExplanation waits for the explanation that the panes show, and returns it.
func (b *bench) followedExplanation() *explained {
	b.t.Helper()
	for b.why.explained().Answer == nil && b.why.explained().Problem == "" && !b.why.inexact() {
		waited := b.why.followedTimeline().Waits || b.why.explained().Waits
		if b.settle(); !waited {
			b.t.Fatal("nothing is explained")
		}
	}
	return b.why.explained().Answer
}

func TestExports(t *testing.T) {
	b := open(t)
	records := string(qoskind.FiguresTable.CSV(b.result.report()))
	if got := strings.Count(records, "\n"); got != 1+2*4 {
		t.Errorf("%d lines of figures", got)
	}
	file := must.Get(b.requestList(t.Context(), b.result.there()))(t)
	lines := strings.Split(strings.TrimSpace(string(file.Data)), "\n")
	if len(lines) != 1+2*256 || !strings.HasPrefix(lines[0], "policy,id,") || !strings.HasSuffix(lines[0], ",preemptions,start_s,host,penalty_cpu_h") || !strings.HasPrefix(lines[512], "priority,") {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

// Requests that fit on no host are mentioned first, with a remedy. A tick appears only if every
// request met its SLO.
func TestTheHeadlineCountsWarnsAndSaysWhy(t *testing.T) {
	b := open(t)
	b.choose(qoskind.HostsSlot, "two.csv", twoHosts)
	b.choose(qoskind.WorkloadSlot, "large.csv", fewAsk+"4,4,3,60,1,7,gold,,\n")
	b.wantDone()
	for _, want := range []string{"QoS-driven: 3 of 4 requests met their SLO", "1 fits no host: the largest asks for 7 units of memory, hosts have at most 1", "would help"} {
		if got := b.Status().Message + "\n" + strings.Join(b.details(), "\n"); !strings.Contains(got, want) {
			t.Errorf("it says\n%s\nwant %q in it", got, want)
		}
	}
	if got := b.Status().State; got != shell.Partial {
		t.Errorf("the mark is %q, want a warning", got)
	}
	b.choose(qoskind.WorkloadSlot, "easy.csv", strings.SplitAfter(fewAsk, "\n")[0]+"1,1,0,60,1,1,gold,,\n")
	b.settle()
	if s := b.Status(); s.State != shell.Done || !strings.Contains(s.Message, "All 1 request met their SLO under both policies") {
		t.Errorf("%q is marked %q", s.Message, s.State)
	}
}

// Empty bars do not explain themselves: the page says in words that nothing is owed, and why there
// is nothing to compare.
func TestNoPenaltiesAreSaidInWords(t *testing.T) {
	b := open(t)
	head := strings.SplitAfter(fewAsk, "\n")[0]
	for _, test := range []struct{ requests, penalties, increase string }{
		{head + "1,1,0,60,1,1,gold,,\n", "No penalties: every request met its SLO.", "No penalties: every request met its SLO."},
		{head + "1,1,0,60,1,7,gold,,\n", "never ran", "never ran"},
	} {
		b.choose(qoskind.HostsSlot, "two.csv", twoHosts)
		b.choose(qoskind.WorkloadSlot, "some.csv", test.requests)
		b.wantDone()
		if got := b.charts.drawn().penalties; len(got) > 0 {
			t.Errorf("there are bars: %v", got)
		}
		if got := b.result.noPenalties(); !strings.Contains(got, test.penalties) {
			t.Errorf("of penalties it says %q, want %q", got, test.penalties)
		}
		if got := b.result.noIncrease(); !strings.Contains(got, test.increase) {
			t.Errorf("of the increase it says %q, want %q", got, test.increase)
		}
	}
	p := b.result.policies()
	p[0].Run.All.Penalty, p[1].Run.All.Penalty = 0, 2.99
	if got, want := b.result.noIncrease(), "The QoS-driven policy has no penalty, priority-based 2.99 CPU-hours: there is no percentage above zero."; got != want {
		t.Errorf("with two policies it says %q, want %q", got, want)
	}
}

// The page shows next to each figure how much it differs from the pinned result, and draws the
// pinned curves behind the current ones.
func TestAPinnedSimulationIsComparedFigureByFigure(t *testing.T) {
	b := open(t)
	columns, work := len(b.charts.classColumns()), len(b.charts.policyTable().Rows[0].Cells)
	b.Pins.Toggle()
	b.choose(qoskind.HostsSlot, "two.csv", twoHosts)
	b.choose(qoskind.WorkloadSlot, "few.csv", fewAsk)
	b.wantDone()
	if got := len(b.charts.classColumns()); got != columns+len(measures) || len(b.charts.rows()[0].Cells) != got {
		t.Fatalf("%d columns and %d cells, without a pinned result %d", got, len(b.charts.rows()[0].Cells), columns)
	}
	all := b.charts.rows()[slices.IndexFunc(b.charts.rows(), func(r ui.Row) bool { return r.Cells[1].Text == "all" })].Cells
	delta, requests := all[2], all[2+len(measures)]
	if want := -256 + requests.Value; delta.Value != want || !strings.HasPrefix(delta.Text, "−") || delta.Title != "pinned: 256" {
		t.Errorf("%v requests differ by %+v, want %v", requests.Value, delta, want)
	}
	at := slices.IndexFunc(measures, func(m figure.Figure) bool { return m.Name == "availability.mean" })
	points, mean := all[2+at].Text, all[2+len(measures)+at].Text
	if !strings.HasSuffix(points, "\u202fpoints") || !strings.HasSuffix(mean, "\u202f%") {
		t.Errorf("the mean availability is %q and differs by %q, want a percentage and points", mean, points)
	}
	if got := len(b.charts.policyTable().Rows[0].Cells); got != 2*work-1 {
		t.Errorf("the work has %d cells, before %d", got, work)
	}
	over := b.charts.drawn()
	if len(over.queue) != 4 || !over.queue[0].Behind || over.queue[0].Name != "qos (pinned)" || over.queue[2].Behind {
		t.Errorf("the curves are of %+v", over.queue)
	}
	if all := over.counts["gold"]; len(all) != 4 || !all[1].Behind || all[3].Behind {
		t.Errorf("the histogram has %+v", all)
	}
	if bar := b.charts.drawn().work[0]; bar.Was == nil {
		t.Errorf("no bar stands behind %+v", bar)
	}
	b.Pins.Toggle()
	if len(b.charts.rows()[0].Cells) != columns || len(b.charts.policyTable().Rows[0].Cells) != work || len(b.charts.drawn().queue) != 2 || b.charts.drawn().work[0].Was != nil {
		t.Error("without a pinned result something is still compared")
	}
}

// counting is an engine that counts runs and whose clock runs fast.
type counting struct {
	bridge.Server
	runs *atomic.Int64
}

func (c counting) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	if call.Method == bridge.MethodRun {
		c.runs.Add(1)
	}
	c.Server.Serve(ctx, call, send)
}

// After a reload, the finished seeds of a long run are there without another run. Only the data of
// drawings and the last part, which writes the document, are computed again.
func TestSeedsThatEndedAreThereAfterAReload(t *testing.T) {
	var runs, seconds atomic.Int64
	engine := bridge.NewPool(3, bridge.Local(func() bridge.Server {
		return counting{handler.New(func() float64 { return float64(1000 * seconds.Add(1)) }), &runs}
	}))
	s := smallQoS(t)
	s.Edit("run longer", func(in *inputs) { in.options.Seeds = 3 })
	document := s.Inputs.Input().Scenario
	opened, _ := s.Shelf.Store(t.Context())
	visit := func() *bench {
		v := New(lab.Services{
			Engine: engine, Drafts: labtest.Drafts(),
			Shelf: library.NewShelf(engine, func(context.Context) (*store.Store, error) { return opened, nil }),
		})
		b := &bench{View: v, t: t, engine: labtest.Mount(t, v)}
		b.Opening.GiveWay("open", inputsOf(&document))
		runs.Store(0)
		b.Runs.Run()
		b.wantDone()
		return b
	}
	first := visit()
	if runs.Load() != 6 {
		t.Fatalf("%d runs, want one for each of 2 policies and 3 seeds", runs.Load())
	}
	again := visit()
	if got, want := again.result.Report.Results, first.result.Report.Results; got != want || runs.Load() != 3 {
		t.Errorf("%d parts ran again and give %s, want 3 and %s", runs.Load(), got, want)
	}
	if _, err := opened.Rows(t.Context(), "another engine"); err != nil {
		t.Fatal(err)
	}
	if visit(); runs.Load() != 6 {
		t.Errorf("%d parts ran, want all: the results are of another engine", runs.Load())
	}
}

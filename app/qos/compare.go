package qos

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/qos/qoskind"
)

// comparePane holds the classes and the policies side by side.
func (v *View) comparePane() app.UI {
	if v.result == nil {
		return ui.Empty("Run the inputs to compare each class under each policy.")
	}
	return app.Div().Class(v.Dimmed("compare")).Body(
		v.classesTable(),
		v.columnChoice(),
		v.policyTable(),
		lab.Remarks("qos-remarks", v.result.whole.Warnings, v.result.whole.Notes),
	)
}

// measure is a figure of a class under a policy.
type measure struct {
	name, title string // the name also stands for it where the browser remembers it
	of          func(f *qoskind.ClassFigures) float64
	count       bool // a whole number
	seeds       func(s *qoskind.SeedFigures) *figure.Estimate
}

var measures = []measure{
	{"requests", "Requests of the class that were admitted", func(f *qoskind.ClassFigures) float64 { return float64(f.Requests) }, true, nil},
	{"fulfilled", "Requests whose availability reached the SLO", func(f *qoskind.ClassFigures) float64 { return float64(f.Fulfilled) }, true, nil},
	{"mean availability", "Mean of running time divided by time since admission; ± is the 95 % confidence interval over the seeds",
		func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.Mean) }, false,
		func(s *qoskind.SeedFigures) *figure.Estimate { return &s.Availability }},
	{"5 %", "5 % quantile of the availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.P5) }, false, nil},
	{"median", "Median of the availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.P50) }, false, nil},
	{"95 %", "95 % quantile of the availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.P95) }, false, nil},
	{"least", "Lowest availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.Min) }, false, nil},
	{"deficit", "Mean of SLO − availability of the requests that missed their SLO", func(f *qoskind.ClassFigures) float64 { return float64(f.Deficit.Mean) }, false,
		func(s *qoskind.SeedFigures) *figure.Estimate { return &s.Deficit }},
	{"penalty", "Sum of the penalties, in CPU-hours", func(f *qoskind.ClassFigures) float64 { return float64(f.Penalty) }, false,
		func(s *qoskind.SeedFigures) *figure.Estimate { return &s.Penalty }},
	{"Gini", "Inequality of the availabilities: 0 if all are the same", func(f *qoskind.ClassFigures) float64 { return float64(f.Gini) }, false,
		func(s *qoskind.SeedFigures) *figure.Estimate { return &s.Gini }},
	{"preemptions", "How often an instance was preempted", func(f *qoskind.ClassFigures) float64 { return float64(f.Preemptions) }, true, nil},
	{"migrations", "How often an instance continued on another host", func(f *qoskind.ClassFigures) float64 { return float64(f.Migrations) }, true, nil},
	{"overhead (s)", "Time spent on preparing hosts", func(f *qoskind.ClassFigures) float64 { return f.Overhead }, false, nil},
}

// firstMeasures are those that are shown until others are chosen: what fits beside
// the result and is asked for first.
const firstMeasures = "fulfilled,mean availability,penalty,preemptions"

const columnsKey = "berth.qos.columns" // in the browser's memory

// chosenMeasures are the names of the measures that the table shows.
func (v *View) chosenMeasures() []string {
	if v.columns == nil {
		v.columns = strings.Split(cmp.Or(ui.Stored(columnsKey), firstMeasures), ",")
	}
	return v.columns
}

func (v *View) classColumns() []ui.Column {
	columns := []ui.Column{{Name: "policy"}, {Name: "class"}}
	deltas := slices.Clone(columns[:0])
	for _, m := range measures {
		column := ui.Column{Name: m.name, Title: m.title, Numeric: true, Hidden: !slices.Contains(v.chosenMeasures(), m.name)}
		delta := lab.DeltaColumn(m.name)
		delta.Hidden = column.Hidden
		columns, deltas = append(columns, column), append(deltas, delta)
	}
	if v.pinned() == nil {
		return columns
	}
	return slices.Insert(columns, 2, deltas...)
}

// columnChoice chooses the columns of the table of classes; exports have all.
func (v *View) columnChoice() app.UI {
	boxes := make([]app.UI, len(measures))
	for i, m := range measures {
		id := "qos-column-" + slug(m.name)
		box := ui.Checkbox(id, slices.Contains(v.chosenMeasures(), m.name), func(on bool) { v.showMeasure(m.name, on) })
		boxes[i] = app.Label().Class("check").For(id).Title(m.title).Body(box, app.Span().Text(m.name))
	}
	return lab.More(fmt.Sprintf("Columns (%d of %d)", len(v.chosenMeasures()), len(measures)), false, app.Div().Class("columns").Body(boxes...))
}

func (v *View) showMeasure(name string, on bool) {
	chosen := slices.DeleteFunc(slices.Clone(v.chosenMeasures()), func(n string) bool { return n == name || n == "" })
	if on {
		chosen = append(chosen, name)
	}
	v.columns = chosen
	ui.Store(columnsKey, cmp.Or(strings.Join(chosen, ","), ","))
}

// classesTable has a row for each policy and class, and the differences.
func (v *View) classesTable() app.UI {
	caption := "Results by class"
	switch policies := v.result.policies(); {
	case v.result.whole.Partial:
		caption += " until the stop; stopped runs have no differences"
	case len(policies) > 1:
		caption += "; Δ is the difference to " + policies[baseline(policies)].Title
	}
	return &ui.Table{
		ID: "qos-classes-table", TestID: "qos-classes", Caption: caption, Columns: v.classColumns(), Rows: v.result.rows,
	}
}

// classRows are the figures of each policy by class and of all classes, and
// then by how much those of the others differ from the baseline. Where policies are
// pinned, the figures come after how much they differ from theirs.
func (r *result) classRows(pinned []*qoskind.PolicyReport) []ui.Row {
	policies := r.policies()
	names := append(r.classNames(), "all")
	rows := []ui.Row{}
	for _, p := range policies {
		for _, class := range names {
			if f := classFigures(&p.Run, class); f != nil {
				rows = append(rows, ui.Row{Class: rowClass(class), Cells: figureCells(p, f, pinned)})
			}
		}
	}
	base := baseline(policies)
	for i, p := range policies {
		if !sameTime(p, policies[base]) {
			continue
		}
		for _, class := range names {
			f, to := classFigures(&p.Run, class), classFigures(&policies[base].Run, class)
			if i != base && f != nil && to != nil {
				rows = append(rows, ui.Row{Class: "difference " + rowClass(class), Cells: differenceCells(p, policies[base], f, to, pinned != nil)})
			}
		}
	}
	return rows
}

// sameTime reports whether two runs went over the same time: those that were
// stopped did not.
func sameTime(a, b *qoskind.PolicyReport) bool { return !a.Run.Partial && !b.Run.Partial }

func rowClass(class string) string {
	if class == "all" {
		return "sum"
	}
	return ""
}

func figureCells(p *qoskind.PolicyReport, f *qoskind.ClassFigures, pinned []*qoskind.PolicyReport) []ui.Cell {
	title := p.Title
	if p.Run.Partial {
		title += " (part)"
	}
	var before *qoskind.ClassFigures
	was := titled(pinned, p.Title)
	if was != nil {
		before = classFigures(&was.Run, f.Name)
	}
	cells := []ui.Cell{ui.Text(title), ui.Text(f.Name)}
	for _, m := range measures {
		switch {
		case before != nil:
			cells = append(cells, lab.DeltaOf(m.cell(was, before).Value, m.cell(p, f).Value))
		case pinned != nil:
			cells = append(cells, noDelta)
		}
	}
	for _, m := range measures {
		cells = append(cells, m.cell(p, f))
	}
	return cells
}

// noDelta stands where there is nothing to compare with.
var noDelta = ui.Cell{Value: math.NaN()}

// cell is the figure of a class under a policy: with several seeds the mean of those.
func (m *measure) cell(p *qoskind.PolicyReport, f *qoskind.ClassFigures) ui.Cell {
	if s := seedFigures(p.Seeds, f.Name); s != nil && m.seeds != nil {
		if e := m.seeds(s); !math.IsNaN(float64(e.Mean)) {
			c := measureCell(*m, float64(e.Mean))
			c.Text += " ± " + ui.Number(float64(e.HalfWidth))
			return c
		}
	}
	return measureCell(*m, m.of(f))
}

// seedFigures finds a class in the means over seeds, nil without them.
func seedFigures(s *qoskind.SeedReport, class string) *qoskind.SeedFigures {
	if s == nil {
		return nil
	}
	if class == s.All.Name {
		return &s.All
	}
	for i := range s.Classes {
		if s.Classes[i].Name == class {
			return &s.Classes[i]
		}
	}
	return nil
}

func measureCell(m measure, x float64) ui.Cell {
	c := ui.Figure(x)
	if m.count {
		c.Text = ui.Count(int64(x))
	}
	return c
}

func differenceCells(p, base *qoskind.PolicyReport, f, to *qoskind.ClassFigures, deltas bool) []ui.Cell {
	cells := []ui.Cell{{Text: "Δ " + p.Title, Title: p.Title + " − " + base.Title}, ui.Text(f.Name)}
	if deltas {
		cells = append(cells, slices.Repeat([]ui.Cell{noDelta}, len(measures))...)
	}
	for _, m := range measures {
		d := m.of(f) - m.of(to)
		c := measureCell(m, d)
		if d > 0 {
			c.Text = "+" + c.Text
		}
		cells = append(cells, c)
	}
	return cells
}

type effort struct {
	name, title string
	of          func(r *qoskind.Run) ui.Cell
}

// efforts are what tells how much work a policy was.
var efforts = []effort{
	{"preemptions", "How often an instance was preempted", func(r *qoskind.Run) ui.Cell { return wholeCell(r.Preemptions) }},
	{"queue, mean over passes", "Requests waiting at each pass over the queue; all passes count the same, however far apart they are", func(r *qoskind.Run) ui.Cell { return ui.Figure(float64(r.MeanQueue)) }},
	{"queue, mean over time", "Requests waiting, averaged over time, with the time when the queue is empty", func(r *qoskind.Run) ui.Cell {
		mean, _ := r.Series.Waiting(r.End)
		return ui.Figure(mean)
	}},
	{"queue, longest", "Most requests waiting at one time in the chart over time", func(r *qoskind.Run) ui.Cell {
		_, most := r.Series.Waiting(r.End)
		return ui.Figure(most)
	}},
	{"passes", "Passes over a queue that is not empty", func(r *qoskind.Run) ui.Cell { return wholeCell(r.Passes) }},
	{"decisions", "Requests that got a host", func(r *qoskind.Run) ui.Cell { return wholeCell(r.Decisions) }},
	{"operations", "One is the feasibility and score of one host for one request", func(r *qoskind.Run) ui.Cell { return wholeCell(r.Operations) }},
	{"operations a pass", "Mean over all passes", func(r *qoskind.Run) ui.Cell { return ui.Figure(float64(r.Operations) / float64(r.Passes)) }},
	{"events", "Arrivals, completions and everything else that changes the state", func(r *qoskind.Run) ui.Cell { return wholeCell(r.Events) }},
	{"simulated to", "From the first arrival", func(r *qoskind.Run) ui.Cell {
		return ui.Cell{Text: lab.Simulated(r.End - r.Start), Value: r.End - r.Start}
	}},
}

func wholeCell(n int64) ui.Cell { return ui.Cell{Text: ui.Count(n), Value: float64(n)} }

// policyTable has how much work each policy was: a row for each figure and a column for
// each policy, since there are fewer policies.
func (v *View) policyTable() app.UI {
	columns := []ui.Column{{Name: "work"}}
	pinned := v.pinned()
	for _, p := range v.result.policies() {
		if titled(pinned, p.Title) != nil {
			columns = append(columns, lab.DeltaColumn(p.Title))
		}
		columns = append(columns, ui.Column{Name: p.Title, Numeric: true})
	}
	return &ui.Table{ID: "qos-policies", TestID: "qos-policies", Caption: "The work of each policy", Columns: columns, Rows: v.result.work}
}

// counters are the rows of what policies count in words of their own.
func (r *result) counters() (rows []effort) {
	var own []*plugin.Own
	for _, p := range r.policies() {
		own = append(own, &p.Run.Own)
	}
	for _, name := range plugin.Names(own) {
		rows = append(rows, effort{name, "Counted by the policy", func(r *qoskind.Run) ui.Cell {
			if n, ok := r.Own.Counter(name); ok {
				return wholeCell(n)
			}
			return ui.Figure(math.NaN())
		}})
	}
	return rows
}

func (r *result) workRows(pinned []*qoskind.PolicyReport) []ui.Row {
	efforts := slices.Concat(efforts, r.counters())
	rows := make([]ui.Row, len(efforts)+1)
	for i, e := range efforts {
		rows[i].Cells = []ui.Cell{{Text: e.name, Title: e.title}}
	}
	times := &rows[len(efforts)]
	times.Cells = []ui.Cell{{Text: "time", Title: "Time of the simulation alone, first seed. Berth times the first short run of a policy twice, because the browser compiles its code during the first"}}
	for _, one := range r.there() {
		p := one.did
		was := titled(pinned, p.Title)
		for i, e := range efforts {
			now := e.of(&p.Run)
			if was != nil {
				rows[i].Cells = append(rows[i].Cells, lab.DeltaOf(e.of(&was.Run).Value, now.Value))
			}
			rows[i].Cells = append(rows[i].Cells, now)
		}
		if was != nil {
			times.Cells = append(times.Cells, noDelta)
		}
		times.Cells = append(times.Cells, one.timeCell())
	}
	return rows
}

// timeCell is how long the simulation with the first seed took.
func (r *run) timeCell() ui.Cell {
	t := r.Result.Timings
	if t == nil || len(t.Running) == 0 || len(t.Running[0]) == 0 {
		return ui.Figure(math.NaN())
	}
	return ui.Cell{Text: seconds(t.Running[0][0] / 1000), Value: t.Running[0][0]}
}

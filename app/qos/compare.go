package qos

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// comparePane holds the classes and the policies side by side.
func (v *View) comparePane() app.UI {
	if v.result == nil {
		return ui.Empty("Run the inputs to compare what each class got under each policy.")
	}
	return app.Div().Class(v.Dimmed("compare")).Body(
		v.classesTable(),
		v.policyTable(),
		remarks("qos-remarks", v.result.whole.Warnings, v.result.whole.Notes),
	)
}

// measure is a figure of a class under a policy.
type measure struct {
	name, title string
	of          func(f *qoskind.ClassFigures) float64
	count       bool // a whole number
	seeds       func(s *qoskind.SeedFigures) *qoskind.Estimate
}

var measures = []measure{
	{"requests", "Requests of the class that were admitted", func(f *qoskind.ClassFigures) float64 { return float64(f.Requests) }, true, nil},
	{"fulfilled", "Requests whose availability reached the SLO", func(f *qoskind.ClassFigures) float64 { return float64(f.Fulfilled) }, true, nil},
	{"mean availability", "Mean of time run by time since admission; ± is the 95 % confidence interval over the seeds",
		func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.Mean) }, false,
		func(s *qoskind.SeedFigures) *qoskind.Estimate { return &s.Availability }},
	{"5 %", "5 % quantile of the availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.P5) }, false, nil},
	{"median", "Median of the availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.P50) }, false, nil},
	{"95 %", "95 % quantile of the availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.P95) }, false, nil},
	{"least", "Least availability", func(f *qoskind.ClassFigures) float64 { return float64(f.Availability.Min) }, false, nil},
	{"deficit", "Mean of SLO − availability of the requests whose SLO was not kept", func(f *qoskind.ClassFigures) float64 { return float64(f.Deficit.Mean) }, false,
		func(s *qoskind.SeedFigures) *qoskind.Estimate { return &s.Deficit }},
	{"penalty", "Sum of the penalties, in CPU-hours", func(f *qoskind.ClassFigures) float64 { return float64(f.Penalty) }, false,
		func(s *qoskind.SeedFigures) *qoskind.Estimate { return &s.Penalty }},
	{"Gini", "Inequality of the availabilities: 0 if all are the same", func(f *qoskind.ClassFigures) float64 { return float64(f.Gini) }, false,
		func(s *qoskind.SeedFigures) *qoskind.Estimate { return &s.Gini }},
	{"preemptions", "How often an instance lost its host to another", func(f *qoskind.ClassFigures) float64 { return float64(f.Preemptions) }, true, nil},
	{"migrations", "How often an instance went on on another host", func(f *qoskind.ClassFigures) float64 { return float64(f.Migrations) }, true, nil},
	{"overhead (s)", "Time spent on preparing hosts", func(f *qoskind.ClassFigures) float64 { return f.Overhead }, false, nil},
}

func classColumnsOfResult() []ui.Column {
	columns := []ui.Column{{Name: "policy"}, {Name: "class"}}
	for _, m := range measures {
		columns = append(columns, ui.Column{Name: m.name, Title: m.title, Numeric: true})
	}
	return columns
}

// classesTable has a row for each policy and class, and the differences.
func (v *View) classesTable() app.UI {
	caption := "What each class got"
	switch policies := v.result.policies(); {
	case v.result.whole.Partial:
		caption += " by then; runs that were stopped have no differences"
	case len(policies) > 1:
		caption += "; Δ is the difference to " + policies[baseline(policies)].Title
	}
	return &ui.Table{
		ID: "qos-classes-table", TestID: "qos-classes", Caption: caption, Columns: classColumnsOfResult(), Rows: v.result.rows,
	}
}

// classRows are the figures of each policy by class and of all classes, and
// then by how much those of the others differ from the baseline.
func (r *result) classRows() []ui.Row {
	policies := r.policies()
	names := append(r.classNames(), "all")
	rows := []ui.Row{}
	for _, p := range policies {
		for _, class := range names {
			if f := classFigures(&p.Run, class); f != nil {
				rows = append(rows, ui.Row{Class: rowClass(class), Cells: figureCells(p, f)})
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
				rows = append(rows, ui.Row{Class: "difference " + rowClass(class), Cells: differenceCells(p, policies[base], f, to)})
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

func figureCells(p *qoskind.PolicyReport, f *qoskind.ClassFigures) []ui.Cell {
	title := p.Title
	if p.Run.Partial {
		title += " (part)"
	}
	cells := []ui.Cell{ui.Text(title), ui.Text(f.Name)}
	for _, m := range measures {
		c := measureCell(m, m.of(f))
		if s := seedFigures(p.Seeds, f.Name); s != nil && m.seeds != nil {
			if e := m.seeds(s); !math.IsNaN(float64(e.Mean)) {
				c = measureCell(m, float64(e.Mean))
				c.Text += " ± " + ui.Number(float64(e.HalfWidth))
			}
		}
		cells = append(cells, c)
	}
	return cells
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

func differenceCells(p, base *qoskind.PolicyReport, f, to *qoskind.ClassFigures) []ui.Cell {
	cells := []ui.Cell{{Text: "Δ " + p.Title, Title: p.Title + " − " + base.Title}, ui.Text(f.Name)}
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

// policyTable has what tells how much work each policy was.
func (v *View) policyTable() app.UI {
	return &ui.Table{
		ID: "qos-policies", TestID: "qos-policies", Caption: "The work of each policy",
		Columns: []ui.Column{
			{Name: "policy"},
			{Name: "preemptions", Numeric: true},
			{Name: "mean queue", Title: "Requests waiting, mean over all passes", Numeric: true},
			{Name: "passes", Title: "Over a queue with something in it", Numeric: true},
			{Name: "decisions", Title: "Requests that got a host", Numeric: true},
			{Name: "operations", Title: "One is the feasibility and score of one host for one request", Numeric: true},
			{Name: "operations a pass", Title: "Mean over all passes", Numeric: true},
			{Name: "events", Numeric: true},
			{Name: "time", Title: "The simulation alone, first seed", Numeric: true},
			{Name: "simulated to", Title: "From the first arrival", Numeric: true},
		},
		Rows: v.result.work,
	}
}

func (r *result) workRows() []ui.Row {
	rows := []ui.Row{}
	whole := func(n int64) ui.Cell { return ui.Cell{Text: ui.Count(n), Value: float64(n)} }
	for _, one := range r.runs {
		p := one.report()
		if p == nil {
			continue
		}
		run := &p.Run
		rows = append(rows, ui.Row{Cells: []ui.Cell{
			ui.Text(p.Title), whole(run.Preemptions), ui.Figure(float64(run.MeanQueue)), whole(run.Passes),
			whole(run.Decisions), whole(run.Operations), ui.Figure(float64(run.Operations) / float64(run.Passes)), whole(run.Events), one.timeCell(),
			{Text: lab.Simulated(run.End - run.Start), Value: run.End - run.Start},
		}})
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

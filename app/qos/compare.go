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

// measures are the figures of a class under a policy; the label also stands for one where
// the browser remembers it.
var measures = labelled()

func labelled() (all []qoskind.ClassFigure) {
	for _, f := range qoskind.ClassFigureList {
		if f.Label != "" {
			all = append(all, f)
		}
	}
	return all
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
		column := ui.Column{Name: m.Label, Title: m.About, Numeric: true, Hidden: !slices.Contains(v.chosenMeasures(), m.Label)}
		delta := lab.DeltaColumn(m.Label)
		delta.Hidden = column.Hidden
		columns, deltas = append(columns, column), append(deltas, delta)
	}
	if v.pinned() == nil {
		return columns
	}
	return slices.Concat(columns[:2], deltas, columns[2:])
}

// columnChoice chooses the columns of the table of classes; exports have all.
func (v *View) columnChoice() app.UI {
	boxes := make([]app.UI, len(measures))
	for i, m := range measures {
		id := "qos-column-" + slug(m.Label)
		box := ui.Checkbox(id, slices.Contains(v.chosenMeasures(), m.Label), func(on bool) { v.showMeasure(m.Label, on) })
		boxes[i] = app.Label().Class("check").For(id).Title(m.About).Body(box, app.Span().Text(m.Label))
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
			cells = append(cells, lab.DeltaOf(m.Form, figure.Number(measured(&m, was, before).Value), figure.Number(measured(&m, p, f).Value)))
		case pinned != nil:
			cells = append(cells, lab.NoDelta)
		}
	}
	for _, m := range measures {
		cells = append(cells, measured(&m, p, f))
	}
	return cells
}

// measured is the figure of a class under a policy: with several seeds the mean of those.
func measured(m *qoskind.ClassFigure, p *qoskind.PolicyReport, f *qoskind.ClassFigures) ui.Cell {
	if s := seedFigures(p.Seeds, f.Name); s != nil && m.Seeds != nil {
		if e := m.Seeds(s); e.Mean.Defined() {
			return ui.Estimate(m.Form, e)
		}
	}
	return ui.InForm(m.Form, m.Of(f))
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

func differenceCells(p, base *qoskind.PolicyReport, f, to *qoskind.ClassFigures, deltas bool) []ui.Cell {
	cells := []ui.Cell{{Text: "Δ " + p.Title, Title: p.Title + " − " + base.Title}, ui.Text(f.Name)}
	if deltas {
		cells = append(cells, slices.Repeat([]ui.Cell{lab.NoDelta}, len(measures))...)
	}
	for _, m := range measures {
		d := m.Of(f) - m.Of(to)
		c := ui.InForm(m.Form, d)
		switch {
		case m.Form == figure.Part && d.Defined():
			c.Text = ui.Points(float64(d))
		case d > 0:
			c.Text = "+" + c.Text
		}
		cells = append(cells, c)
	}
	return cells
}

// efforts are the figures that tell how much work a policy was.
func (r *result) efforts() (all []figure.Figure) {
	all = figure.Labelled(qoskind.Figures)
	var own []*plugin.Own
	for _, p := range r.policies() {
		own = append(own, &p.Run.Own)
	}
	for _, name := range plugin.Names(own) { // what policies count in words of their own
		own := figure.Figure{Label: name, About: "Counted by the policy", Form: figure.Count}
		all = append(all, figure.Of(own, func(r *qoskind.Report) []qoskind.PolicyReport { return r.Policies }, func(p *qoskind.PolicyReport) figure.Number {
			if n, ok := p.Run.Own.Counter(name); ok {
				return figure.Number(n)
			}
			return figure.Undefined
		}))
	}
	return all
}

// effortOf is such a figure of one policy.
func effortOf(f *figure.Figure, p *qoskind.PolicyReport) ui.Cell {
	return ui.InForm(f.Form, f.OfSubject(p))
}

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

func (r *result) workRows(pinned []*qoskind.PolicyReport) []ui.Row {
	efforts := r.efforts()
	rows := make([]ui.Row, len(efforts)+1)
	for i, e := range efforts {
		rows[i].Cells = []ui.Cell{{Text: e.Label, Title: e.About}}
	}
	times := &rows[len(efforts)]
	times.Cells = []ui.Cell{{Text: "time", Title: "Time of the simulation alone, first seed. Berth times the first short run of a policy twice, because the browser compiles its code during the first"}}
	for _, one := range r.there() {
		p := one.did
		was := titled(pinned, p.Title)
		for i, e := range efforts {
			now := effortOf(&e, p)
			if was != nil {
				rows[i].Cells = append(rows[i].Cells, lab.DeltaOf(e.Form, e.OfSubject(was), e.OfSubject(p)))
			}
			rows[i].Cells = append(rows[i].Cells, now)
		}
		if was != nil {
			times.Cells = append(times.Cells, lab.NoDelta)
		}
		times.Cells = append(times.Cells, one.timeCell())
	}
	return rows
}

// timeCell is how long the simulation with the first seed took.
func (r *run) timeCell() ui.Cell {
	t := r.Result.Report.Timings
	if t == nil || len(t.Running) == 0 || len(t.Running[0]) == 0 {
		return ui.Figure(math.NaN())
	}
	return ui.Cell{Text: seconds(t.Running[0][0] / 1000), Value: t.Running[0][0]}
}

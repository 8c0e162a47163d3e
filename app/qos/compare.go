package qos

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/qos"
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
		lab.Remarks("qos-remarks", v.result.Report.Warnings, v.result.Report.Notes),
	)
}

// measures are the figures of a class under a policy; the browser remembers a chosen one by its
// label.
var measures = figure.Labelled(qoskind.ClassFigures)

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
	case v.result.Report.Partial:
		caption += " until the stop; stopped runs have no differences"
	case len(policies) > 1:
		caption += "; Δ is the difference to " + policies[baseline(policies)].Title
	}
	return &ui.Table{
		ID: "qos-classes-table", TestID: "qos-classes", Caption: caption, Columns: v.classColumns(), Rows: v.rows(),
	}
}

// rows are the rows of that table.
func (v *View) rows() []ui.Row {
	return lab.Once(v.Lab, v.Compared("rows"), func() []ui.Row { return v.result.classRows(v.pinned()) })
}

// classRows are the figures of each policy by class and over all classes, and then the
// differences of the other policies from the baseline. With a pinned result, the differences
// from it come before the figures.
func (r *result) classRows(pinned []*qoskind.PolicyReport) []ui.Row {
	policies := r.policies()
	names := append(r.classNames(), "all")
	rows := []ui.Row{}
	for _, p := range policies {
		for _, class := range names {
			if f := p.Run.Class(class); f != nil {
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
			f, to := p.Run.Class(class), policies[base].Run.Class(class)
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

func figureCells(p *qoskind.PolicyReport, f *qos.ClassFigures, pinned []*qoskind.PolicyReport) []ui.Cell {
	title := p.Title
	if p.Run.Partial {
		title += " (part)"
	}
	var before *qos.ClassFigures
	was := titled(pinned, p.Title)
	if was != nil {
		before = was.Run.Class(f.Name)
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
func measured(m *figure.Figure, p *qoskind.PolicyReport, f *qos.ClassFigures) ui.Cell {
	if e := p.Seeds.Class(f.Name).At(m.Key); e.Mean.Defined() {
		return ui.Estimate(m.Form, e)
	}
	return ui.InForm(m.Form, m.Of(f))
}

func differenceCells(p, base *qoskind.PolicyReport, f, to *qos.ClassFigures, deltas bool) []ui.Cell {
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

// policyTable has how much work each policy was.
func (v *View) policyTable() *ui.Table {
	var subjects []lab.Subject
	for _, one := range v.result.there() {
		s := lab.Subject{Name: one.did.Title, Is: one.did, Run: one.Result.Report}
		if was := titled(v.pinned(), s.Name); was != nil {
			s.Was = was
		}
		subjects = append(subjects, s)
	}
	counted := lab.Counted(subjects, "Counted by the policy", func(p *qoskind.PolicyReport) *plugin.Own { return &p.Run.Own })
	return lab.FigureTable("qos-policies", "The work of each policy", "policy", append(figure.Labelled(qoskind.Figures), counted...), subjects)
}

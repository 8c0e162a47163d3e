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

// comparePane draws the results by class and the work of each policy.
func (cs *charts) comparePane() app.UI {
	if cs.view.result == nil {
		return ui.Empty("Run the inputs to compare each class under each policy.")
	}
	return app.Div().Class(cs.view.Form.Dimmed("compare")).Body(
		cs.classesTable(),
		cs.columnChoice(),
		cs.policyTable(),
		lab.Remarks("qos-remarks", cs.view.result.Report.Warnings, cs.view.result.Report.Notes),
	)
}

// measures are the figures of a class under a policy. The browser's storage refers to
// them by label.
var measures = figure.Labelled(qoskind.ClassFigures)

// firstMeasures are the measures that the table shows before the user chooses: the most
// important ones, as many as fit next to the result.
const firstMeasures = "fulfilled,mean availability,penalty,preemptions"

const columnsKey = "berth.qos.columns" // key of the browser's storage: labels of the chosen measures

// chosenMeasures returns the labels of the measures that the table shows.
func (cs *charts) chosenMeasures() []string {
	if cs.columns == nil {
		cs.columns = strings.Split(cmp.Or(ui.Stored(columnsKey), firstMeasures), ",")
	}
	return cs.columns
}

func (cs *charts) classColumns() []ui.Column {
	columns := []ui.Column{{Name: "policy"}, {Name: "class"}}
	deltas := slices.Clone(columns[:0])
	for _, m := range measures {
		column := ui.Column{Name: m.Label, Title: m.About, Numeric: true, Hidden: !slices.Contains(cs.chosenMeasures(), m.Label)}
		delta := lab.DeltaColumn(m.Label)
		delta.Hidden = column.Hidden
		columns, deltas = append(columns, column), append(deltas, delta)
	}
	if cs.view.pinned() == nil {
		return columns
	}
	return slices.Concat(columns[:2], deltas, columns[2:])
}

// columnChoice draws the choice of the columns of the table of classes. Exports have
// all columns.
func (cs *charts) columnChoice() app.UI {
	boxes := make([]app.UI, len(measures))
	for i, m := range measures {
		id := "qos-column-" + slug(m.Label)
		box := ui.Checkbox(id, slices.Contains(cs.chosenMeasures(), m.Label), func(on bool) { cs.showMeasure(m.Label, on) })
		boxes[i] = app.Label().Class("check").For(id).Title(m.About).Body(box, app.Span().Text(m.Label))
	}
	return lab.More(fmt.Sprintf("Columns (%d of %d)", len(cs.chosenMeasures()), len(measures)), false, app.Div().Class("columns").Body(boxes...))
}

func (cs *charts) showMeasure(name string, on bool) {
	chosen := slices.DeleteFunc(slices.Clone(cs.chosenMeasures()), func(n string) bool { return n == name || n == "" })
	if on {
		chosen = append(chosen, name)
	}
	cs.columns = chosen
	ui.Store(columnsKey, cmp.Or(strings.Join(chosen, ","), ","))
}

// classesTable has a row for each policy and class, followed by the differences from
// the baseline.
func (cs *charts) classesTable() app.UI {
	caption := "Results by class"
	switch policies := cs.view.result.policies(); {
	case cs.view.result.Report.Partial:
		caption += " until the stop; stopped runs have no differences"
	case len(policies) > 1:
		caption += "; Δ is the difference to " + policies[baseline(policies)].Title
	}
	return &ui.Table{
		ID: "qos-classes-table", TestID: "qos-classes", Caption: caption, Columns: cs.classColumns(), Rows: cs.rows(),
	}
}

// rows returns the rows of the table of classes; they are made once for each result.
func (cs *charts) rows() []ui.Row {
	return lab.Once(cs.view.Lab, cs.view.Compared("rows"), func() []ui.Row { return cs.view.result.classRows(cs.view.pinned()) })
}

// classRows lists the figures of each policy by class and over all classes, then the differences of
// the other policies from the baseline. With a pinned result, the differences from it come before
// the figures.
func (r *result) classRows(pinned []*qoskind.PolicyReport) []ui.Row {
	policies := r.policies()
	names, style := append(r.classNames(), "all"), map[string]string{"all": "sum"}
	rows := []ui.Row{}
	for _, p := range policies {
		for _, class := range names {
			if f := p.Run.Class(class); f != nil {
				rows = append(rows, ui.Row{Class: style[class], Cells: figureCells(p, f, pinned)})
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
				rows = append(rows, ui.Row{Class: "difference " + style[class], Cells: differenceCells(p, policies[base], f, to, pinned != nil)})
			}
		}
	}
	return rows
}

// sameTime reports whether two runs cover the same time, because neither was stopped.
func sameTime(a, b *qoskind.PolicyReport) bool { return !a.Run.Partial && !b.Run.Partial }

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

// measured is the cell of a class's figure under a policy, or of its mean over several seeds.
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

// policyTable lists the work of each policy.
func (cs *charts) policyTable() *ui.Table {
	var subjects []lab.Subject
	for _, one := range cs.view.result.there() {
		s := lab.Subject{Name: one.did.Title, Is: one.did, Run: one.Result.Report}
		if was := titled(cs.view.pinned(), s.Name); was != nil {
			s.Was = was
		}
		subjects = append(subjects, s)
	}
	counted := lab.Counted(subjects, "Counted by the policy", func(p *qoskind.PolicyReport) *plugin.Own { return &p.Run.Own })
	return lab.FigureTable("qos-policies", "The work of each policy", "policy", append(figure.Labelled(qoskind.Figures), counted...), subjects)
}

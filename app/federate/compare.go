package federate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/figure"
	"berth/engine/plugin"
	"berth/engine/stats"
)

// comparePane holds the schedulers side by side.
func (v *View) comparePane() app.UI {
	if v.result == nil {
		return ui.Empty("Run the inputs to compare how long tasks wait.")
	}
	return app.Div().Class(v.Dimmed("compare")).Body(
		v.resultTable(),
		v.comparison(),
		v.summaryTable(),
	)
}

// resultTable has the allocation time under each scheduler.
func (v *View) resultTable() app.UI {
	if v.result.rows == nil {
		v.result.rows = v.resultRows(v.result.report.Schedulers)
	}
	selected := 0
	if s := v.scheduler(); s != nil {
		selected = slices.Index(v.result.report.Subjects(), s.Name) + 1
	}
	columns := []ui.Column{{Name: "scheduler"}}
	for _, f := range waits {
		columns = append(columns, ui.Column{Name: strings.TrimPrefix(f.Label, "allocation, "), Title: f.Heading(), Numeric: true})
	}
	if v.pinned() != nil {
		columns = slices.Concat(columns[:1], []ui.Column{lab.DeltaColumn("p50"), lab.DeltaColumn("p99")}, columns[1:])
	}
	return &ui.Table{ID: "fed-results-table", TestID: "fed-results", Caption: "Allocation time in seconds", Rows: v.result.rows, Columns: columns,
		OnRow: func(_ app.Context, row int) { v.showRow(row) }, Selected: selected}
}

func (v *View) showRow(row int) {
	if v.result != nil && row < len(v.result.report.Schedulers) {
		v.showScheduler(v.result.report.Schedulers[row].Name)
	}
}

func (v *View) resultRows(all []federatekind.SchedulerReport) []ui.Row {
	rows := make([]ui.Row, len(all))
	for i, s := range all {
		name := ui.Text(s.Name)
		if s.Partial {
			name = ui.Cell{Text: s.Name + " (partial)", Title: "The run was stopped early"}
			rows[i].Class = "partial"
		}
		rows[i].Cells = []ui.Cell{name}
		for _, f := range waits {
			c := ui.Figure(float64(f.OfSubject(&s)))
			if f.Form == figure.Count {
				c.Text = ui.Formed(f.Form, f.OfSubject(&s))
			}
			rows[i].Cells = append(rows[i].Cells, c)
		}
		if v.pinned() != nil {
			cells := rows[i].Cells
			rows[i].Cells = slices.Concat(cells[:1], []ui.Cell{v.delta("allocation.p50", &s), v.delta("allocation.p99", &s)}, cells[1:])
		}
	}
	return rows
}

// delta is by how much a figure of a scheduler differs from the pinned result.
func (v *View) delta(name string, s *federatekind.SchedulerReport) ui.Cell {
	f, was := figure.Named(federatekind.Figures, name), v.pinnedScheduler(s.Name)
	if was == nil {
		return lab.NoDelta
	}
	return lab.DeltaOf(f.Form, f.OfSubject(was), f.OfSubject(s))
}

// ofScheduler is a figure that only this result has.
func ofScheduler(label, about string, form figure.Form, of func(*federatekind.SchedulerReport) figure.Number) figure.Figure {
	return figure.Of(figure.Figure{Label: label, About: about, Form: form}, func(r *federatekind.Report) []federatekind.SchedulerReport { return r.Schedulers }, of)
}

// waits are the figures of the first table, and measures all others that have a label.
var waits, measures = split()

func split() (waits, measures []figure.Figure) {
	for _, f := range figure.Labelled(federatekind.Figures) {
		if f.Name == "tasks" || strings.HasPrefix(f.Name, "allocation.") {
			waits = append(waits, f)
		} else {
			measures = append(measures, f)
		}
	}
	return waits, measures
}

// comparedUsers is how many users at most have a row of their own.
const comparedUsers = 8

// shares are the rows of the users, where these are few.
func (v *View) shares() []figure.Figure {
	users := len(v.result.report.Schedulers[0].Series.Share)
	if users > comparedUsers {
		return nil
	}
	rows := make([]figure.Figure, users)
	for u := range rows {
		rows[u] = ofScheduler("share of "+v.result.report.Workload.User(u), "Mean over time of the dominant share in use", figure.Part, func(s *federatekind.SchedulerReport) figure.Number {
			if u >= len(s.Series.Share) {
				return figure.Undefined
			}
			return figure.Number(stats.Mean(s.Series.Share[u]))
		})
	}
	return rows
}

// counters are the rows of what schedulers count in words of their own.
func (v *View) counters() []figure.Figure {
	var own []*plugin.Own
	for i := range v.result.report.Schedulers {
		own = append(own, &v.result.report.Schedulers[i].Own)
	}
	var rows []figure.Figure
	for _, name := range plugin.Names(own) {
		rows = append(rows, ofScheduler(name, "Counted by the scheduler", figure.Plain, func(s *federatekind.SchedulerReport) figure.Number {
			if n, ok := s.Own.Counter(name); ok {
				return figure.Number(n)
			}
			return figure.Undefined
		}))
	}
	return rows
}

// comparison has everything else that was measured, a column for each scheduler,
// and before them how those differ from the pinned result that this has too.
func (v *View) comparison() app.UI {
	all := v.result.report.Schedulers
	if len(all) == 0 {
		return app.Text("")
	}
	number := func(text, title string) app.UI { return app.Td().Class("number").Title(title).Text(text) }
	head := []app.UI{app.Th().Scope("col").Text("scheduler")}
	for i := range all {
		if v.pinnedScheduler(all[i].Name) != nil {
			head = append(head, app.Th().Scope("col").Class("number").Title("Against the pinned result").Text("Δ "+all[i].Name))
		}
	}
	for i := range all {
		head = append(head, app.Th().Scope("col").Class("number").Text(all[i].Name))
	}
	var rows []app.UI
	for _, m := range slices.Concat(measures, v.counters(), v.shares()) {
		cells := []app.UI{app.Th().Scope("row").Title(cmp.Or(m.About, m.Title)).Text(m.Label)}
		for i := range all {
			if was := v.pinnedScheduler(all[i].Name); was != nil {
				delta := lab.DeltaOf(m.Form, m.OfSubject(was), m.OfSubject(&all[i]))
				cells = append(cells, number(delta.Text, delta.Title))
			}
		}
		for i := range all {
			cells = append(cells, number(ui.Formed(m.Form, m.OfSubject(&all[i])), ""))
		}
		rows = append(rows, app.Tr().Body(cells...))
	}
	rows = append(rows, v.times())
	return ui.Scrolled("table", "Schedulers side by side",
		app.Table().Class("comparison").DataSet("testid", "fed-comparison").Body(
			app.Caption().Text("Schedulers side by side"),
			app.THead().Body(app.Tr().Body(head...)),
			app.TBody().Body(rows...),
		),
	)
}

// times is the row of the clock's time, which is no part of the report.
func (v *View) times() app.UI {
	cells := []app.UI{app.Th().Scope("row").Title("Time of the simulation alone, first seed. Berth times the first short run of a scheduler twice, because the browser compiles its code during the first").Text("time")}
	for i := range v.result.report.Schedulers {
		if v.pinnedScheduler(v.result.report.Schedulers[i].Name) != nil {
			cells = append(cells, app.Td())
		}
	}
	for i := range v.result.report.Schedulers {
		text := "–"
		if run := v.result.run(v.result.report.Schedulers[i].Name); run != nil && run.Report.Timings != nil && len(run.Report.Timings.Running) > 0 && len(run.Report.Timings.Running[0]) > 0 {
			text = ui.Seconds(run.Report.Timings.Running[0][0] / 1000)
		}
		cells = append(cells, app.Td().Class("number").Text(text))
	}
	return app.Tr().Body(cells...)
}

// summaryTable has means over the seeds with their intervals of confidence.
func (v *View) summaryTable() app.UI {
	all := v.result.report.Schedulers
	if v.result.Inputs.options.Seeds < 2 || len(all) == 0 {
		return app.Text("")
	}
	columns := []ui.Column{{Name: "mean over seeds"}}
	for _, s := range all {
		columns = append(columns, ui.Column{Name: s.Name, Numeric: true})
	}
	var rows []ui.Row
	for _, f := range figure.Labelled(federatekind.Figures) {
		row := ui.Row{Cells: []ui.Cell{ui.Text(f.Heading())}}
		for _, s := range all {
			row.Cells = append(row.Cells, ui.Estimate(f.Form, s.Summary.Of(f.Name)))
		}
		rows = append(rows, row)
	}
	return &ui.Table{ID: "fed-summary-table", TestID: "fed-summary", Columns: columns, Rows: rows,
		Caption: fmt.Sprintf("Over %d seeds; ± is the 95 %% confidence interval of the mean", v.result.Inputs.options.Seeds)}
}

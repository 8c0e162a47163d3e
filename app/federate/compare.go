package federate

import (
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
	names := v.result.report().Subjects()
	rows := lab.Once(v.Lab, v.Compared("rows"), func() []ui.Row { return v.resultRows(v.result.report().Schedulers) })
	selected := 0
	if s := v.scheduler(); s != nil {
		selected = slices.Index(names, s.Name) + 1
	}
	columns := []ui.Column{{Name: "scheduler"}}
	if v.pinned() != nil {
		columns = append(columns, lab.DeltaColumn("p50"), lab.DeltaColumn("p99"))
	}
	for _, f := range waits {
		columns = append(columns, ui.Column{Name: strings.TrimPrefix(f.Label, "allocation, "), Title: f.Heading(), Numeric: true})
	}
	return &ui.Table{ID: "fed-results-table", TestID: "fed-results", Caption: "Allocation time in seconds", Rows: rows, Columns: columns,
		OnRow: func(_ app.Context, row int) { v.showScheduler(names[row]) }, Selected: selected}
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
		if v.pinned() != nil {
			rows[i].Cells = append(rows[i].Cells, v.delta("allocation.p50", &s), v.delta("allocation.p99", &s))
		}
		for _, f := range waits {
			c := ui.Figure(float64(f.Of(&s)))
			if f.Form == figure.Count {
				c.Text = ui.Formed(f.Form, f.Of(&s))
			}
			rows[i].Cells = append(rows[i].Cells, c)
		}
	}
	return rows
}

// delta is the difference of a figure of a scheduler from the pinned result.
func (v *View) delta(name string, s *federatekind.SchedulerReport) ui.Cell {
	f, was := figure.Named(federatekind.Figures, name), v.pinnedScheduler(s.Name)
	if was == nil {
		return lab.NoDelta
	}
	return lab.DeltaOf(f.Form, f.Of(was), f.Of(s))
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

// shares are the figures of the users, where these are few.
func (v *View) shares() []figure.Figure {
	users := len(v.result.report().Schedulers[0].Series.Share)
	if users > comparedUsers {
		return nil
	}
	all := make([]figure.Figure, users)
	for u := range all {
		f := figure.Figure{Label: "share of " + v.result.report().Workload.User(u), About: "Mean over time of the dominant share in use", Form: figure.Part}
		all[u] = figure.Of(f, func(s *federatekind.SchedulerReport) figure.Number {
			if u >= len(s.Series.Share) {
				return figure.Undefined
			}
			return figure.Number(stats.Mean(s.Series.Share[u]))
		})
	}
	return all
}

// comparison has everything else that was measured.
func (v *View) comparison() app.UI {
	all := v.result.report().Schedulers
	if len(all) == 0 {
		return app.Text("")
	}
	subjects := make([]lab.Subject, len(all))
	for i := range all {
		s := lab.Subject{Name: all[i].Name, Is: &all[i]}
		if was := v.pinnedScheduler(s.Name); was != nil {
			s.Was = was
		}
		if run := v.result.run(s.Name); run != nil {
			s.Run = run.Report
		}
		subjects[i] = s
	}
	counted := lab.Counted(subjects, "Counted by the scheduler", func(s *federatekind.SchedulerReport) *plugin.Own { return &s.Own })
	return lab.FigureTable("fed-comparison", "Schedulers side by side", "scheduler", slices.Concat(measures, counted, v.shares()), subjects)
}

// summaryTable has means over the seeds with their intervals of confidence.
func (v *View) summaryTable() app.UI {
	all := v.result.report().Schedulers
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
			row.Cells = append(row.Cells, ui.Estimate(f.Form, s.Summary.Metrics.At(f.Name)))
		}
		rows = append(rows, row)
	}
	return &ui.Table{ID: "fed-summary-table", TestID: "fed-summary", Columns: columns, Rows: rows,
		Caption: fmt.Sprintf("Over %d seeds; ± is the 95 %% confidence interval of the mean", v.result.Inputs.options.Seeds)}
}

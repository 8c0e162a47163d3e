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

// comparePane draws the figures of the schedulers side by side.
func (cs *charts) comparePane() app.UI {
	if cs.view.result == nil {
		return ui.Empty("Run the inputs to compare how long tasks wait.")
	}
	return app.Div().Class(cs.view.Form.Dimmed("compare")).Body(
		cs.resultTable(),
		cs.comparison(),
		cs.summaryTable(),
	)
}

// resultTable lists the allocation times under each scheduler.
func (cs *charts) resultTable() app.UI {
	names := cs.view.result.report().Subjects()
	rows := lab.Once(cs.view.Lab, cs.view.Compared("rows"), func() []ui.Row { return cs.resultRows(cs.view.result.report().Schedulers) })
	selected := 0
	if s := cs.view.scheduler(); s != nil {
		selected = slices.Index(names, s.Name) + 1
	}
	columns := []ui.Column{{Name: "scheduler"}}
	if cs.view.pinned() != nil {
		columns = append(columns, lab.DeltaColumn("p50"), lab.DeltaColumn("p99"))
	}
	for _, f := range waits {
		columns = append(columns, ui.Column{Name: strings.TrimPrefix(f.Label, "allocation, "), Title: f.Heading(), Numeric: true})
	}
	return &ui.Table{ID: "fed-results-table", TestID: "fed-results", Caption: "Allocation time in seconds", Rows: rows, Columns: columns,
		OnRow: func(_ app.Context, row int) { cs.view.showScheduler(names[row]) }, Selected: selected}
}

func (cs *charts) resultRows(all []federatekind.SchedulerReport) []ui.Row {
	rows := make([]ui.Row, len(all))
	for i, s := range all {
		name := ui.Text(s.Name)
		if s.Partial {
			name = ui.Cell{Text: s.Name + " (partial)", Title: "The run was stopped early"}
			rows[i].Class = "partial"
		}
		rows[i].Cells = []ui.Cell{name}
		if cs.view.pinned() != nil {
			rows[i].Cells = append(rows[i].Cells, cs.delta("allocation.p50", &s), cs.delta("allocation.p99", &s))
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

// delta is the cell for a figure's difference from the pinned result; name names the
// figure.
func (cs *charts) delta(name string, s *federatekind.SchedulerReport) ui.Cell {
	f, was := figure.Named(federatekind.Figures, name), cs.view.pinnedScheduler(s.Name)
	if was == nil {
		return lab.NoDelta
	}
	return lab.DeltaOf(f.Form, f.Of(was), f.Of(s))
}

// waits are the figures in the first table. measures are all other figures with a
// label.
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

// comparedUsers is the maximum number of users with their own rows.
const comparedUsers = 8

// shares returns a figure for the share of each user; nil for more than comparedUsers.
func (cs *charts) shares() []figure.Figure {
	users := len(cs.view.result.report().Schedulers[0].Series.Share)
	if users > comparedUsers {
		return nil
	}
	all := make([]figure.Figure, users)
	for u := range all {
		f := figure.Figure{Label: "share of " + cs.view.result.report().Workload.User(u), About: "Mean over time of the dominant share in use", Form: figure.Part}
		all[u] = figure.Of(f, func(s *federatekind.SchedulerReport) figure.Number {
			if u >= len(s.Series.Share) {
				return figure.Undefined
			}
			return figure.Number(stats.Mean(s.Series.Share[u]))
		})
	}
	return all
}

// comparison draws the table of all other figures.
func (cs *charts) comparison() app.UI {
	all := cs.view.result.report().Schedulers
	if len(all) == 0 {
		return app.Text("")
	}
	subjects := make([]lab.Subject, len(all))
	for i := range all {
		s := lab.Subject{Name: all[i].Name, Is: &all[i]}
		if was := cs.view.pinnedScheduler(s.Name); was != nil {
			s.Was = was
		}
		if run := cs.view.result.run(s.Name); run != nil {
			s.Run = run.Report
		}
		subjects[i] = s
	}
	counted := lab.Counted(subjects, "Counted by the scheduler", func(s *federatekind.SchedulerReport) *plugin.Own { return &s.Own })
	return lab.FigureTable("fed-comparison", "Schedulers side by side", "scheduler", slices.Concat(measures, counted, cs.shares()), subjects)
}

// summaryTable lists the means over the seeds, with confidence intervals.
func (cs *charts) summaryTable() app.UI {
	all := cs.view.result.report().Schedulers
	if cs.view.result.Inputs.options.Seeds < 2 || len(all) == 0 {
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
		Caption: fmt.Sprintf("Over %d seeds; ± is the 95 %% confidence interval of the mean", cs.view.result.Inputs.options.Seeds)}
}

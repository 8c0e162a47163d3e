package federate

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/plugin"
	"berth/engine/scenario"
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
		v.result.rows = v.resultRows(v.result.shown.Schedulers)
	}
	selected := 0
	if s := v.scheduler(); s != nil {
		selected = slices.Index(v.result.shown.Subjects(), s.Name) + 1
	}
	caption := "Allocation time in seconds"
	if v.swept() {
		caption += ", at " + v.result.pointName(v.point)
	}
	columns := []ui.Column{
		{Name: "scheduler"},
		{Name: "tasks", Title: "Tasks that ended", Numeric: true},
		{Name: "p50", Title: "Median, s", Numeric: true},
		{Name: "p90", Title: "90th percentile, s", Numeric: true},
		{Name: "p99", Title: "99th percentile, s", Numeric: true},
		{Name: "p99.9", Title: "99.9th percentile, s", Numeric: true},
		{Name: "p99.99", Title: "99.99th percentile, s", Numeric: true},
		{Name: "max", Title: "Longest, s", Numeric: true},
		{Name: "mean", Title: "Mean, s", Numeric: true},
	}
	if v.pinned() != nil {
		columns = slices.Insert(columns, 1, lab.DeltaColumn("p50"), lab.DeltaColumn("p99"))
	}
	return &ui.Table{ID: "fed-results-table", TestID: "fed-results", Caption: caption, Rows: v.result.rows, Columns: columns,
		OnRow: func(_ app.Context, row int) { v.showRow(row) }, Selected: selected}
}

func (v *View) showRow(row int) {
	if v.result != nil && row < len(v.result.shown.Schedulers) {
		v.showScheduler(v.result.shown.Schedulers[row].Name)
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
		q := s.Allocation
		rows[i].Cells = []ui.Cell{name, {Text: ui.Count(int64(s.Tasks)), Title: strconv.Itoa(s.Tasks), Value: float64(s.Tasks)}}
		for _, x := range []*float64{q.P50, q.P90, q.P99, q.P999, q.P9999, q.Max, q.Mean} {
			rows[i].Cells = append(rows[i].Cells, cell(x))
		}
		if v.pinned() != nil {
			was := v.pinnedScheduler(s.Name)
			if was == nil {
				was = &federatekind.SchedulerReport{}
			}
			rows[i].Cells = slices.Insert(rows[i].Cells, 1, lab.DeltaOf(ui.OrNaN(was.Allocation.P50), ui.OrNaN(q.P50)), lab.DeltaOf(ui.OrNaN(was.Allocation.P99), ui.OrNaN(q.P99)))
		}
	}
	return rows
}

func cell(x *float64) ui.Cell { return ui.Figure(ui.OrNaN(x)) }

// measure is one row of the comparison: a figure, NaN where it does not exist, and
// how it is written.
type measure struct {
	name, title string
	of          func(s *federatekind.SchedulerReport) float64
	text        func(x float64) string
}

func inSeconds(name, title string, of func(s *federatekind.SchedulerReport) *float64) measure {
	return measure{name, title, func(s *federatekind.SchedulerReport) float64 { return ui.OrNaN(of(s)) }, func(x float64) string { return span(&x) }}
}

func counted(name, title string, of func(s *federatekind.SchedulerReport) int64) measure {
	return measure{name, title, func(s *federatekind.SchedulerReport) float64 { return float64(of(s)) }, func(x float64) string { return ui.Count(int64(x)) }}
}

// span writes a time in seconds in the unit that suits it.
func span(seconds *float64) string {
	switch x := ui.OrNaN(seconds); {
	case math.IsNaN(x) || x == 0:
		return ui.Number(x)
	case x < 1e-3:
		return ui.Unit(1e6*x, "µs")
	case x < 0.9995:
		return ui.Unit(1e3*x, "ms")
	default:
		return ui.Unit(x, "s")
	}
}

var measures = []measure{
	counted("jobs", "Jobs that ended", func(s *federatekind.SchedulerReport) int64 { return int64(s.Jobs) }),
	inSeconds("job delay p50", "Completion time of a job minus its longest task", func(s *federatekind.SchedulerReport) *float64 { return s.JobDelay.P50 }),
	inSeconds("job delay p99", "Completion time of a job minus its longest task", func(s *federatekind.SchedulerReport) *float64 { return s.JobDelay.P99 }),
	inSeconds("job completion p50", "From arrival to the end of the last task", func(s *federatekind.SchedulerReport) *float64 { return s.JobCompletion.P50 }),
	inSeconds("job completion p99", "From arrival to the end of the last task", func(s *federatekind.SchedulerReport) *float64 { return s.JobCompletion.P99 }),
	inSeconds("queueing", "Mean time in the queues of the scheduler", func(s *federatekind.SchedulerReport) *float64 { return s.Components.Queueing }),
	inSeconds("processing", "Mean time that masters spent on it", func(s *federatekind.SchedulerReport) *float64 { return s.Components.Processing }),
	inSeconds("worker queue", "Mean time in the queue of the worker", func(s *federatekind.SchedulerReport) *float64 { return s.Components.Worker }),
	inSeconds("communication", "Mean time in transit of messages", func(s *federatekind.SchedulerReport) *float64 { return s.Components.Communication }),
	counted("inconsistencies", "Requests that an LM refused because the GM's copy was stale", func(s *federatekind.SchedulerReport) int64 { return s.Inconsistencies }),
	counted("repartitions", "Launches in a partition of another GM", func(s *federatekind.SchedulerReport) int64 { return s.Repartitions }),
	counted("preemption attempts", "Tasks that a GM asked an LM to preempt", func(s *federatekind.SchedulerReport) int64 { return s.PreemptionAttempts }),
	counted("preemptions", "Tasks that an LM preempted", func(s *federatekind.SchedulerReport) int64 { return s.Preemptions }),
	counted("messages", "Messages sent", func(s *federatekind.SchedulerReport) int64 { return s.Messages }),
	{"utilisation", "Mean share of the first resource in use", func(s *federatekind.SchedulerReport) float64 {
		if len(s.Utilisation) == 0 {
			return math.NaN()
		}
		return s.Utilisation[0]
	}, ui.Percent},
	{"Jain's index", "Fairness: 1 if all users use the same part of their shares; mean over time", func(s *federatekind.SchedulerReport) float64 { return stats.Mean(s.Series.Jain) }, ui.Number},
	inSeconds("last end", "When the last task ended", func(s *federatekind.SchedulerReport) *float64 { return &s.End }),
	counted("events", "Events of the simulation", func(s *federatekind.SchedulerReport) int64 { return s.Events }),
}

// comparedUsers is how many users at most have a row of their own.
const comparedUsers = 8

// shares are the rows of the users, where these are few.
func (v *View) shares() []measure {
	users := len(v.result.shown.Schedulers[0].Series.Share)
	if users > comparedUsers {
		return nil
	}
	rows := make([]measure, users)
	for u := range rows {
		rows[u] = measure{"share of " + v.result.report.Workload.User(u), "Mean over time of the dominant share in use", func(s *federatekind.SchedulerReport) float64 {
			if u >= len(s.Series.Share) {
				return math.NaN()
			}
			return stats.Mean(s.Series.Share[u])
		}, ui.Percent}
	}
	return rows
}

// counters are the rows of what schedulers count in words of their own.
func (v *View) counters() []measure {
	var own []*plugin.Own
	for i := range v.result.shown.Schedulers {
		own = append(own, &v.result.shown.Schedulers[i].Own)
	}
	var rows []measure
	for _, name := range plugin.Names(own) {
		rows = append(rows, measure{name, "Counted by the scheduler", func(s *federatekind.SchedulerReport) float64 {
			if n, ok := s.Own.Counter(name); ok {
				return float64(n)
			}
			return math.NaN()
		}, ui.Number})
	}
	return rows
}

// comparison has everything else that was measured, a column for each scheduler,
// and before them how those differ from the pinned result that this has too.
func (v *View) comparison() app.UI {
	all := v.result.shown.Schedulers
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
		cells := []app.UI{app.Th().Scope("row").Title(m.title).Text(m.name)}
		for i := range all {
			if was := v.pinnedScheduler(all[i].Name); was != nil {
				delta := lab.DeltaOf(m.of(was), m.of(&all[i]))
				cells = append(cells, number(delta.Text, delta.Title))
			}
		}
		for i := range all {
			cells = append(cells, number(m.text(m.of(&all[i])), ""))
		}
		rows = append(rows, app.Tr().Body(cells...))
	}
	rows = append(rows, v.times())
	return app.Div().Class("table").TabIndex(0).Role("region").Aria("label", "Schedulers side by side").Body(
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
	for i := range v.result.shown.Schedulers {
		if v.pinnedScheduler(v.result.shown.Schedulers[i].Name) != nil {
			cells = append(cells, app.Td())
		}
	}
	for i := range v.result.shown.Schedulers {
		text := "–"
		if part := v.result.part(v.point, v.result.shown.Schedulers[i].Name); part >= 0 {
			if run := v.result.Parts[part].Result; run != nil && run.Timings != nil && len(run.Timings.Running) > 0 && len(run.Timings.Running[0]) > 0 {
				seconds := run.Timings.Running[0][0] / 1000
				text = span(&seconds)
			}
		}
		cells = append(cells, app.Td().Class("number").Text(text))
	}
	return app.Tr().Body(cells...)
}

// summaryTable has means over the seeds with their intervals of confidence.
func (v *View) summaryTable() app.UI {
	all := v.result.shown.Schedulers
	if v.result.Inputs.options.Seeds < 2 || len(all) == 0 {
		return app.Text("")
	}
	columns := []ui.Column{{Name: "mean over seeds"}}
	for _, s := range all {
		columns = append(columns, ui.Column{Name: s.Name, Numeric: true})
	}
	var rows []ui.Row
	for _, m := range federatekind.Metrics() {
		row := ui.Row{Cells: []ui.Cell{ui.Text(labelOfMetric(m))}}
		for _, s := range all {
			row.Cells = append(row.Cells, estimate(s.Summary, m.Name))
		}
		rows = append(rows, row)
	}
	return &ui.Table{ID: "fed-summary-table", TestID: "fed-summary", Columns: columns, Rows: rows,
		Caption: fmt.Sprintf("Over %d seeds; ± is the 95 %% confidence interval of the mean", v.result.Inputs.options.Seeds)}
}

func labelOfMetric(m scenario.Metric) string {
	if m.Unit == "" {
		return m.Title
	}
	return m.Title + ", " + m.Unit
}

func estimate(s *federatekind.Summary, metric string) ui.Cell {
	if s == nil {
		return ui.Figure(math.NaN())
	}
	e, given := s.Metrics[metric]
	if !given {
		return ui.Figure(math.NaN())
	}
	c := ui.Figure(e.Mean)
	if e.HalfWidth != nil {
		c.Text += " ± " + ui.Number(*e.HalfWidth)
	}
	return c
}

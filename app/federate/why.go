package federate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/wasm/bridge"
)

// explainBelow is the longest run whose tasks the page explains without being asked. An explanation
// runs the scheduler again.
const explainBelow = time.Second

// why is the state of the explanation of a task.
type why struct {
	view *View

	task  int                     // index of the task; −1 for none
	trace *lab.Source             // trace of the task
	of    *bridge.Result          // run of the task
	asked bool                    // the page has asked for an explanation in this run
	last  *lab.Known[*taskReport] // of the same run, shown until the next one arrives
}

// taskReport is the explanation of a task, prepared for the page.
type taskReport struct {
	*federatekind.TaskReport
	rows []ui.Row // of its decisions
}

// find chooses the task to explain when another run is shown: the same task if the trace is the
// same, otherwise the task that waited longest.
func (w *why) find() {
	run := w.view.run()
	if run == w.of {
		return
	}
	if !w.asked { // so that the choice does not depend on which run finished first
		w.task = -1
	}
	w.of, w.asked, w.last = run, false, nil
	if run == nil {
		w.task = -1
		return
	}
	trace := w.view.result.Inputs.trace()
	if w.task < 0 || w.trace != trace || w.task >= w.tasks() {
		w.task = -1
		if s := w.view.scheduler(); len(s.Slowest) > 0 {
			w.task = s.Slowest[0].Task
		}
	}
	w.trace = trace
}

// tasks returns the number of tasks that can be explained.
func (w *why) tasks() int { return federatekind.ReportOf(w.view.run().Report).Workload.Tasks }

// explained returns the explanation of the task under the shown scheduler, or the previous
// explanation until that arrives. For a quick run the page requests it without being asked, after
// all runs have finished.
func (w *why) explained() *lab.Known[*taskReport] {
	w.find()
	run := w.view.run()
	if run == nil || w.task < 0 {
		return &lab.Known[*taskReport]{}
	}
	quick := run.Report.Timings == nil || run.Report.Timings.Total < float64(explainBelow/time.Millisecond)
	w.asked = w.asked || quick && w.view.result.Over
	if !w.asked {
		return &lab.Known[*taskReport]{}
	}
	query := federatekind.TaskQuery{Task: w.task}
	return lab.Know(w.view.Lab, [2]any{run, query}, func() (*taskReport, error) {
		r, err := bridge.Ask(w.view.Page, w.view.Engine, run, federatekind.TaskQuestion, query)
		if err != nil {
			return nil, err
		}
		return &taskReport{r, decisionRows(r)}, nil
	}).Or(&w.last)
}

func slowestRows(s *federatekind.SchedulerReport) []ui.Row {
	rows := make([]ui.Row, len(s.Slowest))
	for i, x := range s.Slowest {
		t := x.Time
		rows[i].Cells = []ui.Cell{
			{Text: ui.Count(int64(x.Task + 1)), Value: float64(x.Task)}, {Text: ui.Count(int64(x.Job + 1)), Value: float64(x.Job)},
			{Text: ui.Seconds(t), Title: ui.Exact(t) + " s", Value: t},
		}
	}
	return rows
}

// explainTask asks for the explanation of a task; it ignores an index that the trace
// lacks.
func (w *why) explainTask(task int) {
	w.find()
	if w.view.run() != nil && task >= 0 && task < w.tasks() {
		w.task, w.asked = task, true
	}
}

func (w *why) stepTask(by int) {
	if w.task >= 0 {
		w.explainTask(w.task + by)
	}
}

func (w *why) whyTools() []app.UI {
	w.find()
	if w.view.run() == nil {
		return nil
	}
	last := w.tasks()
	return []app.UI{
		w.view.schedulerSelect("fed-why-scheduler"),
		w.view.StepButton(-1, w.task <= 0),
		app.Label().For("fed-task").Class("visually-hidden").Text("Task to explain"),
		ui.Taking(ui.Showing(app.Input().Type("number").Class("fed-task").ID("fed-task").DataSet("testid", "fed-task").
			Min(1).Max(last), strconv.Itoa(w.task+1)), "change", func(_ app.Context, text string) {
			if n, err := strconv.Atoi(text); err == nil {
				w.explainTask(n - 1)
			}
		}),
		app.Span().Class("figures").Text("of " + ui.Count(int64(last))),
		w.view.StepButton(+1, w.task+1 >= last),
	}
}

func (w *why) whyPane() app.UI {
	s := w.view.scheduler()
	if s == nil {
		return ui.Empty("Run the inputs to see why each task waited.")
	}
	w.find()
	slowest := lab.Once(w.view.Lab, [2]any{"slowest", s}, func() []ui.Row { return slowestRows(s) })
	shown := slices.IndexFunc(s.Slowest, func(x federatekind.Slow) bool { return x.Task == w.task })
	return app.Div().Class(w.view.Form.Dimmed("fed-why")).Body(
		app.Div().Class("fed-why-list").Body(
			&ui.Table{ID: "fed-slowest-table", TestID: "fed-slowest", Caption: "Tasks that waited longest", Rows: slowest,
				OnRow: func(_ app.Context, row int) { w.explainTask(s.Slowest[row].Task) }, Selected: shown + 1,
				Columns: []ui.Column{{Name: "task"}, {Name: "job", Numeric: true}, {Name: "waited", Numeric: true}}},
		),
		app.Div().Class("fed-why-task").Body(w.explanation()),
	)
}

// explanation draws the decisions about the task, or the reason why there are none.
func (w *why) explanation() app.UI {
	known, task := w.explained(), w.task
	switch {
	case known.Problem != "":
		return ui.Problem("The task could not be explained: " + known.Problem)
	case known.Waits:
		return ui.Empty("Running again to follow the task …")
	case known.Answer == nil:
		return ui.Empty("Choose a task to see every decision about it. Berth runs the scheduler again for that.",
			app.If(task >= 0, func() app.UI {
				return ui.Button("play", "Explain task "+ui.Count(int64(task+1))).OnClick(func(app.Context, app.Event) { w.explainTask(w.task) })
			}))
	}
	r := known.Answer
	class := "fed-task-report"
	if r.Task != task {
		class += " dimmed"
	}
	return app.Div().Class(class).Body(
		app.P().Class("why-head").DataSet("testid", "fed-why-head").Text(headOf(r)),
		app.Div().Class("fed-task-body").Body(w.decisions(r), taskParts(r)),
	)
}

// taskParts draws the components of a task's allocation time; empty for a task that
// never ran.
func taskParts(r *taskReport) app.UI {
	if r.Never {
		return app.Text("")
	}
	figures := []app.UI{}
	for i, x := range partsOf(r.Components) {
		figures = append(figures, app.Dt().Text(partNames[i]), app.Dd().Class("figures").Title(ui.Exact(x)+" s").Text(ui.Seconds(x)))
	}
	return app.Div().Body(
		&chart.Chart{ID: "fed-task-parts", Title: "Allocation time by component",
			Of: chart.Stacks{Unit: "s", Parts: partNames, Items: []chart.Stack{{Label: fmt.Sprintf("task %d", r.Task+1), Values: partsOf(r.Components)}}}},
		app.Dl().Class("fed-parts").Body(figures...),
	)
}

// decisions lists every decision about the task. If the run can be played, pressing a row plays its
// moment.
func (w *why) decisions(r *taskReport) app.UI {
	table := &ui.Table{ID: "fed-decisions-table", TestID: "fed-decisions", Caption: "Every decision about this task", Rows: r.rows,
		Columns: []ui.Column{{Name: "after", Title: "Time since its arrival", Numeric: true}, {Name: "what", Prose: true}}}
	if w.view.tooLarge() == "" {
		table.OnRow = func(_ app.Context, row int) { w.seekTo(r.Events[row].At) }
	}
	return app.Div().Body(table,
		app.If(r.Left > 0, func() app.UI {
			return app.P().Class("hint").Text("and " + ui.Counted(r.Left, "more decision") + ".")
		}),
	)
}

// seekTo shows the playback at a moment, in seconds.
func (w *why) seekTo(at float64) {
	w.view.seek, w.view.Tab = at, ui.PaneResult
	w.view.Address.ShowTab(tabPlay)
}

func headOf(r *taskReport) string {
	head := fmt.Sprintf("task %d of job %d, user %d", r.Task+1, r.Job+1, r.User+1)
	arrival, duration, wait := r.Arrival, r.Duration, r.Time
	head += fmt.Sprintf(", asks for %s; arrives at %s, runs %s", asked(r.Kind), ui.Seconds(arrival), ui.Seconds(duration))
	if r.Never {
		return head + ": no worker can ever run it"
	}
	return head + ": waits " + ui.Seconds(wait) + " under " + r.Scheduler
}

// asked formats the request of a task: "slots 2" becomes "2 slots".
func asked(kind string) string {
	if n, err := strconv.Atoi(strings.TrimPrefix(kind, "slots ")); err == nil {
		return ui.Counted(n, "slot")
	}
	return kind
}

func decisionRows(r *federatekind.TaskReport) []ui.Row {
	rows := make([]ui.Row, len(r.Events))
	for i, d := range r.Events {
		after := d.At - r.Arrival
		rows[i] = ui.Row{Class: "fed-" + d.Action, Cells: []ui.Cell{
			{Text: ui.Seconds(after), Title: ui.Exact(d.At) + " s after the first arrival", Value: after}, ui.Text(d.Text),
		}}
	}
	return rows
}

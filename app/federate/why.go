package federate

import (
	"fmt"
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

// explainBelow is how long a run may have taken for a task of it to be
// explained without being asked: the scheduler runs once more for that.
const explainBelow = time.Second

// why is the task that is explained.
type why struct {
	task  int                     // from 0; −1 for none
	trace *lab.Source             // that the task is of
	of    *bridge.Result          // the run
	asked bool                    // about that run
	last  *lab.Known[*taskReport] // of that run, shown while another task is awaited
}

// taskReport is what happened to a task.
type taskReport struct {
	*federatekind.TaskReport
	rows []ui.Row // of its decisions
}

// find goes on with the explained task in another run, or begins with the one that waited longest.
func (v *View) find() {
	w, run := &v.why, v.run()
	if run == w.of {
		return
	}
	if !w.asked { // so that it does not matter which run came first
		w.task = -1
	}
	w.of, w.asked, w.last = run, false, nil
	if run == nil {
		w.task = -1
		return
	}
	trace := v.result.Inputs.trace
	if w.task < 0 || w.trace != trace || w.task >= v.tasks() {
		w.task = -1
		if s := v.scheduler(); len(s.Slowest) > 0 {
			w.task = s.Slowest[0].Task
		}
	}
	w.trace = trace
}

// tasks is how many there are to explain.
func (v *View) tasks() int { return federatekind.ReportOf(v.run().Report).Workload.Tasks }

// explained is what happened to the task under the scheduler that is shown, or to the last one
// while that is awaited. Where a run was quick the page asks by itself, once the workers are free.
func (v *View) explained() *lab.Known[*taskReport] {
	v.find()
	w, run := &v.why, v.run()
	if run == nil || w.task < 0 {
		return &lab.Known[*taskReport]{}
	}
	quick := run.Report.Timings == nil || run.Report.Timings.Total < float64(explainBelow/time.Millisecond)
	w.asked = w.asked || quick && v.result.Over
	if !w.asked {
		return &lab.Known[*taskReport]{}
	}
	query := federatekind.TaskQuery{Task: w.task}
	return lab.Know(v.Lab, [2]any{run, query}, func() (*taskReport, error) {
		r, err := bridge.Ask(v.Page, v.Engine, run, federatekind.TaskQuestion, query)
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

// explainTask explains a task.
func (v *View) explainTask(task int) {
	v.find()
	if v.run() != nil && task >= 0 && task < v.tasks() {
		v.why.task, v.why.asked = task, true
	}
}

func (v *View) stepTask(by int) {
	if v.why.task >= 0 {
		v.explainTask(v.why.task + by)
	}
}

func (v *View) whyTools() []app.UI {
	v.find()
	if v.run() == nil {
		return nil
	}
	last := v.tasks()
	return []app.UI{
		v.schedulerSelect("fed-why-scheduler"),
		v.StepButton(-1, v.why.task <= 0),
		app.Label().For("fed-task").Class("visually-hidden").Text("Task to explain"),
		ui.Taking(ui.Showing(app.Input().Type("number").Class("fed-task").ID("fed-task").DataSet("testid", "fed-task").
			Min(1).Max(last), strconv.Itoa(v.why.task+1)), "change", func(_ app.Context, text string) {
			if n, err := strconv.Atoi(text); err == nil {
				v.explainTask(n - 1)
			}
		}),
		app.Span().Class("figures").Text("of " + ui.Count(int64(last))),
		v.StepButton(+1, v.why.task+1 >= last),
	}
}

func (v *View) whyPane() app.UI {
	s := v.scheduler()
	if s == nil {
		return ui.Empty("Run the inputs to see why each task waited.")
	}
	v.find()
	slowest := lab.Once(v.Lab, [2]any{"slowest", s}, func() []ui.Row { return slowestRows(s) })
	return app.Div().Class(v.Dimmed("fed-why")).Body(
		app.Div().Class("fed-why-list").Body(
			&ui.Table{ID: "fed-slowest-table", TestID: "fed-slowest", Caption: "Tasks that waited longest", Rows: slowest,
				OnRow: func(_ app.Context, row int) { v.explainTask(s.Slowest[row].Task) }, Selected: v.slowRow() + 1,
				Columns: []ui.Column{{Name: "task"}, {Name: "job", Numeric: true}, {Name: "waited", Numeric: true}}},
		),
		app.Div().Class("fed-why-task").Body(v.explanation()),
	)
}

// slowRow is the row of the explained task among the slowest, −1 if it is not
// there.
func (v *View) slowRow() int {
	for i, x := range v.scheduler().Slowest {
		if x.Task == v.why.task {
			return i
		}
	}
	return -1
}

// explanation is what happened to the task.
func (v *View) explanation() app.UI {
	known, task := v.explained(), v.why.task
	switch {
	case known.Problem != "":
		return ui.Problem("The task could not be explained: " + known.Problem)
	case known.Waits:
		return ui.Empty("Running again to follow the task …")
	case known.Answer == nil:
		return ui.Empty("Choose a task to see every decision about it. Berth runs the scheduler again for that.",
			app.If(task >= 0, func() app.UI {
				return ui.Button("play", "Explain task "+ui.Count(int64(task+1))).OnClick(func(app.Context, app.Event) { v.explainTask(v.why.task) })
			}))
	}
	r := known.Answer
	class := "fed-task-report"
	if r.Task != task {
		class += " dimmed"
	}
	return app.Div().Class(class).Body(
		app.P().Class("why-head").DataSet("testid", "fed-why-head").Text(headOf(r)),
		app.Div().Class("fed-task-body").Body(v.decisions(r), taskParts(r)),
	)
}

// taskParts are the components of its allocation time.
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

// decisions are everything that was done about the task. Where the run can be
// played, each leads to its moment.
func (v *View) decisions(r *taskReport) app.UI {
	table := &ui.Table{ID: "fed-decisions-table", TestID: "fed-decisions", Caption: "Every decision about this task", Rows: r.rows,
		Columns: []ui.Column{{Name: "after", Title: "Time since its arrival", Numeric: true}, {Name: "what", Prose: true}}}
	if v.tooLarge() == "" {
		table.OnRow = func(_ app.Context, row int) { v.seekTo(r.Events[row].At) }
	}
	return app.Div().Body(table,
		app.If(r.Left > 0, func() app.UI {
			return app.P().Class("hint").Text("and " + ui.Counted(r.Left, "more decision") + ".")
		}),
	)
}

// seekTo plays from a moment, in seconds.
func (v *View) seekTo(at float64) {
	v.seek, v.Tab = at, ui.PaneResult
	v.ShowTab(tabPlay)
}

// headOf says which task is explained and how long it waited.
func headOf(r *taskReport) string {
	head := fmt.Sprintf("task %d of job %d, user %d", r.Task+1, r.Job+1, r.User+1)
	arrival, duration, wait := r.Arrival, r.Duration, r.Time
	head += fmt.Sprintf(", asks for %s; arrives at %s, runs %s", asked(r.Kind), ui.Seconds(arrival), ui.Seconds(duration))
	if r.Never {
		return head + ": no worker can ever run it"
	}
	return head + ": waits " + ui.Seconds(wait) + " under " + r.Scheduler
}

// asked words the request of a task: "slots 2" becomes "2 slots".
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

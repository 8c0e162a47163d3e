package federate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/show"
)

const tabPlay = "play"

func (v *View) tabs() []ui.Tab {
	return []ui.Tab{
		{ID: "distribution", Title: "Waiting", Draw: func() []app.UI { return []app.UI{v.waitingChart(), v.charts.quantileChart(), v.charts.countCharts()} }},
		{ID: "components", Title: "Components", Draw: v.charts.componentCharts},
		{ID: "time", Title: "Over time", Draw: func() []app.UI {
			return []app.UI{v.charts.demandChart(v.result.report().Workload), v.charts.utilisationChart(), v.charts.shareCharts()}
		}},
		{ID: tabPlay, Title: "Play", Draw: func() []app.UI { return []app.UI{v.playground()} }},
	}
}

func (v *View) resultPane() app.UI {
	charts := []app.UI{ui.Empty("Run the inputs to see how long tasks wait under each scheduler.")}
	if v.result != nil {
		charts = v.Address.TabPanels("")
	}
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.Opening.Claim(),
		v.Runs.RunProgress("Running"),
		v.warnings(),
		app.Div().Class(v.Form.Dimmed("fed-charts")).Body(charts...),
	)
}

// resultStatus draws the headline of the result and says whether the result belongs to the inputs.
func (v *View) resultStatus() app.UI {
	status := v.Form.ResultStatus(app.Text(show.Words(v.sentence())), v.details())
	if v.result != nil {
		status.DataSet("tasks", v.result.report().Workload.Tasks).DataSet("workers", v.result.workers())
	}
	if v.result != nil && v.result.Report.Partial {
		status.DataSet("partial", "yes")
	}
	return status
}

// sentence returns the headline or, without a result, the reason.
func (v *View) sentence() string {
	if pending := v.Runs.Pending("Running"); pending != "" {
		return pending
	}
	r := v.result
	switch {
	case r.Partial():
		return r.stop()
	case r.Report.Headline == "":
		return ui.Counted(len(r.Parts), "run")
	}
	return r.Report.Headline
}

// workers returns the number of workers in the data centre of the run.
func (r *result) workers() int { return cmp.Or(r.report().Workload.Workers, r.Inputs.options.Workers) }

// details returns the sentences below the headline. The last one gives the size of the
// run.
func (v *View) details() []string {
	r := v.result
	if r == nil || !v.Dials.Current() {
		return nil
	}
	work := fmt.Sprintf("%s of %s on %s.", ui.Counted(r.report().Workload.Tasks, "task"), ui.Counted(r.report().Workload.Jobs, "job"), ui.Counted(r.workers(), "worker"))
	if r.Partial() {
		return []string{work}
	}
	return append(append([]string{v.Intake.Borrowed()}, r.Report.Details...), work)
}

// stop says how many runs and tasks finished in a partial result.
func (r *result) stop() string {
	runs := fmt.Sprintf("%d of %s", r.Ended(), ui.Counted(len(r.Parts), "run"))
	if !r.Stopped {
		return "Partial: " + runs
	}
	done := 0
	for _, p := range r.Parts {
		if p.Result != nil {
			done += federatekind.ReportOf(p.Result.Report).Schedulers[0].Tasks
		}
	}
	text := fmt.Sprintf("Partial: stopped by you after %s of %s", ui.Count(int64(done)), ui.Counted(len(r.Parts)*r.report().Workload.Tasks, "task"))
	if len(r.Parts) > 1 {
		text += ", " + runs
	}
	return text
}

// listedWarnings limits the warnings above the charts.
const listedWarnings = 6

// warnings lists the tasks that can never run or were left waiting, the notes of
// schedulers, and the errors of failed runs.
func (v *View) warnings() app.UI {
	lines := v.warningLines()
	if len(lines) == 0 {
		return app.Text("")
	}
	rest := len(lines) - listedWarnings
	return app.Ul().Class("fed-warnings").DataSet("testid", "fed-warnings").Body(
		app.Range(lines[:min(len(lines), listedWarnings)]).Slice(func(i int) app.UI {
			return app.Li().Body(ui.Icon("warning"), app.Span().Text(lines[i]))
		}),
		app.If(rest > 0, func() app.UI { return app.Li().Text("and " + ui.Count(int64(rest)) + " more") }),
	)
}

// warningLines returns the warnings about the inputs on screen if they have been read, otherwise
// about the result.
func (v *View) warningLines() []string {
	if found := v.surveyed(); v.Phase != lab.Done && found != nil {
		return found.Warnings
	}
	if v.result == nil {
		return nil
	}
	notes, _ := v.result.report().Remarks()
	lines := append(slices.Clone(v.result.report().Warnings), notes...)
	for _, s := range v.result.report().Schedulers {
		for _, left := range s.Stalled {
			left.Kind = asked(left.Kind)
			lines = append(lines, s.Name+": "+left.String())
		}
	}
	for _, p := range v.result.Parts {
		if p.Err != nil && v.Phase != lab.Running {
			lines = append(lines, p.Name+": "+reasonOf(p.Err))
		}
	}
	return lines
}

// scheduler returns the report of the shown scheduler or, if that did not run, of the first one;
// nil if none ran.
func (v *View) scheduler() *federatekind.SchedulerReport {
	if v.result == nil || len(v.result.report().Schedulers) == 0 {
		return nil
	}
	return cmp.Or(v.result.report().Scheduler(v.shown), &v.result.report().Schedulers[0])
}

func (v *View) schedulerSelect(id string) app.UI {
	s := v.scheduler()
	if s == nil {
		return app.Text("")
	}
	return ui.Select(id, s.Name, v.showScheduler, ui.Named(v.result.report().Subjects())...).Class("inline").DataSet("testid", id).Aria("label", "Scheduler to show")
}

// showScheduler selects the scheduler for the panes that show only one.
func (v *View) showScheduler(name string) { v.shown = name }

// pinned returns the report of the pinned result; nil for none.
func (v *View) pinned() *federatekind.Report {
	if r := v.Pins.Pinned(); r != nil {
		return federatekind.ReportOf(r)
	}
	return nil
}

// pinnedScheduler returns a scheduler of the pinned result; nil for none.
func (v *View) pinnedScheduler(name string) *federatekind.SchedulerReport {
	if r := v.pinned(); r != nil {
		return r.Scheduler(name)
	}
	return nil
}

// overPinned returns the curves of the result on screen, with thin curves of the pinned result
// behind them.
func (v *View) overPinned(make func(*federatekind.Report) []chart.Series) []chart.Series {
	var pinned []chart.Series
	if r := v.pinned(); r != nil {
		pinned = make(r)
	}
	return chart.OverPinned(pinned, make(v.result.report()))
}

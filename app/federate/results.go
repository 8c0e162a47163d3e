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

// tabs are the views of the result.
func (v *View) tabs() []ui.Tab {
	return []ui.Tab{
		{ID: "distribution", Title: "Waiting", Draw: func() []app.UI { return []app.UI{v.waitingChart(), v.quantileChart(), v.countCharts()} }},
		{ID: "components", Title: "Components", Draw: v.componentCharts},
		{ID: "time", Title: "Over time", Draw: func() []app.UI {
			return []app.UI{v.demandChart(v.result.report().Workload), v.utilisationChart(), v.shareCharts()}
		}},
		{ID: tabPlay, Title: "Play", Draw: func() []app.UI { return []app.UI{v.playground()} }},
	}
}

func (v *View) resultPane() app.UI {
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.Claim(),
		v.RunProgress("Running"),
		v.warnings(),
		app.Div().Class(v.Dimmed("fed-charts")).Body(v.charts()...),
	)
}

func (v *View) charts() []app.UI {
	if v.result == nil {
		return []app.UI{ui.Empty("Run the inputs to see how long tasks wait under each scheduler.")}
	}
	return v.TabPanels("")
}

// resultStatus is the headline of the result, and its relation to the inputs.
func (v *View) resultStatus() app.UI {
	status := v.ResultStatus(app.Text(show.Words(v.sentence())), v.details())
	if v.result != nil {
		status.DataSet("tasks", v.result.report().Workload.Tasks).DataSet("workers", v.result.workers())
	}
	if v.result != nil && v.result.Report.Partial {
		status.DataSet("partial", "yes")
	}
	return status
}

// sentence is the headline.
func (v *View) sentence() string {
	if pending := v.Pending("Running"); pending != "" {
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

// workers is how many workers the run has.
func (r *result) workers() int { return cmp.Or(r.report().Workload.Workers, r.Inputs.options.Workers) }

// details are the sentences below the headline: the last one says what ran.
func (v *View) details() []string {
	r := v.result
	if r == nil || !v.Current() {
		return nil
	}
	work := fmt.Sprintf("%s of %s on %s.", ui.Counted(r.report().Workload.Tasks, "task"), ui.Counted(r.report().Workload.Jobs, "job"), ui.Counted(r.workers(), "worker"))
	if r.Partial() {
		return []string{work}
	}
	return append(append([]string{v.Borrowed()}, r.Report.Details...), work)
}

// stop says of a result that is not whole how much of it there is.
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

// warnings say which tasks can never run, which were left waiting for what, and what
// schedulers note.
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

// warningLines are about the inputs on screen where these were looked at, and
// else about the result.
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

// scheduler is the report of the scheduler that is shown, the first one if that
// did not run; nil if none did.
func (v *View) scheduler() *federatekind.SchedulerReport {
	if v.result == nil || len(v.result.report().Schedulers) == 0 {
		return nil
	}
	return cmp.Or(v.result.report().Scheduler(v.shown), &v.result.report().Schedulers[0])
}

// schedulerSelect chooses the scheduler that is shown.
func (v *View) schedulerSelect(id string) app.UI {
	s := v.scheduler()
	if s == nil {
		return app.Text("")
	}
	return ui.Select(id, s.Name, v.showScheduler, ui.Named(v.result.report().Subjects())...).Class("inline").DataSet("testid", id).Aria("label", "Scheduler to show")
}

// showScheduler brings another scheduler into the panes that show one.
func (v *View) showScheduler(name string) { v.shown = name }

// pinned is the report of the pinned result; nil for none.
func (v *View) pinned() *federatekind.Report {
	if r := v.Pinned(); r != nil {
		return federatekind.ReportOf(r)
	}
	return nil
}

// pinnedScheduler is a scheduler of the pinned result, nil if it is not there.
func (v *View) pinnedScheduler(name string) *federatekind.SchedulerReport {
	if r := v.pinned(); r != nil {
		return r.Scheduler(name)
	}
	return nil
}

// overPinned makes the curves of the result on screen, with thin ones of the pinned result
// behind them.
func (v *View) overPinned(make func(*federatekind.Report) []chart.Series) []chart.Series {
	var pinned []chart.Series
	if r := v.pinned(); r != nil {
		pinned = make(r)
	}
	return chart.OverPinned(pinned, make(v.result.report()))
}

package federate

import (
	"berth/app/chart"
	"berth/engine/federate/federatekind"
)

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
	return chart.OverPinned(pinned, make(v.result.report))
}

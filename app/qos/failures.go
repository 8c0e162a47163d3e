package qos

import (
	"cmp"
	"math"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// failureSection draws the events of hosts: as a table that the user edits in place, and as a
// file.
func (f *fields) failureSection() app.UI {
	return app.Div().Body(
		f.failureRows().Table(f.view.Lab, &f.failurePages),
		f.failurePages.Turner("failures", len(f.view.Inputs.options.HostEvents), func() { f.view.Form.Forgive(failureFields) }),
		f.view.Form.WrongOf(failureFields),
		app.Div().Class("row").Body(
			ui.Button("plus", "Add").Aria("label", "Add an event of a host").
				OnClick(func(app.Context, app.Event) { f.addFailure(math.Trunc(f.failureSpan() / 2)) })),
		f.view.Slots.Field(slotNamed(qoskind.HostEventsSlot)),
	)
}

// failureFields is the prefix of the ids of the table's fields.
const failureFields = "qos-failure-"

// failureRows describes the table of host events, which stays sorted by time.
func (f *fields) failureRows() *lab.Rows[*inputs, qoskind.HostEvent] {
	column := func(name string) lab.Column[qoskind.HostEvent] {
		return lab.ColumnOf[qoskind.HostEvent](name, qoskind.HostEventFields, name)
	}
	time := column("time")
	time.Range = between
	return &lab.Rows[*inputs, qoskind.HostEvent]{
		Lead: failureFields, TestID: "qos-failures", Caption: "Failures of hosts", Thing: "event",
		Of: func(in *inputs) []qoskind.HostEvent { return in.options.HostEvents },
		Put: func(in *inputs, all []qoskind.HostEvent, _ int) error {
			in.options.HostEvents = all
			if in.sortFailures() { // sorting changed the indices, so errors would appear in wrong rows
				f.view.Dials.Renumber(failureFields)
			}
			return nil
		},
		Columns: []lab.Column[qoskind.HostEvent]{
			time,
			lab.TextColumn("host", "host", "", "the name of the host is missing", func(e *qoskind.HostEvent) *string { return &e.Host }),
			column("event"), column("cpu").Typed(), column("memory").Typed(),
		},
	}
}

// between returns the range of the dial for an event's time: from the previous event to the next
// one.
func between(all []qoskind.HostEvent, i int) (low, high float64) {
	high = math.Inf(1)
	if i > 0 {
		low = all[i-1].Time
	}
	if i < len(all)-1 {
		high = all[i+1].Time
	}
	return low, high
}

// failureSpan is the time in seconds that events can fall in: a new one is put at half of it.
func (f *fields) failureSpan() float64 {
	span := f.view.Inputs.options.Horizon
	if span == 0 && f.view.result != nil {
		span = f.view.result.report().Workload.Last
	}
	for _, e := range f.view.Inputs.options.HostEvents {
		span = max(span, e.Time)
	}
	return cmp.Or(span, 3600)
}

// sortFailures sorts the events by time and reports whether the order changed.
func (in *inputs) sortFailures() bool {
	byTime := func(a, b qoskind.HostEvent) int { return cmp.Compare(a.Time, b.Time) }
	if slices.IsSortedFunc(in.options.HostEvents, byTime) {
		return false
	}
	slices.SortStableFunc(in.options.HostEvents, byTime)
	return true
}

// hostToFail names the host of a new failure: the first host of the last run if the hosts are the
// same, otherwise the first name that generators use.
func (f *fields) hostToFail() string {
	if t := f.view.why.followedTimeline().Answer; t != nil && len(t.Hosts) > 0 && f.view.result.Inputs.sources[qoskind.HostsSlot] == f.view.Inputs.sources[qoskind.HostsSlot] {
		return t.Hosts[0].Name
	}
	return "Host_1"
}

// addFailure adds a host failure at a time in seconds.
func (f *fields) addFailure(at float64) {
	f.view.Dials.Renumber(failureFields)
	f.view.Edit("have a host fail", func(in *inputs) {
		in.options.HostEvents = append(in.options.HostEvents, qoskind.HostEvent{Time: at, Host: f.hostToFail(), Event: "fail"})
		in.sortFailures()
		f.failurePages.Show(slices.IndexFunc(in.options.HostEvents, func(e qoskind.HostEvent) bool { return e.Time == at }))
	})
}

package qos

import (
	"cmp"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// failureSection draws the events of hosts: as a table that the user edits in place, on
// a time line, and as a file.
func (f *fields) failureSection() app.UI {
	return app.Div().Body(
		f.failureRows().Table(f.view.Lab, &f.failurePages),
		f.failurePages.Turner("failures", len(f.view.Inputs.options.HostEvents), func() { f.view.Form.Forgive(failureFields) }),
		f.view.Form.WrongOf(failureFields),
		f.failureLine(),
		app.Div().Class("row").Body(
			ui.Button("plus", "Add").Aria("label", "Add an event of a host").
				OnClick(func(app.Context, app.Event) { f.addFailure(f.failureTime(0.5)) })),
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

// failureSpan is the length of the time line, in seconds.
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

func (f *fields) failureTime(part float64) float64 {
	return float64(int(part * f.failureSpan()))
}

// failureLine draws the events on a time line. A click adds a failure at that time.
func (f *fields) failureLine() app.UI {
	return app.Div().Class("failure-line").Title("Click at the time when a host fails").
		OnClick(func(ctx app.Context, e app.Event) {
			width := ctx.JSSrc().Get("clientWidth").Float()
			f.addFailure(f.failureTime(max(0, min(1, e.Get("offsetX").Float()/width))))
		}).
		Body(app.Raw(failureMarkup(f.view.Inputs.options.HostEvents, f.failureSpan())))
}

// failureMarkup returns the time line as SVG, with a cross for a host that leaves and a dot for a
// host that arrives.
func failureMarkup(events []qoskind.HostEvent, span float64) string {
	var b strings.Builder
	b.WriteString(`<svg role="img" aria-label="` + html.EscapeString(ui.Counted(len(events), "event")+" of hosts in "+seconds(span)) + `" width="100%" height="36">` +
		`<line class="axis" x1="0" x2="100%" y1="14" y2="14"/>`)
	for _, e := range events {
		x := show.Number(100 * min(1, e.Time/span))
		mark := `<path d="M-4-4 4 4M4-4-4 4"/>`
		if e.Event == "return" || e.Event == "add" {
			mark = `<circle r="4"/>`
		}
		b.WriteString(`<svg x="` + x + `%" y="14" overflow="visible"><g class="` + map[bool]string{true: "up", false: "down"}[mark[1] == 'c'] + `"><title>` +
			html.EscapeString(show.Text(e.Host)+": "+e.Event+" at "+show.Number(e.Time)+" s") + `</title>` + mark + `</g></svg>`)
	}
	b.WriteString(`<text x="0" y="33">0</text><text x="100%" y="33" text-anchor="end">` + html.EscapeString(seconds(span)) + `</text></svg>`)
	return b.String()
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

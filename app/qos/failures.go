package qos

import (
	"cmp"
	"fmt"
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

func failureTitle(in *inputs) string {
	if n := len(in.options.HostEvents); n > 0 {
		return fmt.Sprintf("Failures of hosts (%d)", n)
	}
	return "Failures of hosts"
}

// failureSection has the hosts that go and come: in a table whose cells are fields,
// on a line of time, and as a file.
func (v *View) failureSection() app.UI {
	return app.Div().Body(append([]app.UI{
		v.failureRows().Table(v.Lab, &v.failurePages),
		v.failurePages.Turner("failures", len(v.Inputs.options.HostEvents), func() { v.Forgive(failureFields) }),
		v.WrongOf(failureFields),
		v.failureLine(),
		app.Div().Class("row").Body(
			ui.Button("plus", "Add").Aria("label", "Add an event of a host").
				OnClick(func(app.Context, app.Event) { v.addFailure(v.failureTime(0.5)) })),
	}, v.sourceField(qoskind.HostEventsSlot)...)...)
}

// failureFields is how the ids of the fields of the table begin.
const failureFields = "qos-failure-"

// failureRows is the table of failures, which stays in order of time.
func (v *View) failureRows() *lab.Rows[*inputs, qoskind.HostEvent] {
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
			if in.sortFailures() { // errors in other rows would be of other events
				v.Renumber(failureFields)
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

// between is the range of the time of an event as a dial: the times of the events before and
// after it.
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

// failureSpan is the time that the line of failures shows, in seconds.
func (v *View) failureSpan() float64 {
	span := v.Inputs.options.Horizon
	if span == 0 && v.result != nil {
		span = v.result.report().Workload.Last
	}
	for _, e := range v.Inputs.options.HostEvents {
		span = max(span, e.Time)
	}
	return cmp.Or(span, 3600)
}

func (v *View) failureTime(part float64) float64 {
	return float64(int(part * v.failureSpan()))
}

// failureLine draws the events on a line of time; a click adds one there.
func (v *View) failureLine() app.UI {
	return app.Div().Class("failure-line").Title("Click at the time when a host fails").
		OnClick(func(ctx app.Context, e app.Event) {
			width := ctx.JSSrc().Get("clientWidth").Float()
			v.addFailure(v.failureTime(max(0, min(1, e.Get("offsetX").Float()/width))))
		}).
		Body(app.Raw(failureMarkup(v.Inputs.options.HostEvents, v.failureSpan())))
}

// failureMarkup is the line as SVG: a cross for a host that goes, a dot for one
// that comes.
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

// sortFailures puts the events in order of time and reports whether they were
// in another.
func (in *inputs) sortFailures() bool {
	byTime := func(a, b qoskind.HostEvent) int { return cmp.Compare(a.Time, b.Time) }
	if slices.IsSortedFunc(in.options.HostEvents, byTime) {
		return false
	}
	slices.SortStableFunc(in.options.HostEvents, byTime)
	return true
}

// hostToFail is the host that an added failure is about: the first of the last
// run with these hosts, or as generated ones are called.
func (v *View) hostToFail() string {
	if t := v.followedTimeline().Answer; t != nil && len(t.Hosts) > 0 && v.result.Inputs.sources[qoskind.HostsSlot] == v.Inputs.sources[qoskind.HostsSlot] {
		return t.Hosts[0].Name
	}
	return "Host_1"
}

// addFailure has a host fail at a time.
func (v *View) addFailure(at float64) {
	v.Renumber(failureFields)
	v.Edit("have a host fail", func(in *inputs) {
		in.options.HostEvents = append(in.options.HostEvents, qoskind.HostEvent{Time: at, Host: v.hostToFail(), Event: "fail"})
		in.sortFailures()
		v.failurePages.Show(slices.IndexFunc(in.options.HostEvents, func(e qoskind.HostEvent) bool { return e.Time == at }))
	})
}

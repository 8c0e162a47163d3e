package qos

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/engine/sorting"
)

// hostWords are what may happen to a host.
var hostWords = []string{"fail", "leave", "remove", "return", "add"}

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
		v.failureTable(),
		v.failurePages.Turner("failures", len(v.Inputs.options.HostEvents), func() { v.Forgive(failureFields) }),
		v.WrongOf(failureFields),
		v.failureLine(),
		app.Div().Class("row").Body(
			ui.Button("plus", "Add").Aria("label", "Add an event of a host").
				OnClick(func(app.Context, app.Event) { v.addFailure(v.failureTime(0.5)) })),
	}, v.sourceField(qoskind.HostEventsSlot)...)...)
}

func (v *View) failureTable() app.UI {
	events := v.Inputs.options.HostEvents
	var rows []app.UI
	from, to := v.failurePages.Of(len(events))
	for i := from; i < to; i++ {
		rows = append(rows, v.failureRow(i, &events[i]))
	}
	const ofNew = "For a host that is not in the list"
	return fieldTable("qos-failures", "Failures of hosts", []app.UI{
		app.Th().Scope("col").Title("Seconds from the start of the workload").Text("time (s)"),
		app.Th().Scope("col").Text("host"),
		app.Th().Scope("col").Text("event"),
		app.Th().Scope("col").Title(ofNew).Text("CPU"),
		app.Th().Scope("col").Title(ofNew).Text("memory"),
	}, rows)
}

// failureSpan is the time that the line of failures shows, in seconds.
func (v *View) failureSpan() float64 {
	span := v.Inputs.options.Horizon
	if span == 0 && v.result != nil && v.result.report != nil {
		span = v.result.report.Workload.Last
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

// failureFields is how the ids of the fields of the table begin.
const failureFields = "qos-failure-"

func failureField(i int, name string) string { return failureFields + name + "-" + strconv.Itoa(i) }

func (v *View) failureRow(i int, e *qoskind.HostEvent) app.UI {
	number := fmt.Sprintf("event %d", i+1)
	field := func(name, label, text string, set func(e *qoskind.HostEvent, text string) error) app.UI {
		label += " of " + number
		return app.Td().Body(v.Entry(failureField(i, name), label,
			app.Input().Type("text").Class("column-"+name).Aria("label", show.Words(label)), text, v.failureSetter(i, set)))
	}
	return app.Tr().Body(
		app.Td().Body(v.failureTimeCell(i)),
		field("host", "host", e.Host, setFailureHost),
		app.Td().Body(ui.Select(failureField(i, "event"), e.Event, func(word string) {
			v.Edit("change what happens in "+number, func(in *inputs) { in.options.HostEvents[i].Event = word })
		}, ui.Named(hostWords)...).Class("inline").Aria("label", "what happens in "+number)),
		field("cpu", "CPU", zeroAsEmpty(e.CPU), func(e *qoskind.HostEvent, text string) error { return setOrZero(&e.CPU, text, 1e9) }),
		field("memory", "memory", zeroAsEmpty(e.Memory), func(e *qoskind.HostEvent, text string) error { return setOrZero(&e.Memory, text, 1e9) }),
		app.Td().Body(ui.IconButton("trash", "Remove "+number).OnClick(func(app.Context, app.Event) {
			v.Renumber(failureFields)
			v.Edit("remove an event of a host", func(in *inputs) {
				in.options.HostEvents = slices.Delete(in.options.HostEvents, i, i+1)
			})
		}, app.EventScope("failure", i))),
	)
}

// failureTimeCell has when something happens to a host. As a dial it stays between the
// events before and after it.
func (v *View) failureTimeCell(i int) app.UI {
	id, label := failureField(i, "time"), fmt.Sprintf("time of event %d", i+1)
	text, _ := lab.InRow((*inputs).hostEvents, i, func(e *qoskind.HostEvent) string { return show.Number(e.Time) }, setFailureTime)
	set := v.failureSetter(i, setFailureTime)
	entry := v.Entry(id, label, app.Input().Type("text").Class("column-time").Aria("label", show.Words(label)), text(v.Inputs), set)
	d := lab.DialOf(id, label, false, text, set)
	all := v.Inputs.options.HostEvents
	if i > 0 {
		d.Low = all[i-1].Time
	}
	if i < len(all)-1 {
		d.High = all[i+1].Time
	}
	if d.Low == d.High {
		return entry
	}
	return v.Pinnable(entry, d)
}

func (in *inputs) hostEvents() []qoskind.HostEvent { return in.options.HostEvents }

func setFailureTime(e *qoskind.HostEvent, text string) (err error) {
	e.Time, err = lab.ParseNumber(text, 0, mostSeconds)
	return err
}

func setFailureHost(e *qoskind.HostEvent, text string) error {
	return setName(&e.Host, text, "the name of the host is missing")
}

// failureSetter puts a text into a row of the table, which stays in order of
// time: what was refused in another row is forgotten when that changes.
func (v *View) failureSetter(i int, set func(*qoskind.HostEvent, string) error) lab.Setter[*inputs] {
	_, inRow := lab.InRow((*inputs).hostEvents, i, nil, set)
	return func(in *inputs, text string) error {
		if err := inRow(in, text); err != nil {
			return err
		}
		if in.sortFailures() {
			v.Renumber(failureFields)
		}
		return nil
	}
}

// sortFailures puts the events in order of time and reports whether they were
// in another.
func (in *inputs) sortFailures() bool {
	byTime := func(a, b qoskind.HostEvent) int { return cmp.Compare(a.Time, b.Time) }
	if slices.IsSortedFunc(in.options.HostEvents, byTime) {
		return false
	}
	sorting.Stable(in.options.HostEvents, byTime)
	return true
}

// hostToFail is the host that an added failure is about: the first of the last
// run with these hosts, or as generated ones are called.
func (v *View) hostToFail() string {
	if v.firstHost != "" && v.hostsOfFirst == v.Inputs.sources[qoskind.HostsSlot] {
		return v.firstHost
	}
	return "Host_1"
}

// addFailure has a host fail at a time.
func (v *View) addFailure(at float64) {
	v.Renumber(failureFields)
	v.Edit("have a host fail", func(in *inputs) {
		in.options.HostEvents = append(in.options.HostEvents, qoskind.HostEvent{Time: at, Host: v.hostToFail(), Event: hostWords[0]})
		in.sortFailures()
		v.failurePages.Show(slices.IndexFunc(in.options.HostEvents, func(e qoskind.HostEvent) bool { return e.Time == at }))
	})
}

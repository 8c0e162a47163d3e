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
	"berth/engine/show"
)

// outageSubjects are what may fail, as the document and people say it.
var outageSubjects = []struct{ id, name string }{{"gm", "GM"}, {"lm", "LM"}, {"worker", "worker"}, {rack, "rack"}}

// rack is the subject that has a name in place of a number.
const rack = "rack"

// outageTable edits the failures. Masters and workers are numbered from 1 on
// screen.
func (v *View) outageTable() app.UI {
	outages := v.Inputs.options.Outages
	add := ui.Button("plus", "Add a failure").DataSet("testid", "fed-outage-add").OnClick(func(app.Context, app.Event) { v.addOutage() })
	if len(outages) == 0 {
		return app.Div().Body(app.P().Class("hint").Text("No failures."), add)
	}
	return app.Div().Body(
		app.Table().Class("outages").DataSet("testid", "fed-outages").Body(
			app.Caption().Class("visually-hidden").Text("Failures"),
			app.THead().Body(app.Tr().Body(
				app.Th().Scope("col").Text("what"), app.Th().Scope("col").Text("number"),
				app.Th().Scope("col").Text("at, s"), app.Th().Scope("col").Text("for, s"), app.Td(),
			)),
			app.TBody().Body(app.Range(outages).Slice(func(i int) app.UI { return v.outageRow(i, outages[i]) })),
		),
		app.Range(outages).Slice(func(i int) app.UI {
			return app.Div().Body(v.WrongText(outageID(i)), v.WrongOf(outageID(i)+"-"))
		}),
		add,
	)
}

// outageColumns are the figures of a failure.
var outageColumns = []struct {
	name string
	text func(o *federatekind.Outage) string
	set  func(o *federatekind.Outage, text string) error
}{
	{"number", func(o *federatekind.Outage) string { return strconv.Itoa(o.Index + 1) }, func(o *federatekind.Outage, text string) error {
		n, err := lab.ParseWhole(text, 1, math.MaxInt)
		o.Index = n - 1
		return err
	}},
	{"start", func(o *federatekind.Outage) string { return show.Number(o.At) }, func(o *federatekind.Outage, text string) (err error) {
		o.At, err = amount(text)
		return err
	}},
	{"duration", func(o *federatekind.Outage) string { return show.Number(o.Duration) }, func(o *federatekind.Outage, text string) (err error) {
		o.Duration, err = amount(text)
		return err
	}},
}

// outageFields is how the ids of the fields of the table begin.
const outageFields = "fed-outage-"

func outageID(i int) string { return outageFields + strconv.Itoa(i) }

// missingSubject says that the failure with that id is of something that is not
// there, "" if it is. The engine counts from 0, the page from 1.
func (in *inputs) missingSubject(id string) string {
	d := in.options
	for i, o := range d.Outages {
		there := map[string]int{"gm": d.GMs, "lm": d.LMs, "worker": d.Workers}[o.Subject]
		if outageID(i) != id || o.Index < there {
			continue
		}
		for _, s := range outageSubjects {
			if s.id == o.Subject {
				return fmt.Sprintf("there is no %s %d: expected 1 to %d", s.name, o.Index+1, there)
			}
		}
	}
	return ""
}

func (in *inputs) outages() []federatekind.Outage { return in.options.Outages }

func (v *View) outageRow(i int, o federatekind.Outage) app.UI {
	subjects := ui.Options(len(outageSubjects), func(i int) (value, text string) { return outageSubjects[i].id, outageSubjects[i].name })
	number := func(n int) app.UI {
		c := outageColumns[n]
		if n == 0 && o.Subject == rack {
			text, set := lab.InRow((*inputs).outages, i, func(o *federatekind.Outage) string { return o.Rack }, func(o *federatekind.Outage, text string) error {
				o.Rack = text
				return nil
			})
			return app.Td().Body(v.Entry(outageID(i)+"-rack", fmt.Sprintf("rack of failure %d", i+1), app.Input().Type("text").Aria("label", fmt.Sprintf("Rack of failure %d", i+1)), text(v.Inputs), set))
		}
		id, label := outageID(i)+"-"+c.name, fmt.Sprintf("%s of failure %d", c.name, i+1)
		input := lab.NumberInput("").Aria("label", show.Words(label))
		if n == 0 {
			input = v.Marked(outageID(i), input)
		}
		text, set := lab.InRow((*inputs).outages, i, c.text, c.set)
		return app.Td().Body(v.NumberCell(id, label, input, n == 0, text, set))
	}
	return app.Tr().Body(
		app.Td().Body(ui.Select(outageID(i)+"-subject", o.Subject, func(subject string) {
			v.Edit("change a failure", func(in *inputs) { in.options.Outages[i].Subject, in.options.Outages[i].Rack = subject, "" })
		}, subjects...).Aria("label", fmt.Sprintf("What fails in failure %d", i+1))),
		number(0), number(1), number(2),
		app.Td().Body(ui.IconButton("trash", fmt.Sprintf("Remove failure %d", i+1)).
			OnClick(func(app.Context, app.Event) { v.removeOutage(i) }, app.EventScope("outage", i))),
	)
}

func (v *View) addOutage() {
	o := federatekind.Outage{Subject: "gm", At: 10, Duration: 10}
	v.Edit("add a failure", func(in *inputs) { in.options.Outages = append(in.options.Outages, o) })
}

func (v *View) removeOutage(i int) {
	if i >= len(v.Inputs.options.Outages) {
		return
	}
	v.Renumber(outageFields)
	v.Edit("remove a failure", func(in *inputs) { in.options.Outages = slices.Delete(in.options.Outages, i, i+1) })
}

package federate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/scenario/federate"
)

// outageSubjects are what may fail, as the document and people say it.
var outageSubjects = []struct{ id, name string }{{"gm", "GM"}, {"lm", "LM"}, {"worker", "worker"}}

// outageTable edits the failures. Masters and workers are numbered from 1 on
// screen.
func (v *View) outageTable() app.UI {
	outages := v.Inputs.options.Outages
	add := ui.Button("plus", "Add a failure").DataSet("testid", "fed-outage-add").OnClick(func(app.Context, app.Event) { v.addOutage() })
	if len(outages) == 0 {
		return app.Div().Body(app.P().Class("hint").Text("Nothing fails."), add)
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
		app.Range(outages).Slice(func(i int) app.UI { return v.wrongText(outageID(i)) }),
		add,
	)
}

func outageID(i int) string { return fmt.Sprintf("fed-outage-%d", i) }

// missingSubject says that the failure with that id is of something that is not
// there, "" if it is. The engine counts from 0, the page from 1.
func (in inputs) missingSubject(id string) string {
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

func (v *View) outageRow(i int, o federate.Outage) app.UI {
	subjects := make([]app.UI, len(outageSubjects))
	for k, s := range outageSubjects {
		subjects[k] = lab.Option(s.id, s.name, s.id == o.Subject)
	}
	number := func(name, value string, set func(o *federate.Outage, text string) error) app.UI {
		id := outageID(i) + "-" + name
		return app.Td().Body(lab.NumberInput(id, value, "").Min(0).Aria("label", fmt.Sprintf("%s of failure %d", name, i+1)).
			OnChange(func(ctx app.Context, _ app.Event) { v.changeOutage(i, ctx.JSSrc().Get("value").String(), set) }, app.EventScope(id)))
	}
	return app.Tr().Body(
		app.Td().Body(app.Select().ID(outageID(i)+"-subject").Aria("label", fmt.Sprintf("What fails in failure %d", i+1)).Body(subjects...).
			OnChange(func(ctx app.Context, _ app.Event) {
				v.changeOutage(i, ctx.JSSrc().Get("value").String(), func(o *federate.Outage, text string) error {
					o.Subject = text
					return nil
				})
			}, app.EventScope("subject", i))),
		number("number", strconv.Itoa(o.Index+1), func(o *federate.Outage, text string) error {
			n, err := lab.ParseWhole(text, 1, math.MaxInt)
			if err != nil {
				return fmt.Errorf("number: %w", err)
			}
			o.Index = n - 1
			return nil
		}),
		number("start", lab.Figure(o.At), func(o *federate.Outage, text string) (err error) {
			o.At, err = amount(text)
			return err
		}),
		number("duration", lab.Figure(o.Duration), func(o *federate.Outage, text string) (err error) {
			o.Duration, err = amount(text)
			return err
		}),
		app.Td().Body(ui.IconButton("trash", fmt.Sprintf("Remove failure %d", i+1)).
			OnClick(func(app.Context, app.Event) { v.removeOutage(i) }, app.EventScope("outage", i))),
	)
}

func (v *View) addOutage() {
	o := federate.Outage{Subject: "gm", At: 10, Duration: 10}
	v.Edit("add a failure", func(in *inputs) { in.options.Outages = append(in.options.Outages, o) })
}

func (v *View) removeOutage(i int) {
	if i >= len(v.Inputs.options.Outages) {
		return
	}
	v.forgetOutages()
	v.Edit("remove a failure", func(in *inputs) { in.options.Outages = slices.Delete(in.options.Outages, i, i+1) })
}

// forgetOutages drops what was wrong with failures, whose numbers change.
func (v *View) forgetOutages() {
	for id := range v.wrong {
		if strings.HasPrefix(id, "fed-outage-") {
			delete(v.wrong, id)
		}
	}
}

func (v *View) changeOutage(i int, text string, set func(o *federate.Outage, text string) error) {
	if i >= len(v.Inputs.options.Outages) {
		return
	}
	o := v.Inputs.options.Outages[i]
	if err := set(&o, strings.TrimSpace(text)); err != nil {
		v.wrong[outageID(i)] = err.Error()
		return
	}
	delete(v.wrong, outageID(i))
	v.Edit("change a failure", func(in *inputs) { in.options.Outages[i] = o })
}

package placement

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// inferred is the state of the list of dependencies that manifests only hint at.
type inferred struct {
	last  *lab.Known[[]placementkind.InferredDependency] // shown while a new answer is awaited
	pages lab.Pages
}

// guesses returns the inferred dependencies of the shown result; nil if it has none.
func (f *forms) guesses() []placementkind.InferredDependency {
	if f.view.result == nil || !slices.ContainsFunc(f.view.result.Inputs.deployments, beyond) {
		return nil
	}
	return lab.KnowOf(f.view.Lab, f.view.result.first, placementkind.InferredQuestion, struct{}{}).Or(&f.inferred.last).Answer
}

// inferredFields lists the inferred dependencies with their evidence. The user can
// switch each one off or give it a latency bound.
func (f *forms) inferredFields() app.UI {
	pages, all := &f.inferred.pages, f.guesses()
	group := app.Details().Class("more guesses").DataSet("testid", "inferred-dependencies").Hidden(len(all) == 0)
	if len(all) == 0 {
		return group
	}
	on := 0
	for _, d := range all {
		if !d.Off {
			on++
		}
	}
	from, to := pages.Of(len(all))
	rows := make([]app.UI, 0, to-from)
	for i := from; i < to; i++ {
		rows = append(rows, f.inferredRow(i, &all[i]))
	}
	ids := make([]string, len(rows))
	for i := range ids {
		ids[i] = boundID(from + i)
	}
	return group.Open(true).Body(
		app.Summary().Text(fmt.Sprintf("Inferred dependencies: %d of %d in use", on, len(all))),
		app.P().Class("hint").Text("Environment variables, arguments and ConfigMaps name Services. These dependencies cost like declared ones; their latency has a bound only if you give one here."),
		f.view.Form.Checkbox("no-inferred", "ignore all of them", f.view.Inputs.options.NoInferred, func(in *inputs, off bool) { in.options.NoInferred = off }),
		f.view.Form.NumberField("inferred-latency", "highest latency of all of them, ms", false,
			func(in *inputs) string { return latencyText(in.options.InferredLatency) }, func(in *inputs, text string) (err error) {
				in.options.InferredLatency, err = parseLatency(text)
				return err
			}),
		f.view.Form.WrongText("inferred-latency"),
		ui.Scrolled("table", "Inferred dependencies", ui.Plain("Dependencies that are inferred, not declared",
			[]string{"on", "dependency, and why", "at most, ms"}, rows...)),
		f.view.Form.WrongTexts(ids...),
		pages.Turner("inferred dependencies", len(all), func() {}),
	)
}

func boundID(i int) string { return "inferred-bound-" + strconv.Itoa(i) }

func (f *forms) inferredRow(i int, d *placementkind.InferredDependency) app.UI {
	pair := show.Text(d.From) + " – " + show.Text(d.To)
	id := "inferred-" + strconv.Itoa(i)
	choice := f.view.Inputs.choice(d)
	box := ui.Checkbox(id, !choice.Off && !f.view.Inputs.options.NoInferred, func(on bool) {
		f.view.Edit("switch "+pair, func(in *inputs) { in.choose(d, func(c *format.Choice) { c.Off = !on }) })
	}).Aria("label", pair).Disabled(f.view.Inputs.options.NoInferred)
	bound := f.view.Form.Entry(boundID(i), "highest latency of "+pair, lab.NumberInput("any"), latencyText(choice.Latency), func(in *inputs, text string) error {
		latency, err := parseLatency(text)
		if err == nil {
			in.choose(d, func(c *format.Choice) { c.Latency = latency })
		}
		return err
	}).Aria("label", "Highest latency of "+pair+", ms")
	return app.Tr().DataSet("testid", "inferred-dependency").Body(
		app.Td().Body(app.Label().Body(box)), app.Td().Body(app.Text(pair), app.Small().Text(show.Text(d.From)+": "+show.Words(d.Why))), app.Td().Body(bound),
	)
}

func latencyText(latency *float64) string {
	if latency == nil {
		return ""
	}
	return show.Number(*latency)
}

func parseLatency(text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	latency, err := lab.ParseNumber(text, 0, graph.MaxFigure)
	return &latency, err
}

// choice returns the user's choice for a dependency; if there is none, the default.
func (in *inputs) choice(d *placementkind.InferredDependency) format.Choice {
	for _, c := range in.options.Inferred {
		if c.From == d.From && c.To == d.To {
			return c
		}
	}
	return format.Choice{From: d.From, To: d.To}
}

// choose changes the choice for a dependency; a choice without effect is removed.
func (in *inputs) choose(d *placementkind.InferredDependency, change func(*format.Choice)) {
	c := in.choice(d)
	in.options.Inferred = slices.DeleteFunc(slices.Clone(in.options.Inferred), func(old format.Choice) bool { return old.From == d.From && old.To == d.To })
	change(&c)
	if c.Off || c.Latency != nil {
		in.options.Inferred = append(in.options.Inferred, c)
	}
	if len(in.options.Inferred) == 0 {
		in.options.Inferred = nil // nil, as in inputs that never had a choice
	}
}

package placement

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/scenario"
)

func (v *View) nameField() app.UI {
	return ui.Field("scenario-name", "Name", app.Input().Type("text").ID("scenario-name").
		MaxLength(scenario.MaxName).Placeholder("unnamed").Value(v.inputs.name).OnChange(v.rename))
}

// fillFields writes the texts of fields that may be empty: go-app does not write
// an empty value over what was typed.
func (v *View) fillFields() {
	texts := map[string]string{"scenario-name": v.inputs.name, "center": v.inputs.options.Center}
	v.page.Defer(func(app.Context) {
		for id, text := range texts {
			if field := app.Window().GetElementByID(id); field.Truthy() {
				field.Set("value", text)
			}
		}
	})
}

// rename is no change of what is computed, so nothing runs again.
func (v *View) rename(ctx app.Context, _ app.Event) {
	name := strings.TrimSpace(ctx.JSSrc().Get("value").String())
	v.change("rename", func(in *inputs) { in.name = name })
	v.edited(settleTime)
}

// optionFields are the strategy and what steers it.
func (v *View) optionFields() app.UI {
	in := v.inputs
	strategies := make([]app.UI, 0, len(placement.Names()))
	for _, name := range placement.Names() {
		strategies = append(strategies, option(name, name, name == in.strategy()))
	}
	return app.Div().Class("options").Body(
		app.H3().Text("Strategy"),
		ui.Field("strategy", "runs first, and is shown", app.Select().ID("strategy").DataSet("testid", "strategy").
			Title(placement.Describe(in.strategy())).OnChange(v.chooseStrategy).Body(strategies...)),
		app.Details().Class("more").Body(
			app.Summary().Text("Options"),
			app.Div().Class("form-grid").Body(
				v.optionField("phi", "Φ's a, per unit of cpu", formatFigure(in.phi()), setPhi),
				v.optionField("seeds", "seeds of random", strconv.Itoa(in.seeds()), setSeeds),
				v.optionField("seed", "first seed", strconv.FormatUint(in.options.Seed, 10), setSeed),
				v.optionField("budget", "most search steps", strconv.FormatInt(in.budget(), 10), setBudget),
			),
			ui.Field("center", "centre of a star", app.Input().Type("text").ID("center").
				Placeholder("as the graph says").Value(in.options.Center).OnChange(v.chooseCenter)),
			v.checkbox("strict", "warnings are errors", in.options.Strict,
				func(p *scenario.Placement, on bool) { p.Strict = on }),
			v.checkbox("consume", "dependencies use up bandwidth", in.options.ConsumeBandwidth,
				func(p *scenario.Placement, on bool) { p.ConsumeBandwidth = on }),
		),
	)
}

func (in inputs) budget() int64 {
	if in.options.Budget == 0 {
		return placement.DefaultBudget
	}
	return in.options.Budget
}

func (v *View) chooseStrategy(ctx app.Context, _ app.Event) {
	name := ctx.JSSrc().Get("value").String()
	v.edit("run "+name+" first", func(in *inputs) { in.setStrategy(name) })
}

func (v *View) chooseCenter(ctx app.Context, _ app.Event) {
	id := strings.TrimSpace(ctx.JSSrc().Get("value").String())
	v.edit("change the centre", func(in *inputs) { in.options.Center = id })
}

// setter puts the text of a field into the inputs; its error says what would be
// right.
type setter = func(in *inputs, text string) error

// optionField is a field for one figure. A text that set refuses changes
// nothing but the message.
func (v *View) optionField(id, label, value string, set setter) app.UI {
	return ui.Field(id, label, numberInput(id, value, "").Min(0).
		OnChange(func(ctx app.Context, _ app.Event) {
			v.setOption(label, ctx.JSSrc().Get("value").String(), set)
		}, app.EventScope(id)))
}

func (v *View) setOption(label, text string, set setter) {
	trial := v.inputs.clone()
	if err := set(&trial, text); err != nil {
		v.trouble = label + ": " + err.Error()
		return
	}
	v.edit("change "+label, func(in *inputs) { *in = trial })
}

func setPhi(in *inputs, text string) error {
	a, err := strconv.ParseFloat(text, 64)
	if err != nil || !(a >= 0 && a <= math.MaxFloat64) {
		return fmt.Errorf("%q is not a number of 0 or more", text)
	}
	in.options.Phi = &a
	return nil
}

func setSeeds(in *inputs, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > scenario.MaxSeeds {
		return fmt.Errorf("%q is not a whole number from 1 to %d", text, scenario.MaxSeeds)
	}
	in.setSeeds(n)
	return nil
}

func setSeed(in *inputs, text string) error {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a whole number of 0 or more", text)
	}
	in.options.Seed = seed
	return nil
}

func setBudget(in *inputs, text string) error {
	budget, err := strconv.ParseInt(text, 10, 64)
	if err != nil || budget < 1 || budget > scenario.MaxBudget {
		return fmt.Errorf("%q is not a whole number from 1 to %d", text, int64(scenario.MaxBudget))
	}
	in.options.Budget = budget
	return nil
}

func (v *View) checkbox(id, label string, on bool, set func(*scenario.Placement, bool)) app.UI {
	box := app.Input().Type("checkbox").ID(id).OnChange(func(ctx app.Context, _ app.Event) {
		now := ctx.JSSrc().Get("checked").Bool()
		v.checks = map[*graph]*check{} // strict reading finds other things
		v.edit("change “"+label+"”", func(in *inputs) { set(&in.options, now) })
	}, app.EventScope(id))
	box.Checked(on)
	return app.Label().Class("check").For(id).Body(box, app.Span().Text(label))
}

package placement

import (
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// fields are the texts of fields that may be empty or refuse a text.
func (v *View) fields() map[string]string {
	in := v.Inputs
	return map[string]string{
		"center": in.options.Center, "phi": lab.Figure(in.phi()), "seeds": strconv.Itoa(in.seeds()),
		"seed": strconv.FormatUint(in.options.Seed, 10), "budget": strconv.FormatInt(in.budget(), 10),
	}
}

// optionFields are the strategy and what steers it.
func (v *View) optionFields() app.UI {
	in := v.Inputs
	strategies := make([]app.UI, 0, len(placement.Names()))
	for _, name := range placement.Names() {
		strategies = append(strategies, lab.Option(name, name, name == in.strategy()))
	}
	return app.Div().Class("options").Body(
		app.H3().Text("Strategy"),
		ui.Field("strategy", "runs first, and is shown", app.Select().ID("strategy").DataSet("testid", "strategy").
			Title(placement.Describe(in.strategy())).OnChange(v.chooseStrategy).Body(strategies...)),
		lab.More("Options", false,
			app.Div().Class("form-grid").Body(
				v.NumberField("phi", "Φ's a, per unit of cpu", lab.Figure(in.phi()), setPhi),
				v.NumberField("seeds", "seeds of random", strconv.Itoa(in.seeds()), setSeeds),
				v.NumberField("seed", "first seed", strconv.FormatUint(in.options.Seed, 10), setSeed),
				v.NumberField("budget", "most search steps", strconv.FormatInt(in.budget(), 10), setBudget),
			),
			v.WrongTexts("phi", "seeds", "seed", "budget"),
			ui.Field("center", "centre of a star", app.Input().Type("text").ID("center").
				Placeholder("as the graph says").Value(in.options.Center).OnChange(v.chooseCenter)),
			v.Checkbox("strict", "warnings are errors", in.options.Strict,
				func(in *inputs, on bool) {
					in.options.Strict = on
					v.checks = map[*lab.Source]*check{} // strict reading finds other things
				}),
			v.Checkbox("consume", "dependencies use up bandwidth", in.options.ConsumeBandwidth,
				func(in *inputs, on bool) { in.options.ConsumeBandwidth = on }),
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
	v.Edit("run "+name+" first", func(in *inputs) { in.setStrategy(name) })
}

func (v *View) chooseCenter(ctx app.Context, _ app.Event) {
	id := strings.TrimSpace(ctx.JSSrc().Get("value").String())
	v.Edit("change the centre", func(in *inputs) { in.options.Center = id })
}

func setPhi(in *inputs, text string) error {
	a, err := lab.ParseNumber(text, 0, math.MaxFloat64)
	if err == nil {
		in.options.Phi = &a
	}
	return err
}

func setSeeds(in *inputs, text string) error {
	n, err := lab.ParseWhole(text, 1, placementkind.MaxSeeds)
	if err == nil {
		in.setSeeds(n)
	}
	return err
}

func setSeed(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) }

func setBudget(in *inputs, text string) error {
	budget, err := lab.ParseWhole(text, 1, placementkind.MaxBudget)
	if err == nil {
		in.options.Budget = int64(budget)
	}
	return err
}

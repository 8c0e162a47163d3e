package placement

import (
	"cmp"
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
)

// optionFields are the strategy and what steers it.
func (v *View) optionFields() app.UI {
	in := v.Inputs
	strategies := make([]app.UI, 0, len(placement.Names()))
	for _, name := range placement.Names() {
		p, _ := placement.Lookup(name)
		strategies = append(strategies, ui.Option(name, cmp.Or(p.Title, name)))
	}
	chosen, _ := placement.Lookup(in.strategy())
	return app.Div().Class("options").Body(
		app.H3().Text("Strategy"),
		ui.Field("strategy", "runs first, and is shown", ui.Select("strategy", in.strategy(), v.chooseStrategy, strategies...).
			DataSet("testid", "strategy").Title(chosen.Description)),
		lab.More("Options", false,
			app.Div().Class("form-grid").Body(
				v.NumberField("phi", "Φ's a, per unit of cpu", lab.Figure(in.phi()), setPhi),
				v.NumberField("seeds", "seeds of random", strconv.Itoa(in.seeds()), setSeeds),
				v.NumberField("seed", "first seed", strconv.FormatUint(in.options.Seed, 10), setSeed),
				v.NumberField("budget", "most search steps", strconv.FormatInt(in.budget(), 10), setBudget),
			),
			v.WrongTexts("phi", "seeds", "seed", "budget"),
			v.Field("center", "centre of a star", app.Input().Type("text").Placeholder("as the graph says"), in.options.Center, setCenter),
			v.Checkbox("strict", "warnings are errors", in.options.Strict,
				func(in *inputs, on bool) {
					in.options.Strict = on
					v.checks = map[*lab.Source]*check{} // strict reading finds other things
				}),
			v.Checkbox("shortest-paths", "dependencies follow the shortest paths", in.options.ShortestPaths,
				func(in *inputs, on bool) { in.options.ShortestPaths = on }),
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

func (v *View) chooseStrategy(name string) {
	v.Edit("run "+name+" first", func(in *inputs) { in.setStrategy(name) })
}

func setCenter(in *inputs, id string) error {
	in.options.Center = id
	return nil
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

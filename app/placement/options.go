package placement

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// optionFields are the strategy and what steers it.
func (v *View) optionFields() app.UI {
	in := v.Inputs
	known := placement.Names()
	strategies := ui.Options(len(known), func(i int) (value, text string) {
		p, _ := placement.Lookup(known[i])
		return known[i], cmp.Or(p.Title, known[i])
	})
	for _, t := range scenario.Texts(new(in.scenario())) {
		strategies = append(strategies, ui.Option(t.Name, t.Name))
	}
	chosen, builtIn := placement.Lookup(in.strategy())
	if !builtIn {
		chosen.Description = "a policy of your own"
	}
	return app.Div().Class("options").Body(
		app.H3().Text("Strategy"),
		ui.Field("strategy", "Strategy to show", ui.Select("strategy", in.strategy(), func(name string) {
			v.Edit("run "+name+" first", func(in *inputs) { in.setStrategy(name) })
		}, strategies...).
			DataSet("testid", "strategy").Title(chosen.Description)),
		app.Div().Class("hint").Body(ui.Explained(show.Capital(chosen.Description)+".")...),
		lab.More("What each strategy does", false, strategyList()),
		v.strategyFields(chosen),
		v.rulesTable(),
		lab.More("Options", false,
			app.Div().Class("form-grid").Body(
				v.option("phi"),
				v.NumberField("seeds", seedsTitle(in), true, func(in *inputs) string { return strconv.Itoa(in.seeds()) }, setSeeds),
				v.NumberField("seed", "first seed", true, func(in *inputs) string { return strconv.FormatUint(in.options.Seed, 10) }, setSeed),
				v.option("budget"),
				v.option("steps"),
			),
			v.WrongTexts("phi", "seeds", "seed", "budget", "steps"),
			v.manifestFields(),
			v.Field("center", "centre of a star", app.Input().Type("text").Placeholder("as in the graph"), in.options.Center, func(in *inputs, id string) error {
				in.options.Center = id
				return nil
			}),
			app.Div().Body(v.switches()...),
		),
	)
}

// strategyList explains each strategy in a line.
func strategyList() app.UI {
	var lines []app.UI
	for _, name := range placement.Names() {
		p, _ := placement.Lookup(name)
		lines = append(lines, app.Dt().Text(cmp.Or(p.Title, name)), app.Dd().Text(show.Capital(p.Description)+"."))
	}
	return app.Dl().Class("strategies").DataSet("testid", "strategy-list").Body(lines...)
}

// strategyFields are the parameters of the strategy that is shown.
func (v *View) strategyFields(strategy placement.Plugin) app.UI {
	rows := parameter.Below("parameters", strategy.Parameters)
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = strategy.Name + "-" + rows[i].Flag()
	}
	return app.Div().Body(
		app.Div().Class("form-grid").Body(app.Range(rows).Slice(func(i int) app.UI {
			return v.ParameterField(ids[i], &rows[i], "", func(in *inputs) any { return &in.options.Strategies[0] })
		})),
		v.WrongTexts(ids...),
	)
}

// option is the field of a parameter of the document.
func (v *View) option(name string) app.UI {
	return v.ParameterField(name, placementkind.ParameterNamed(name), "", documentOf)
}

func documentOf(in *inputs) any { return &in.options }

// setKeep keeps jobs where they were or not, and then not all are placed at once.
func setKeep(in *inputs, on bool) {
	in.options.Keep = on
	in.options.Joint = in.options.Joint && !on
}

// switches are the checkboxes of the document's switches.
func (v *View) switches() (all []app.UI) {
	ids := map[string]string{"consumeBandwidth": "consume"}
	rows := placementkind.Parameters()
	for i := range rows {
		p := &rows[i]
		if p.Switch && (p.Name != "joint" || len(v.Inputs.deployments) > 1 || v.Inputs.options.Joint) {
			all = append(all, v.ParameterFieldOf(cmp.Or(ids[p.Name], p.Flag()), "", p, "", documentOf, v.setSwitch(p)))
		}
	}
	return all
}

// setSwitch takes a switch. Placing all at once keeps none where it was; graphs that are read
// otherwise have other errors.
func (v *View) setSwitch(p *parameter.Parameter) lab.Setter[*inputs] {
	set := lab.SetParameter(p, documentOf)
	return func(in *inputs, text string) error {
		before := in.options.HowRead()
		err := set(in, text)
		in.options.Keep = in.options.Keep && !in.options.Joint
		if !reflect.DeepEqual(in.options.HowRead(), before) {
			v.checks = map[*lab.Source]*check{}
			v.ForgetFound()
		}
		return err
	}
}

// repairs are the switches that errors in graphs name, and graphs that go with the user's own.
func (v *View) repairs() (all []lab.Repair[*inputs]) {
	does := map[string]string{"undirected": "Read as undirected", "freePrices": "Missing prices are 0"}
	rows := placementkind.ReadingParameters()
	for i := range rows {
		set := v.setSwitch(&rows[i])
		all = append(all, lab.Repair[*inputs]{Name: rows[i].Name, Does: does[rows[i].Name], On: func(in *inputs) { _ = set(in, "true") }})
	}
	return append(all,
		lab.Repair[*inputs]{Role: federationRole, Does: "Clusters made to fit", Make: v.partner(dot.Deployment, "clusters-that-fit.dot", (*inputs).setFederation)},
		lab.Repair[*inputs]{Role: deploymentRole, Does: "Jobs made to fit", Make: v.partner(dot.Federation, "jobs-that-fit.dot", func(in *inputs, g *lab.Source) { in.deployments = []*lab.Source{g} })})
}

func setSeeds(in *inputs, text string) error {
	n, err := lab.ParseWhole(text, 1, placementkind.MaxSeeds)
	if err == nil {
		in.setSeeds(n)
	}
	return err
}

func seedsTitle(in *inputs) string {
	runs := in.seeded()
	if runs == nil {
		runs = emptyInputs().seeded()
	}
	return "seeds of " + show.Joined(runs, ", ", func(r *placementkind.StrategyRun) string { return r.Name })
}

func setSeed(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) }

// manifestFields are the options for reading manifests, if there are any.
func (v *View) manifestFields() app.UI {
	if !slices.ContainsFunc(v.Inputs.graphs(), beyond) {
		return app.Div()
	}
	return app.Div().Body(
		v.Field("cluster-by", "clusters by region, zone or a node label", app.Input().Type("text").Placeholder("one per file"), v.Inputs.options.ClusterBy,
			func(in *inputs, label string) error {
				in.options.ClusterBy = label
				return nil
			}),
		v.Checkbox("split", "each pod is a job", v.Inputs.options.Split, func(in *inputs, on bool) { in.options.Split = on }),
	)
}

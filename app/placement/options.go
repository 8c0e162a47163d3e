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

// forms edits the inputs other than graphs: options, rules, prices and pools.
type forms struct {
	view *View

	ruling   ruling
	inferred inferred
	pricing  map[string]hourly // prices that the user typed in the table, by cluster id
}

// optionFields draws the choice of the strategy and its options.
func (f *forms) optionFields() app.UI {
	in := f.view.Inputs
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
			f.view.Edit("run "+name+" first", func(in *inputs) { in.setStrategy(name) })
		}, strategies...).
			DataSet("testid", "strategy").Title(chosen.Description)),
		app.Div().Class("hint").Body(ui.Explained(show.Capital(chosen.Description)+".")...),
		lab.More("What each strategy does", false, strategyList()),
		f.strategyFields(chosen),
		f.rulesTable(),
		lab.More("Options", false,
			app.Div().Class("form-grid").Body(
				f.option("phi"),
				f.view.Form.NumberField("seeds", seedsTitle(in), true, func(in *inputs) string { return strconv.Itoa(in.seeds()) }, setSeeds),
				f.view.Form.NumberField("seed", "first seed", true, func(in *inputs) string { return strconv.FormatUint(in.options.Seed, 10) }, setSeed),
				f.option("budget"),
				f.option("steps"),
			),
			f.view.Form.WrongTexts("phi", "seeds", "seed", "budget", "steps"),
			f.manifestFields(),
			f.view.Form.Field("center", "centre of a star", app.Input().Type("text").Placeholder("as in the graph"), in.options.Center, func(in *inputs, id string) error {
				in.options.Center = id
				return nil
			}),
			app.Div().Body(f.switches()...),
		),
	)
}

func strategyList() app.UI {
	var lines []app.UI
	for _, name := range placement.Names() {
		p, _ := placement.Lookup(name)
		lines = append(lines, app.Dt().Text(cmp.Or(p.Title, name)), app.Dd().Text(show.Capital(p.Description)+"."))
	}
	return app.Dl().Class("strategies").DataSet("testid", "strategy-list").Body(lines...)
}

// strategyFields draws the parameters of the shown strategy.
func (f *forms) strategyFields(strategy placement.Plugin) app.UI {
	rows := parameter.Below("parameters", strategy.Parameters)
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = strategy.Name + "-" + rows[i].Flag()
	}
	return app.Div().Body(
		app.Div().Class("form-grid").Body(app.Range(rows).Slice(func(i int) app.UI {
			return f.view.Form.ParameterField(ids[i], &rows[i], "", func(in *inputs) any { return &in.options.Strategies[0] })
		})),
		f.view.Form.WrongTexts(ids...),
	)
}

func (f *forms) option(name string) app.UI {
	return f.view.Form.ParameterField(name, placementkind.ParameterNamed(name), "", documentOf)
}

func documentOf(in *inputs) any { return &in.options }

// setKeep switches "keep" on or off. Switching it on switches "joint" off, because the two exclude
// each other.
func setKeep(in *inputs, on bool) {
	in.options.Keep = on
	in.options.Joint = in.options.Joint && !on
}

// switches draws the checkboxes of the document's switches.
func (f *forms) switches() (all []app.UI) {
	ids := map[string]string{"consumeBandwidth": "consume"}
	rows := placementkind.Parameters()
	for i := range rows {
		p := &rows[i]
		if p.Switch && (p.Name != "joint" || len(f.view.Inputs.deployments) > 1 || f.view.Inputs.options.Joint) {
			all = append(all, f.view.Form.ParameterFieldOf(cmp.Or(ids[p.Name], p.Flag()), "", p, "", documentOf, f.setSwitch(p)))
		}
	}
	return all
}

// setSwitch returns the setter of a switch. "joint" switches "keep" off, because the two exclude
// each other. A switch that changes how graphs are read drops their diagnostics.
func (f *forms) setSwitch(p *parameter.Parameter) lab.Setter[*inputs] {
	set := lab.SetParameter(p, documentOf)
	return func(in *inputs, text string) error {
		before := in.options.HowRead()
		err := set(in, text)
		in.options.Keep = in.options.Keep && !in.options.Joint
		if !reflect.DeepEqual(in.options.HowRead(), before) {
			f.view.uploads.checks = map[*lab.Source]*check{}
			f.view.Form.ForgetFound()
		}
		return err
	}
}

// repairs returns the switches that correct errors in graphs, and the generated graphs that fit the
// user's own.
func (f *forms) repairs() (all []lab.Repair[*inputs]) {
	does := map[string]string{"undirected": "Read as undirected", "freePrices": "Missing prices are 0"}
	rows := placementkind.ReadingParameters()
	for i := range rows {
		set := f.setSwitch(&rows[i])
		all = append(all, lab.Repair[*inputs]{Name: rows[i].Name, Does: does[rows[i].Name], On: func(in *inputs) { _ = set(in, "true") }})
	}
	return append(all,
		lab.Repair[*inputs]{Role: federationRole, Does: "Clusters made to fit", Make: f.view.uploads.partner(dot.Deployment, "clusters-that-fit.dot", (*inputs).setFederation)},
		lab.Repair[*inputs]{Role: deploymentRole, Does: "Jobs made to fit", Make: f.view.uploads.partner(dot.Federation, "jobs-that-fit.dot", func(in *inputs, g *lab.Source) { in.deployments = []*lab.Source{g} })})
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

// manifestFields draws the options for reading manifests; empty if there are no
// manifests.
func (f *forms) manifestFields() app.UI {
	if !slices.ContainsFunc(f.view.Inputs.graphs(), beyond) {
		return app.Div()
	}
	return app.Div().Body(
		f.view.Form.Field("cluster-by", "clusters by region, zone or a node label", app.Input().Type("text").Placeholder("one per file"), f.view.Inputs.options.ClusterBy,
			func(in *inputs, label string) error {
				in.options.ClusterBy = label
				return nil
			}),
		f.view.Form.Checkbox("split", "each pod is a job", f.view.Inputs.options.Split, func(in *inputs, on bool) { in.options.Split = on }),
	)
}

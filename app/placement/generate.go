package placement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/workload"
	"berth/wasm/bridge"
)

const dialogGenerate = "generate"

// generator is the form of the dialog that makes a recipe.
type generator struct {
	recipe  workload.Recipe
	changes *lab.Source // the graph whose recipe is changed; nil for a new one
	problem string
}

func (v *View) openGenerator(ctx app.Context, _ app.Event) {
	v.generator = generator{recipe: workload.Recipe{
		Generator: ctx.JSSrc().Get("value").String(), Preset: workload.ThesisPreset, Seed: 1,
	}}
	v.Dialog = dialogGenerate
}

// editRecipe opens the dialog for the recipe of a graph that is there.
func (v *View) editRecipe(index int) {
	if g := v.Inputs.at(index); g != nil && g.Recipe != nil {
		recipe := *g.Recipe
		recipe.Parameters = maps.Clone(recipe.Parameters)
		v.generator = generator{recipe: recipe, changes: g}
		v.Dialog = dialogGenerate
	}
}

func (v *View) generateDialog() app.UI {
	return &ui.Dialog{ID: "generate", Title: "Generate a " + v.generator.recipe.Generator,
		Open: v.Dialog == dialogGenerate, OnClose: v.CloseDialog, Body: v.generatorForm}
}

func (v *View) generatorForm() app.UI {
	r := v.generator.recipe
	parameters, err := workload.Defaults(r.Generator, r.Preset)
	if err != nil {
		return ui.Problem(err.Error())
	}
	fields := []app.UI{
		ui.Field("generate-preset", "Preset", app.Select().ID("generate-preset").OnChange(v.choosePreset).Body(
			lab.Option(workload.ThesisPreset, "thesis: the test-bed as its results show it", r.Preset == workload.ThesisPreset),
			lab.Option(workload.ListingPreset, "listing: the numbers as printed", r.Preset == workload.ListingPreset),
		)),
		ui.Field("generate-seed", "Seed", lab.NumberInput("generate-seed", strconv.FormatUint(r.Seed, 10), "").
			Min(0).Attr("step", 1).OnChange(v.chooseSeed)),
	}
	if r.Generator == workload.DeploymentGenerator && r.Preset == workload.ThesisPreset {
		fields = append(fields, ui.Field("generate-index", "Which of the thesis's ten", v.indexSelect()))
	}
	for _, p := range parameters {
		fields = append(fields, v.parameterField(p))
	}
	return app.Form().OnSubmit(v.generate).Body(
		app.Div().Class("form-grid").Body(fields...),
		app.P().Class("hint").Text("An empty field follows the preset. Only this recipe is stored and shared, not the graph."),
		app.If(v.generator.problem != "", func() app.UI {
			return ui.Problem(v.generator.problem)
		}),
		app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").Text("Generate")),
	)
}

func (v *View) indexSelect() app.UI {
	options := make([]app.UI, workload.Deployments)
	for i := range options {
		options[i] = lab.Option(strconv.Itoa(i), "deployment "+strconv.Itoa(i), i == v.generator.recipe.Index)
	}
	return app.Select().ID("generate-index").OnChange(v.chooseIndex).Body(options...)
}

func (v *View) parameterField(p workload.Parameter) app.UI {
	value, preset := "", figureWithUnit(p)
	if given, ok := v.generator.recipe.Parameters[p.Name]; ok {
		value = lab.Figure(given)
	}
	if v.generator.recipe.Index != 0 {
		preset = "as the preset"
	}
	label := strings.ToUpper(p.Help[:1]) + p.Help[1:]
	if p.Unit != "" {
		label += " (" + p.Unit + ")"
	}
	id := "generate-" + p.Name
	return ui.Field(id, label, lab.NumberInput(id, value, preset).Title(p.Name+" of the recipe").
		OnChange(v.chooseParameter(p.Name), app.EventScope(p.Name)))
}

func figureWithUnit(p workload.Parameter) string {
	if p.Unit == "" {
		return ui.Number(p.Value)
	}
	return ui.Unit(p.Value, p.Unit)
}

func (v *View) choosePreset(ctx app.Context, _ app.Event) {
	v.generator.recipe.Preset = ctx.JSSrc().Get("value").String()
	v.generator.recipe.Index = 0
}

func (v *View) chooseSeed(ctx app.Context, _ app.Event) {
	v.generator.recipe.Seed, _ = strconv.ParseUint(ctx.JSSrc().Get("value").String(), 10, 64)
}

func (v *View) chooseIndex(ctx app.Context, _ app.Event) {
	v.generator.recipe.Index, _ = strconv.Atoi(ctx.JSSrc().Get("value").String())
}

func (v *View) chooseParameter(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		lab.SetParameter(&v.generator.recipe, name, ctx.JSSrc().Get("value").String())
	}
}

// generate checks the recipe in the worker and puts it into the inputs.
func (v *View) generate(_ app.Context, e app.Event) {
	e.PreventDefault()
	form := v.generator
	recipe := form.recipe
	recipe.Parameters = maps.Clone(recipe.Parameters)
	g := lab.RecipeSource(recipeName(recipe), recipe)
	problem := ""
	v.Later(func() {
		found, err := v.Engine.Check(v.Page, bridge.CheckQuery{Source: graphOf(g)})
		if err == nil {
			err = found.Diagnostics.Err()
		}
		problem = problemOf(err)
	}, func() {
		if v.generator.problem = problem; problem == "" {
			v.generated(form.changes, g)
		}
	})
}

// generated puts a recipe in the place of the one it changes, of an example's
// graphs, or behind the other deployments.
func (v *View) generated(changes, g *lab.Source) {
	v.Dialog = ""
	v.Edit("generate "+g.Name, func(in *inputs) {
		switch {
		case changes != nil:
			in.replace(changes, g)
		case g.Recipe.Generator == workload.FederationGenerator:
			in.setFederation(g)
		default:
			if !v.Unsaved {
				in.deployments = nil
			}
			in.add(g)
		}
	})
}

func recipeName(r workload.Recipe) string {
	if r.Generator == workload.DeploymentGenerator && r.Preset == workload.ThesisPreset {
		return fmt.Sprintf("%s %s %d, seed %d", r.Preset, r.Generator, r.Index, r.Seed)
	}
	return fmt.Sprintf("%s %s, seed %d", r.Preset, r.Generator, r.Seed)
}

// recipeText lists what a recipe says.
func recipeText(r *workload.Recipe) string {
	text := "Generated: " + recipeName(*r)
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		text += fmt.Sprintf(", %s = %s", name, lab.Figure(r.Parameters[name]))
	}
	return text + "."
}

package federate

import (
	"fmt"
	"maps"
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/workload"
)

const dialogGenerate = "fed-generate"

// generator is the form of the dialog that makes a recipe.
type generator struct {
	recipe  workload.Recipe
	problem string
}

// openGenerator opens the form for a new recipe, or for one that is changed.
func (v *View) openGenerator(recipe *workload.Recipe) {
	v.generator = generator{recipe: workload.Recipe{
		Generator: workload.JobsGenerator, Preset: workload.JobPresets()[0], Seed: 1,
	}}
	if recipe != nil {
		v.generator.recipe = *recipe
		v.generator.recipe.Parameters = maps.Clone(recipe.Parameters)
	}
	v.Dialog = dialogGenerate
}

func (v *View) generateDialog() app.UI {
	return &ui.Dialog{ID: "fed-generate", Title: "Generate a trace", Open: v.Dialog == dialogGenerate, OnClose: v.CloseDialog, Body: v.generatorForm}
}

func (v *View) generatorForm() app.UI {
	r := v.generator.recipe
	parameters, err := workload.Defaults(r.Generator, r.Preset)
	if err != nil {
		return ui.Problem(err.Error())
	}
	presets := make([]app.UI, 0, len(workload.JobPresets()))
	for _, name := range workload.JobPresets() {
		presets = append(presets, lab.Option(name, name, name == r.Preset))
	}
	fields := []app.UI{
		ui.Field("fed-generate-preset", "Preset", app.Select().ID("fed-generate-preset").OnChange(v.choosePreset).Body(presets...)),
		ui.Field("fed-generate-seed", "Seed", lab.NumberInput("fed-generate-seed", strconv.FormatUint(r.Seed, 10), "").
			Min(0).Attr("step", 1).OnChange(v.chooseSeed)),
	}
	for _, p := range parameters {
		fields = append(fields, v.parameterField(p))
	}
	return app.Form().OnSubmit(v.generate).Body(
		app.Div().Class("form-grid").Body(fields...),
		app.P().Class("hint").Text("An empty field follows the preset. Only this recipe is stored and shared, not the trace."),
		app.If(v.generator.problem != "", func() app.UI {
			return ui.Problem(v.generator.problem)
		}),
		app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").DataSet("testid", "fed-generate-use").Text("Generate")),
	)
}

func (v *View) parameterField(p workload.Parameter) app.UI {
	id, value := "fed-generate-"+p.Name, ""
	if x, given := v.generator.recipe.Parameters[p.Name]; given {
		value = lab.Figure(x)
	}
	preset := ui.Number(p.Value)
	if p.Unit != "" {
		preset = ui.Unit(p.Value, p.Unit)
	}
	return ui.Field(id, p.Help, lab.NumberInput(id, value, preset).Title(p.Name+" of the recipe").
		OnChange(v.chooseParameter(p.Name), app.EventScope(p.Name)))
}

func (v *View) choosePreset(ctx app.Context, _ app.Event) {
	v.generator.recipe.Preset = ctx.JSSrc().Get("value").String()
}

func (v *View) chooseSeed(ctx app.Context, _ app.Event) {
	v.generator.recipe.Seed, _ = strconv.ParseUint(ctx.JSSrc().Get("value").String(), 10, 64)
}

func (v *View) chooseParameter(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		lab.SetParameter(&v.generator.recipe, name, ctx.JSSrc().Get("value").String())
	}
}

// generate checks the recipe and puts it into the inputs.
func (v *View) generate(ctx app.Context, e app.Event) {
	e.PreventDefault()
	recipe := v.generator.recipe
	recipe.Parameters = maps.Clone(recipe.Parameters)
	if v.generator.problem = problemWith(recipe); v.generator.problem != "" {
		return
	}
	v.CloseDialog(ctx)
	name := recipeName(recipe)
	v.useTrace("generate "+name, lab.RecipeSource(name, recipe))
	v.Edited(0)
}

// problemWith says which parameter of a recipe is out of its range, "" if none
// is; what does not fit together is for the engine to say.
func problemWith(r workload.Recipe) string {
	parameters, err := workload.Defaults(r.Generator, r.Preset)
	if err != nil {
		return err.Error()
	}
	for _, p := range parameters {
		x, given := r.Parameters[p.Name]
		switch {
		case given && (x < p.Min || x > p.Max):
			return fmt.Sprintf("%s: %s is out of range: expected %s to %s", p.Help, lab.Figure(x), lab.Figure(p.Min), lab.Figure(p.Max))
		case given && p.Whole && x != math.Trunc(x):
			return fmt.Sprintf("%s: %s is not a whole number", p.Help, lab.Figure(x))
		}
	}
	return ""
}

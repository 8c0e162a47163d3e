package qos

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/scenario/simulate"
	"berth/engine/workload"
)

const dialogGenerate = "generate"

// generator is the form of the dialog that makes a recipe.
type generator struct {
	slot    string
	recipe  workload.Recipe
	problem string
}

var presetTexts = map[string]string{
	simulate.Validation1: "validation 1: 80 gold, 80 silver, 96 bronze",
	simulate.Validation2: "validation 2: 221 silver",
	simulate.Validation:  "validation: as the paper's test-bed",
	simulate.GoogleLike:  "like the Google trace of 2011",
}

func defaultRecipe(generator string) workload.Recipe {
	return workload.Recipe{Generator: generator, Preset: simulate.Presets(generator)[0], Seed: 1}
}

func (v *View) openGenerator(slot string) {
	v.generator = generator{slot: slot, recipe: defaultRecipe(slotTexts[slot].makes)}
	v.Dialog = dialogGenerate
}

// editRecipe opens the dialog for the recipe that is there.
func (v *View) editRecipe(slot string) {
	recipe := *v.Inputs.sources[slot].Recipe
	recipe.Parameters = maps.Clone(recipe.Parameters)
	v.generator = generator{slot: slot, recipe: recipe}
	v.Dialog = dialogGenerate
}

func (v *View) generateDialog() app.UI {
	return &ui.Dialog{ID: "qos-generate", Title: "Generate " + slotTexts[v.generator.slot].thing,
		Open: v.Dialog == dialogGenerate, OnClose: v.CloseDialog, Body: v.generatorForm}
}

func (v *View) generatorForm() app.UI {
	r := v.generator.recipe
	parameters, err := simulate.Defaults(r.Generator, r.Preset)
	if err != nil {
		return ui.Problem(err.Error())
	}
	var presets []app.UI
	for _, p := range simulate.Presets(r.Generator) {
		presets = append(presets, lab.Option(p, presetTexts[p], p == r.Preset))
	}
	fields := []app.UI{
		ui.Field("qos-generate-preset", "Preset", app.Select().ID("qos-generate-preset").OnChange(v.choosePreset).Body(presets...)),
		ui.Field("qos-generate-seed", "Seed", lab.NumberInput("qos-generate-seed", strconv.FormatUint(r.Seed, 10), "").
			Min(0).Attr("step", 1).OnChange(v.chooseGeneratorSeed)),
	}
	for _, p := range parameters {
		fields = append(fields, v.parameterField(p))
	}
	return app.Form().OnSubmit(v.generate).Body(
		app.Div().Class("form-grid").Body(fields...),
		app.P().Class("hint").Text("An empty field follows the preset. Only this recipe is stored and shared, not what it makes."),
		app.If(v.generator.problem != "", func() app.UI { return ui.Problem(v.generator.problem) }),
		app.Div().Class("row").Body(app.Button().Type("submit").Class("button primary").Text("Generate")),
	)
}

func (v *View) parameterField(p workload.Parameter) app.UI {
	value := ""
	if given, ok := v.generator.recipe.Parameters[p.Name]; ok {
		value = lab.Figure(given)
	}
	label := strings.ToUpper(p.Help[:1]) + p.Help[1:]
	if p.Unit != "" {
		label += " (" + p.Unit + ")"
	}
	id := "qos-generate-" + p.Name
	return ui.Field(id, label, lab.NumberInput(id, value, ui.Number(p.Value)).Title(p.Name+" of the recipe").
		OnChange(v.chooseParameter(p.Name), app.EventScope(p.Name)))
}

func (v *View) choosePreset(ctx app.Context, _ app.Event) {
	v.generator.recipe.Preset = ctx.JSSrc().Get("value").String()
	v.generator.recipe.Parameters = nil
}

func (v *View) chooseGeneratorSeed(ctx app.Context, _ app.Event) {
	v.generator.recipe.Seed, _ = strconv.ParseUint(ctx.JSSrc().Get("value").String(), 10, 64)
}

func (v *View) chooseParameter(name string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		lab.SetParameter(&v.generator.recipe, name, ctx.JSSrc().Get("value").String())
	}
}

// generate puts the recipe into its slot.
func (v *View) generate(_ app.Context, e app.Event) {
	e.PreventDefault()
	v.useRecipe()
}

func (v *View) useRecipe() {
	g := &v.generator
	recipe := g.recipe
	recipe.Parameters = maps.Clone(recipe.Parameters)
	if g.problem = outOfRange(recipe); g.problem != "" {
		return
	}
	v.Dialog = ""
	v.put(g.slot, lab.RecipeSource(recipeName(recipe), recipe), "generate "+slotTexts[g.slot].thing)
	v.editing = ""
	v.Edited(lab.SettleTime)
}

// outOfRange says which parameter of a recipe its generator refuses, "" if
// there is none.
func outOfRange(r workload.Recipe) string {
	parameters, err := simulate.Defaults(r.Generator, r.Preset)
	if err != nil {
		return err.Error()
	}
	for _, p := range parameters {
		x, given := r.Parameters[p.Name]
		if given && (x < p.Min || x > p.Max || p.Whole && x != math.Trunc(x)) {
			return fmt.Sprintf("%s: %v is out of range: expected %.10g to %.10g", p.Help, x, p.Min, p.Max)
		}
	}
	return ""
}

func recipeName(r workload.Recipe) string {
	name := r.Preset + " " + r.Generator
	if r.Preset == simulate.Validation && r.Generator == simulate.HostsGenerator {
		return name // nothing of it is random
	}
	return name + ", seed " + strconv.FormatUint(r.Seed, 10)
}

// recipeText lists what a recipe says.
func recipeText(r *workload.Recipe) string {
	text := "Generated: " + recipeName(*r)
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		text += ", " + name + " = " + lab.Figure(r.Parameters[name])
	}
	return text + "."
}

package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/workload"
)

// openGenerator opens the dialog for a new recipe.
func (v *View) openGenerator() {
	v.OpenGenerator(workload.Recipe{Generator: workload.JobsGenerator, Preset: workload.JobPresets()[0], Seed: 1})
}

func (v *View) generateDialog() app.UI {
	var presets []lab.Preset
	for _, name := range workload.JobPresets() {
		presets = append(presets, lab.Preset{Name: name, Text: name})
	}
	return v.GeneratorDialog(lab.Generator{Thing: "a trace", Presets: presets, Defaults: defaults, Use: v.generate})
}

func defaults(_, preset string) ([]workload.Parameter, error) { return workload.JobDefaults(preset) }

// generate puts a recipe into the inputs; what does not fit together is for the
// engine to say.
func (v *View) generate(recipe workload.Recipe) {
	v.Dialog = ""
	name := lab.RecipeName(recipe)
	v.useTrace("generate "+name, lab.RecipeSource(name, recipe))
	v.Edited(0)
}

package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/input/workload"
)

func (v *View) generateDialog() app.UI {
	var presets []lab.Preset
	for _, name := range workload.JobPresets() {
		presets = append(presets, lab.Preset{Name: name, Text: name})
	}
	return v.GeneratorDialog(lab.Generator{Thing: "a trace", Presets: presets, Defaults: workload.JobDefaults, Use: v.generate})
}

// generate puts a recipe into the inputs; what does not fit together is for the
// engine to say.
func (v *View) generate(recipe workload.Recipe) {
	v.Dialog = ""
	name := lab.RecipeName(recipe)
	v.Change("generate "+name, func(in *inputs) {
		v.Unname(in)
		in.trace = lab.RecipeSource(name, recipe)
	})
	v.Edited(0)
}

package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/input/workload"
)

func (f *files) generateDialog() app.UI {
	var presets []lab.Preset
	for _, name := range workload.JobPresets() {
		presets = append(presets, lab.Preset{Name: name, Text: name})
	}
	return f.view.Generator.Dialog(lab.Generator{Thing: "a trace", Presets: presets, Defaults: workload.JobDefaults, Use: f.generate})
}

// generate puts a recipe into the inputs. The engine checks whether it fits the other
// inputs.
func (f *files) generate(recipe workload.Recipe) {
	f.view.Dialog = ""
	name := lab.RecipeName(recipe)
	f.view.Change("generate "+name, func(in *inputs) {
		f.view.Unname(in)
		in.trace = lab.RecipeSource(name, recipe)
	})
	f.view.Edited(0)
}

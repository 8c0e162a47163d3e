package qos

import (
	"berth/app/lab"
	"berth/engine/input/workload"
	"berth/engine/qos/qoskind"
)

var presetTexts = map[string]string{
	qoskind.Validation1: "validation 1: 80 gold, 80 silver, 96 bronze",
	qoskind.Validation2: "validation 2: 221 silver",
	qoskind.Validation:  "validation: as the paper's test-bed",
	qoskind.GoogleLike:  "like the Google trace of 2011",
	qoskind.Busy:        "hosts of one size, as many as the requests keep so busy",
	qoskind.FirstHour:   "like the hour that the authors published",
}

func defaultRecipe(generator string) workload.Recipe {
	return workload.Recipe{Generator: generator, Preset: qoskind.Presets(generator)[0], Seed: 1}
}

func (v *View) openGenerator(slot string) {
	v.generating = slot
	v.Generator.Open(defaultRecipe(slotTexts[slot].makes))
}

// editRecipe opens the dialog for the current recipe of a slot.
func (v *View) editRecipe(slot string) {
	v.generating = slot
	v.Generator.Open(*v.Inputs.sources[slot].Recipe)
}

func (v *View) generator() lab.Generator {
	var presets []lab.Preset
	for _, p := range qoskind.Presets(v.Generator.RecipeForm.Recipe.Generator) {
		presets = append(presets, lab.Preset{Name: p, Text: presetTexts[p]})
	}
	return lab.Generator{Thing: slotTexts[v.generating].thing, Presets: presets, Defaults: qoskind.Defaults, Use: v.generate}
}

// generate puts a recipe into the slot that the dialog was opened for.
func (v *View) generate(recipe workload.Recipe) {
	slot := v.generating
	v.Dialog = ""
	v.Change("generate "+slotTexts[slot].thing, func(in *inputs) {
		v.Unname(in)
		in.sources[slot] = lab.RecipeSource(recipeName(recipe), recipe)
	})
	v.Files.Editing = nil
	v.Edited(v.Rest)
}

// recipeName names the source that a recipe generates.
func recipeName(r workload.Recipe) string {
	if r.Preset == qoskind.Validation && r.Generator == qoskind.HostsGenerator {
		return r.Preset + " " + r.Generator // this preset has no random part, so the name needs no seed
	}
	return lab.RecipeName(r)
}

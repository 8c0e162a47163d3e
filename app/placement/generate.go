package placement

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/input/workload"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// openGenerator opens the dialog for a new recipe.
func (v *View) openGenerator(generator string) {
	v.regenerates = nil
	v.OpenGenerator(workload.Recipe{Generator: generator, Preset: graphs.ThesisPreset, Seed: 1})
}

// editRecipe opens the dialog for the recipe of a graph that is there.
func (v *View) editRecipe(index int) {
	if g := v.Inputs.at(index); g != nil && g.Recipe != nil {
		v.regenerates = g
		v.OpenGenerator(*g.Recipe)
	}
}

func (v *View) generateDialog() app.UI {
	presets := []lab.Preset{
		{Name: graphs.ThesisPreset, Text: "thesis: the test-bed that matches its results"},
		{Name: graphs.ListingPreset, Text: "listing: the numbers as printed"},
	}
	if v.RecipeForm.Recipe.Generator == graphs.FederationGenerator {
		presets = append(presets, lab.Preset{Name: graphs.AuthorPreset, Text: "author: the link prices that its author published"})
	}
	return v.GeneratorDialog(lab.Generator{
		Thing: "a " + v.RecipeForm.Recipe.Generator, Presets: presets, Defaults: graphs.Defaults, More: indexField, Use: v.generate,
	})
}

// indexField chooses one of the thesis's deployments.
func indexField(r *workload.Recipe) []app.UI {
	if r.Generator != graphs.DeploymentGenerator || r.Preset != graphs.ThesisPreset {
		return nil
	}
	name := func(i int) string { return "deployment " + strconv.Itoa(i) }
	return []app.UI{ui.Field("generate-index", show.Capital(workload.IndexTitle),
		ui.Numbered("generate-index", r.Index, lab.FirstOf(graphs.Deployments), name, func(i int) { r.Index = i }))}
}

// generate checks the recipe in the worker and puts it into the inputs.
func (v *View) generate(recipe workload.Recipe) {
	g, changes := lab.RecipeSource(recipeName(recipe), recipe), v.regenerates
	v.lookAt([]*lab.Source{g}, []dot.Role{dot.Unknown}, placementkind.Reading{}, func(found []placementkind.Checked) {
		v.RecipeForm.Refused = cmp.Or(found[0].Unread, problemOf(found[0].Diagnostics.Err()))
		if v.RecipeForm.Refused == "" {
			v.generated(changes, g)
		}
	})
}

// generated puts a recipe in place of the one it changes, of an example's
// graphs, or behind the other deployments.
func (v *View) generated(changes, g *lab.Source) {
	v.Dialog = ""
	v.Edit("generate "+g.Name, func(in *inputs) {
		switch {
		case changes != nil:
			in.replace(changes, g)
		case g.Recipe.Generator == graphs.FederationGenerator:
			in.setFederation(g)
		default:
			if !v.Unsaved {
				in.deployments = nil
			}
			in.add(g)
		}
	})
}

// recipeName names the graph that a recipe makes.
func recipeName(r workload.Recipe) string {
	if r.Generator == graphs.DeploymentGenerator && r.Preset == graphs.ThesisPreset {
		return fmt.Sprintf("%s %s %d, seed %d", r.Preset, r.Generator, r.Index, r.Seed)
	}
	return lab.RecipeName(r)
}

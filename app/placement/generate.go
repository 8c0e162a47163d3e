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

func (u *uploads) openGenerator(generator string) {
	u.regenerates = nil
	u.view.Generator.Open(workload.Recipe{Generator: generator, Preset: graphs.ThesisPreset, Seed: 1})
}

// editRecipe opens the dialog for the recipe of an existing graph.
func (u *uploads) editRecipe(index int) {
	if g := u.view.Inputs.at(index); g != nil && g.Recipe != nil {
		u.regenerates = g
		u.view.Generator.Open(*g.Recipe)
	}
}

func (u *uploads) generateDialog() app.UI {
	presets := []lab.Preset{
		{Name: graphs.ThesisPreset, Text: "thesis: the test-bed that matches its results"},
		{Name: graphs.ListingPreset, Text: "listing: the numbers as printed"},
	}
	if u.view.Generator.Recipe.Generator == graphs.FederationGenerator {
		presets = append(presets, lab.Preset{Name: graphs.AuthorPreset, Text: "author: the link prices that its author published"})
	}
	return u.view.Generator.Dialog(lab.Generator{
		Thing: "a " + u.view.Generator.Recipe.Generator, Presets: presets, Defaults: graphs.Defaults, More: indexField, Use: u.generate,
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
func (u *uploads) generate(recipe workload.Recipe) {
	g, changes := lab.RecipeSource(recipeName(recipe), recipe), u.regenerates
	u.lookAt([]*lab.Source{g}, []dot.Role{dot.Unknown}, placementkind.Reading{}, func(found []placementkind.Checked) {
		u.view.Generator.Refused = cmp.Or(found[0].Unread, problemOf(found[0].Diagnostics.Err()))
		if u.view.Generator.Refused == "" {
			u.generated(changes, g)
		}
	})
}

// generated puts a generated graph into the inputs. It replaces the graph whose recipe the user
// edited, or the federation or an example's deployments, or comes after the user's deployments.
func (u *uploads) generated(changes, g *lab.Source) {
	u.view.Dialog = ""
	u.view.Edit("generate "+g.Name, func(in *inputs) {
		switch {
		case changes != nil:
			in.replace(changes, g)
		case g.Recipe.Generator == graphs.FederationGenerator:
			in.setFederation(g)
		default:
			if !u.view.Unsaved {
				in.deployments = nil
			}
			in.add(g)
		}
	})
}

func recipeName(r workload.Recipe) string {
	if r.Generator == graphs.DeploymentGenerator && r.Preset == graphs.ThesisPreset {
		return fmt.Sprintf("%s %s %d, seed %d", r.Preset, r.Generator, r.Index, r.Seed)
	}
	return lab.RecipeName(r)
}

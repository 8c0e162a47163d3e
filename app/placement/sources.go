package placement

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
)

const acceptedFiles = ".dot,.gv,.yaml,.yml,.json,.graphml,.gml,.gexf,.csv,.tsv,.mmd,.md,.txt,.gz,.zip,.zst,.xz,.bz2,text/vnd.graphviz,text/plain,application/yaml,application/json,application/gzip,application/zip"

func (v *View) inputPane() app.UI {
	return v.InputPane([]app.UI{
		app.H3().Text("Deployments"),
		v.sourceList(deploymentRole, v.Inputs.deployments, 0, +1),
		&ui.DropZone{ID: "file-deployment", TestID: "file-deployment", Label: "Choose deployments",
			Hint: "instead of these, or drop .dot files and Kubernetes YAML anywhere", Accept: acceptedFiles, OnFiles: v.choose(deployments)},
		app.Div().Class("row").Body(
			ui.Button("plus", "Generate").Aria("label", "Generate a deployment").OnClick(func(app.Context, app.Event) { v.openGenerator(graphs.DeploymentGenerator) }),
			ui.Button("copy", "Paste").OnClick(func(app.Context, app.Event) { v.OpenPaste() }),
			&ui.DropZone{ID: "file-deployment-add", TestID: "file-deployment-add", Label: "Add",
				Accept: acceptedFiles, OnFiles: v.choose(more)},
		),
		v.inferredFields(),
		app.H3().Text("Federation"),
		v.sourceList(federationRole, v.Inputs.files, -1, -1),
		&ui.DropZone{ID: "file-federation", TestID: "file-federation", Label: "Choose a federation",
			Hint: "one .dot file, or one file of nodes per cluster", Accept: acceptedFiles, OnFiles: v.choose(federation)},
		app.Div().Class("row").Body(
			ui.Button("plus", "Generate").Aria("label", "Generate a federation").OnClick(func(app.Context, app.Event) { v.openGenerator(graphs.FederationGenerator) }),
			&ui.DropZone{ID: "file-federation-add", TestID: "file-federation-add", Label: "Add",
				Accept: acceptedFiles, OnFiles: v.choose(joined)},
		),
	}, app.Div().Body(v.optionFields(), v.whatIfFields()))
}

// sourceList lists the graphs of a role, whose indices go from first by step.
func (v *View) sourceList(role string, graphs []*lab.Source, first, step int) app.UI {
	if len(graphs) == 0 {
		return v.Absent("No " + role + " yet: drop a .dot file, or generate one.")
	}
	return app.Ol().Class("sources").Body(app.Range(graphs).Slice(func(i int) app.UI { return v.source(graphs[i], first+step*i) }))
}

// source is one graph of the list: its name and size, its buttons, and its open editor.
func (v *View) source(g *lab.Source, index int) app.UI {
	return app.Li().Class("source").Body(
		v.SourceHead(g, v.sourceBadge(g), v.sourceButtons(g, index)...),
		app.If(v.Editing == g, func() app.UI { return v.sourceBody(g, index) }),
	)
}

func (v *View) sourceButtons(g *lab.Source, index int) []app.UI {
	remove := ui.IconButton("trash", "Remove "+g.Name).
		OnClick(func(app.Context, app.Event) { v.removeSource(index) }, app.EventScope("remove", index))
	if index < 0 || len(v.Inputs.deployments) < 2 {
		return []app.UI{remove}
	}
	return []app.UI{
		v.moveButton("up", "earlier", g, index, -1),
		v.moveButton("chevron", "later", g, index, +1),
		remove,
	}
}

func (v *View) moveButton(icon, where string, g *lab.Source, index, by int) app.UI {
	return ui.Disabled(ui.IconButton(icon, "Place "+g.Name+" "+where), index+by < 0 || index+by == len(v.Inputs.deployments)).
		OnClick(func(app.Context, app.Event) { v.moveSource(index, by) }, app.EventScope("move", index, by))
}

func (v *View) removeSource(index int) {
	if g := v.Inputs.at(index); g != nil {
		v.Edit("remove "+g.Name, func(in *inputs) { in.remove(g) })
	}
}

func (v *View) moveSource(index, by int) {
	if g := v.Inputs.at(index); g != nil {
		v.Edit("move "+g.Name, func(in *inputs) { in.move(g, by) })
	}
}

// sourceBadge says how large a graph is, or that something is wrong with it.
func (v *View) sourceBadge(g *lab.Source) app.UI {
	c, found := v.checks[g], v.Found(g)
	switch {
	case c == nil:
		return ui.Badge("plain", "checking …")
	case c.missed:
		return ui.Badge("warn", "not checked")
	case len(c.sizes) == 0 && len(found) == 0: // one of several files, whose sizes are not told apart
		return ui.None()
	case len(found.Errors()) > 0:
		return ui.Badge("bad", ui.Counted(len(found.Errors()), "error"))
	case len(found.Warnings()) > 0:
		return ui.Badge("warn", v.sizeText(g))
	}
	return ui.Badge("plain", v.sizeText(g))
}

// sizeText says how large a graph is: "12 jobs, 14 links"; next to buttons, only the
// first. It is "" before the graph was read.
func (v *View) sizeText(g *lab.Source) string {
	c := v.checks[g]
	if c == nil || len(c.sizes) == 0 {
		return ""
	}
	sizes := c.sizes
	if len(sizes) > 1 {
		return ui.Counted(len(sizes), "graph")
	}
	node := "job"
	federation := slices.Contains(v.Inputs.files, g)
	if federation {
		node = "cluster"
	}
	text := ui.Counted(sizes[0].Nodes, node)
	if sizes[0].Edges > 0 && (federation || len(v.Inputs.deployments) == 1) {
		text += ", " + ui.Counted(sizes[0].Edges, "link")
	}
	return text
}

func (v *View) sourceBody(g *lab.Source, index int) app.UI {
	found := v.Found(g)
	e := &ui.Editor{ID: editorID(index), Placeholder: "graph { … }", Diagnostics: found,
		OnChange: func(_ app.Context, text string) { v.typed(index, text) }}
	switch {
	case beyond(g):
	case slices.Contains(v.Inputs.files, g):
		e.Nodes, e.Edges = words(graph.Cluster), words(graph.Link)
	default:
		e.Nodes, e.Edges = words(graph.Job), words(graph.Dependency)
	}
	return g.Body(lab.SourceBody{
		Recipe: recipeName, Errors: found, Editor: e,
		Change: ui.Button("plus", "Change").OnClick(func(app.Context, app.Event) { v.editRecipe(index) }, app.EventScope("recipe", index)),
		More:   []app.UI{ui.Button("file", "Make it text").OnClick(func(app.Context, app.Event) { v.writeOut(index) }, app.EventScope("write", index))},
	})
}

// editorID is the id of the editor of the graph with that index.
func editorID(index int) string { return fmt.Sprintf("editor-%d", index+1) }

// words are the completions for a kind of element: attributes, and labels in the notation of the
// thesis.
func words(on graph.ElementKind) []ui.Word {
	var all []ui.Word
	for _, a := range dot.Vocabulary(on) {
		all = append(all, ui.Word{Text: a.Name, Note: a.Unit})
	}
	for _, l := range graph.Labels(on) {
		text := l.Name
		for _, f := range l.Fields {
			if !f.Optional {
				text += " - " + f.Name + ":"
			}
		}
		all = append(all, ui.Word{Text: text, Quoted: true})
	}
	return all
}

// typed handles an edit in the editor.
func (v *View) typed(index int, text string) {
	old := v.Inputs.at(index)
	v.TypeIn(old, text, func(in *inputs, g *lab.Source) {
		in.replace(old, g)
		if c := v.checks[old]; c != nil {
			v.checks[g] = &check{sizes: c.sizes, old: true}
		}
	})
}

// writeOut replaces a recipe by the text of the graph that it generates.
func (v *View) writeOut(index int) {
	g := v.Inputs.at(index)
	query := placementkind.GenerateQuery{Recipe: *g.Recipe, Dialect: dot.Plain}
	lab.Ask(nil, v.Later, func() (*placementkind.Generated, error) {
		return bridge.AskTool(v.Page, v.Engine, placementkind.GenerateQuestion, query, nil)
	}, func(generated *placementkind.Generated, err error) {
		if err != nil {
			v.Trouble = err.Error()
			return
		}
		written := lab.TextSource(g.Name, string(generated.Text))
		v.Edit("make "+g.Name+" text", func(in *inputs) { in.replace(g, written) })
		v.Editing = written
	})
}

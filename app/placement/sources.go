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

// uploads takes, checks and edits the graphs among the inputs.
type uploads struct {
	view *View

	checks      map[*lab.Source]*check
	regenerates *lab.Source // graph of the recipe in the dialog; nil for a new graph
	drops       []*drop     // drops that wait for their turn
	taking      bool        // a drop is being taken
}

func (u *uploads) inputPane() app.UI {
	return u.view.InputPane([]app.UI{
		app.H3().Text("Deployments"),
		u.sourceList(deploymentRole, u.view.Inputs.deployments, 0, +1),
		&ui.DropZone{ID: "file-deployment", TestID: "file-deployment", Label: "Choose deployments",
			Hint: "instead of these, or drop .dot files and Kubernetes YAML anywhere", Accept: acceptedFiles, OnFiles: u.choose(deployments)},
		app.Div().Class("row").Body(
			ui.Button("plus", "Generate").Aria("label", "Generate a deployment").OnClick(func(app.Context, app.Event) { u.openGenerator(graphs.DeploymentGenerator) }),
			ui.Button("copy", "Paste").OnClick(func(app.Context, app.Event) { u.view.Files.OpenPaste() }),
			&ui.DropZone{ID: "file-deployment-add", TestID: "file-deployment-add", Label: "Add",
				Accept: acceptedFiles, OnFiles: u.choose(more)},
		),
		u.view.forms.inferredFields(),
		app.H3().Text("Federation"),
		u.sourceList(federationRole, u.view.Inputs.files, -1, -1),
		&ui.DropZone{ID: "file-federation", TestID: "file-federation", Label: "Choose a federation",
			Hint: "one .dot file, or one file of nodes per cluster", Accept: acceptedFiles, OnFiles: u.choose(federation)},
		app.Div().Class("row").Body(
			ui.Button("plus", "Generate").Aria("label", "Generate a federation").OnClick(func(app.Context, app.Event) { u.openGenerator(graphs.FederationGenerator) }),
			&ui.DropZone{ID: "file-federation-add", TestID: "file-federation-add", Label: "Add",
				Accept: acceptedFiles, OnFiles: u.choose(joined)},
		),
	}, app.Div().Body(u.view.forms.optionFields(), u.view.whatIf.whatIfFields()))
}

// sourceList lists the graphs of a role. Their indices start at first and change by
// step.
func (u *uploads) sourceList(role string, graphs []*lab.Source, first, step int) app.UI {
	if len(graphs) == 0 {
		return u.view.Runs.Absent("No " + role + " yet: drop a .dot file, or generate one.")
	}
	return app.Ol().Class("sources").Body(app.Range(graphs).Slice(func(i int) app.UI { return u.source(graphs[i], first+step*i) }))
}

// source draws a graph of the list: its name, size and buttons, and its editor if open.
func (u *uploads) source(g *lab.Source, index int) app.UI {
	return app.Li().Class("source").Body(
		u.view.Files.SourceHead(g, u.sourceBadge(g), u.sourceButtons(g, index)...),
		app.If(u.view.Files.Editing == g, func() app.UI { return u.sourceBody(g, index) }),
	)
}

func (u *uploads) sourceButtons(g *lab.Source, index int) []app.UI {
	remove := ui.IconButton("trash", "Remove "+g.Name).
		OnClick(func(app.Context, app.Event) { u.removeSource(index) }, app.EventScope("remove", index))
	if index < 0 || len(u.view.Inputs.deployments) < 2 {
		return []app.UI{remove}
	}
	return []app.UI{
		u.moveButton("up", "earlier", g, index, -1),
		u.moveButton("chevron", "later", g, index, +1),
		remove,
	}
}

func (u *uploads) moveButton(icon, where string, g *lab.Source, index, by int) app.UI {
	return ui.Disabled(ui.IconButton(icon, "Place "+g.Name+" "+where), index+by < 0 || index+by == len(u.view.Inputs.deployments)).
		OnClick(func(app.Context, app.Event) { u.moveSource(index, by) }, app.EventScope("move", index, by))
}

func (u *uploads) removeSource(index int) {
	if g := u.view.Inputs.at(index); g != nil {
		u.view.Edit("remove "+g.Name, func(in *inputs) { in.remove(g) })
	}
}

func (u *uploads) moveSource(index, by int) {
	if g := u.view.Inputs.at(index); g != nil {
		u.view.Edit("move "+g.Name, func(in *inputs) { in.move(g, by) })
	}
}

// sourceBadge shows the size of a graph, its number of errors, or the state of its
// check.
func (u *uploads) sourceBadge(g *lab.Source) app.UI {
	c, found := u.checks[g], u.view.Form.Found(g)
	switch {
	case c == nil:
		return ui.Badge("plain", "checking …")
	case c.missed:
		return ui.Badge("warn", "not checked")
	case len(c.sizes) == 0 && len(found) == 0: // the report has no sizes for one of several files
		return ui.None()
	case len(found.Errors()) > 0:
		return ui.Badge("bad", ui.Counted(len(found.Errors()), "error"))
	case len(found.Warnings()) > 0:
		return ui.Badge("warn", u.sizeText(g))
	}
	return ui.Badge("plain", u.sizeText(g))
}

// sizeText describes the size of a graph: "12 jobs, 14 links". With several deployments it omits
// the links, because the buttons need the room. It is "" before the graph was read.
func (u *uploads) sizeText(g *lab.Source) string {
	c := u.checks[g]
	if c == nil || len(c.sizes) == 0 {
		return ""
	}
	sizes := c.sizes
	if len(sizes) > 1 {
		return ui.Counted(len(sizes), "graph")
	}
	node := "job"
	federation := slices.Contains(u.view.Inputs.files, g)
	if federation {
		node = "cluster"
	}
	text := ui.Counted(sizes[0].Nodes, node)
	if sizes[0].Edges > 0 && (federation || len(u.view.Inputs.deployments) == 1) {
		text += ", " + ui.Counted(sizes[0].Edges, "link")
	}
	return text
}

func (u *uploads) sourceBody(g *lab.Source, index int) app.UI {
	found := u.view.Form.Found(g)
	e := &ui.Editor{ID: editorID(index), Placeholder: "graph { … }", Diagnostics: found,
		OnChange: func(_ app.Context, text string) { u.typed(index, text) }}
	switch {
	case beyond(g):
	case slices.Contains(u.view.Inputs.files, g):
		e.Nodes, e.Edges = words(graph.Cluster), words(graph.Link)
	default:
		e.Nodes, e.Edges = words(graph.Job), words(graph.Dependency)
	}
	return g.Body(lab.SourceBody{
		Recipe: recipeName, Errors: found, Editor: e,
		Change: ui.Button("plus", "Change").OnClick(func(app.Context, app.Event) { u.editRecipe(index) }, app.EventScope("recipe", index)),
		More:   []app.UI{ui.Button("file", "Make it text").OnClick(func(app.Context, app.Event) { u.writeOut(index) }, app.EventScope("write", index))},
	})
}

func editorID(index int) string { return fmt.Sprintf("editor-%d", index+1) }

// words returns the completions for a kind of element: attributes, and labels in the
// thesis's notation.
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

// typed handles an edit of the graph with this index in the editor.
func (u *uploads) typed(index int, text string) {
	old := u.view.Inputs.at(index)
	u.view.Files.TypeIn(old, text, func(in *inputs, g *lab.Source) {
		in.replace(old, g)
		if c := u.checks[old]; c != nil {
			u.checks[g] = &check{sizes: c.sizes, old: true}
		}
	})
}

// writeOut replaces a recipe by the text of the graph that it generates.
func (u *uploads) writeOut(index int) {
	g := u.view.Inputs.at(index)
	query := placementkind.GenerateQuery{Recipe: *g.Recipe, Dialect: dot.Plain}
	lab.Ask(nil, u.view.Later, func() (*placementkind.Generated, error) {
		return bridge.AskTool(u.view.Page, u.view.Engine, placementkind.GenerateQuestion, query, nil)
	}, func(generated *placementkind.Generated, err error) {
		if err != nil {
			u.view.Files.Trouble = err.Error()
			return
		}
		written := lab.TextSource(g.Name, string(generated.Data))
		u.view.Edit("make "+g.Name+" text", func(in *inputs) { in.replace(g, written) })
		u.view.Files.Editing = written
	})
}

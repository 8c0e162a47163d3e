package chart

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Element is a node, edge or cluster of a drawing.
type Element struct {
	ID     string // id in the SVG; "" when none is pointed at any more
	Kind   string // "node", "edge" or "cluster"
	Name   string // name in the DOT text: "api", "api--db"
	Pinned bool   // clicked, or chosen with Enter
}

// Carry is a node that the pointer carries.
type Carry struct {
	ID      string // of the node, in the SVG
	Over    string // id of the cluster below the pointer, "" for none
	Dropped bool   // there, or with "" back where it was
}

// Name is what an element is called where it is not seen: "job catalogue on
// Frankfurt". The text that is drawn on it replaces the title.
type Name struct {
	Kind  string   `json:"kind"`
	Title string   `json:"title"`
	Where string   `json:"where"`
	Ends  []string `json:"ends"` // of an edge: the ids of the elements that it joins
	In    string   `json:"in"`   // of a node: the id of the cluster around it
}

// String is "job catalogue on Frankfurt".
func (n Name) String() string {
	return strings.Join(slices.DeleteFunc([]string{n.Kind, n.Title, n.Where}, func(s string) bool { return s == "" }), " ")
}

// Find asks for an element to be brought into view and focused; another number asks
// for it again.
type Find struct {
	ID string
	N  int
}

// Graph shows an SVG of Graphviz that can be moved and zoomed with pointer,
// wheel, fingers and keys. Its elements can be hovered and focused.
type Graph struct {
	app.Compo

	ID       string
	TestID   string
	Label    string
	SVG      string          // text of the drawing; "" shows nothing
	Selected string          // id of the element that is marked
	Moved    []string        // ids of elements that stand elsewhere than before
	Names    map[string]Name // of its elements by their ids
	Find     Find            // waits until there is such an element

	OnElement func(ctx app.Context, e Element)
	OnCarry   func(ctx app.Context, c Carry) // nil where nodes stay
	Answer    string                         // beside a carried node: what its place would mean
	Refused   bool                           // it cannot be there

	panzoom app.Value
	drawn   string
	found   int // number of the last element that was brought into view
	problem string
}

// OnMount gives the drawing its pan and zoom.
func (g *Graph) OnMount(ctx app.Context) {
	g.panzoom = app.Window().Get("berth").Call("panzoom", app.Window().GetElementByID(g.ID))
	g.draw(ctx)
}

// OnUpdate shows another drawing or another mark.
func (g *Graph) OnUpdate(ctx app.Context) { g.draw(ctx) }

// OnDismount lets go of what the drawing listens to.
func (g *Graph) OnDismount() {
	if g.panzoom != nil {
		g.panzoom.Call("destroy")
	}
}

func (g *Graph) draw(app.Context) {
	if g.panzoom == nil {
		return
	}
	if g.SVG != g.drawn {
		g.drawn = g.SVG
		names, err := json.Marshal(g.Names) // one call for all: each value that crosses to the browser costs one
		if err != nil {
			panic(err) // texts can be written
		}
		g.problem = g.panzoom.Call("show", g.SVG, string(names)).String()
	}
	g.panzoom.Call("select", g.Selected)
	g.panzoom.Call("displace", strings.Join(g.Moved, " "))
	g.panzoom.Call("answer", g.Answer, g.Refused)
	if g.Find.N != g.found && g.panzoom.Call("find", g.Find.ID).Bool() {
		g.found = g.Find.N
	}
}

// Render draws the frame of the drawing and its tools.
func (g *Graph) Render() app.UI {
	carries := ""
	if g.OnCarry != nil {
		carries = "yes"
	}
	return app.Div().Class("drawing").Body(
		app.Div().Class("drawing-tools").Role("toolbar").Aria("label", "Zoom").Body(
			ui.IconButton("minus", "Zoom out (-)").OnClick(g.zoomOut),
			ui.IconButton("fit", "Show all (0)").OnClick(g.fit),
			ui.IconButton("plus", "Zoom in (+)").OnClick(g.zoomIn),
		),
		app.Div().Class("panzoom").ID(g.ID).TabIndex(0).DataSet("testid", g.TestID).
			Role("region").Aria("label", g.Label).
			DataSet("carry", carries).
			On("berth:element", g.element).
			On("berth:carry", g.carry).
			Body(app.If(app.IsServer && g.SVG != "", func() app.UI {
				return app.Div().Class("panzoom-stage").Body(app.Raw(g.SVG)) // where no script puts it there
			})),
		app.If(g.problem != "", func() app.UI {
			return ui.Problem("The drawing could not be shown: " + g.problem)
		}),
	)
}

func (g *Graph) zoomIn(app.Context, app.Event)  { g.panzoom.Call("zoom", 1.25) }
func (g *Graph) zoomOut(app.Context, app.Event) { g.panzoom.Call("zoom", 0.8) }
func (g *Graph) fit(app.Context, app.Event)     { g.panzoom.Call("fit") }

func (g *Graph) element(ctx app.Context, e app.Event) {
	if g.OnElement == nil {
		ctx.PreventUpdate()
		return
	}
	detail := e.Get("detail")
	g.OnElement(ctx, Element{
		ID:     detail.Get("id").String(),
		Kind:   detail.Get("kind").String(),
		Name:   detail.Get("name").String(),
		Pinned: detail.Get("pinned").Bool(),
	})
}

func (g *Graph) carry(ctx app.Context, e app.Event) {
	if g.OnCarry == nil {
		ctx.PreventUpdate()
		return
	}
	detail := e.Get("detail")
	g.OnCarry(ctx, Carry{ID: detail.Get("id").String(), Over: detail.Get("over").String(), Dropped: detail.Get("dropped").Bool()})
}

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
	ID     string // id in the SVG; "" once the pointer has left all elements
	Pinned bool   // clicked, or chosen with Enter
}

// Carry is a node that the pointer drags.
type Carry struct {
	ID      string // id of the node in the SVG
	Over    string // id of the cluster under the pointer; "": none
	Dropped bool   // dropped there, or back to its place if Over is ""
}

// Name describes an element for people who do not see it: "job catalogue on Frankfurt". The text
// drawn on the element replaces Title.
type Name struct {
	Kind  string   `json:"kind"`
	Title string   `json:"title"`
	Where string   `json:"where"`
	Ends  []string `json:"ends"` // of an edge: ids of its two elements
	In    string   `json:"in"`   // of a node: id of its cluster

	Change string `json:"change,omitempty"` // of a node that came from another cluster: the effect of the move
}

// String returns the name as one phrase: "job catalogue on Frankfurt".
func (n Name) String() string {
	return strings.Join(slices.DeleteFunc([]string{n.Kind, n.Title, n.Where}, func(s string) bool { return s == "" }), " ")
}

// NamesOf encodes the names of elements, by id. They are one text, because go-app compares the
// fields of a component at each update, and each value that crosses to the browser is expensive.
func NamesOf(all map[string]Name) string {
	names, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(names)
}

// Find asks the drawing to scroll to an element and focus it. A new N repeats the request.
type Find struct {
	ID string
	N  int
}

// Graph shows an SVG with pan and zoom for pointer, wheel, fingers and keys. Its
// elements can be hovered and focused.
type Graph struct {
	app.Compo

	ID       string
	TestID   string
	Label    string
	SVG      string   // the drawing; "": none
	Selected string   // id of the marked element
	Moved    []string // ids of elements that have moved
	Names    string   // names of the elements, from [NamesOf]
	Copy     bool     // the page may have another drawing with the same elements
	Find     Find     // waits until the element exists

	OnElement func(ctx app.Context, e Element)
	OnCarry   func(ctx app.Context, c Carry) // nil if nodes cannot be dragged
	Answer    [2]string                      // next to a dragged node: the effects of dropping it
	Refused   bool                           // Answer[0] is a refusal

	panzoom app.Value
	drawn   string
	found   int // N of the last request that was carried out
	problem string
}

// OnMount adds pan and zoom to the drawing.
func (g *Graph) OnMount(ctx app.Context) {
	g.panzoom = app.Window().Get("berth").Call("panzoom", app.Window().GetElementByID(g.ID))
	g.draw(ctx)
}

// OnUpdate shows a new drawing or a new mark.
func (g *Graph) OnUpdate(ctx app.Context) { g.draw(ctx) }

// OnDismount removes the listeners of the drawing.
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
		g.problem = g.panzoom.Call("show", g.SVG, g.Names).String()
	}
	g.panzoom.Call("select", g.Selected)
	g.panzoom.Call("displace", strings.Join(g.Moved, " "))
	g.panzoom.Call("answer", g.Answer[0], g.Answer[1], g.Refused)
	if g.Find.N != g.found && g.panzoom.Call("find", g.Find.ID).Bool() {
		g.found = g.Find.N
	}
}

// Render draws the frame of the drawing and its tools.
func (g *Graph) Render() app.UI {
	carries, lead := "", ""
	if g.OnCarry != nil {
		carries = "yes"
	}
	if g.Copy {
		lead = g.ID + "-"
	}
	return app.Div().Class("drawing").Body(
		app.Div().Class("drawing-tools").Role("toolbar").Aria("label", "Zoom").Body(
			ui.IconButton("minus", "Zoom out (-)").OnClick(func(app.Context, app.Event) { g.panzoom.Call("zoom", 0.8) }),
			ui.IconButton("fit", "Show all (0)").OnClick(func(app.Context, app.Event) { g.panzoom.Call("fit") }),
			ui.IconButton("plus", "Zoom in (+)").OnClick(func(app.Context, app.Event) { g.panzoom.Call("zoom", 1.25) }),
		),
		app.Div().Class("panzoom").ID(g.ID).TabIndex(0).DataSet("testid", g.TestID).
			Role("region").Aria("label", g.Label).
			DataSet("carry", carries).
			DataSet("lead", lead). // prefix of the ids of its elements
			On("berth:element", g.element).
			On("berth:carry", g.carry).
			Body(app.If(app.IsServer && g.SVG != "", func() app.UI {
				return app.Div().Class("panzoom-stage").Body(app.Raw(g.SVG)) // for pages without scripts
			})),
		app.If(g.problem != "", func() app.UI {
			return ui.Problem("The drawing could not be shown: " + g.problem)
		}),
	)
}

func (g *Graph) element(ctx app.Context, e app.Event) {
	if g.OnElement == nil {
		ctx.PreventUpdate()
		return
	}
	detail := e.Get("detail")
	g.OnElement(ctx, Element{ID: detail.Get("id").String(), Pinned: detail.Get("pinned").Bool()})
}

func (g *Graph) carry(ctx app.Context, e app.Event) {
	if g.OnCarry == nil {
		ctx.PreventUpdate()
		return
	}
	detail := e.Get("detail")
	g.OnCarry(ctx, Carry{ID: detail.Get("id").String(), Over: detail.Get("over").String(), Dropped: detail.Get("dropped").Bool()})
}

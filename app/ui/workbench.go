package ui

import (
	"cmp"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// A Pane is a part of a [Workbench].
type Pane struct {
	Title  string
	Beside string          // title on a stage, next to the picture; "" for Title
	Tools  func() []app.UI // to the right of the title; may be nil
	Body   func() app.UI   // nil keeps the previous content, dimmed
}

// The panes of a workbench, which become tabs on a narrow screen.
const (
	PaneInput   = "input"
	PaneResult  = "result"
	PaneCompare = "compare"
	PaneWhy     = "why"
)

// Workbench is the layout of all three systems: input on the left, the result in the middle, the
// comparison on the right, the explanation below. The user can resize and collapse panes, and the
// browser remembers their sizes (controls.js). Below 900 px the panes become tabs. All panes stay in the
// document, so a switch loses nothing.
type Workbench struct {
	app.Compo

	ID                          string // prefix of the panes' ids and of the storage key
	Title                       string // page title for screen readers; invisible
	Input, Result, Compare, Why Pane

	// Tab is the pane on a narrow screen; "" is the result. On a stage it is the pane that replaces
	// the explanation, and it covers the page on a narrow screen. OnTab gets the pane that the user
	// chooses.
	Tab   string
	OnTab func(tab string)

	// Stage, if not nil, arranges the same panes for a first look.
	Stage *Stage
}

// A Stage shows a large result with the explanation beside it. The other panes stay in the
// document, hidden until Tab names one. controls.js moves the focus to a pane that opens, and back.
type Stage struct {
	Lead, Foot, Actions func() app.UI // above both, below the result, and below the explanation; nil as in [Pane.Body]
}

// Render draws the panes, the lines between them and the tabs.
func (w *Workbench) Render() app.UI {
	mode := "workbench"
	if w.Stage != nil {
		mode = "stage"
	}
	root := app.Div().Class("bench").ID(w.ID).DataSet("testid", mode).DataSet("mode", mode).DataSet("tab", w.shown())
	for _, name := range []string{PaneInput, PaneCompare, PaneWhy} {
		root.Style("--"+name, strconv.Itoa(sizes[name].start)+"px")
	}
	return root.Body(
		app.H1().Class("visually-hidden").Text(w.Title),
		&Tabs{ID: w.ID + "-tabs", Label: "Parts of the page", Class: "bench-tabs", Selected: w.shown(),
			Items: []Tab{
				{ID: PaneResult, Title: w.Result.Title, Panel: w.paneID(PaneResult)},
				{ID: PaneCompare, Title: w.Compare.Title, Panel: w.paneID(PaneCompare)},
				{ID: PaneWhy, Title: w.Why.Title, Panel: w.paneID(PaneWhy)},
				{ID: PaneInput, Title: w.Input.Title, Panel: w.paneID(PaneInput)},
			},
			OnSelect: w.selectTab,
		},
		w.stagePart("lead", func(s *Stage) func() app.UI { return s.Lead }),
		w.pane(PaneInput, w.Input),
		w.separator(PaneInput, "Width of "+w.Input.Title, true, false),
		w.pane(PaneResult, w.Result),
		w.separator(PaneCompare, "Width of "+w.Compare.Title, true, true),
		w.pane(PaneCompare, w.Compare),
		w.separator(PaneWhy, "Height of "+w.Why.Title, false, true),
		w.pane(PaneWhy, w.Why),
		w.stagePart("foot", func(s *Stage) func() app.UI { return s.Foot }),
		w.stagePart("actions", func(s *Stage) func() app.UI { return s.Actions }),
	)
}

// stagePart draws a place for a part of the stage. Without a stage the place stays, empty, so that
// go-app does not replace its siblings.
func (w *Workbench) stagePart(name string, part func(*Stage) func() app.UI) app.UI {
	place := app.Div().Class("stage-" + name)
	if w.Stage != nil {
		place.Body(&held{Draw: part(w.Stage)})
	}
	return place
}

func (w *Workbench) paneID(name string) string { return w.ID + "-" + name }

func (w *Workbench) shown() string { return cmp.Or(w.Tab, PaneResult) }

func (w *Workbench) selectTab(_ app.Context, id string) { w.OnTab(id) }

func (w *Workbench) pane(name string, p Pane) app.UI {
	var tools []app.UI
	if p.Tools != nil {
		tools = p.Tools()
	}
	title := p.Title
	if w.Stage != nil {
		title = cmp.Or(p.Beside, title)
	}
	return app.Section().Class("pane pane-"+name).ID(w.paneID(name)).TabIndex(-1).DataSet("rove", "yes").Aria("label", title).Body(
		app.Div().Class("pane-head").Body(
			app.H2().Text(title),
			app.Div().Class("pane-tools").Role("toolbar").Aria("label", "Tools of "+title).Body(tools...),
			app.If(name != PaneResult, func() app.UI {
				return IconButton("chevron", "Collapse "+p.Title).Class("pane-collapse").TabIndex(-1).Aria("expanded", true).Aria("controls", w.paneID(name))
			}),
			app.If(name != PaneResult && w.Stage != nil, func() app.UI {
				return IconButton("close", "Close "+title+" (Esc)").Class("pane-close").DataSet("stop", "yes").OnClick(func(app.Context, app.Event) { w.OnTab(PaneResult) })
			}),
		),
		app.Div().Class(map[bool]string{true: "pane-body dimmed", false: "pane-body"}[p.Body == nil]).Body(&held{Draw: p.Body}),
	)
}

// held is a part of the page that keeps its last content while Draw is nil.
type held struct {
	app.Compo
	Draw func() app.UI

	last func() app.UI
}

// Render draws the part. go-app does not call it if Draw is nil before and after an
// update.
func (h *held) Render() app.UI {
	if h.Draw != nil {
		h.last = h.Draw
	}
	if h.last == nil {
		return None()
	}
	return h.last()
}

func (w *Workbench) separator(name, label string, vertical, reverse bool) app.UI {
	return separator{
		label: label, controls: w.paneID(name), property: "--" + name, vertical: vertical, reverse: reverse,
		usual: sizes[name].start, min: sizes[name].min, max: sizes[name].max,
	}.draw()
}

// sizes are the limits and initial sizes of the panes in CSS pixels. The result takes the remaining
// space.
var sizes = map[string]struct{ min, start, max int }{
	PaneInput:   {200, 320, 720},
	PaneCompare: {180, 420, 720},
	PaneWhy:     {96, 260, 640},
}

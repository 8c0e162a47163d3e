package ui

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// A Pane is a part of a [Workbench].
type Pane struct {
	Title string
	Tools func() []app.UI // to the right of the title; may be nil
	Body  func() app.UI
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
// browser remembers their sizes. Below 900 px the panes become tabs. All panes stay in the
// document, so a switch loses nothing.
type Workbench struct {
	app.Compo

	ID                          string // prefix of the panes' ids and of the storage key
	Title                       string // of the page, for screen readers; it is not visible
	Input, Result, Compare, Why Pane

	// Tab is the pane on a narrow screen, the result for "". OnTab gets the pane that the user
	// chooses.
	Tab   string
	OnTab func(tab string)

	// Stage, if not nil, arranges the same panes for a first look.
	Stage *Stage

	layout layout
}

// A Stage shows a large result with the explanation beside it. The other panes stay in the
// document, hidden.
type Stage struct {
	Lead, Foot, Actions func() app.UI // above both; below the result; below the explanation
}

// OnInit sets the default sizes of the panes.
func (w *Workbench) OnInit() { w.layout = defaultLayout() }

// OnMount restores the sizes that this browser remembers.
func (w *Workbench) OnMount(app.Context) { w.layout = parseLayout(Stored(w.storageKey())) }

func (w *Workbench) storageKey() string { return "berth.panes." + w.ID }

// Render draws the panes, the lines between them and the tabs.
func (w *Workbench) Render() app.UI {
	mode := "workbench"
	if w.Stage != nil {
		mode = "stage"
	}
	root := app.Div().Class("bench").ID(w.ID).DataSet("testid", mode).DataSet("mode", mode).DataSet("tab", w.shown())
	for _, name := range resizable {
		size := w.layout[name]
		if size.collapsed && w.Stage == nil {
			root.DataSet("collapsed-"+name, "yes")
		}
		root.Style("--"+name, strconv.Itoa(size.pixels)+"px")
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

// stagePart is a place that is empty without a stage, so that its siblings keep their elements.
func (w *Workbench) stagePart(name string, part func(*Stage) func() app.UI) app.UI {
	place := app.Div().Class("stage-" + name)
	if w.Stage != nil {
		place.Body(part(w.Stage)())
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
	return app.Section().Class("pane pane-"+name).ID(w.paneID(name)).TabIndex(-1).DataSet("rove", "yes").Aria("label", p.Title).Body(
		app.Div().Class("pane-head").Body(
			app.H2().Text(p.Title),
			app.Div().Class("pane-tools").Role("toolbar").Aria("label", "Tools of "+p.Title).Body(tools...),
			app.If(name != PaneResult, func() app.UI { return w.collapseButton(name, p.Title) }),
		),
		app.Div().Class("pane-body").Body(p.Body()),
	)
}

func (w *Workbench) collapseButton(name, title string) app.UI {
	collapsed := w.layout[name].collapsed
	verb := "Collapse "
	if collapsed {
		verb = "Open "
	}
	return IconButton("chevron", verb+title).Class("pane-collapse").TabIndex(-1).
		Aria("expanded", !collapsed).Aria("controls", w.paneID(name)).
		OnClick(func(ctx app.Context, _ app.Event) { w.toggle(name) }, app.EventScope(w.ID, name))
}

func (w *Workbench) separator(name, label string, vertical, reverse bool) app.UI {
	return &Separator{
		Label: label, Controls: w.paneID(name), Vertical: vertical, Reverse: reverse,
		Value: w.layout[name].pixels, Min: bounds[name].min, Max: bounds[name].max,
		OnMove:   func(_ app.Context, value int, settled bool) { w.resize(name, value, settled) },
		OnToggle: func(app.Context) { w.toggle(name) },
	}
}

func (w *Workbench) resize(name string, pixels int, settled bool) {
	if !settled {
		w.JSValue().Get("style").Call("setProperty", "--"+name, strconv.Itoa(pixels)+"px")
		return
	}
	w.layout[name] = paneSize{pixels: pixels}
	w.keep()
}

func (w *Workbench) toggle(name string) {
	size := w.layout[name]
	size.collapsed = !size.collapsed
	w.layout[name] = size
	w.keep()
}

func (w *Workbench) keep() { Store(w.storageKey(), w.layout.String()) }

// resizable lists the panes with a size of their own; the result takes the rest.
var resizable = []string{PaneInput, PaneCompare, PaneWhy}

var bounds = map[string]struct{ min, start, max int }{
	PaneInput:   {200, 320, 720},
	PaneCompare: {180, 420, 720},
	PaneWhy:     {96, 260, 640},
}

// layout is the size of each resizable pane.
type layout map[string]paneSize

type paneSize struct {
	pixels    int
	collapsed bool
}

func defaultLayout() layout {
	l := layout{}
	for _, name := range resizable {
		l[name] = paneSize{pixels: bounds[name].start}
	}
	return l
}

// String returns a layout as "input=320 compare=300- why=260"; the dash marks a collapsed pane.
func (l layout) String() string {
	words := make([]string, 0, len(resizable))
	for _, name := range resizable {
		word := name + "=" + strconv.Itoa(l[name].pixels)
		if l[name].collapsed {
			word += "-"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// parseLayout parses the result of String. Invalid parts keep their defaults, since a browser's
// storage may contain anything.
func parseLayout(s string) layout {
	l := defaultLayout()
	for word := range strings.FieldsSeq(s) {
		name, value, _ := strings.Cut(word, "=")
		limit, known := bounds[name]
		digits, collapsed := strings.CutSuffix(value, "-")
		pixels, err := strconv.Atoi(digits)
		if known && err == nil && limit.min <= pixels && pixels <= limit.max {
			l[name] = paneSize{pixels, collapsed}
		}
	}
	return l
}
